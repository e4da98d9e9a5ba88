// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/facts/collisions.hpp"

#include "ir/evaluate.hpp"
#include "ir/op.hpp"
#include "ir/walk.hpp"
#include "lower/loops.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace sinter::schedule {

using ir::Op;
using lower::Block;
using lower::Inst;

namespace {

__extension__ using Wide = __int128;

/// The sum of a multiple of each index, a number that all points share, and one from low to high that varies.
struct Linear {
    std::vector<Wide> factors;   ///< by axis
    std::optional<Wide> shared;  ///< none: it is not known
    Wide low = 0, high = 0;

    bool is_shared() const {
        return low == high && std::all_of(factors.begin(), factors.end(), [](Wide f) { return f == 0; });
    }
    bool is_number() const { return is_shared() && shared; }
    bool operator==(const Linear&) const = default;
};
using Value = std::optional<Linear>;  ///< none: anything

/// What is known of a value whatever the sizes are.
struct Digits {
    std::uint64_t told = 0;                ///< bit k: points with different indices of axis k have different values
    bool is_shared = false;                ///< all points have the same value
    std::optional<std::uint32_t> is_size;  ///< the value is this size,
    std::optional<std::uint32_t> below;    ///< or it is at least 0 and less than this one,
    std::optional<std::uint32_t> times;    ///< or a multiple of this one
    bool scales = false;                   ///< products with it are as different as what it is multiplied with

    static Digits shared() {
        Digits result;
        result.is_shared = true;
        return result;
    }
};

constexpr std::size_t most_axes = 64;
/// Products of an index of an array and a larger constant may not have 64 bits.
constexpr std::int64_t largest_scale = 1 << 16;

Digits scaled(const Digits& a, const Digits& factor) {
    Digits result;
    if (!factor.scales) return result;
    result.told = a.told;
    result.times = factor.is_size;
    return result;
}

/// Quotient and remainder tell apart what each of them does.
std::uint64_t told_by_sum(const Digits& a, const Digits& b) {
    const bool are_digits = (a.times && a.times == b.below) || (b.times && b.times == a.below);
    if (are_digits) return a.told | b.told;
    if (b.is_shared) return a.told;
    return a.is_shared ? b.told : 0;
}

/// What the analysis knows of a local. Values with the same number are one value.
struct Known {
    Value linear;  ///< as far as sizes are known
    Digits digits;
    std::size_t number = 0;
};

/// Nothing where numbers are beyond all offsets.
Value within_offsets(Linear v) {
    constexpr Wide most = Wide{1} << 62;
    auto is_far = [](Wide n) { return n > most || n < -most; };
    const bool far = std::any_of(v.factors.begin(), v.factors.end(), is_far) || is_far(v.low) || is_far(v.high) ||
                     (v.shared && is_far(*v.shared));
    return far ? Value() : Value(std::move(v));
}

Value scaled(Linear v, Wide factor) {
    for (Wide& f : v.factors) f *= factor;
    if (v.shared) *v.shared *= factor;
    v.low *= factor, v.high *= factor;
    if (factor < 0) std::swap(v.low, v.high);
    return within_offsets(std::move(v));
}

Value sum(Linear a, const Linear& b) {
    for (std::size_t k = 0; k < a.factors.size(); ++k) a.factors[k] += b.factors[k];
    a.shared = a.shared && b.shared ? std::optional(*a.shared + *b.shared) : std::nullopt;
    a.low += b.low, a.high += b.high;
    return within_offsets(std::move(a));
}

/// What contains both, where it is known how far they are apart.
Value either(const Linear& a, const Linear& b) {
    if (a == b && a.shared) return a;
    if (a.factors != b.factors || !a.shared || !b.shared) return std::nullopt;
    return Linear{a.factors, 0, std::min(*a.shared + a.low, *b.shared + b.low),
                  std::max(*a.shared + a.high, *b.shared + b.high)};
}

class CollisionWalk {
  public:
    /// sizes: null if they are not known.
    CollisionWalk(const lower::Kernel& kernel, const std::int64_t* sizes) : kernel_(kernel), sizes_(sizes) {
        std::vector<Known> params;
        for (std::size_t axis = 0; axis < kernel_.space.size(); ++axis) {
            Known param;
            if (sizes) {
                extents_.push_back(sizes_[kernel_.space[axis].index]);
                param.linear = number(0);
                param.linear->factors[axis] = 1;
            }
            if (axis < most_axes) param.digits.told = std::uint64_t{1} << axis;
            param.digits.below = kernel_.space[axis].index;
            params.push_back(param);
        }
        block(kernel_.body, std::move(params), false);
    }

    std::int64_t most_that_meet() const {
        std::int64_t most = 1;
        for (const auto& [buffer, stored] : stored_) most = std::max(most, meeting(stored.offset));
        return most;
    }

    std::vector<const Inst*> stores_that_may_meet() const {
        std::vector<const Inst*> result;
        for (const auto& [buffer, stored] : stored_)
            if (stored.is_in_loop || !tells_all(stored.offset.digits))
                result.insert(result.end(), stored.stores.begin(), stored.stores.end());
        return result;
    }

