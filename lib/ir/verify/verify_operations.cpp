// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/sizes/size_arithmetic.hpp"
#include "ir/verify/program_verifier.hpp"
#include "support/match.hpp"

#include <algorithm>
#include <utility>

namespace sinter::ir {

namespace {

/// True if the axes increase and are below `limit`.
bool are_axes(const std::vector<std::size_t>& axes, std::size_t limit) {
    for (std::size_t i = 0; i < axes.size(); ++i)
        if (axes[i] >= limit || (i > 0 && axes[i] <= axes[i - 1])) return false;
    return true;
}

}  // namespace

void ProgramVerifier::captures(const Fn& fn, const Captures& captures, std::vector<Scalar> params, const char* invariant,
                               const Shape& outer) {
    for (ValueId scalar : captures.scalars) params.push_back(use_scalar(scalar, invariant, outer));
    require(fn.body.params == params, invariant, "the function's parameters are not what the operation gives it");
    require(fn.arrays.size() == captures.arrays.size(), invariant, "one captured array a slot expected");
    for (std::size_t i = 0; i < fn.arrays.size(); ++i) {
        const Type& array = use(captures.arrays[i]);
        require(fn.arrays[i].scalar == array.scalar && fn.arrays[i].rank == array.rank(), invariant,
                "a captured array does not fit its slot");
    }
    try {
        verify(fn);
    } catch (const InternalError& error) {
        require(false, invariant, error.what());
    }
}

void ProgramVerifier::operation(const Map& map, const std::vector<Type>& types) {
    require(!types.empty(), "P3", "no results");
    one_shape(types, types[0].shape, "P3");
    std::vector<Type> args = use(map.args);
    one_shape(args, types[0].shape, "P3");
    std::vector<Scalar> params(map.indexed ? types[0].rank() : 0, Scalar::i64);
    for (const Type& arg : args) params.push_back(arg.scalar);
    captures(map.fn, map.captures, std::move(params), "P3");
    require(result_types(map.fn) == scalars_of(types), "P3", "results are not those of the function");
}

void ProgramVerifier::operation(const Fold& fold, const std::vector<Type>& types) {
    std::size_t count = types.size();
    require(count > 0 && fold.args.size() == count && fold.inits.size() == count, "P4",
            "inits, arguments and results are not as many, or none");
    std::vector<Type> args = use(fold.args);
    one_shape(args, args[0].shape, "P4");
    require(!fold.axes.empty() && are_axes(fold.axes, args[0].rank()), "P4",
            "axes are not increasing axes of the arguments");
    Shape left;
    for (std::size_t axis = 0; axis < args[0].rank(); ++axis)
        if (!std::binary_search(fold.axes.begin(), fold.axes.end(), axis)) left.push_back(args[0].shape[axis]);
    one_shape(types, left, "P4");
    reduction_operator(fold.op, fold.captures, fold.inits, args, left, "P4");
    require(scalars_of(types) == scalars_of(args), "P4", "results are not those of the operator");
}

void ProgramVerifier::reduction_operator(const Fn& op, const Captures& captured, const std::vector<ValueId>& inits,
                                         const std::vector<Type>& args, const Shape& left, const char* invariant) {
    std::vector<Scalar> scalars = scalars_of(args), params = scalars;
    params.insert(params.end(), scalars.begin(), scalars.end());
    captures(op, captured, std::move(params), invariant, left);
    require(result_types(op) == scalars, invariant, "the operator's results are not its accumulators");
    for (std::size_t i = 0; i < inits.size(); ++i)
        require(use_scalar(inits[i], invariant, left) == scalars[i], invariant, "an init is not of its argument's type");
}

void ProgramVerifier::operation(const Scan& scan, const std::vector<Type>& types) {
    const std::size_t count = scan.states();
    require(!scan.args.empty() && count > 0, "P11", "no arguments or no states");
    require(types.size() == (scan.totals ? 2 : 1) * count, "P11", "a wrong number of results");
    require(!scan.inits.empty() || (!scan.exclusive && !scan.totals), "P11", "without inits a scan is inclusive");
    std::vector<Type> args = use(scan.args);
    one_shape(args, args[0].shape, "P11");
    require(scan.axis < args[0].rank(), "P11", "no such axis");
    Shape left = args[0].shape;
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(scan.axis));
    if (scan.sequential) {
        recurrence(scan, args, left);
    } else {
        require(scan.inits.empty() || scan.inits.size() == args.size(), "P11", "inits and arguments are not as many");
        reduction_operator(scan.op, scan.captures, scan.inits, args, left, "P11");
    }
    const std::vector<Scalar> states = result_types(scan.op);
    for (std::size_t i = 0; i < types.size(); ++i) {
        require(types[i].scalar == states[i % count], "P11", "results are not those of the operator");
        require(types[i].shape == (i < count ? args[0].shape : left), "P11", "a result is not of its argument's shape");
    }
}

