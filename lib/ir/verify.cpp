// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/verify.hpp"

#include "support/check.hpp"
#include "support/match.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <utility>

namespace sinter::ir {

namespace {

/// Increasing, and below `limit`.
bool are_axes(const std::vector<std::size_t>& axes, std::size_t limit) {
    for (std::size_t i = 0; i < axes.size(); ++i)
        if (axes[i] >= limit || (i > 0 && axes[i] <= axes[i - 1])) return false;
    return true;
}

class ProgramVerifier {
  public:
    explicit ProgramVerifier(const Program& program) : program_(program), checked_(program.sizes.count(), 0) {}

    void run() { body(program_.body); }

  private:
    void require(bool condition, const char* invariant, const char* what) const {
        if (condition) return;
        std::string binding = binding_ == nullptr ? "" : fmt::format(" ({})", name_of(binding_->op));
        fail_check(fmt::format("program, at %{}{}: {}: {}", types_.size(), binding, invariant, what), location::current());
    }

    const Type& use(ValueId id) const {
        require(id.index < types_.size(), "P1", "a variable is not in scope");
        return types_[id.index];
    }
    Scalar use_scalar(ValueId id, const char* invariant, const Shape& outer = {}) const {
        const Type& type = use(id);
        require(type.rank() == 0 || type.shape == outer, invariant, "a scalar has a rank other than 0");
        return type.scalar;
    }
    std::vector<Type> use(const std::vector<ValueId>& ids) const {
        std::vector<Type> types;
        for (ValueId id : ids) types.push_back(use(id));
        return types;
    }

    /// Memoised: sizes without values for good, others while the scope is the same.
    bool size(SizeId id) {
        require(id.index < program_.sizes.count(), "P2", "a size is not in the table");
        if (checked_[id.index] == always || checked_[id.index] == scope_) return checked_[id.index] == always;
        const Size& entry = program_.sizes[id];
        bool constant = leaf(entry);
        if (entry.left.valid()) {
            bool left = size(entry.left), right = size(entry.right);
            constant = left && right;
        }
        checked_[id.index] = constant ? always : scope_;
        return constant;
    }

    /// Whether it means the same in every scope.
    bool leaf(const Size& size) const {
        auto index = static_cast<std::size_t>(size.index), axis = static_cast<std::size_t>(size.axis);
        const std::vector<Type>& inputs = program_.body.params;
        switch (size.kind) {
            case Size::Kind::input_extent:
                require(index < inputs.size() && axis < inputs[index].rank(), "P2",
                        "an extent of an axis that does not exist");
                return true;
            case Size::Kind::argument:
                require(index < program_.size_arguments, "P2", "a size argument that does not exist");
                return true;
            case Size::Kind::value:
                require(index < types_.size() && types_[index] == Type{Scalar::i64, {}}, "P2",
                        "a size is not a rank-0 i64 variable in scope");
                return false;
            default:
                return true;
        }
    }

    void type(const Type& type) {
        for (SizeId extent : type.shape) size(extent);
    }

    /// With all variables of the body in scope.
    void guards(const Body& body) {
        ++scope_;
        for (const Guard& guard : body.guards) size(guard.left), size(guard.right);
    }

    /// Returns the types of its results.
    std::vector<Type> body(const Body& body) {
        std::size_t outer = types_.size();
        const Body* outer_body = std::exchange(body_, &body);
        for (const Type& param : body.params) {
            ++scope_, type(param);
            types_.push_back(param);
        }
        for (const Binding& next : body.bindings) {
            binding_ = &next;
            ++scope_;
            binding(next);
            results(next);
        }
        binding_ = nullptr;
        std::vector<Type> results = use(body.results);
        guards(body);
        body_ = outer_body;
        types_.resize(outer);
        ++scope_;
        return results;
    }

