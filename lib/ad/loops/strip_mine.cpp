// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ad/loops/strip_mine.hpp"

#include "ad/sweep.hpp"
#include "ad/tuning.hpp"
#include "ir/builder.hpp"

#include <algorithm>
#include <utility>

namespace sinter::ad {

using namespace ir;

namespace {

/// {iterations, bytes that each keeps -> iterations of a segment}. `copies`: there is one parameter more, the bytes of
/// states that are copied for each segment, but not for each iteration: a segment keeps no less.
Fn length_fn(bool copies) {
    BlockBuilder builder;
    builder.open(std::vector(copies ? 3 : 2, Scalar::i64));
    auto apply = [&](Op op, Local a, Local b) { return builder.emit(op, {a, b}); };
    const Local one = builder.constant_index(1), count = apply(Op::maximum, Local(0), one);
    Local bytes = builder.constant_index(cached_bytes);
    if (copies) bytes = apply(Op::maximum, bytes, Local(2));
    const Local cached = apply(Op::div, bytes, apply(Op::maximum, Local(1), one));
    const Local root = builder.cast(Scalar::i64, builder.emit(Op::sqrt, {builder.cast(Scalar::f64, count)}));
    const Local half = apply(Op::add, apply(Op::div, root, builder.constant_index(2)), one);
    return {{}, builder.close({apply(Op::minimum, apply(Op::maximum, cached, half), count)})};
}

/// {iterations, length -> segments}
Fn segments_fn() {
    BlockBuilder builder;
    builder.open({Scalar::i64, Scalar::i64});
    const Local count = builder.emit(Op::maximum, {Local(0), builder.constant_index(0)});
    const Local last = builder.emit(Op::sub, {Local(1), builder.constant_index(1)});
    const Local segments = builder.emit(Op::div, {builder.emit(Op::add, {count, last}), Local(1)});
    return {{}, builder.close({segments})};
}

/// {iterations, bytes that each keeps -> iterations of which all is kept}
Fn kept_fn(std::int64_t tape) {
    BlockBuilder builder;
    builder.open({Scalar::i64, Scalar::i64});
    const Local count = builder.emit(Op::maximum, {Local(0), builder.constant_index(0)});
    const Local bytes = builder.emit(Op::maximum, {Local(1), builder.constant_index(1)});
    const Local fit = builder.emit(Op::div, {builder.constant_index(tape), bytes});
    return {{}, builder.close({builder.emit(Op::minimum, {count, fit})})};
}

class StripMine final : public Sweep {
  public:
    explicit StripMine(std::int64_t tape) : tape_(tape) {}

  private:
    bool before_renaming(Binding& binding) override {
        if (keep_with_scope(binding, inside_)) return false;
        auto* loop = std::get_if<Loop>(&binding.op);
        if (!inside_ || loop == nullptr || loop->segment) return true;
        if (!loop->changing.empty() || !keeps_numbers(*loop, binding.types)) return true;
        at(binding.site);
        strip(*loop, renamed(binding.types));
        return false;
    }

    /// True if there are floating-point numbers among the states that change.
    bool keeps_numbers(const Loop& loop, const std::vector<Type>& types) const {
        const Body& body = loop.bodies.back();
        for (std::size_t k = 0; k < types.size(); ++k)
            if (detail::is_float(types[k].scalar) && body.results[k].index != old_level() + loop.indices() + k) return true;
        return false;
    }

    void strip(Loop& loop, const std::vector<Type>& types) {
        const SiteId place = site();
        const auto updates = updates_of(loop);
        const ValueId count = loop.count ? rename(*loop.count) : tally(loop, types).iterations;
        const std::vector<ValueId> inits = renamed(loop.inits);
        const Kept kept = kept_by(inits, updates);
        if (tape_ <= 0) return define(segments(loop, types, inits, count, kept));
        Loop copy = loop;
        Loop last{map(kept_fn(tape_), {count, kept.each}, Scalar::i64), {}, {}, {}, true};
        const ValueId before = map(index_op(Op::sub), {count, *last.count}, Scalar::i64);
        last.inits = segments(copy, types, inits, before, kept);
        last.bodies.push_back(iteration(loop, types, before));
        at(place);
        define(results_from(emit(std::move(last), types), types.size()));
    }

    /// Numbers of bytes.
    struct Kept {
        ValueId each;   ///< by each iteration
        Derived whole;  ///< the states of which iterations keep only the parts that they replace
    };

