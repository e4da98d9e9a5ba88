// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/index/axis_splits.hpp"

#include "lower/loops.hpp"
#include "lower/tuning.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace sinter::lower {

namespace {

using ir::Op;
using ir::Size;

/// A product of sizes: a number and what is not made of factors.
struct Factors {
    std::int64_t number = 1;
    std::vector<SizeId> others = {};  ///< increasing
};

class Splits {
  public:
    Splits(const Kernel& kernel, const std::set<SizeId>* present) : kernel_(kernel), present_(present) {
        result_.sizes = kernel.sizes;
    }

    AxisSplits operator()() {
        walk();
        for (Axis& axis : axes_) choose(axis);
        chosen_ = true;
        walk();
        for (std::size_t k = 0; k < axes_.size(); ++k) {
            const Axis& axis = axes_[k];
            if (axis.divisor) result_.axes.emplace(k, SplitAxis{axis.quotient, axis.remainder, axis.whole});
        }
        return std::move(result_);
    }

  private:
    /// Where the lanes of vectors may go along an axis, rows have to be long.
    enum class Lanes : std::uint8_t { never, perhaps, always };
    struct Axis {
        SizeId extent;
        Lanes lanes;
        std::vector<SizeId> divisors = {};
        std::optional<SizeId> divisor = {};
        SizeId quotient = {}, remainder = {};
        bool whole = false;
    };
    /// A local: a size, the index along an axis, or the index along a part of one.
    struct Known {
        std::optional<SizeId> size = {};
        std::optional<std::size_t> axis = {};
        SizeId below = {};  ///< if valid, it is between 0 and this size
    };

    // ---- reading

    void walk() {
        locals_.clear();
        next_axis_ = 0;
        for (std::size_t k = 0; k < kernel_.space.size(); ++k)
            push_axis(kernel_.space[k], k + 1 == kernel_.space.size() ? Lanes::always : Lanes::never);
        block(kernel_.body);
    }

    void push_axis(std::optional<SizeId> extent, Lanes lanes) {
        if (!chosen_) axes_.push_back({extent.value_or(SizeId()), lanes});
        locals_.push_back({.axis = next_axis_++});
    }

    void block(const Block& block) {
        const std::size_t base = locals_.size();
        for (const Inst& inst : block.insts) {
            if (!divides(inst)) each_use(inst.operands);
            for (std::size_t k = 0; k < inst.blocks.size(); ++k) nested(inst, k);
            const Known known = inst.types.size() == 1 && inst.type() == Scalar::i64 ? result(inst) : Known();
            locals_.insert(locals_.end(), inst.types.size(), known);
        }
        each_use(block.results);
        locals_.resize(base);
    }

    void nested(const Inst& inst, std::size_t which) {
        const Block& inner = inst.blocks[which];
        const std::size_t base = locals_.size(), axes = axes_of(inst, which);
        if (axes > 0 && !chosen_) result_.first.emplace(&inst, next_axis_);
        const Lanes lanes = inst.op == Op::for_loop ? Lanes::never : kernel_.space.empty() ? Lanes::always : Lanes::perhaps;
        for (std::size_t k = 0; k < inner.params.size(); ++k) {
            if (k < axes)
                push_axis(size_of(inst.operands[k]), k + 1 == axes ? lanes : Lanes::never);
            else
                locals_.emplace_back();
        }
        block(inner);
        locals_.resize(base);
    }

    /// The steps of a for_loop may be a negative number, unless it is a constant.
    std::size_t axes_of(const Inst& inst, std::size_t block) const {
        if (block > 0) return 0;
        if (inst.op == Op::reduce || inst.op == Op::for_each) return loop_rank(inst);
        if (inst.op != Op::for_loop) return 0;
        const std::optional<SizeId> count = size_of(inst.operands[0]);
        return count && result_.sizes[*count].kind == Size::Kind::constant ? 1 : 0;
    }

    std::optional<SizeId> size_of(Local local) const { return locals_[local.index].size; }

    void each_use(const std::vector<Local>& locals) {
        for (Local local : locals)
            if (const auto axis = locals_[local.index].axis) axes_[*axis].whole = true;
    }

