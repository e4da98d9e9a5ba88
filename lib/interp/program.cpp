// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interp/program.hpp"

#include "interp/function.hpp"
#include "interp/index_function.hpp"
#include "interp/size.hpp"
#include "ir/math/expand.hpp"
#include "support/check.hpp"
#include "support/match.hpp"

#include <fmt/format.h>

#include <algorithm>
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

    std::vector<ArrayValue> run() {
        check_guards(0);
        return run_body(program_.body);
    }

  private:
    /// The parameters are on the stack already; they and all the body made leave it.
    std::vector<ArrayValue> run_body(const ir::Body& body) {
        std::size_t base = variables_.size() - body.params.size();
        bool outermost = base == 0;
        for (const ir::Binding& binding : body.bindings) {
            std::size_t level = variables_.size();
            std::vector<ArrayValue> results = execute(binding);
            check(results.size() == binding.types.size(), "wrong number of results");
            std::move(results.begin(), results.end(), std::back_inserter(variables_));
            if (outermost) check_guards(level);
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
    void check_guards(std::size_t before) const {
        for (const ir::Guard& guard : program_.guards) {
            std::size_t level =
                std::max(level_needed(program_.sizes, guard.left), level_needed(program_.sizes, guard.right));
            if (level > variables_.size() || (before != 0 && level <= before)) continue;
            std::int64_t left = size(guard.left), right = size(guard.right);
            if (left != right)
                throw ShapeError(fmt::format("{}: {} is not {}", guard.message, left, right), where(guard.site));
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
                [&](const ir::Loop& op) { return loop(op); });
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

    /// The accumulators are the results' elements: initialised, then visited in row-major order of the arguments, which for
    /// each of them is the row-major order of the reduced axes.
    std::vector<ArrayValue> fold(const ir::Binding& binding, const ir::Fold& op) {
        std::vector<ArrayValue> results = empty_results(binding);
        for (std::size_t k = 0; k < results.size(); ++k)
            for (std::int64_t p = 0; p < results[k].count(); ++p) results[k].set(p, scalar(op.inits[k]));
        FunctionMachine machine(expanded(op.op), readable(op.captures));
        const Index& shape = variables_[op.args[0].index].shape;
        Bits arguments, values;
        std::int64_t position = 0;
        for_each_point(shape, [&](const Index& index) {
            std::int64_t at = offset_of(without_axes(index, op.axes), results[0].shape);
            arguments.clear();
            for (const ArrayValue& result : results) arguments.push_back(result[at]);
            for (ValueId arg : op.args) arguments.push_back(variables_[arg.index][position]);
            append_scalars(arguments, op.captures);
            machine(arguments, values);
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
        if (auto* slice = std::get_if<ir::Slice>(&op.function))
            for (ir::SizeId id : slice->start) starts.push_back(size(id));
        if (auto problem = view_problem(op.function, arg.shape, result.shape, starts))
            throw ShapeError(fmt::format("{}: {}", name_of(binding.op), *problem), where(binding.site));
        std::int64_t position = 0;
        for_each_point(result.shape, [&](const Index& index) {
            result.set(position++,
                       arg[offset_of(source_index(op.function, arg.shape, result.shape, starts, index), arg.shape)]);
        });
        return result;
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
        if (op.count) return counted_loop(op, std::move(states));
        while (run_body(op.bodies[0], states)[0][0] != 0) states = run_body(op.bodies[1], std::move(states));
        return states;
    }

    std::vector<ArrayValue> counted_loop(const ir::Loop& op, std::vector<ArrayValue> states) {
        auto count = static_cast<std::int64_t>(scalar(*op.count));
        for (std::int64_t i = 0; i < count; ++i) {
            ArrayValue index(Scalar::i64, {});
            index.set(0, static_cast<std::uint64_t>(i));
            states.insert(states.begin(), std::move(index));
            states = run_body(op.bodies[0], std::move(states));
        }
        return states;
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
