// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of which nothing but the first elements of each line is read, as in take(argsort(x), k), make no others: those are
// selected in one pass over the keys.
#include "ir/rebuild.hpp"
#include "ir/sizes/size_parts.hpp"
#include "opt/parts.hpp"
#include "opt/passes.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace sinter::opt {

using namespace ir;

namespace {

/// By sort: how many elements of each line are read.
using Firsts = std::unordered_map<const Binding*, SizeId>;

/// Finds the sorts of one body of which all readers take the same first elements.
class FirstFinder {
  public:
    FirstFinder(const Program& program, const Body& body, std::size_t base, const UseCounts& uses)
        : program_(program), body_(body), uses_(uses), makers_(body, base) {}

    void run(Firsts& firsts) {
        for (const Binding& binding : body_.bindings)
            if (const auto* view = std::get_if<View>(&binding.op)) note(*view, binding.types[0]);
        for (const auto& [sort, reads] : reads_)
            if (reads.extent && reads.count == all_uses(*sort)) firsts.emplace(sort, *reads.extent);
    }

  private:
    struct Reads {
        std::optional<SizeId> extent;  ///< nothing if readers differ
        std::size_t count = 0;
    };

    void note(const View& view, const Type& type) {
        const Part* part = makers_.find(view.arg);
        if (!part || !std::holds_alternative<Sort>(part->binding->op)) return;
        const auto* slice = std::get_if<Slice>(&view.function);
        if (!slice || view.fill || !is_prefix(*slice, type.shape, part->binding->types[0].shape)) return;
        if (!is_known_before(type.shape.back(), part->first)) return;
        Reads& reads = reads_[part->binding];
        if (reads.count++ == 0) reads.extent = type.shape.back();
        if (reads.extent != type.shape.back()) reads.extent.reset();
    }

    bool is_prefix(const Slice& slice, const Shape& made, const Shape& sorted) const {
        const auto starts_at_0 = [&](SizeId start) { return program_.sizes.is_constant(start, 0); };
        return std::all_of(slice.start.begin(), slice.start.end(), starts_at_0) &&
               std::all_of(slice.step.begin(), slice.step.end(), [](std::int64_t step) { return step == 1; }) &&
               std::equal(made.begin(), made.end() - 1, sorted.begin(), sorted.end() - 1);
    }

    bool is_known_before(SizeId extent, ValueId sort) const {
        bool known = true;
        for_each_value(program_.sizes, extent, [&](ValueId value) { known = known && value.index < sort.index; });
        return known;
    }

    std::size_t all_uses(const Binding& sort) const {
        std::size_t total = 0;
        for (const std::size_t uses : uses_.at(&sort)) total += uses;
        return total;
    }

    const Program& program_;
    const Body& body_;
    const UseCounts& uses_;
    const Makers makers_;
    std::unordered_map<const Binding*, Reads> reads_;
};

/// The readers become copies, which copy_propagation removes.
class FirstOfSorts : public Rebuilder {
  public:
    explicit FirstOfSorts(Firsts firsts) : firsts_(std::move(firsts)) {}

  private:
    bool before_renaming(Binding& binding) override {
        const auto found = firsts_.find(&binding);
        if (found != firsts_.end())
            for (Type& type : binding.types) type.shape.back() = found->second;
        return true;
    }

    Firsts firsts_;
};

}  // namespace

Program first_of_sorts(Program program) {
    Firsts firsts;
    const UseCounts uses = use_counts(program);
    for_each_body(program.body,
                  [&](const Body& body, std::size_t base) { FirstFinder(program, body, base, uses).run(firsts); });
    return firsts.empty() ? std::move(program) : FirstOfSorts(std::move(firsts)).run(std::move(program));
}

}  // namespace sinter::opt
