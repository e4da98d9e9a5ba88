// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/loops/partial_map.hpp"

#include "ir/walk.hpp"

#include <algorithm>
#include <cstdlib>

namespace sinter::enable {

using namespace ir;

namespace {

/// An index of the map or the counter, plus a constant.
struct Offset {
    std::optional<std::size_t> axis;
    std::int64_t constant = 0;
};

class PartialMapFinder {
  public:
    PartialMapFinder(const Map& map, std::size_t rank, ValueId array, ValueId counter)
        : map_(map), array_(array), rank_(rank), params_(map.fn.body.params.size()) {
        const auto at = [](const std::vector<ValueId>& ids, ValueId id) {
            return static_cast<std::size_t>(std::find(ids.begin(), ids.end(), id) - ids.begin());
        };
        counter_ = rank + map.args.size() + at(map.captures.scalars, counter);
        slot_ = at(map.captures.arrays, array);
        for (const Inst& inst : map.fn.body.insts) defined_.resize(defined_.size() + inst.types.size(), &inst);
    }

    std::optional<PartialMap> run() {
        if (counter_ >= params_ || !bounds() || !reads(map_.fn.body) || may_fail_outside()) return std::nullopt;
        return std::move(result_);
    }

  private:
    const Inst* definition(Local local) const {
        return local.index < params_ || local.index - params_ >= defined_.size() ? nullptr : defined_[local.index - params_];
    }

    bool is_own(Local local) const {
        return local.index >= rank_ && local.index - rank_ < map_.args.size() && map_.args[local.index - rank_] == array_;
    }

    /// Finds what the conditions say of indices where one of them holds.
    bool bounds() {
        choice_ = definition(map_.fn.body.results[0]);
        if (choice_ == nullptr) return false;
        if (choice_->op == Op::cond) {
            if (choice_->types.size() != 1 || !is_own(choice_->blocks[1].results[0])) return false;
            result_.least = bounds_of(choice_->operands[0]);
        } else {
            for (const Inst* choice = choice_; choice != nullptr;) {
                if (choice->op != Op::select) return false;
                const Bounds bounds = bounds_of(choice->operands[0]);
                result_.least = choice == choice_ ? bounds : of_both(result_.least, bounds);
                if (is_own(choice->operands[2])) break;
                choice = definition(choice->operands[2]);
                if (choice == nullptr) return false;
            }
        }
        return std::any_of(result_.least.begin(), result_.least.end(), [](const auto& least) { return least.has_value(); });
    }

    using Bounds = std::vector<std::optional<std::int64_t>>;

    Bounds bounds_of(Local condition) const {
        Bounds least(rank_);
        for (std::size_t pass = 0; pass < rank_; ++pass) holds(condition, least);  // bounds of bounded indices
        return least;
    }

    /// Where one of two conditions holds.
    static Bounds of_both(const Bounds& a, const Bounds& b) {
        Bounds both(a.size());
        for (std::size_t axis = 0; axis < a.size(); ++axis)
            if (a[axis] && b[axis]) both[axis] = std::min(*a[axis], *b[axis]);
        return both;
    }

    void holds(Local condition, Bounds& least) const {
        const Inst* inst = definition(condition);
        if (inst == nullptr || inst->operands.size() != 2) return;
        const Local a = inst->operands[0], b = inst->operands[1];
        switch (inst->op) {
            case Op::bit_and:
                return holds(a, least), holds(b, least);
            case Op::greater_equal:
                return at_least(a, b, 0, least);
            case Op::greater:
                return at_least(a, b, 1, least);
            case Op::less_equal:
                return at_least(b, a, 0, least);
            case Op::less:
                return at_least(b, a, 1, least);
            case Op::equal:
                return at_least(a, b, 0, least), at_least(b, a, 0, least);
            default:
                return;
        }
    }

    /// high >= low + more
    void at_least(Local high, Local low, std::int64_t more, Bounds& all) const {
        const auto a = offset(high), b = offset(low);
        if (!a || !b || !a->axis) return;
        const std::optional<std::int64_t> base = b->axis ? all[*b->axis] : std::optional<std::int64_t>(0);
        if (!base) return;
        auto& least = all[*a->axis];
        const std::int64_t bound = *base + b->constant + more - a->constant;
        if (!least || bound > *least) least = bound;
    }

    std::optional<Offset> offset(Local local) const {
        if (local.index < rank_) return Offset{local.index};
        if (local.index == counter_) return Offset{};
        const Inst* inst = definition(local);
        if (inst == nullptr || (inst->op != Op::add && inst->op != Op::sub) || inst->type() != Scalar::i64)
            return std::nullopt;
        const auto more = constant(inst->operands[1]);
        auto of = offset(inst->operands[0]);
        if (!of || !more) return std::nullopt;
        of->constant += inst->op == Op::add ? *more : -*more;
        return of;
    }
    /// Only small ones, so that sums of them do not wrap.
    std::optional<std::int64_t> constant(Local local) const {
        const Inst* inst = definition(local);
        if (inst == nullptr || inst->op != Op::constant) return std::nullopt;
        const auto value = static_cast<std::int64_t>(inst->bits);
        return std::abs(value) < 1 << 20 ? std::optional(value) : std::nullopt;
    }

    /// True for errors, expectations and prints of elements that do not change, apart from reads of the array, which are
    /// known to succeed.
    bool may_fail_outside() const {
        const auto fails = [&](const Inst& inst) {
            return (inst.op != Op::read || inst.bits != slot_) && !inst.types.empty() && may_fail(inst.op, inst.type());
        };
        const auto& insts = map_.fn.body.insts;
        return std::any_of(insts.begin(), insts.end(), [&](const Inst& inst) {
            if (inst.op == Op::cond && &inst == choice_) return false;
            return fails(inst) || std::any_of(inst.blocks.begin(), inst.blocks.end(),
                                              [&](const Block& block) { return any_inst(block, fails); });
        });
    }

    bool reads(const Block& block) {
        bool known = true;
        for_each_inst(block, [&](const Inst& inst) {
            if (inst.op == Op::extent && extent_of(inst).slot == slot_) known = false;
            if (inst.op == Op::read && inst.bits == slot_) known = known && read(inst);
        });
        return known;
    }

    /// Own indices have to increase, as the axes of a broadcast do.
    bool read(const Inst& inst) {
        PlaneIndex index;
        std::optional<std::size_t> last;
        for (Local local : inst.operands) {
            if (local.index != counter_ && (local.index >= rank_ || (last && local.index <= *last))) return false;
            index.push_back(local.index == counter_ ? std::nullopt : std::optional(local.index));
            if (index.back()) last = index.back();
        }
        if (std::find(result_.planes.begin(), result_.planes.end(), index) == result_.planes.end())
            result_.planes.push_back(std::move(index));
        return true;
    }

    const Map& map_;
    ValueId array_;
    std::size_t rank_, params_, counter_ = 0, slot_ = 0;
    const Inst* choice_ = nullptr;      ///< between the new element and the old one
    std::vector<const Inst*> defined_;  ///< by local of the outermost block, behind its parameters
    PartialMap result_;
};

}  // namespace

std::optional<PartialMap> partial_map(const Map& map, std::size_t rank, ValueId array, ValueId counter) {
    return PartialMapFinder(map, rank, array, counter).run();
}

}  // namespace sinter::enable
