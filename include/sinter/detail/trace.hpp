// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tracing: functions are called once, and what they do with Exps is recorded in the innermost open trace of this thread.
/// These are ordinary functions; everything typed happens in the headers that call them. Definitions: lib/front.
#pragma once

#include <sinter/detail/handle.hpp>
#include <sinter/detail/op.hpp>
#include <sinter/detail/scalar.hpp>
#include <sinter/error.hpp>

#include <string_view>

namespace sinter::detail {

/// Opens the trace of a function given to `combinator` (a string literal). Its parameter k is the handle {serial, k}.
SINTER_API std::uint64_t open_function(const char* combinator, location where, const Scalar* parameters, std::size_t count);
/// Opens the trace of a whole program (compile): its scalars are arrays of rank 0.
SINTER_API std::uint64_t open_program(const char* combinator, location where);
/// The next parameter of the innermost program. Its extents are unknown.
SINTER_API LeafRef program_parameter(Scalar scalar, std::size_t rank);
/// Drops the trace and those opened after it; nothing if it is not open.
SINTER_API void close_trace(std::uint64_t serial) noexcept;
/// UsageError if a function or program is being traced on this thread: `what` needs values.
SINTER_API void forbid_tracing(const char* what, location where);

SINTER_API Handle constant(Scalar type, std::uint64_t bits);
/// A literal of floating type for an expression of integer type: UsageError if it has a fraction or does not fit.
SINTER_API Handle integer_constant(Scalar type, double value);
/// `result` is the type of the result.
SINTER_API Handle apply(Op op, Scalar result, const Handle* operands, std::size_t count);
/// UsageError outside functions and programs, where a read would have no Exp for its result.
SINTER_API void forbid_host_read(location where);
/// An element of an array of the outer scope; rank 0: its only one.
SINTER_API Handle read(const LeafRef& array, const Handle* indices, std::size_t rank);
/// States that all calls of the function being traced together read each element of this array of the outer scope at most
/// once: whatever makes the array is computed where it is read.
SINTER_API void read_once(const LeafRef& array);
SINTER_API Handle extent(const LeafRef& array, std::int64_t axis, location where);

/// The condition, which is true: otherwise an ExpectationError with this text. As a `statement` it takes effect without
/// being used, from the next result of the function or block on; UsageError in programs, whose results are arrays.
SINTER_API Handle expect(Handle condition, std::string_view text, bool statement, location where);
/// Prints values when the function or block has its results. UsageError in programs, and for a format that does not fit the
/// values.
SINTER_API void debug_print(std::string_view format, const Handle* values, const Scalar* types, std::size_t count,
                            location where);

/// The rank-0 array behind a scalar of an enclosing program. UsageError for scalars of functions: `what` cannot use them.
SINTER_API LeafRef scalar_leaf(Handle handle, const char* what, location where);

/// Keeps a trace open for as long as this object lives: an exception thrown by the user's function leaves no open trace
/// behind.
class OpenTrace {
  public:
    explicit OpenTrace(std::uint64_t serial) : serial_(serial) {}
    OpenTrace(const OpenTrace&) = delete;
    OpenTrace& operator=(const OpenTrace&) = delete;
    ~OpenTrace() { close_trace(serial_); }
    std::uint64_t serial() const { return serial_; }

  private:
    std::uint64_t serial_;
};

}  // namespace sinter::detail
