// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interp/program.hpp"

#include "interp/function.hpp"
#include "interp/index_function.hpp"
#include "interp/order.hpp"
#include "interp/size.hpp"
#include "ir/math/expand.hpp"
#include "support/buffer.hpp"
#include "support/check.hpp"
#include "support/foreign.hpp"
#include "support/match.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <unordered_map>

namespace sinter::interp {

using ir::ValueId;

namespace {

using Index = std::vector<std::int64_t>;
using Bits = std::vector<std::uint64_t>;

class Interpreter {
  public:
    Interpreter(const ir::Program& program, std::vector<ArrayValue> inputs, std::span<const std::int64_t> size_arguments)
        : program_(program), variables_(std::move(inputs)) {
        sizes_.arguments = size_arguments;
        sizes_.input_extent = [this](std::size_t input, std::size_t axis) { return variables_[input].shape[axis]; };
        sizes_.value = [this](ValueId id) { return static_cast<std::int64_t>(scalar(id)); };
        check(variables_.size() == program.body.params.size(), "one array an input");
    }

    std::vector<ArrayValue> run() { return run_body(program_.body); }

  private:
    /// The parameters are on the stack already; they and all the body made leave it.
    std::vector<ArrayValue> run_body(const ir::Body& body) {
        std::size_t base = variables_.size() - body.params.size();
        check_guards(body, 0);
        for (const ir::Binding& binding : body.bindings) {
            std::size_t level = variables_.size();
            std::vector<ArrayValue> results = execute(binding);
            check(results.size() == binding.types.size(), "wrong number of results");
            std::move(results.begin(), results.end(), std::back_inserter(variables_));
            check_guards(body, level);
        }
        std::vector<ArrayValue> results;
        for (ValueId id : body.results) results.push_back(variables_[id.index]);
        variables_.resize(base);
        return results;
    }

    std::vector<ArrayValue> run_body(const ir::Body& body, std::vector<ArrayValue> params) {
        std::move(params.begin(), params.end(), std::back_inserter(variables_));
        return run_body(body);
    }

    /// Guards that can be decided now and could not be when there were `before` variables (0: at the start).
    void check_guards(const ir::Body& body, std::size_t before) const {
        for (const ir::Guard& guard : body.guards) {
            std::size_t level =
                std::max(level_needed(program_.sizes, guard.left), level_needed(program_.sizes, guard.right));
            if (level > variables_.size() || (before != 0 && level <= before)) continue;
            std::int64_t left = size(guard.left), right = size(guard.right);
            if (left != right) throw ShapeError(describe_failure(program_.sizes, guard, left, right), where(guard.site));
        }
    }

    location where(ir::SiteId site) const {
        return site.valid() && site.index < program_.sites.size() ? program_.sites[site.index] : location{};
    }

    std::int64_t size(ir::SizeId id) const { return evaluate_size(program_.sizes, id, sizes_); }

    Index shape_of(const ir::Binding& binding, std::size_t result = 0) const {
        Index shape;
        for (ir::SizeId id : binding.types[result].shape) {
            std::int64_t extent = size(id);
            if (extent < 0)
                throw ShapeError(fmt::format("{}: an extent is {}", name_of(binding.op), extent), where(binding.site));
            shape.push_back(extent);
        }
        return shape;
    }

    std::uint64_t scalar(ValueId id) const {
        check(variables_[id.index].shape.empty(), "a scalar has rank 0");
        return variables_[id.index][0];
    }

    std::vector<ArrayValue> empty_results(const ir::Binding& binding) const {
        std::vector<ArrayValue> results;
        for (std::size_t k = 0; k < binding.types.size(); ++k)
            results.emplace_back(binding.types[k].scalar, shape_of(binding, k));
        return results;
    }

