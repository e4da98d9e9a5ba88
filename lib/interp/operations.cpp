// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executes one array operation at a time, element by element.
#include "interp/index_function.hpp"
#include "interp/interpreter.hpp"
#include "interp/order.hpp"
#include "ir/sizes/size_arithmetic.hpp"
#include "support/buffer.hpp"
#include "support/foreign.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>

namespace sinter::interp {

std::vector<ArrayValue> Interpreter::map(const ir::Binding& binding, const ir::Map& op) {
    std::vector<ArrayValue> results = empty_results(binding);
    for (ValueId arg : op.args) check(variables_[arg.index].shape == results[0].shape, "a map's shapes are equal");
    FunctionMachine machine(expanded(op.fn), readable(op.captures));
    Bits arguments, values;
    std::int64_t position = 0;
    for_each_point(Index(results[0].shape), [&](const Index& index) {
        arguments.clear();
        if (op.indexed)
            for (std::int64_t i : index) arguments.push_back(static_cast<std::uint64_t>(i));
        for (ValueId arg : op.args) arguments.push_back(variables_[arg.index][position]);
        append_scalars(arguments, op.captures);
        machine(arguments, values);
        for (std::size_t k = 0; k < values.size(); ++k) results[k].set(position, values[k]);
        ++position;
    });
    return results;
}

std::uint64_t Interpreter::outer_scalar(ValueId id, std::int64_t at) const {
    const ArrayValue& value = variables_[id.index];
    return value[value.shape.empty() ? 0 : at];
}

void Interpreter::combine(FunctionMachine& machine, const ir::Captures& captures, const Bits& left, const Bits& right,
                          std::int64_t at, Bits& values) {
    operands_.assign(left.begin(), left.end());
    operands_.insert(operands_.end(), right.begin(), right.end());
    for (ValueId id : captures.scalars) operands_.push_back(outer_scalar(id, at));
    machine(operands_, values);
}

std::vector<ArrayValue> Interpreter::fold(const ir::Binding& binding, const ir::Fold& op) {
    std::vector<ArrayValue> results = empty_results(binding);
    for (std::size_t k = 0; k < results.size(); ++k)
        for (std::int64_t p = 0; p < results[k].count(); ++p) results[k].set(p, outer_scalar(op.inits[k], p));
    FunctionMachine machine(expanded(op.op), readable(op.captures));
    const Index& shape = variables_[op.args[0].index].shape;
    Index rest;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        if (!std::binary_search(op.axes.begin(), op.axes.end(), axis)) rest.push_back(static_cast<std::int64_t>(axis));
    Bits left, right, values;
    std::int64_t position = 0;
    for_each_point(shape, [&](const Index& index) {
        std::int64_t at = 0;
        for (std::int64_t axis : rest)
            at = at * shape[static_cast<std::size_t>(axis)] + index[static_cast<std::size_t>(axis)];
        left.clear();
        right.clear();
        for (const ArrayValue& result : results) left.push_back(result[at]);
        for (ValueId arg : op.args) right.push_back(variables_[arg.index][position]);
        combine(machine, op.captures, left, right, at, values);
        for (std::size_t k = 0; k < values.size(); ++k) results[k].set(at, values[k]);
        ++position;
    });
    return results;
}

ArrayValue Interpreter::view(const ir::Binding& binding, const ir::View& op) {
    const ArrayValue& arg = variables_[op.arg.index];
    ArrayValue result(binding.types[0].scalar, shape_of(binding));
    Index starts;
    for_each_size(binding.op, [&](ir::SizeId id) { starts.push_back(size(id)); });
    if (op.fill) return padded(arg, std::move(result), starts, scalar(*op.fill));
    if (auto problem = view_problem(op.function, arg.shape, result.shape, starts)) fail<ShapeError>(binding, *problem);
    std::int64_t position = 0;
    Index source;
    for_each_point(Index(result.shape), [&](const Index& index) {
        find_source(op.function, arg.shape, result.shape, starts, index, source);
        result.set(position++, arg[offset_of(source, arg.shape)]);
    });
    return result;
}

ArrayValue Interpreter::padded(const ArrayValue& arg, ArrayValue result, const Index& starts, std::uint64_t fill) {
    std::int64_t position = 0;
    for_each_point(Index(result.shape), [&](Index index) {
        bool inside = true;
        for (std::size_t k = 0; k < index.size(); ++k) {
            index[k] = ir::sizes::add(index[k], starts[k]);
            inside = inside && index[k] >= 0 && index[k] < arg.shape[k];
        }
        result.set(position++, inside ? arg[offset_of(index, arg.shape)] : fill);
    });
    return result;
}

std::vector<ArrayValue> Interpreter::scan(const ir::Binding& binding, const ir::Scan& op) {
    std::vector<ArrayValue> results = empty_results(binding);
    FunctionMachine machine(expanded(op.op), readable(op.captures));
    const Index shape = results[0].shape;
    Index lines = shape;
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(op.axis));
    std::int64_t line = 0;
    for_each_point(lines, [&](Index index) {
        index.insert(index.begin() + static_cast<std::ptrdiff_t>(op.axis), 0);
        scan_line(op, machine, results, index, line++);
    });
    return results;
}

