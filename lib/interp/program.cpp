// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interp/interpreter.hpp"
#include "ir/math/expand.hpp"
#include "ir/sizes/size_arithmetic.hpp"
#include "support/match.hpp"
#include "support/text/user_text.hpp"

#include <algorithm>
#include <new>

namespace sinter::interp {

std::vector<ArrayValue> Interpreter::run_body(const ir::Body& body) {
    std::size_t base = variables_.size() - body.params.size();
    check_guards(body, 0);
    for (const ir::Binding& binding : body.bindings) {
        if (control_ && control_->stops()) control_->end(name(binding), "", where(binding.site));
        std::size_t level = variables_.size();
        std::vector<ArrayValue> results = execute(binding);
        check(results.size() == binding.types.size(), "wrong number of results");
        std::move(results.begin(), results.end(), std::back_inserter(variables_));
        check_guards(body, level);
        if (control_ && &body == &program_.body) control_->step_done();
    }
    std::vector<ArrayValue> results;
    for (ValueId id : body.results) results.push_back(variables_[id.index]);
    variables_.resize(base);
    return results;
}

std::vector<ArrayValue> Interpreter::run_body(const ir::Body& body, std::vector<ArrayValue> params) {
    std::move(params.begin(), params.end(), std::back_inserter(variables_));
    return run_body(body);
}

void Interpreter::check_guards(const ir::Body& body, std::size_t before) const {
    for (const ir::Guard& guard : body.guards) {
        std::size_t level = std::max(level_needed(program_.sizes, guard.left), level_needed(program_.sizes, guard.right));
        if (level > variables_.size() || (before != 0 && level <= before)) continue;
        std::int64_t left = size(guard.left), right = size(guard.right);
        if (ir::sizes::equal(left, right)) continue;
        const location at = where(guard.site);
        throw ShapeError(describe_failure(program_.sizes, guard, left, right), at);
    }
}

Index Interpreter::shape_of(const ir::Binding& binding, std::size_t result) const {
    Index shape;
    for (ir::SizeId id : binding.types[result].shape) shape.push_back(size(id));
    const std::string problem = ir::describe_bad_shape(shape);
    if (!problem.empty()) fail<ShapeError>(binding, problem);
    return shape;
}

std::uint64_t Interpreter::scalar(ValueId id) const {
    check(variables_[id.index].shape.empty(), "a scalar has rank 0");
    return variables_[id.index][0];
}

std::vector<ArrayValue> Interpreter::empty_results(const ir::Binding& binding) const {
    std::vector<ArrayValue> results;
    for (std::size_t k = 0; k < binding.types.size(); ++k)
        results.emplace_back(binding.types[k].scalar, shape_of(binding, k));
    return results;
}

std::vector<ArrayValue> Interpreter::execute(const ir::Binding& binding) {
    try {
        return match(
            binding.op, [&](const ir::Map& op) { return map(binding, op); },
            [&](const ir::Fold& op) { return fold(binding, op); },
            [&](const ir::View& op) { return std::vector{view(binding, op)}; },
            [&](const ir::Gather& op) { return gather(binding, op); }, [&](const ir::Force& op) { return arrays(op.args); },
            [&](const ir::Cond& op) { return cond(op); }, [&](const ir::Loop& op) { return loop(binding, op); },
            [&](const ir::Scan& op) { return scan(binding, op); }, [&](const ir::Compact& op) { return compact(op); },
            [&](const ir::Scatter& op) { return scatter(op); }, [&](const ir::Sort& op) { return sort(binding, op); },
            [&](const ir::Foreign& op) { return foreign(binding, op); },
            [&](const ir::Vmap& op) { return vmap(binding, op); }, [&](const ir::Rows& op) { return rows(binding, op); },
            [&](const ir::Custom&) -> std::vector<ArrayValue> { fail_check("differentiated before", location::current()); },
            [&](const ir::Derivative&) -> std::vector<ArrayValue> {
                fail_check("differentiated before", location::current());
            });
    } catch (const Failure& failure) {
        rethrow(failure, binding);
    } catch (const std::bad_alloc&) {
        fail<MemoryError>(binding, "cannot allocate what the interpreter computes");
    }
}

void Interpreter::rethrow(const Failure& failure, const ir::Binding& binding) const {
    switch (failure.kind) {
        case Failure::Kind::divisor:
            fail<DomainError>(binding, "integer division by zero");
        case Failure::Kind::length:
            fail<ShapeError>(binding, ir::describe_bad_length(failure.index));
        case Failure::Kind::total:
            fail<ShapeError>(binding, ir::describe_bad_total(failure.index));
        case Failure::Kind::expect:
            throw ExpectationError(fmt::format("{}: {}", ir::name_of(binding, program_.sites),
                                               describe_expectation(failure.text, failure.index)),
                                   user_text(failure.text).where);
        case Failure::Kind::index:
            break;
    }
    fail<IndexError>(binding, fmt::format("index {} is out of range for axis {} of extent {}", failure.index, failure.axis,
                                          failure.extent));
}

std::vector<ArrayValue> Interpreter::arrays(const std::vector<ValueId>& ids) const {
    std::vector<ArrayValue> values;
    for (ValueId id : ids) values.push_back(variables_[id.index]);
    return values;
}

std::vector<const ArrayValue*> Interpreter::readable(const ir::Captures& captures) const {
    std::vector<const ArrayValue*> result;
    for (ValueId id : captures.arrays) result.push_back(&variables_[id.index]);
    return result;
}

void Interpreter::append_scalars(Bits& arguments, const ir::Captures& captures) const {
    for (ValueId id : captures.scalars) arguments.push_back(scalar(id));
}

const ir::Fn& Interpreter::expanded(const ir::Fn& fn) {
    auto [entry, inserted] = expanded_.try_emplace(&fn);
    if (inserted) entry->second = ir::expand_math(fn);
    return entry->second;
}

std::vector<ArrayValue> interpret(const ir::Program& program, std::vector<ArrayValue> inputs,
                                  std::span<const std::int64_t> size_arguments, std::span<const ForeignRef> functions,
                                  RunControl* control) {
    return Interpreter(program, std::move(inputs), size_arguments, functions, control).run();
}

}  // namespace sinter::interp