    /// True for the quotient or remainder of an index and a size. Notes the divisor, and then what becomes of it.
    bool divides(const Inst& inst) {
        if ((inst.op != Op::div && inst.op != Op::rem) || inst.type() != Scalar::i64) return false;
        const std::optional<std::size_t> axis = locals_[inst.operands[0].index].axis;
        const std::optional<SizeId> by = size_of(inst.operands[1]);
        if (!axis || !by || !axes_[*axis].extent.valid()) return false;
        Axis& of = axes_[*axis];
        if (!chosen_) return of.divisors.push_back(*by), true;
        if (!of.divisor) return false;
        const std::optional<Factors> rest = quotient(factors(*by), factors(*of.divisor));
        if (!rest) {  // whoever divides the index by something else, uses it
            of.whole = true;
            return true;
        }
        const bool exact = rest->number == 1 && rest->others.empty();
        const auto kind = inst.op == Op::div ? SplitResult::Kind::quotient : SplitResult::Kind::remainder;
        result_.results.emplace(&inst, SplitResult{kind, *axis, exact ? SizeId() : product(*rest)});
        return true;
    }

    // ---- what is known

    Known result(const Inst& inst) {
        ir::SizeTable& sizes = result_.sizes;
        switch (inst.op) {
            case Op::constant:
                return {.size = sizes.constant(static_cast<std::int64_t>(inst.bits))};
            case Op::size:
                return {.size = SizeId(inst.bits)};
            case Op::add:
            case Op::sub:
            case Op::mul:
                return {.size = computed(inst)};
            case Op::check_divisor:
                if (chosen_ && is_positive(inst.operands[0])) holds(inst);
                return {.size = size_of(inst.operands[0])};
            case Op::check_index:
                return checked(inst);
            default:
                return part(inst);
        }
    }

    std::optional<SizeId> computed(const Inst& inst) {
        const std::optional<SizeId> a = size_of(inst.operands[0]), b = size_of(inst.operands[1]);
        if (!a || !b) return std::nullopt;
        const Size::Kind kind = inst.op == Op::add   ? Size::Kind::add
                                : inst.op == Op::sub ? Size::Kind::sub
                                                     : Size::Kind::mul;
        return result_.sizes.intern({kind, 0, 0, *a, *b});
    }

    /// The index along one of the axes that an axis becomes.
    Known part(const Inst& inst) const {
        const auto found = result_.results.find(&inst);
        if (found == result_.results.end() || found->second.factor.valid()) return {};
        const Axis& axis = axes_[found->second.axis];
        return {.below = found->second.kind == SplitResult::Kind::quotient ? axis.quotient : axis.remainder};
    }

    Known checked(const Inst& inst) {
        const Known index = locals_[inst.operands[0].index];
        const std::optional<SizeId> extent = size_of(inst.operands[1]);
        if (!chosen_ || !index.below.valid() || !extent || !is_at_most(index.below, *extent)) return {};
        holds(inst);
        return index;
    }

    bool is_at_most(SizeId a, SizeId b) const {
        if (a == b) return true;
        const Size &low = result_.sizes[a], &high = result_.sizes[b];
        if (low.kind == Size::Kind::constant && high.kind == Size::Kind::constant) return low.index <= high.index;
        const auto is_zero = [&](SizeId id) { return result_.sizes.is_constant(id, 0); };
        return low.kind == Size::Kind::maximum &&
               ((low.left == b && is_zero(low.right)) || (low.right == b && is_zero(low.left)));
    }

    /// Wherever a divisor of an axis is used, the axis has points.
    bool is_positive(Local local) const {
        const std::optional<SizeId> size = size_of(local);
        return size && std::any_of(locals_.begin(), locals_.end(), [&](const Known& known) {
                   return known.axis && axes_[*known.axis].divisor &&
                          quotient(factors(axes_[*known.axis].extent), factors(*size)).has_value();
               });
    }

    void holds(const Inst& check) { result_.results.emplace(&check, SplitResult{SplitResult::Kind::operand}); }

    // ---- choosing