    std::vector<ArrayValue> execute(const ir::Binding& binding) {
        try {
            return match(
                binding.op, [&](const ir::Map& op) { return map(binding, op); },
                [&](const ir::Fold& op) { return fold(binding, op); },
                [&](const ir::View& op) { return std::vector{view(binding, op)}; },
                [&](const ir::Gather& op) { return gather(binding, op); },
                [&](const ir::Force& op) { return arrays(op.args); }, [&](const ir::Cond& op) { return cond(op); },
                [&](const ir::Loop& op) { return loop(op); }, [&](const ir::Scan& op) { return scan(binding, op); },
                [&](const ir::Compact& op) { return compact(op); }, [&](const ir::Scatter& op) { return scatter(op); },
                [&](const ir::Sort& op) { return sort(op); }, [&](const ir::Foreign& op) { return foreign(binding, op); },
                [&](const ir::Vmap& op) { return vmap(binding, op); },
                [&](const ir::Rows& op) { return rows(binding, op); });
        } catch (const Failure& failure) {
            rethrow(failure, binding);
        }
    }

    [[noreturn]] void rethrow(const Failure& failure, const ir::Binding& binding) const {
        if (failure.kind == Failure::Kind::divisor)
            throw DomainError(fmt::format("{}: integer division by zero", name_of(binding.op)), where(binding.site));
        throw IndexError(fmt::format("{}: index {} is out of range for axis {} of extent {}", name_of(binding.op),
                                     failure.index, failure.axis, failure.extent),
                         where(binding.site));
    }

    std::vector<ArrayValue> arrays(const std::vector<ValueId>& ids) const {
        std::vector<ArrayValue> values;
        for (ValueId id : ids) values.push_back(variables_[id.index]);
        return values;
    }

    std::vector<ReadableArray> readable(const ir::Captures& captures) const {
        std::vector<ReadableArray> result;
        for (ValueId id : captures.arrays) {
            const ArrayValue& array = variables_[id.index];
            result.push_back({array.shape, [&array](std::int64_t offset) { return array[offset]; }});
        }
        return result;
    }

    void append_scalars(Bits& arguments, const ir::Captures& captures) const {
        for (ValueId id : captures.scalars) arguments.push_back(scalar(id));
    }

    const ir::Fn& expanded(const ir::Fn& fn) {
        auto [entry, inserted] = expanded_.try_emplace(&fn);
        if (inserted) entry->second = ir::expand_math(fn);
        return entry->second;
    }