void ProgramVerifier::recurrence(const Scan& scan, const std::vector<Type>& args, const Shape& left) {
    require(!scan.exclusive, "P11", "a recurrence is inclusive");
    std::vector<Scalar> states;
    for (ValueId init : scan.inits) states.push_back(use_scalar(init, "P11", left));
    std::vector<Scalar> params = states;
    for (const Type& arg : args) params.push_back(arg.scalar);
    captures(scan.op, scan.captures, std::move(params), "P11", left);
    require(result_types(scan.op) == states, "P11", "the states after a step are not of the initial ones' types");
}

void ProgramVerifier::operation(const Compact& compact, const std::vector<Type>& types) const {
    const Type& mask = use(compact.mask);
    require(mask.scalar == Scalar::boolean && mask.rank() == 1, "P12", "a mask is not a rank-1 array of booleans");
    require(types.size() == 1 + compact.args.size() && types[0] == Type{Scalar::i64, {}}, "P12",
            "results are not a number and one array an argument");
    for (std::size_t i = 0; i < compact.args.size(); ++i) {
        const Type& arg = use(compact.args[i]);
        require(arg.shape == mask.shape, "P12", "an argument is not of the mask's shape");
        require(arg.scalar == types[i + 1].scalar && types[i + 1].rank() == 1, "P12",
                "a result is not of its argument's type");
        require(types[i + 1].shape == types[1].shape && is_own(types[1].shape[0], 0), "P12",
                "an extent is not the number of elements kept");
    }
}

bool ProgramVerifier::is_value_or_guarded(SizeId id, ValueId variable, const Body& body) const {
    auto value = [&](SizeId each) {
        const Size& size = program_.sizes[each];
        return size.kind == Size::Kind::value && static_cast<std::size_t>(size.index) == variable.index;
    };
    return value(id) || std::any_of(body.guards.begin(), body.guards.end(),
                                    [&](const Guard& guard) { return value(guard.left) || value(guard.right); });
}

void ProgramVerifier::operation(const Scatter& scatter, const std::vector<Type>& types) {
    std::size_t count = types.size();
    require(count > 0 && use(scatter.dests) == types && scatter.values.size() == count, "P13",
            "dests, values and results are not as many, or none");
    one_shape(types, types[0].shape, "P13");
    require(!scatter.indices.empty() && scatter.indices.size() == types[0].rank(), "P13",
            "one index array per axis expected");
    require(!scatter.drops || *scatter.drops < scatter.indices.size(), "P13", "no index decides what is dropped");
    std::vector<Type> values = use(scatter.values);
    one_shape(values, values[0].shape, "P13");
    for (const Type& index : use(scatter.indices))
        require(index == Type{Scalar::i64, values[0].shape}, "P13", "an index array is not i64 of the values' shape");
    require(scalars_of(values) == scalars_of(types), "P13", "values are not of the dests' types");
    if (scatter.op)
        reduction_operator(*scatter.op, scatter.captures, {}, values, {}, "P13");
    else
        require(scatter.captures == Captures{}, "P13", "captures without an operator");
}

void ProgramVerifier::operation(const Sort& sort, const std::vector<Type>& types) const {
    const std::vector<Type> args = use(sort.args);
    require(!types.empty() && scalars_of(args) == scalars_of(types) && types[0].rank() > 0, "P14",
            "results are not of the arguments' types");
    one_shape(types, types[0].shape, "P14");
    Shape lines = args[0].shape;
    one_shape(args, lines, "P14");
    lines.back() = types[0].shape.back();
    require(lines == types[0].shape, "P14", "results are not the first elements of the arguments' lines");
    require(sort.keys > 0 && sort.keys <= types.size(), "P14", "a wrong number of keys");
}