    void binding(const Binding& binding) {
        require(!binding.site.valid() || binding.site.index < program_.sites.size(), "P10", "an unknown site");
        for (ValueId operand : operands(binding.op)) use(operand);
        match(binding.op, [&](const auto& op) { operation(op, binding.types); });
    }

    /// Brings them into scope; where the operation binds sizes, extents may be earlier results.
    void results(const Binding& binding) {
        bool binds = binds_sizes(binding.op);
        if (!binds)
            for (const Type& result : binding.types) type(result);
        for (const Type& result : binding.types) {
            if (binds) ++scope_, type(result);
            types_.push_back(result);
        }
    }

    /// `outer`: the shape that captured scalars may have instead of rank 0.
    void captures(const Fn& fn, const Captures& captures, std::vector<Scalar> params, const char* invariant,
                  const Shape& outer = {}) {
        for (ValueId scalar : captures.scalars) params.push_back(use_scalar(scalar, invariant, outer));
        require(fn.body.params == params, invariant, "the function's parameters are not what the operation gives it");
        require(fn.arrays.size() == captures.arrays.size(), invariant, "one captured array a slot expected");
        for (std::size_t i = 0; i < fn.arrays.size(); ++i) {
            const Type& array = use(captures.arrays[i]);
            require(fn.arrays[i] == ArrayParam{array.scalar, array.rank()}, invariant,
                    "a captured array does not fit its slot");
        }
        try {
            verify(fn);
        } catch (const InternalError& error) {
            require(false, invariant, error.what());
        }
    }

    void one_shape(const std::vector<Type>& types, const Shape& shape, const char* invariant) const {
        for (const Type& type : types) require(type.shape == shape, invariant, "shapes that must be equal are not");
    }

    static std::vector<Scalar> scalars_of(const std::vector<Type>& types) {
        std::vector<Scalar> scalars;
        for (const Type& type : types) scalars.push_back(type.scalar);
        return scalars;
    }

    void operation(const Map& map, const std::vector<Type>& types) {
        require(!types.empty(), "P3", "no results");
        one_shape(types, types[0].shape, "P3");
        std::vector<Type> args = use(map.args);
        one_shape(args, types[0].shape, "P3");
        std::vector<Scalar> params(map.indexed ? types[0].rank() : 0, Scalar::i64);
        for (const Type& arg : args) params.push_back(arg.scalar);
        captures(map.fn, map.captures, std::move(params), "P3");
        require(result_types(map.fn) == scalars_of(types), "P3", "results are not those of the function");
    }

    void operation(const Fold& fold, const std::vector<Type>& types) {
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

    /// k accumulators and k elements to k accumulators; inits, if any, of the elements' types.
    void reduction_operator(const Fn& op, const Captures& captured, const std::vector<ValueId>& inits,
                            const std::vector<Type>& args, const Shape& left, const char* invariant) {
        std::vector<Scalar> scalars = scalars_of(args), params = scalars;
        params.insert(params.end(), scalars.begin(), scalars.end());
        captures(op, captured, std::move(params), invariant, left);
        require(result_types(op) == scalars, invariant, "the operator's results are not its accumulators");
        for (std::size_t i = 0; i < inits.size(); ++i)
            require(use_scalar(inits[i], invariant, left) == scalars[i], invariant, "an init is not of its argument's type");
    }

    void operation(const Scan& scan, const std::vector<Type>& types) {
        std::size_t count = scan.args.size();
        require(count > 0 && (scan.inits.empty() || scan.inits.size() == count), "P11",
                "inits and arguments are not as many");
        require(types.size() == (scan.totals ? 2 : 1) * count, "P11", "a wrong number of results");
        require(!scan.inits.empty() || (!scan.exclusive && !scan.totals), "P11", "without inits a scan is inclusive");
        std::vector<Type> args = use(scan.args);
        one_shape(args, args[0].shape, "P11");
        require(scan.axis < args[0].rank(), "P11", "no such axis");
        Shape left = args[0].shape;
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(scan.axis));
        for (std::size_t i = 0; i < types.size(); ++i) {
            require(types[i].scalar == args[i % count].scalar, "P11", "results are not those of the operator");
            require(types[i].shape == (i < count ? args[0].shape : left), "P11", "a result is not of its argument's shape");
        }
        reduction_operator(scan.op, scan.captures, scan.inits, args, left, "P11");
    }