void Interpreter::scan_line(const ir::Scan& op, FunctionMachine& machine, std::vector<ArrayValue>& results, Index index,
                            std::int64_t line) {
    std::size_t count = op.states();
    const Index shape = results[0].shape;
    const bool swapped = op.reverse && !op.sequential;
    Bits prefix, element, next;
    for (ValueId init : op.inits) prefix.push_back(outer_scalar(init, line));
    for (std::int64_t i = 0; i < shape[op.axis]; ++i) {
        index[op.axis] = op.reverse ? shape[op.axis] - 1 - i : i;
        std::int64_t at = offset_of(index, shape);
        element.clear();
        for (ValueId arg : op.args) element.push_back(variables_[arg.index][at]);
        if (prefix.empty())
            next = element;
        else
            combine(machine, op.captures, swapped ? element : prefix, swapped ? prefix : element, line, next);
        const Bits& shown = op.exclusive ? prefix : next;
        for (std::size_t k = 0; k < count; ++k) results[k].set(at, shown[k]);
        prefix = next;
    }
    if (!op.totals) return;
    for (std::size_t k = 0; k < count; ++k) results[count + k].set(line, prefix[k]);
}

std::vector<ArrayValue> Interpreter::compact(const ir::Compact& op) const {
    const ArrayValue& mask = variables_[op.mask.index];
    std::vector<std::int64_t> kept;
    for (std::int64_t i = 0; i < mask.count(); ++i)
        if (mask[i] != 0) kept.push_back(i);
    auto count = static_cast<std::int64_t>(kept.size());
    std::vector<ArrayValue> results{number(count)};
    for (ValueId id : op.args) {
        const ArrayValue& arg = variables_[id.index];
        ArrayValue result(arg.scalar, {count});
        for (std::int64_t k = 0; k < count; ++k) result.set(k, arg[kept[static_cast<std::size_t>(k)]]);
        results.push_back(std::move(result));
    }
    return results;
}

std::vector<ArrayValue> Interpreter::scatter(const ir::Scatter& op) {
    std::vector<ArrayValue> results = arrays(op.dests);
    const Index shape = results[0].shape;
    std::optional<FunctionMachine> machine;
    if (op.op) machine.emplace(expanded(*op.op), readable(op.captures));
    std::int64_t count = variables_[op.values[0].index].count();
    Index index(op.indices.size());
    for (std::int64_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < index.size(); ++k)
            index[k] = static_cast<std::int64_t>(variables_[op.indices[k].index][i]);
        const auto deciding = std::span(index).subspan(op.drops.value_or(0));
        if (op.drops && std::all_of(deciding.begin(), deciding.end(), [](std::int64_t at) { return at == -1; })) continue;
        std::int64_t at = offset_of(index, shape);
        Bits there, values;
        for (const ArrayValue& result : results) there.push_back(result[at]);
        for (ValueId id : op.values) values.push_back(variables_[id.index][i]);
        if (machine) combine(*machine, op.captures, there, Bits(values), 0, values);
        for (std::size_t k = 0; k < results.size(); ++k) results[k].set(at, values[k]);
    }
    return results;
}

std::vector<ArrayValue> Interpreter::sort(const ir::Binding& binding, const ir::Sort& op) const {
    const std::vector<ArrayValue> args = arrays(op.args);
    std::vector<ArrayValue> results = empty_results(binding);
    const std::int64_t length = args[0].shape.back(), made = results[0].shape.back();
    for (std::int64_t first = 0, to = 0; first < args[0].count(); first += length, to += made) {
        std::vector<std::int64_t> order(static_cast<std::size_t>(length));
        std::iota(order.begin(), order.end(), first);
        std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
            for (std::size_t k = 0; k < op.keys; ++k)
                if (int c = compare_keys(args[k].scalar, args[k][a], args[k][b], op.descending); c != 0) return c < 0;
            return a < b;  // keeps the sort stable
        });
        for (std::size_t k = 0; k < results.size(); ++k)
            for (std::int64_t i = 0; i < std::min(made, length); ++i)
                results[k].set(to + i, args[k][order[static_cast<std::size_t>(i)]]);
    }
    return results;
}

std::vector<ArrayValue> Interpreter::foreign(const ir::Binding& binding, const ir::Foreign& op) const {
    std::vector<ForeignArray> args;
    for (ValueId id : op.args) {
        const ArrayValue& arg = variables_[id.index];
        args.push_back({arg.scalar, arg.shape, allocate(arg.bytes.size())});
        if (!arg.bytes.empty()) std::memcpy(args.back().buffer->data, arg.bytes.data(), arg.bytes.size());
    }
    std::vector<ArrayValue> extents, values;
    for (const ForeignArray& made : functions_[op.function]->call(args)) {
        for (std::int64_t extent : made.shape) {
            extents.emplace_back(Scalar::i64, Index{});
            extents.back().set(0, static_cast<std::uint64_t>(extent));
        }
        values.emplace_back(made.scalar, made.shape);
        if (!values.back().bytes.empty())
            std::memcpy(values.back().bytes.data(), made.buffer->data, values.back().bytes.size());
    }
    std::move(values.begin(), values.end(), std::back_inserter(extents));
    check(extents.size() == binding.types.size(), "a foreign function returns what it was declared to");
    return extents;
}

std::vector<ArrayValue> Interpreter::gather(const ir::Binding& binding, const ir::Gather& op) {
    std::vector<ArrayValue> results = empty_results(binding);
    Index index(op.indices.size());
    for (std::int64_t position = 0; position < results[0].count(); ++position) {
        for (std::size_t k = 0; k < index.size(); ++k)
            index[k] = static_cast<std::int64_t>(variables_[op.indices[k].index][position]);
        for (std::size_t s = 0; s < op.sources.size(); ++s) {
            const ArrayValue& source = variables_[op.sources[s].index];
            results[s].set(position, source[offset_of(index, source.shape)]);
        }
    }
    return results;
}

}  // namespace sinter::interp