    /// By the divisor with the fewest factors; the index along the outer axis may then be divided by what is left of others.
    void choose(Axis& axis) {
        std::optional<std::size_t> fewest;
        const std::vector<SizeId> divisors = std::exchange(axis.divisors, {});
        axis.whole = false;
        for (SizeId divisor : divisors) {
            const Factors of = factors(divisor);
            if (!may_split(axis, of) || !pays(axis, of)) continue;
            const bool better = !fewest || of.others.size() < *fewest ||
                                (of.others.size() == *fewest && of.number < factors(*axis.divisor).number);
            if (!better) continue;
            fewest = of.others.size();
            axis.divisor = divisor;
        }
        if (!axis.divisor) return;
        const Factors inner = factors(*axis.divisor);
        const std::optional<Factors> outer = quotient(factors(axis.extent), inner);
        axis.quotient = outer ? extent(*outer) : result_.sizes.ceil_div(axis.extent, *axis.divisor);
        axis.remainder = extent(inner);
        const bool any_length = axis.lanes == Lanes::never || (axis.lanes == Lanes::perhaps && is_short(axis));
        if (!present_) result_.exact.push_back({axis.extent, *axis.divisor, any_length ? 1 : tuning::least_split_row});
    }

    bool may_split(const Axis& axis, const Factors& by) const {
        const Factors all = factors(axis.extent);
        const auto unknown = std::count_if(all.others.begin(), all.others.end(), [&](SizeId id) { return !is_present(id); });
        const std::optional<Factors> outer = quotient(all, by);
        const auto is_one = [](const Factors& f) { return f.number == 1 && f.others.empty(); };
        if (is_one(by) || (outer && is_one(*outer))) return false;
        return !present_ || (outer && unknown <= 1);
    }

    bool is_short(const Axis& axis) const {
        const Factors all = factors(axis.extent);
        return all.others.empty() && all.number <= tuning::most_split_fold;
    }

    bool pays(const Axis& axis, const Factors& by) const {
        const bool is_long = !by.others.empty() || by.number >= tuning::least_split_row;
        return is_long || axis.lanes == Lanes::never || (axis.lanes == Lanes::perhaps && is_short(axis));
    }

    bool is_present(SizeId id) const { return !present_ || present_->count(id) > 0; }

    Factors factors(SizeId id) const {
        Factors result;
        if (id.valid()) add_factors(id, result);
        std::sort(result.others.begin(), result.others.end(), [](SizeId a, SizeId b) { return a.index < b.index; });
        return result;
    }

    void add_factors(SizeId id, Factors& to) const {
        const Size& size = result_.sizes[id];
        std::int64_t number = 0;
        if (size.kind == Size::Kind::constant && size.index > 0 && !__builtin_mul_overflow(to.number, size.index, &number))
            return static_cast<void>(to.number = number);
        if (size.kind != Size::Kind::mul) return to.others.push_back(id);
        add_factors(size.left, to);
        add_factors(size.right, to);
    }

    /// Nothing if something would be left over.
    static std::optional<Factors> quotient(const Factors& of, const Factors& by) {
        if (of.number % by.number != 0) return std::nullopt;
        Factors result{of.number / by.number, of.others};
        for (SizeId id : by.others) {
            const auto found = std::find(result.others.begin(), result.others.end(), id);
            if (found == result.others.end()) return std::nullopt;
            result.others.erase(found);
        }
        return result;
    }

    SizeId product(const Factors& factors) {
        SizeId result = result_.sizes.constant(factors.number);
        for (SizeId id : factors.others) result = result_.sizes.mul(result, id);
        return result;
    }

    /// The same as an extent: not negative.
    SizeId extent(const Factors& factors) {
        const bool known =
            std::all_of(factors.others.begin(), factors.others.end(), [&](SizeId id) { return is_present(id); });
        return known ? product(factors) : result_.sizes.maximum(product(factors), result_.sizes.constant(0));
    }

    const Kernel& kernel_;
    const std::set<SizeId>* present_;  ///< null if extents are assumed to be multiples
    AxisSplits result_;
    std::vector<Axis> axes_;  ///< by number
    std::size_t next_axis_ = 0;
    bool chosen_ = false;        ///< the second time, when it is known which axes are split
    std::vector<Known> locals_;  ///< by level
};

}  // namespace

AxisSplits axis_splits(const Kernel& kernel, const std::set<SizeId>* present) { return Splits(kernel, present)(); }

}  // namespace sinter::lower