  private:
    /// To one array.
    struct Stored {
        Known offset;
        std::vector<const Inst*> stores;
        bool is_in_loop = false;  ///< whose iterations several threads may execute
    };

    Linear number(Wide n) const { return {std::vector<Wide>(kernel_.space.size()), n}; }
    Linear shared() const { return {std::vector<Wide>(kernel_.space.size()), std::nullopt}; }
    Linear size(std::uint64_t id) const { return sizes_ ? number(sizes_[id]) : shared(); }

    const Known& known(const Inst& inst, std::size_t k) const { return env_[inst.operands[k].index]; }
    const Value& operand(const Inst& inst, std::size_t k) const { return known(inst, k).linear; }
    const Digits& digits(const Inst& inst, std::size_t k) const { return known(inst, k).digits; }

    void add(Known known) {
        known.number = ++numbers_;
        env_.push_back(std::move(known));
    }

    void block(const Block& b, std::vector<Known> params, bool in_loop) {
        const std::size_t base = env_.size();
        params.resize(b.params.size());
        for (Known& param : params) add(std::move(param));
        for (const Inst& inst : b.insts) {
            if (inst.op == Op::store && kernel_.buffers[inst.bits].dest) store(inst, in_loop);
            for (std::size_t k = 0; k < inst.blocks.size(); ++k)
                block(inst.blocks[k], indices(inst, k), in_loop || lower::is_loop(inst.op));
            const bool is_plain = inst.types.size() == 1 && inst.blocks.empty();
            const Known result = is_plain ? Known{value(inst), digits_of(inst)} : Known();
            for (std::size_t k = 0; k < inst.types.size(); ++k) add(result);
        }
        env_.resize(base);
    }

    /// The parameters of a loop's block that are indices.
    std::vector<Known> indices(const Inst& inst, std::size_t block) const {
        const bool counts = inst.op == Op::for_loop || (lower::is_loop(inst.op) && block != 1);
        std::vector<Known> result;
        for (std::size_t k = 0; counts && k < (inst.op == Op::for_loop ? 1 : lower::loop_rank(inst)); ++k) {
            Known index{below(operand(inst, k)), {}};
            index.digits.below = digits(inst, k).is_size;
            result.push_back(std::move(index));
        }
        return result;
    }

    /// A number from 0 to, but not including, this one.
    Value below(const Value& extent) const {
        if (!extent || !extent->is_number()) return std::nullopt;
        Linear result = number(0);
        result.high = std::max<Wide>(0, *extent->shared + extent->low - 1);
        return result;
    }

    Value value(const Inst& inst) const {
        if (inst.op == Op::load) {
            const bool changes = kernel_.buffers[inst.bits].output || kernel_.buffers[inst.bits].local;
            return !changes && operand(inst, 0) && operand(inst, 0)->is_shared() ? Value(shared()) : std::nullopt;
        }
        if (inst.type() == lower::Scalar::i64)
            if (Value index = this->index(inst)) return index;
        const bool alike = std::all_of(inst.operands.begin(), inst.operands.end(), [&](ir::Local local) {
            return env_[local.index].linear && env_[local.index].linear->is_shared();
        });
        return alike ? Value(shared()) : std::nullopt;
    }

    Digits digits_of(const Inst& inst) const {
        Digits result;
        if (inst.op == Op::load) {
            const bool changes = kernel_.buffers[inst.bits].output || kernel_.buffers[inst.bits].local;
            return !changes && digits(inst, 0).is_shared ? Digits::shared() : result;
        }
        result.is_shared = std::all_of(inst.operands.begin(), inst.operands.end(),
                                       [&](ir::Local local) { return env_[local.index].digits.is_shared; });
        if (inst.types[0] == lower::Scalar::i64) index_digits(inst, result);
        return result;
    }

    void index_digits(const Inst& inst, Digits& result) const {
        if (inst.op == Op::constant) {
            const std::int64_t n = ir::to_int64(inst.type(), inst.bits);
            result.scales = n != 0 && n > -largest_scale && n < largest_scale;
        } else if (inst.op == Op::size) {
            result.is_size = static_cast<std::uint32_t>(inst.bits);
            result.scales = true;
        } else if (inst.op == Op::check_index || ir::is_continuation(inst.op)) {
            // Where the check fails, the results of the launch are thrown away.
            if (inst.op == Op::check_index) result.told = digits(inst, 0).told;
            result.below = digits(inst, 1).is_size;
        } else if (inst.op == Op::negate) {
            result.told = digits(inst, 0).told;
        } else if (inst.op == Op::add) {
            result.told = told_by_sum(digits(inst, 0), digits(inst, 1));
        } else if (inst.op == Op::sub) {
            if (digits(inst, 1).is_shared) result.told = digits(inst, 0).told;
            if (digits(inst, 0).is_shared) result.told |= digits(inst, 1).told;
        } else if (inst.op == Op::mul) {
            const bool is_first = digits(inst, 0).scales;
            const Digits product = scaled(digits(inst, is_first ? 1 : 0), digits(inst, is_first ? 0 : 1));
            result.told = product.told;
            result.times = product.times;
        }
    }

