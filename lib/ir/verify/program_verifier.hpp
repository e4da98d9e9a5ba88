// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checks the invariants P1 to P19 of programs. verify.cpp checks scopes, sizes and bodies, verify_operations.cpp each array
/// operation, and verify_control.cpp those that have bodies.
#pragma once

#include "ir/verify/verify.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::ir {

class ProgramVerifier {
  public:
    explicit ProgramVerifier(const Program& program) : program_(program), checked_(program.sizes.count(), 0) {}

    void run() { body(program_.body); }

  private:
    void require(bool condition, const char* invariant, const char* what) const;
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

    /// Memoised: for sizes without values forever, for others as long as the scope is the same.
    bool size(SizeId id);

    /// True if the size means the same in every scope.
    bool leaf(const Size& size) const;
    void type(const Type& type) {
        for (SizeId extent : type.shape) size(extent);
    }

    /// Checks guards, with all variables of the body in scope.
    void guards(const Body& body);

    /// Checks a body and returns the types of its results.
    std::vector<Type> body(const Body& body);
    void binding(const Binding& binding);

    /// Brings the results into scope. If the operation binds sizes, extents may be earlier results.
    void results(const Binding& binding);

    /// `outer`: the shape that captured scalars may have instead of rank 0.
    void captures(const Fn& fn, const Captures& captures, std::vector<Scalar> params, const char* invariant,
                  const Shape& outer = {});
    void one_shape(const std::vector<Type>& types, const Shape& shape, const char* invariant) const {
        for (const Type& type : types) require(type.shape == shape, invariant, "shapes that must be equal are not");
    }

    static std::vector<Scalar> scalars_of(const std::vector<Type>& types) {
        std::vector<Scalar> scalars;
        for (const Type& type : types) scalars.push_back(type.scalar);
        return scalars;
    }

    void operation(const Map& map, const std::vector<Type>& types);
    void operation(const Fold& fold, const std::vector<Type>& types);

    /// The operator has to map k accumulators and k elements to k accumulators; inits, if any, have the types of elements.
    void reduction_operator(const Fn& op, const Captures& captured, const std::vector<ValueId>& inits,
                            const std::vector<Type>& args, const Shape& left, const char* invariant);
    void operation(const Scan& scan, const std::vector<Type>& types);
    void recurrence(const Scan& scan, const std::vector<Type>& args, const Shape& left);
    void operation(const Compact& compact, const std::vector<Type>& types) const;

    /// True if the size is the value of result `k` of the binding being verified, or is guarded to equal it.
    bool is_own(SizeId id, std::size_t k) const { return is_value_or_guarded(id, ValueId(types_.size() + k), *body_); }

    /// True if the size is the variable's value, or is guarded to equal it.
    bool is_value_or_guarded(SizeId id, ValueId variable, const Body& body) const;
    void operation(const Scatter& scatter, const std::vector<Type>& types);
    void operation(const Sort& sort, const std::vector<Type>& types) const;
    void operation(const Foreign& foreign, const std::vector<Type>& types) const;
    void operation(const Vmap& vmap, const std::vector<Type>& types);
    void joined(const Vmap& vmap, const std::vector<Type>& types, SizeId extent);
    void operation(const Derivative& derivative, const std::vector<Type>& types);
    void operation(const Custom& custom, const std::vector<Type>& types);
    void operation(const Rows& rows, const std::vector<Type>& types);
    void operation(const View& view, const std::vector<Type>& types);
    void index_function(const Transpose& transpose, const Shape& arg, const Shape& result) const;
    void index_function(const Slice& slice, const Shape& arg, const Shape& result);
    void index_function(const Shift& shift, const Shape& arg, const Shape& result) const;
    void index_function(const Broadcast& broadcast, const Shape& arg, const Shape& result) const;
    void index_function(const Reshape&, const Shape& arg, const Shape& result) const;
    std::optional<std::int64_t> constant_elements(const Shape& shape) const;
    void operation(const Gather& gather, const std::vector<Type>& types) const;
    void operation(const Force& force, const std::vector<Type>& types) const;
    void nested(const Body& nested_body, const std::vector<Type>& types, const char* invariant);
    void operation(const Cond& cond, const std::vector<Type>& types);
    void operation(const Loop& loop, const std::vector<Type>& types);
    void loop_body(const Loop& loop, const Body& each, const std::vector<Type>& inits);
    static SizeId state_extent(const Loop& loop, std::size_t k, const std::vector<Type>& states) {
        return states[loop.changing[k].state].shape[loop.changing[k].axis];
    }

    /// States have the types of the inits, except for extents that change.
    void state_types(const Loop& loop, const std::vector<Type>& inits, std::vector<Type> states, const char* what) const;

    static constexpr std::uint64_t always = ~std::uint64_t{0};

    const Program& program_;
    const Binding* binding_ = nullptr;
    const Body* body_ = nullptr;  ///< the innermost body
    std::vector<Type> types_;
    std::vector<std::uint64_t> checked_;  ///< by size: the scope in which it was checked
    std::uint64_t scope_ = 1;
};

}  // namespace sinter::ir