    std::vector<ArrayValue> map(const ir::Binding& binding, const ir::Map& op) {
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

    /// A value that has rank 0 or the results' shape, at row-major position `at` of that.
    std::uint64_t outer_scalar(ValueId id, std::int64_t at) const {
        const ArrayValue& value = variables_[id.index];
        return value[value.shape.empty() ? 0 : at];
    }

    /// op(left, right) with the captured scalars of position `at` of the results.
    void combine(FunctionMachine& machine, const ir::Captures& captures, const Bits& left, const Bits& right,
                 std::int64_t at, Bits& values) const {
        Bits arguments = left;
        arguments.insert(arguments.end(), right.begin(), right.end());
        for (ValueId id : captures.scalars) arguments.push_back(outer_scalar(id, at));
        machine(arguments, values);
    }

    /// The accumulators are the results' elements: initialised, then visited in row-major order of the arguments, which for
    /// each of them is the row-major order of the reduced axes.
    std::vector<ArrayValue> fold(const ir::Binding& binding, const ir::Fold& op) {
        std::vector<ArrayValue> results = empty_results(binding);
        for (std::size_t k = 0; k < results.size(); ++k)
            for (std::int64_t p = 0; p < results[k].count(); ++p) results[k].set(p, outer_scalar(op.inits[k], p));
        FunctionMachine machine(expanded(op.op), readable(op.captures));
        const Index& shape = variables_[op.args[0].index].shape;
        Bits values;
        std::int64_t position = 0;
        for_each_point(shape, [&](const Index& index) {
            std::int64_t at = offset_of(without_axes(index, op.axes), results[0].shape);
            Bits left, right;
            for (const ArrayValue& result : results) left.push_back(result[at]);
            for (ValueId arg : op.args) right.push_back(variables_[arg.index][position]);
            combine(machine, op.captures, left, right, at, values);
            for (std::size_t k = 0; k < values.size(); ++k) results[k].set(at, values[k]);
            ++position;
        });
        return results;
    }

    static Index without_axes(const Index& index, const std::vector<std::size_t>& axes) {
        Index rest;
        for (std::size_t k = 0; k < index.size(); ++k)
            if (!std::binary_search(axes.begin(), axes.end(), k)) rest.push_back(index[k]);
        return rest;
    }

    ArrayValue view(const ir::Binding& binding, const ir::View& op) {
        const ArrayValue& arg = variables_[op.arg.index];
        ArrayValue result(binding.types[0].scalar, shape_of(binding));
        Index starts;
        for_each_size(binding.op, [&](ir::SizeId id) { starts.push_back(size(id)); });
        if (op.fill) return padded(arg, std::move(result), starts, scalar(*op.fill));
        if (auto problem = view_problem(op.function, arg.shape, result.shape, starts))
            throw ShapeError(fmt::format("{}: {}", name_of(binding.op), *problem), where(binding.site));
        std::int64_t position = 0;
        for_each_point(result.shape, [&](const Index& index) {
            result.set(position++,
                       arg[offset_of(source_index(op.function, arg.shape, result.shape, starts, index), arg.shape)]);
        });
        return result;
    }

    static ArrayValue padded(const ArrayValue& arg, ArrayValue result, const Index& starts, std::uint64_t fill) {
        std::int64_t position = 0;
        for_each_point(Index(result.shape), [&](Index index) {
            bool inside = true;
            for (std::size_t k = 0; k < index.size(); ++k) {
                index[k] += starts[k];
                inside = inside && index[k] >= 0 && index[k] < arg.shape[k];
            }
            result.set(position++, inside ? arg[offset_of(index, arg.shape)] : fill);
        });
        return result;
    }

    /// Line after line, from the end that the scan starts at.
    std::vector<ArrayValue> scan(const ir::Binding& binding, const ir::Scan& op) {
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

    void scan_line(const ir::Scan& op, FunctionMachine& machine, std::vector<ArrayValue>& results, Index index,
                   std::int64_t line) const {
        std::size_t count = op.args.size();
        const Index shape = results[0].shape;
        Bits prefix, next;
        for (ValueId init : op.inits) prefix.push_back(outer_scalar(init, line));
        for (std::int64_t i = 0; i < shape[op.axis]; ++i) {
            index[op.axis] = op.reverse ? shape[op.axis] - 1 - i : i;
            std::int64_t at = offset_of(index, shape);
            Bits element;
            for (ValueId arg : op.args) element.push_back(variables_[arg.index][at]);
            if (prefix.empty())
                next = element;
            else
                combine(machine, op.captures, op.reverse ? element : prefix, op.reverse ? prefix : element, line, next);
            const Bits& shown = op.exclusive ? prefix : next;
            for (std::size_t k = 0; k < count; ++k) results[k].set(at, shown[k]);
            prefix = next;
        }
        if (!op.totals) return;
        for (std::size_t k = 0; k < count; ++k) results[count + k].set(line, prefix[k]);
    }

    std::vector<ArrayValue> compact(const ir::Compact& op) const {
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

    std::vector<ArrayValue> scatter(const ir::Scatter& op) {
        std::vector<ArrayValue> results = arrays(op.dests);
        const Index shape = results[0].shape;
        std::optional<FunctionMachine> machine;
        if (op.op) machine.emplace(expanded(*op.op), readable(op.captures));
        std::int64_t count = variables_[op.values[0].index].count();
        Index index(op.indices.size());
        for (std::int64_t i = 0; i < count; ++i) {
            for (std::size_t k = 0; k < index.size(); ++k)
                index[k] = static_cast<std::int64_t>(variables_[op.indices[k].index][i]);
            if (op.drops && std::find(index.begin(), index.end(), -1) != index.end()) continue;
            std::int64_t at = offset_of(index, shape);
            Bits there, values;
            for (const ArrayValue& result : results) there.push_back(result[at]);
            for (ValueId id : op.values) values.push_back(variables_[id.index][i]);
            if (machine) combine(*machine, op.captures, there, Bits(values), 0, values);
            for (std::size_t k = 0; k < results.size(); ++k) results[k].set(at, values[k]);
        }
        return results;
    }

    std::vector<ArrayValue> sort(const ir::Sort& op) const {
        std::vector<ArrayValue> args = arrays(op.args), results = args;
        std::int64_t length = args[0].shape.back();
        for (std::int64_t first = 0; first < args[0].count(); first += length) {
            std::vector<std::int64_t> order(static_cast<std::size_t>(length));
            std::iota(order.begin(), order.end(), first);
            std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
                for (std::size_t k = 0; k < op.keys; ++k)
                    if (int c = compare_keys(args[k].scalar, args[k][a], args[k][b], op.descending); c != 0) return c < 0;
                return a < b;  // stable
            });
            for (std::size_t k = 0; k < results.size(); ++k)
                for (std::int64_t i = 0; i < length; ++i)
                    results[k].set(first + i, args[k][order[static_cast<std::size_t>(i)]]);
        }
        return results;
    }

    std::vector<ArrayValue> foreign(const ir::Binding& binding, const ir::Foreign& op) const {
        std::vector<ForeignArray> args;
        for (ValueId id : op.args) {
            const ArrayValue& arg = variables_[id.index];
            args.push_back({arg.scalar, arg.shape, allocate(arg.bytes.size())});
            if (!arg.bytes.empty()) std::memcpy(args.back().buffer->data, arg.bytes.data(), arg.bytes.size());
        }
        std::vector<ArrayValue> extents, values;
        for (const ForeignArray& made : foreign_function(op.function)(args)) {
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

    std::vector<ArrayValue> vmap(const ir::Binding& binding, const ir::Vmap& op) {
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

    std::vector<ArrayValue> rows(const ir::Binding& binding, const ir::Rows& op) {
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

    static ArrayValue slice_of(const ArrayValue& array, std::int64_t i) {
        ArrayValue slice(array.scalar, Index(array.shape.begin() + 1, array.shape.end()));
        auto bytes = static_cast<std::ptrdiff_t>(slice.bytes.size());
        std::copy_n(array.bytes.begin() + i * bytes, bytes, slice.bytes.begin());
        return slice;
    }

    static ArrayValue room_for(const ArrayValue& slice, std::int64_t count) {
        Index shape = slice.shape;
        shape.insert(shape.begin(), count);
        return ArrayValue(slice.scalar, shape);
    }

    void place_slice(const ir::Binding& binding, ArrayValue& result, const ArrayValue& slice, std::int64_t i) const {
        if (!std::equal(slice.shape.begin(), slice.shape.end(), result.shape.begin() + 1, result.shape.end()))
            throw Limitation("vmap: slices have results of different shapes", where(binding.site));
        std::copy(slice.bytes.begin(), slice.bytes.end(),
                  result.bytes.begin() + i * static_cast<std::ptrdiff_t>(slice.bytes.size()));
    }

    std::vector<ArrayValue> gather(const ir::Binding& binding, const ir::Gather& op) {
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

    std::vector<ArrayValue> cond(const ir::Cond& op) { return run_body(op.bodies[scalar(op.condition) != 0 ? 0 : 1], {}); }

    std::vector<ArrayValue> loop(const ir::Loop& op) {
        std::vector<ArrayValue> states = arrays(op.inits);
        if (op.count) {
            auto count = static_cast<std::int64_t>(scalar(*op.count));
            for (std::int64_t i = 0; i < count; ++i) {
                states = with_extents(op, std::move(states));
                states.insert(states.begin(), number(i));
                states = run_body(op.bodies[0], std::move(states));
            }
        } else {
            while (run_body(op.bodies[0], with_extents(op, states))[0][0] != 0)
                states = run_body(op.bodies[1], with_extents(op, std::move(states)));
        }
        return with_extents(op, std::move(states));
    }

    /// Behind the extents that change.
    static std::vector<ArrayValue> with_extents(const ir::Loop& op, std::vector<ArrayValue> states) {
        std::vector<ArrayValue> all;
        for (auto [state, axis] : op.changing) all.push_back(number(states[state].shape[axis]));
        std::move(states.begin(), states.end(), std::back_inserter(all));
        return all;
    }

    static ArrayValue number(std::int64_t value) {
        ArrayValue array(Scalar::i64, {});
        array.set(0, static_cast<std::uint64_t>(value));
        return array;
    }

    const ir::Program& program_;
    std::vector<ArrayValue> variables_;
    SizeEnvironment sizes_;
    std::unordered_map<const ir::Fn*, ir::Fn> expanded_;
};

}  // namespace

std::vector<ArrayValue> interpret(const ir::Program& program, std::vector<ArrayValue> inputs,
                                  std::span<const std::int64_t> size_arguments) {
    return Interpreter(program, std::move(inputs), size_arguments).run();
}

}  // namespace sinter::interp
