// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opt/uses.hpp"

namespace sinter::opt {

using namespace ir;

namespace {

class Counter {
  public:
    explicit Counter(const Program& program) : program_(program), seen_(program.sizes.count(), 0) {}

    UseCounts run() {
        body(program_.body);
        return std::move(counts_);
    }

  private:
    void body(const Body& body) {
        std::size_t base = live_.size();
        live_.resize(base + body.params.size(), 0);
        for (const Type& type : body.params) use(type);
        for (const Binding& binding : body.bindings) {
            ++binding_;
            for (ValueId id : operands(binding.op)) ++live_[id.index];
            for_each_size(binding.op, [&](SizeId start) { use(start); });
            if (const auto* bodies = bodies_of(binding.op))
                for (const Body& nested : *bodies) this->body(nested);
            std::size_t level = live_.size();
            if (binds_sizes(binding.op)) live_.resize(level + binding.types.size(), 0);
            for (const Type& type : binding.types) use(type);
            live_.resize(level + binding.types.size(), 0);
        }
        for (ValueId id : body.results) ++live_[id.index];
        ++binding_;
        for (const Guard& guard : body.guards) use(guard.left), use(guard.right);
        std::size_t level = base + body.params.size();
        for (const Binding& binding : body.bindings) {
            auto first = live_.begin() + static_cast<std::ptrdiff_t>(level);
            counts_[&binding].assign(first, first + static_cast<std::ptrdiff_t>(binding.types.size()));
            level += binding.types.size();
        }
        live_.resize(base);
    }

    void use(const Type& type) {
        for (SizeId size : type.shape) use(size);
    }
    /// Counts a size once per binding.
    void use(SizeId id) {
        if (seen_[id.index] == binding_) return;
        seen_[id.index] = binding_;
        const Size& size = program_.sizes[id];
        if (size.kind == Size::Kind::value) ++live_[static_cast<std::size_t>(size.index)];
        if (size.left.valid()) use(size.left), use(size.right);
    }

    const Program& program_;
    std::vector<std::size_t> live_;  ///< by level: number of uses so far
    std::vector<std::size_t> seen_;  ///< by size: the last binding that used it
    std::size_t binding_ = 0;
    UseCounts counts_;
};

}  // namespace

UseCounts use_counts(const Program& program) { return Counter(program).run(); }

}  // namespace sinter::opt
