// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One execution of a program, with its variables as a stack by de Bruijn level. program.cpp has bodies, operations.cpp the
/// operations that make arrays from arrays, control.cpp those that execute bodies repeatedly.
#pragma once

#include "interp/function.hpp"
#include "interp/program.hpp"
#include "interp/size.hpp"
#include "support/check.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace sinter::interp {

using ir::ValueId;
using Index = std::vector<std::int64_t>;
using Bits = std::vector<std::uint64_t>;

class Interpreter {
  public:
    Interpreter(const ir::Program& program, std::vector<ArrayValue> inputs, std::span<const std::int64_t> size_arguments,
                std::span<const ForeignRef> functions, RunControl* control)
        : program_(program), variables_(std::move(inputs)), functions_(functions), control_(control) {
        sizes_.arguments = size_arguments;
        sizes_.input_extent = [this](std::size_t input, std::size_t axis) { return variables_[input].shape[axis]; };
        sizes_.value = [this](ValueId id) { return static_cast<std::int64_t>(scalar(id)); };
        check(variables_.size() == program.body.params.size(), "one array per input");
    }

    std::vector<ArrayValue> run() {
        if (control_) control_->begin(static_cast<std::int64_t>(program_.body.bindings.size()));
        return run_body(program_.body);
    }

  private:
    /// The parameters have to be on the stack; they and everything that the body makes are removed from it.
    std::vector<ArrayValue> run_body(const ir::Body& body);
    std::vector<ArrayValue> run_body(const ir::Body& body, std::vector<ArrayValue> params);

    /// Checks the guards that can be decided now and could not when there were `before` variables (0: at the start).
    void check_guards(const ir::Body& body, std::size_t before) const;
    location where(ir::SiteId site) const { return site_of(program_.sites, site).where; }
    /// "name of what the user called: problem".
    template <class E>
    [[noreturn]] void fail(const ir::Binding& binding, const std::string& problem) const {
        const location at = where(binding.site);
        throw E(fmt::format("{}: {}", name(binding), problem), at);
    }
    std::string name(const ir::Binding& binding) const { return name_of(binding, program_.sites); }

    std::int64_t size(ir::SizeId id) const { return evaluate_size(program_.sizes, id, sizes_); }

    Index shape_of(const ir::Binding& binding, std::size_t result = 0) const;
    std::uint64_t scalar(ValueId id) const;
    std::vector<ArrayValue> empty_results(const ir::Binding& binding) const;
    std::vector<ArrayValue> execute(const ir::Binding& binding);
    [[noreturn]] void rethrow(const Failure& failure, const ir::Binding& binding) const;
    std::vector<ArrayValue> arrays(const std::vector<ValueId>& ids) const;
    std::vector<const ArrayValue*> readable(const ir::Captures& captures) const;
    void append_scalars(Bits& arguments, const ir::Captures& captures) const;
    const ir::Fn& expanded(const ir::Fn& fn);
    std::vector<ArrayValue> map(const ir::Binding& binding, const ir::Map& op);

    /// A value that has rank 0 or the results' shape, at row-major position `at` of the results.
    std::uint64_t outer_scalar(ValueId id, std::int64_t at) const;

    /// op(left, right), with the captured scalars of position `at` of the results.
    void combine(FunctionMachine& machine, const ir::Captures& captures, const Bits& left, const Bits& right,
                 std::int64_t at, Bits& values);

    /// The accumulators are the results' elements. They are initialised and then visited in row-major order of the
    /// arguments; for each of them this is the row-major order of the reduced axes.
    std::vector<ArrayValue> fold(const ir::Binding& binding, const ir::Fold& op);
    ArrayValue view(const ir::Binding& binding, const ir::View& op);
    static ArrayValue padded(const ArrayValue& arg, ArrayValue result, const Index& starts, std::uint64_t fill);

    /// Scans line after line, from the end at which the scan starts.
    std::vector<ArrayValue> scan(const ir::Binding& binding, const ir::Scan& op);
    void scan_line(const ir::Scan& op, FunctionMachine& machine, std::vector<ArrayValue>& results, Index index,
                   std::int64_t line);
    std::vector<ArrayValue> compact(const ir::Compact& op) const;
    std::vector<ArrayValue> scatter(const ir::Scatter& op);
    std::vector<ArrayValue> sort(const ir::Binding& binding, const ir::Sort& op) const;
    std::vector<ArrayValue> foreign(const ir::Binding& binding, const ir::Foreign& op) const;
    std::vector<ArrayValue> vmap(const ir::Binding& binding, const ir::Vmap& op);
    std::vector<ArrayValue> joined(const ir::Binding& binding, const ir::Vmap& op);
    std::vector<ArrayValue> rows(const ir::Binding& binding, const ir::Rows& op);
    static ArrayValue slice_of(const ArrayValue& array, std::int64_t i);
    static ArrayValue room_for(const ArrayValue& slice, std::int64_t count);
    void place_slice(const ir::Binding& binding, ArrayValue& result, const ArrayValue& slice, std::int64_t i) const;
    std::vector<ArrayValue> gather(const ir::Binding& binding, const ir::Gather& op);
    std::vector<ArrayValue> cond(const ir::Cond& op) { return run_body(op.bodies[scalar(op.condition) != 0 ? 0 : 1], {}); }

    std::vector<ArrayValue> loop(const ir::Binding& binding, const ir::Loop& op);

    /// The states preceded by their extents that change.
    static std::vector<ArrayValue> with_extents(const ir::Loop& op, std::vector<ArrayValue> states);
    static ArrayValue number(std::int64_t value) {
        ArrayValue array(Scalar::i64, {});
        array.set(0, static_cast<std::uint64_t>(value));
        return array;
    }

    const ir::Program& program_;
    std::vector<ArrayValue> variables_;
    std::span<const ForeignRef> functions_;
    RunControl* const control_;
    SizeEnvironment sizes_;
    std::unordered_map<const ir::Fn*, ir::Fn> expanded_;
    Bits operands_;  ///< of a call in `combine`
};

}  // namespace sinter::interp