    void operation(const Compact& compact, const std::vector<Type>& types) const {
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

    /// Whether the size is the value of result `k` of the binding being verified, or something is guarded to equal that.
    bool is_own(SizeId id, std::size_t k) const { return is_value_or_guarded(id, ValueId(types_.size() + k), *body_); }

    /// Whether the size is the variable's value, or something is guarded to equal that.
    bool is_value_or_guarded(SizeId id, ValueId variable, const Body& body) const {
        auto value = [&](SizeId each) {
            const Size& size = program_.sizes[each];
            return size.kind == Size::Kind::value && static_cast<std::size_t>(size.index) == variable.index;
        };
        return value(id) || std::any_of(body.guards.begin(), body.guards.end(),
                                        [&](const Guard& guard) { return value(guard.left) || value(guard.right); });
    }

    void operation(const Scatter& scatter, const std::vector<Type>& types) {
        std::size_t count = types.size();
        require(count > 0 && use(scatter.dests) == types && scatter.values.size() == count, "P13",
                "dests, values and results are not as many, or none");
        one_shape(types, types[0].shape, "P13");
        require(!scatter.indices.empty() && scatter.indices.size() == types[0].rank(), "P13",
                "one index array an axis expected");
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

    void operation(const Sort& sort, const std::vector<Type>& types) const {
        require(!types.empty() && use(sort.args) == types && types[0].rank() > 0, "P14",
                "results are not of the arguments' types");
        one_shape(types, types[0].shape, "P14");
        require(sort.keys > 0 && sort.keys <= types.size(), "P14", "a wrong number of keys");
    }

    void operation(const Foreign& foreign, const std::vector<Type>& types) const {
        use(foreign.args);
        std::size_t extents = 0;
        while (extents < types.size() && types[extents] == Type{Scalar::i64, {}}) ++extents;
        std::size_t used = 0;
        for (std::size_t i = 0; i < types.size(); ++i)
            for (SizeId extent : types[i].shape) require(is_own(extent, used++), "P15", "an extent is not a result");
        require(used <= extents, "P15", "one result an extent expected");
    }

    void operation(const Vmap& vmap, const std::vector<Type>& types) {
        require(!vmap.args.empty() && vmap.bodies.size() == 1, "P16", "arguments and one body expected");
        std::vector<Type> params = use(vmap.args);
        SizeId extent = params[0].rank() > 0 ? params[0].shape[0] : SizeId();
        for (Type& param : params) {
            require(param.rank() > 0 && param.shape[0] == extent, "P16", "an argument is not of the outermost extent");
            param.shape.erase(param.shape.begin());
        }
        require(vmap.bodies[0].params == params, "P16", "parameters are not slices of the arguments");
        std::vector<Type> results = types;
        for (Type& result : results) {
            require(result.rank() > 0 && result.shape[0] == extent, "P16", "a result is not of the outermost extent");
            result.shape.erase(result.shape.begin());
        }
        nested(vmap.bodies[0], results, "P16");
    }

    void operation(const Rows& rows, const std::vector<Type>& types) {
        require(!rows.args.empty() && rows.inits.size() == rows.args.size() && rows.bodies.size() == 1, "P17",
                "arguments, as many inits and one body expected");
        const std::vector<Type> args = use(rows.args), inits = use(rows.inits);
        one_shape(inits, inits[0].shape, "P17");
        require(inits[0].rank() > 0, "P17", "an init is not a slice");
        std::vector<Type> slices = args, params = inits;
        for (Type& slice : slices) {
            require(slice.rank() > 0 && slice.shape[0] == args[0].shape[0], "P17", "the outermost extents differ");
            slice.shape.erase(slice.shape.begin());
        }
        require(slices == inits, "P17", "the inits are not like slices of the arguments");
        params.insert(params.end(), inits.begin(), inits.end());
        require(rows.bodies[0].params == params, "P17", "parameters are not two slices an argument");
        require(types == (rows.kind == Rows::Kind::fold ? inits : args), "P17", "results are not inits or arguments");
        nested(rows.bodies[0], inits, "P17");
    }

    void operation(const View& view, const std::vector<Type>& types) {
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

    void index_function(const Transpose& transpose, const Shape& arg, const Shape& result) const {
        std::vector<std::size_t> sorted = transpose.axes;
        std::sort(sorted.begin(), sorted.end());
        require(sorted.size() == arg.size() && are_axes(sorted, arg.size()), "P5", "a transpose is not a permutation");
        require(result.size() == arg.size(), "P5", "a transpose changes the rank");
        for (std::size_t i = 0; i < arg.size(); ++i)
            require(result[i] == arg[transpose.axes[i]], "P5", "a transpose's shape is not permuted");
    }
    void index_function(const Slice& slice, const Shape& arg, const Shape& result) {
        require(slice.start.size() == arg.size() && slice.step.size() == arg.size() && result.size() == arg.size(), "P5",
                "a slice does not have one start and step an axis");
        for (SizeId start : slice.start) size(start);
        for (std::int64_t step : slice.step) require(step != 0, "P5", "a slice's step is 0");
    }
    void index_function(const Shift& shift, const Shape& arg, const Shape& result) const {
        require(shift.offset.size() == arg.size() && result == arg, "P5",
                "a shift has one offset an axis and keeps the shape");
    }
    void index_function(const Broadcast& broadcast, const Shape& arg, const Shape& result) const {
        require(broadcast.axes.size() == arg.size() && are_axes(broadcast.axes, result.size()), "P5",
                "a broadcast's axes are not increasing axes of the result");
        for (std::size_t i = 0; i < arg.size(); ++i)
            require(result[broadcast.axes[i]] == arg[i], "P5", "a broadcast changes an extent");
    }
    void index_function(const Reshape&, const Shape& arg, const Shape& result) const {
        std::optional<std::int64_t> before = constant_elements(arg), after = constant_elements(result);
        require(!before || !after || *before == *after, "P5", "a reshape changes the number of elements");
    }
    std::optional<std::int64_t> constant_elements(const Shape& shape) const {
        std::int64_t elements = 1;
        for (SizeId extent : shape) {
            if (program_.sizes[extent].kind != Size::Kind::constant) return std::nullopt;
            elements = apply(Size::Kind::mul, elements, program_.sizes[extent].index);
        }
        return elements;
    }

    void operation(const Gather& gather, const std::vector<Type>& types) const {
        require(!types.empty() && gather.sources.size() == types.size(), "P6", "one source a result expected");
        for (const Type& index : use(gather.indices))
            require(index == Type{Scalar::i64, types[0].shape}, "P6", "an index array is not i64 of the result's shape");
        one_shape(types, types[0].shape, "P6");
        for (std::size_t i = 0; i < types.size(); ++i) {
            const Type& source = use(gather.sources[i]);
            require(source.rank() == gather.indices.size() && source.rank() > 0, "P6", "one index array an axis expected");
            require(source.scalar == types[i].scalar, "P6", "a result is not of its source's type");
        }
    }

    void operation(const Force& force, const std::vector<Type>& types) const {
        require(!types.empty() && use(force.args) == types, "P7", "results are not of the arguments' types, or none");
    }

    void nested(const Body& nested_body, const std::vector<Type>& types, const char* invariant) {
        const Binding* owner = binding_;
        std::vector<Type> results = body(nested_body);
        binding_ = owner;
        require(results == types, invariant, "results of a body are not of the types expected");
    }

    void operation(const Cond& cond, const std::vector<Type>& types) {
        require(use(cond.condition) == Type{Scalar::boolean, {}}, "P8", "a condition is not a rank-0 boolean");
        require(cond.bodies.size() == 2, "P8", "two bodies expected");
        for (const Body& branch : cond.bodies) {
            require(branch.params.empty(), "P8", "a branch with parameters");
            nested(branch, types, "P8");
        }
    }

    void operation(const Loop& loop, const std::vector<Type>& types) {
        const std::size_t changing = loop.changing.size(), states = loop.inits.size();
        require(states > 0 && types.size() == changing + states, "P9",
                "results are not the changing extents and the states");
        require(loop.bodies.size() == (loop.count ? 1u : 2u), "P9", "a wrong number of bodies");
        const std::vector<Type> inits = use(loop.inits),
                                results(types.begin() + static_cast<std::ptrdiff_t>(changing), types.end());
        state_types(loop, inits, results, "results are not of the states' types");
        for (std::size_t k = 0; k < changing; ++k) {
            require(types[k] == Type{Scalar::i64, {}}, "P9", "a changing extent is not a rank-0 i64");
            require(is_own(state_extent(loop, k, results), k), "P9", "a result's extent is not the one that changed");
        }
        if (loop.count) require(use(*loop.count) == Type{Scalar::i64, {}}, "P9", "a count is not a rank-0 i64");
        for (const Body& each : loop.bodies) loop_body(loop, each, inits);
    }

    void loop_body(const Loop& loop, const Body& each, const std::vector<Type>& inits) {
        const std::size_t before = loop.indices() + loop.changing.size();
        require(each.params.size() == before + inits.size(), "P9", "parameters of a body are not the states");
        for (std::size_t k = 0; k < before; ++k)
            require(each.params[k] == Type{Scalar::i64, {}}, "P9", "an index or extent is not a rank-0 i64");
        const std::vector<Type> states(each.params.begin() + static_cast<std::ptrdiff_t>(before), each.params.end());
        state_types(loop, inits, states, "parameters of a body are not the states");
        for (std::size_t k = 0; k < loop.changing.size(); ++k) {
            const ValueId extent(types_.size() + loop.indices() + k);
            require(is_value_or_guarded(state_extent(loop, k, states), extent, each), "P9",
                    "a state's extent is not the one that changes");
        }
        const Binding* owner = binding_;
        const std::vector<Type> results = body(each);
        binding_ = owner;
        if (&each != &loop.bodies.back())
            require(results == std::vector{Type{Scalar::boolean, {}}}, "P9", "a condition is not a rank-0 boolean");
        else
            state_types(loop, inits, results, "results of a body are not of the states' types");
    }

    static SizeId state_extent(const Loop& loop, std::size_t k, const std::vector<Type>& states) {
        return states[loop.changing[k].state].shape[loop.changing[k].axis];
    }

    /// Of the inits' types, but for extents that change.
    void state_types(const Loop& loop, const std::vector<Type>& inits, std::vector<Type> states, const char* what) const {
        require(states.size() == inits.size(), "P9", what);
        for (auto [state, axis] : loop.changing) {
            require(state < inits.size() && axis < inits[state].rank() && axis < states[state].rank(), "P9",
                    "a state has no such axis");
            states[state].shape[axis] = inits[state].shape[axis];
        }
        require(states == inits, "P9", what);
    }

    static constexpr std::uint64_t always = ~std::uint64_t{0};

    const Program& program_;
    const Binding* binding_ = nullptr;
    const Body* body_ = nullptr;  ///< the innermost one
    std::vector<Type> types_;
    std::vector<std::uint64_t> checked_;  ///< by size: the scope it was checked in
    std::uint64_t scope_ = 1;
};

}  // namespace

void verify(const Program& program) { ProgramVerifier(program).run(); }

}  // namespace sinter::ir