void ProgramVerifier::operation(const Foreign& foreign, const std::vector<Type>& types) const {
    const std::vector<Type> args = use(foreign.args);
    for (std::size_t k = 0; k < foreign.by.size(); ++k)
        require(foreign.by[k] < args.size() && (k == 0 || foreign.by[k - 1] < foreign.by[k]), "P15",
                "numbers of arguments do not increase");
    require(foreign.rule || foreign.by.empty(), "P15", "adjoints without a rule");
    std::size_t extents = 0;
    while (extents < types.size() && types[extents] == Type{Scalar::i64, {}}) ++extents;
    std::size_t used = 0;
    for (std::size_t i = 0; i < types.size(); ++i)
        for (SizeId extent : types[i].shape) require(is_own(extent, used++), "P15", "an extent is not a result");
    require(used <= extents, "P15", "one result an extent expected");
}

void ProgramVerifier::operation(const View& view, const std::vector<Type>& types) {
    require(types.size() == 1, "P5", "one result expected");
    const Type& arg = use(view.arg);
    require(arg.scalar == types[0].scalar, "P5", "a view changes the scalar type");
    if (view.fill) {
        require(use_scalar(*view.fill, "P5") == arg.scalar, "P5", "the filling is not of the argument's type");
        const auto* slice = std::get_if<Slice>(&view.function);
        require(slice && std::all_of(slice->step.begin(), slice->step.end(), [](auto step) { return step == 1; }), "P5",
                "only slices with steps 1 are filled");
    }
    match(view.function, [&](const auto& function) { index_function(function, arg.shape, types[0].shape); });
}

void ProgramVerifier::index_function(const Transpose& transpose, const Shape& arg, const Shape& result) const {
    std::vector<std::size_t> sorted = transpose.axes;
    std::sort(sorted.begin(), sorted.end());
    require(sorted.size() == arg.size() && are_axes(sorted, arg.size()), "P5", "a transpose is not a permutation");
    require(result.size() == arg.size(), "P5", "a transpose changes the rank");
    for (std::size_t i = 0; i < arg.size(); ++i)
        require(result[i] == arg[transpose.axes[i]], "P5", "a transpose's shape is not permuted");
}

void ProgramVerifier::index_function(const Slice& slice, const Shape& arg, const Shape& result) {
    require(slice.start.size() == arg.size() && slice.step.size() == arg.size() && result.size() == arg.size(), "P5",
            "a slice does not have one start and step an axis");
    for (SizeId start : slice.start) size(start);
    for (std::int64_t step : slice.step) require(step != 0, "P5", "a slice's step is 0");
}

void ProgramVerifier::index_function(const Shift& shift, const Shape& arg, const Shape& result) const {
    require(shift.offset.size() == arg.size() && result == arg, "P5", "a shift has one offset an axis and keeps the shape");
}

void ProgramVerifier::index_function(const Broadcast& broadcast, const Shape& arg, const Shape& result) const {
    require(broadcast.axes.size() == arg.size() && are_axes(broadcast.axes, result.size()), "P5",
            "a broadcast's axes are not increasing axes of the result");
    for (std::size_t i = 0; i < arg.size(); ++i)
        require(result[broadcast.axes[i]] == arg[i], "P5", "a broadcast changes an extent");
}

void ProgramVerifier::index_function(const Reshape&, const Shape& arg, const Shape& result) const {
    std::optional<std::int64_t> before = constant_elements(arg), after = constant_elements(result);
    require(!before || !after || *before == *after, "P5", "a reshape changes the number of elements");
}

std::optional<std::int64_t> ProgramVerifier::constant_elements(const Shape& shape) const {
    std::int64_t elements = 1;
    for (SizeId extent : shape) {
        if (program_.sizes[extent].kind != Size::Kind::constant) return std::nullopt;
        elements = sizes::mul(elements, program_.sizes[extent].index);
    }
    return elements;
}

void ProgramVerifier::operation(const Gather& gather, const std::vector<Type>& types) const {
    require(!types.empty() && gather.sources.size() == types.size(), "P6", "one source a result expected");
    for (const Type& index : use(gather.indices))
        require(index == Type{Scalar::i64, types[0].shape}, "P6", "an index array is not i64 of the result's shape");
    one_shape(types, types[0].shape, "P6");
    for (std::size_t i = 0; i < types.size(); ++i) {
        const Type& source = use(gather.sources[i]);
        require(source.rank() == gather.indices.size() && source.rank() > 0, "P6", "one index array per axis expected");
        require(source.scalar == types[i].scalar, "P6", "a result is not of its source's type");
    }
}

void ProgramVerifier::operation(const Force& force, const std::vector<Type>& types) const {
    require(!types.empty() && use(force.args) == types, "P7", "results are not of the arguments' types, or none");
}

}  // namespace sinter::ir
