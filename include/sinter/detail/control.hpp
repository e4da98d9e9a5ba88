// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Recording of control flow. Definitions: lib/front.
///
/// A control operation is opened, then each of its blocks is opened, recorded and closed, then it ends. On scalars it
/// becomes an instruction of the function being traced or, in a program, a node of rank 0; on arrays a node whose blocks are
/// scopes.
#pragma once

#include <sinter/detail/trace.hpp>

namespace sinter::detail {

SINTER_API std::size_t open_control(const char* name, location where);
/// Drops the control operation and everything opened after it.
SINTER_API void close_control(std::size_t token) noexcept;

class OpenControl {
  public:
    OpenControl(const char* name, location where) : token_(open_control(name, where)) {}
    OpenControl(const OpenControl&) = delete;
    OpenControl& operator=(const OpenControl&) = delete;
    ~OpenControl() { close_control(token_); }

  private:
    std::size_t token_;
};

// On scalars: `op` is cond, while_loop or for_loop; operands as in lib/ir/function.hpp.
SINTER_API void open_block(const Scalar* parameters, std::size_t count, Handle* out);
SINTER_API void close_block(const Handle* results, std::size_t count);
SINTER_API void end_control(Op op, const Handle* operands, std::size_t operand_count, const Scalar* types, std::size_t count,
                            Handle* out);

// On arrays.
SINTER_API void open_scope();
/// A parameter of the innermost scope, with the type of `like`.
SINTER_API LeafRef scope_parameter(const LeafRef& like);
/// A parameter of the innermost scope for state number `state` of a loop whose states begin as `inits`.
SINTER_API LeafRef state_parameter(const LeafRef* inits, std::size_t state);
/// True if the results of the scope closed last have the extents that its parameters were given, as far as those were known.
/// If not, the extents change from one iteration to the next, and the loop's scopes have to be recorded again, with
/// parameters of unknown extents.
SINTER_API bool states_fit(const LeafRef* inits, std::size_t count);
/// A parameter of the innermost scope, with the type of one outer slice of `like`.
SINTER_API LeafRef slice_parameter(const LeafRef& like);
SINTER_API void close_scope(const LeafRef* results, std::size_t count);
/// `first` is the condition of cond or the count of for_loop; while_loop does not use it.
SINTER_API void end_scopes(Op op, const LeafRef& first, const LeafRef* inits, std::size_t count, LeafRef* out);
/// Applies the scope closed last to all outer slices of args.
SINTER_API void end_vmap(const LeafRef* args, std::size_t count, LeafRef* out);
struct RowsKind {
    bool scan = false, exclusive = false, reverse = false;
};
/// The scope closed last is the operator on the outer slices of args. It has two parameters per arg: count slices, and as
/// many again.
SINTER_API void end_rows(const RowsKind& kind, const LeafRef* inits, const LeafRef* args, std::size_t count, LeafRef* out);

/// Derivatives of the scope or block closed last, a function of `count` leaves. Forward: the tangents of its results, given
/// one seed, the tangent, for each argument that `by` selects. Reverse: the adjoints of these arguments, given one seed, the
/// cotangent, for each result. Values that are not floating-point have seeds that are not looked at, and zero as their
/// derivative.
struct DerivativeOf {
    bool forward = false;
    std::size_t count = 0;
    const bool* by = nullptr;
};
/// As open_scope, for a function whose derivative will be taken.
SINTER_API void open_derivative_scope();
/// True if such a scope is open: what is recorded now may be differentiated.
SINTER_API bool in_derivative() noexcept;
/// values are laid out as the results; derivatives as the results or, in reverse mode, as the arguments that `by` selects.
SINTER_API void end_derivative(const DerivativeOf& of, const LeafRef* args, const LeafRef* seeds, LeafRef* values,
                               LeafRef* derivatives);
SINTER_API void end_scalar_derivative(const DerivativeOf& of, const Handle* args, const Handle* seeds, Handle* values,
                                      Handle* derivatives);
enum class CustomKind : std::uint8_t { jvp, vjp, checkpoint };
/// Throws a Limitation in a function of scalars, which can hold no array operations.
SINTER_API void require_program(const char* name, location where);
/// The scopes closed last are a function of `count` leaves and, unless it is a checkpoint, a rule for its derivative. The
/// parameters of a jvp rule are the function's arguments and their tangents; it returns the tangents of the function's
/// results. Those of a vjp rule are the arguments, the results and the cotangents of the results; it returns the adjoints of
/// the arguments that have floating-point leaves. Leaves returned by a rule that are not floating-point are not looked at.
SINTER_API void end_custom(CustomKind kind, const LeafRef* args, std::size_t count, LeafRef* out);
/// The number of elements of an array if its extents are known, else -1.
SINTER_API std::int64_t known_count(const LeafRef& array);

}  // namespace sinter::detail