    Value index(const Inst& inst) const {
        if (inst.op == Op::constant) return number(ir::to_int64(inst.type(), inst.bits));
        if (inst.op == Op::size) return size(inst.bits);
        if (inst.op == Op::check_index && operand(inst, 0)) return operand(inst, 0);
        if (inst.op == Op::check_index || ir::is_continuation(inst.op)) return below(operand(inst, 1));
        if (inst.operands.empty() || !operand(inst, 0)) return std::nullopt;
        const Linear& a = *operand(inst, 0);
        if (inst.op == Op::negate) return scaled(a, -1);
        if (inst.operands.size() != 2 || !operand(inst, 1)) return std::nullopt;
        const Linear& b = *operand(inst, 1);
        switch (inst.op) {
            case Op::add:
                return sum(a, b);
            case Op::sub: {
                const Value minus = scaled(b, -1);
                return minus ? sum(a, *minus) : std::nullopt;
            }
            case Op::mul:
                if (b.is_number()) return scaled(a, *b.shared + b.low);
                return a.is_number() ? scaled(b, *a.shared + a.low) : std::nullopt;
            default:
                return std::nullopt;
        }
    }

    void store(const Inst& inst, bool in_loop) {
        Stored& stored = stored_[inst.bits];
        const Known& offset = known(inst, 0);
        if (stored.stores.empty()) {
            stored.offset = offset;
        } else if (stored.offset.number != offset.number) {
            Value& before = stored.offset.linear;
            before = before && offset.linear ? either(*before, *offset.linear) : std::nullopt;
            stored.offset.digits = Digits();
            stored.offset.number = 0;
        }
        stored.stores.push_back(&inst);
        stored.is_in_loop |= in_loop;
    }

    bool tells_all(const Digits& digits) const {
        const std::size_t axes = kernel_.space.size();
        return axes < most_axes && digits.told + 1 == std::uint64_t{1} << axes;
    }

    /// Consecutive points that may have one offset.
    std::int64_t meeting(const Known& offset) const {
        if (tells_all(offset.digits) || (offset.linear && is_distinct(*offset.linear))) return 1;
        std::size_t apart = offset.linear ? outer_axes_apart(*offset.linear) : 0;
        apart = std::max(apart, static_cast<std::size_t>(std::countr_one(offset.digits.told)));
        std::int64_t points = 1;
        for (; apart < extents_.size(); ++apart) points *= extents_[apart];
        return points;
    }

    /// How far offsets are apart at most that differ in the index of an axis only.
    Wide reach(const Linear& offset, std::size_t axis) const {
        const Wide factor = offset.factors[axis];
        return (factor < 0 ? -factor : factor) * (extents_[axis] - 1);
    }

    /// True if a step along the axis leads farther than all of `rest` can lead back.
    bool is_apart(const Linear& offset, std::size_t axis, Wide rest) const {
        const Wide factor = offset.factors[axis];
        return extents_[axis] <= 1 || (factor < 0 ? -factor : factor) > rest;
    }

    /// As the digits of a number are, in some order of the axes.
    bool is_distinct(const Linear& offset) const {
        std::vector<std::size_t> axes;
        for (std::size_t axis = 0; axis < extents_.size(); ++axis) axes.push_back(axis);
        auto step = [&](std::size_t axis) { return std::max(offset.factors[axis], -offset.factors[axis]); };
        std::sort(axes.begin(), axes.end(), [&](std::size_t a, std::size_t b) { return step(a) < step(b); });
        Wide rest = offset.high - offset.low;
        for (std::size_t axis : axes) {
            if (!is_apart(offset, axis, rest)) return false;
            rest += reach(offset, axis);
        }
        return true;
    }

    /// The number of outer axes of which each index has offsets of its own.
    std::size_t outer_axes_apart(const Linear& offset) const {
        Wide rest = offset.high - offset.low;
        for (std::size_t axis = 0; axis < extents_.size(); ++axis) rest += reach(offset, axis);
        std::size_t count = 0;
        for (; count < extents_.size(); ++count) {
            rest -= reach(offset, count);
            if (!is_apart(offset, count, rest)) break;
        }
        return count;
    }

    const lower::Kernel& kernel_;
    const std::int64_t* sizes_;
    std::vector<std::int64_t> extents_;
    std::vector<Known> env_;
    std::size_t numbers_ = 0;
    std::map<std::uint64_t, Stored> stored_;  ///< by array
};

}  // namespace

std::size_t overwritten_arrays(const lower::Kernel& kernel) {
    std::set<std::uint64_t> arrays;
    ir::any_inst(kernel.body, [&](const Inst& inst) {
        if (inst.op == Op::store && kernel.buffers[inst.bits].dest) arrays.insert(inst.bits);
        return false;
    });
    return arrays.size();
}

std::int64_t points_that_meet(const lower::Kernel& kernel, const std::int64_t* sizes) {
    return CollisionWalk(kernel, sizes).most_that_meet();
}

std::vector<const Inst*> stores_that_may_meet(const lower::Kernel& kernel) {
    return CollisionWalk(kernel, nullptr).stores_that_may_meet();
}

}  // namespace sinter::schedule
