// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations with bodies: loops, conditionals, and operations on each slice.
#include "interp/interpreter.hpp"
#include "ir/joined.hpp"
#include "ir/loop_name.hpp"

#include <algorithm>

namespace sinter::interp {

std::vector<ArrayValue> Interpreter::vmap(const ir::Binding& binding, const ir::Vmap& op) {
    if (ir::is_joined(binding.types)) return joined(binding, op);
    std::int64_t count = variables_[op.args[0].index].shape[0];
    std::vector<ArrayValue> results;
    for (std::int64_t i = 0; i < count; ++i) {
        std::vector<ArrayValue> slices, made;
        for (ValueId id : op.args) slices.push_back(slice_of(variables_[id.index], i));
        made = run_body(op.bodies[0], std::move(slices));
        if (i == 0)
            for (const ArrayValue& slice : made) results.push_back(room_for(slice, count));
        for (std::size_t k = 0; k < made.size(); ++k) place_slice(binding, results[k], made[k], i);
    }
    if (count == 0) return empty_results(binding);
    return results;
}

std::vector<ArrayValue> Interpreter::joined(const ir::Binding& binding, const ir::Vmap& op) {
    const std::int64_t count = variables_[op.args[0].index].shape[0];
    std::vector<ArrayValue> results{number(0), ArrayValue(ir::Scalar::i64, {count})};
    for (std::size_t k = 2; k < binding.types.size(); ++k) results.emplace_back(binding.types[k].scalar, Index{0});
    for (std::int64_t i = 0; i < count; ++i) {
        std::vector<ArrayValue> slices;
        for (ValueId id : op.args) slices.push_back(slice_of(variables_[id.index], i));
        const std::vector<ArrayValue> made = run_body(op.bodies[0], std::move(slices));
        results[1].set(i, static_cast<std::uint64_t>(made[0].shape[0]));
        for (std::size_t k = 0; k < made.size(); ++k) {
            ArrayValue& all = results[k + 2];
            all.bytes.insert(all.bytes.end(), made[k].bytes.begin(), made[k].bytes.end());
            all.shape[0] += made[k].shape[0];
        }
    }
    results[0] = number(results[2].shape[0]);
    return results;
}

std::vector<ArrayValue> Interpreter::rows(const ir::Binding& binding, const ir::Rows& op) {
    const std::int64_t count = variables_[op.args[0].index].shape[0];
    std::vector<ArrayValue> states = arrays(op.inits), results;
    const bool scans = op.kind != ir::Rows::Kind::fold;
    if (scans) results = empty_results(binding);
    for (std::int64_t step = 0; step < count; ++step) {
        const std::int64_t i = op.reverse ? count - 1 - step : step;
        std::vector<ArrayValue> operands = states, slices;
        for (ValueId id : op.args) slices.push_back(slice_of(variables_[id.index], i));
        operands.insert(op.reverse ? operands.begin() : operands.end(), slices.begin(), slices.end());
        std::vector<ArrayValue> next = run_body(op.bodies[0], std::move(operands));
        const std::vector<ArrayValue>& shown = op.kind == ir::Rows::Kind::exclusive ? states : next;
        for (std::size_t k = 0; k < results.size(); ++k) place_slice(binding, results[k], shown[k], i);
        states = std::move(next);
    }
    return scans ? results : states;
}

ArrayValue Interpreter::slice_of(const ArrayValue& array, std::int64_t i) {
    ArrayValue slice(array.scalar, Index(array.shape.begin() + 1, array.shape.end()));
    auto bytes = static_cast<std::ptrdiff_t>(slice.bytes.size());
    std::copy_n(array.bytes.begin() + i * bytes, bytes, slice.bytes.begin());
    return slice;
}

ArrayValue Interpreter::room_for(const ArrayValue& slice, std::int64_t count) {
    Index shape = slice.shape;
    shape.insert(shape.begin(), count);
    return ArrayValue(slice.scalar, shape);
}

void Interpreter::place_slice(const ir::Binding& binding, ArrayValue& result, const ArrayValue& slice,
                              std::int64_t i) const {
    if (!std::equal(slice.shape.begin(), slice.shape.end(), result.shape.begin() + 1, result.shape.end()))
        throw Limitation("vmap: slices have results of different shapes", where(binding.site));
    std::copy(slice.bytes.begin(), slice.bytes.end(),
              result.bytes.begin() + i * static_cast<std::ptrdiff_t>(slice.bytes.size()));
}

std::vector<ArrayValue> Interpreter::loop(const ir::Binding& binding, const ir::Loop& op) {
    std::vector<ArrayValue> states = arrays(op.inits);
    const auto count = op.count ? static_cast<std::int64_t>(scalar(*op.count)) : 0;
    RunControl::Loop control(control_, count);
    auto holds = [&] { return run_body(op.bodies[0], with_extents(op, states))[0][0] != 0; };
    for (std::int64_t i = 0; !op.count || i < count; control.done(++i)) {
        if (control.stops())
            control.end(ir::loop_name(op.count.has_value(), binding.site, program_.sites), i, where(binding.site));
        if (!op.count && !holds()) break;
        states = with_extents(op, std::move(states));
        if (op.count) states.insert(states.begin(), number(i));
        states = run_body(op.bodies.back(), std::move(states));
    }
    return with_extents(op, std::move(states));
}

std::vector<ArrayValue> Interpreter::with_extents(const ir::Loop& op, std::vector<ArrayValue> states) {
    std::vector<ArrayValue> all;
    for (auto [state, axis] : op.changing) all.push_back(number(states[state].shape[axis]));
    std::move(states.begin(), states.end(), std::back_inserter(all));
    return all;
}

}  // namespace sinter::interp
