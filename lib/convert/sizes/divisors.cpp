// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convert/sizes/divisors.hpp"

#include <algorithm>

namespace sinter::convert {

namespace {

/// By level: the numbers that the locals of a function are, or 0.
class Finder {
  public:
    explicit Finder(std::vector<std::int64_t>& found) : found_(found) {}

    void operator()(const ir::Block& block) {
        const std::size_t base = numbers_.size();
        numbers_.resize(base + block.params.size());
        for (const ir::Inst& inst : block.insts) {
            if (inst.op == ir::Op::div || inst.op == ir::Op::rem) note(inst);
            for (const ir::Block& inner : inst.blocks) (*this)(inner);
            const bool is_index = inst.op == ir::Op::constant && inst.type() == ir::Scalar::i64;
            numbers_.resize(numbers_.size() + inst.types.size(), is_index ? static_cast<std::int64_t>(inst.bits) : 0);
        }
        numbers_.resize(base);
    }

  private:
    void note(const ir::Inst& inst) {
        const std::int64_t number = numbers_[inst.operands[1].index];
        if (number > 1 && std::find(found_.begin(), found_.end(), number) == found_.end()) found_.push_back(number);
    }

    std::vector<std::int64_t>& found_;
    std::vector<std::int64_t> numbers_;
};

}  // namespace

bool Divisors::any_divides(std::int64_t extent) {
    if (!found_) {
        found_.emplace();
        for (const Term& term : pruned_.terms)
            if (const auto* map = term.node ? std::get_if<front::Map>(&term.node->op) : nullptr)
                Finder{*found_}(map->fn.body);
    }
    return std::any_of(found_->begin(), found_->end(), [&](std::int64_t divisor) { return extent % divisor == 0; });
}

}  // namespace sinter::convert
