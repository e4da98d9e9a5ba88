// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/collisions.hpp"

#include "ir/evaluate.hpp"
#include "ir/op.hpp"
#include "ir/walk.hpp"
#include "lower/loops.hpp"

#include <algorithm>
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

class Walk {
  public:
    Walk(const lower::Kernel& kernel, const std::int64_t* sizes) : kernel_(kernel), sizes_(sizes) {}

    std::int64_t operator()() {
        std::vector<Value> params;
        for (std::size_t axis = 0; axis < kernel_.space.size(); ++axis) {
            extents_.push_back(sizes_[kernel_.space[axis].index]);
            params.push_back(number(0));
            params.back()->factors[axis] = 1;
        }
        block(kernel_.body, std::move(params));
        std::int64_t most = 1;
        for (const auto& [buffer, offset] : stored_) most = std::max(most, meeting(offset));
        return most;
    }

  private:
    Linear number(Wide n) const { return {std::vector<Wide>(kernel_.space.size()), n}; }
    Linear shared() const { return {std::vector<Wide>(kernel_.space.size()), std::nullopt}; }

    const Value& operand(const Inst& inst, std::size_t k) const { return env_[inst.operands[k].index]; }

    void block(const Block& b, std::vector<Value> params) {
        const std::size_t base = env_.size();
        params.resize(b.params.size());
        env_.insert(env_.end(), params.begin(), params.end());
        for (const Inst& inst : b.insts) {
            if (inst.op == Op::store && kernel_.buffers[inst.bits].dest) store(inst);
            for (std::size_t k = 0; k < inst.blocks.size(); ++k) block(inst.blocks[k], indices(inst, k));
            std::vector<Value> results(inst.types.size());
            if (results.size() == 1 && inst.blocks.empty()) results[0] = value(inst);
            env_.insert(env_.end(), results.begin(), results.end());
        }
        env_.resize(base);
    }

    /// The parameters of a loop's block that are indices.
    std::vector<Value> indices(const Inst& inst, std::size_t block) const {
        const bool counts = inst.op == Op::for_loop || (lower::is_loop(inst.op) && block != 1);
        std::vector<Value> result;
        for (std::size_t k = 0; counts && k < (inst.op == Op::for_loop ? 1 : lower::loop_rank(inst)); ++k)
            result.push_back(below(operand(inst, k)));
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
        const bool alike = std::all_of(inst.operands.begin(), inst.operands.end(),
                                       [&](ir::Local local) { return env_[local.index] && env_[local.index]->is_shared(); });
        return alike ? Value(shared()) : std::nullopt;
    }

    Value index(const Inst& inst) const {
        if (inst.op == Op::constant) return number(ir::to_int64(inst.type(), inst.bits));
        if (inst.op == Op::size) return number(sizes_[inst.bits]);
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

    void store(const Inst& inst) {
        const auto [place, is_first] = stored_.try_emplace(inst.bits, operand(inst, 0));
        Value& offset = place->second;
        if (!is_first) offset = offset && operand(inst, 0) ? either(*offset, *operand(inst, 0)) : std::nullopt;
    }

    /// Consecutive points that may have one offset.
    std::int64_t meeting(const Value& offset) const {
        if (offset && is_distinct(*offset)) return 1;
        std::size_t apart = offset ? outer_axes_apart(*offset) : 0;
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
    std::vector<Value> env_;
    std::map<std::uint64_t, Value> stored_;  ///< offsets, by array
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

std::int64_t points_that_meet(const lower::Kernel& kernel, const std::int64_t* sizes) { return Walk(kernel, sizes)(); }

}  // namespace sinter::schedule