    Kept kept_by(const std::vector<ValueId>& states, const std::vector<std::vector<Update>>& updates) {
        std::vector<ValueId> arrays, updated;
        ValueId parts = constant_index(0);
        for (std::size_t k = 0; k < states.size(); ++k) {
            for (const Update& update : updates[k])
                parts = map(index_op(Op::add), {parts, bytes_of(update, states[k])}, Scalar::i64);
            (updates[k].empty() ? arrays : updated).push_back(states[k]);
        }
        if (updated.empty()) return {bytes_of(arrays), {}};
        return {map(index_op(Op::add), {bytes_of(arrays), parts}, Scalar::i64), bytes_of(updated)};
    }

    /// What an iteration keeps of a state because of one update: the part, and its indices unless they can be computed
    /// again; if the size of the part cannot be written, the state.
    ValueId bytes_of(const Update& update, ValueId state) {
        const Type whole = type(state);
        const std::size_t indices = update.makers ? 0 : whole.rank() * detail::size_of(Scalar::i64);
        ValueId bytes = constant_index(static_cast<std::int64_t>(detail::size_of(whole.scalar) + indices));
        for (SizeId extent : update.shape) {
            if (sizes().is_constant(extent, 1)) continue;
            const auto axis = std::find(whole.shape.begin(), whole.shape.end(), extent);
            const Derived count = axis == whole.shape.end()
                                      ? scalar_of(extent)
                                      : extent_of(state, static_cast<std::size_t>(axis - whole.shape.begin()));
            if (!count) return bytes_of({state});
            bytes = map(index_op(Op::mul), {bytes, *count}, Scalar::i64);
        }
        return bytes;
    }

    /// Writes the first `count` iterations, in segments.
    std::vector<ValueId> segments(Loop& loop, const std::vector<Type>& types, const std::vector<ValueId>& inits,
                                  ValueId count, const Kept& kept) {
        const SiteId place = site();
        std::vector<ValueId> args{count, kept.each};
        if (kept.whole) args.push_back(*kept.whole);
        const ValueId length = map(length_fn(kept.whole.has_value()), args, Scalar::i64);
        Loop outer{map(segments_fn(), {count, length}, Scalar::i64), inits, {}, {}, true};
        Nest nest;
        enter(nest);
        const ValueId segment = add_parameter(nest, {Scalar::i64, {}});
        const std::vector<ValueId> states = add_states(nest, types);
        const ValueId first = map(index_op(Op::mul), {segment, length}, Scalar::i64);
        const ValueId rest = map(index_op(Op::sub), {count, first}, Scalar::i64);
        Loop inner{map(index_op(Op::minimum), {length, rest}, Scalar::i64), states, {}, {}, true};
        inner.bodies.push_back(iteration(loop, types, first));
        at(place);
        const ValueId made = emit(std::move(inner), types);
        outer.bodies.push_back(leave(nest, results_from(made, types.size())));
        return results_from(emit(std::move(outer), types), types.size());
    }

    /// The body, executed at iteration first + k.
    Body iteration(Loop& loop, const std::vector<Type>& types, ValueId first) {
        Nest nest;
        enter(nest);
        const ValueId step = add_parameter(nest, {Scalar::i64, {}});
        const std::vector<ValueId> states = add_states(nest, types);
        if (loop.count) define({map(index_op(Op::add), {first, step}, Scalar::i64)});
        define(states);
        const std::vector<ValueId> results = splice(loop.bodies.back());
        return leave(nest, results);
    }

    std::vector<ValueId> add_states(Nest& nest, const std::vector<Type>& types) {
        std::vector<ValueId> states;
        for (const Type& type : types) states.push_back(add_parameter(nest, type));
        return states;
    }

    /// The size of all arrays together.
    ValueId bytes_of(const std::vector<ValueId>& arrays) {
        ValueId sum = constant_index(0);
        for (ValueId array : arrays) {
            const ValueId bytes = map(
                index_op(Op::mul), {constant_index(detail::size_of(type(array).scalar)), elements_of(array)}, Scalar::i64);
            sum = map(index_op(Op::add), {sum, bytes}, Scalar::i64);
        }
        return sum;
    }

    std::int64_t tape_;
    bool inside_ = false;  ///< inside a vjp that is differentiated in this round
};

}  // namespace

Program strip_mine(Program program, std::int64_t tape) { return StripMine(tape).run(std::move(program)); }

}  // namespace sinter::ad
