// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Building of array nodes: the functions that combinators end by calling. Axes may be negative (counted from the
/// innermost). Errors of shape are reported here as far as extents are known. Definitions: lib/front.
#pragma once

#include <sinter/detail/handle.hpp>
#include <sinter/detail/scalar.hpp>
#include <sinter/error.hpp>

namespace sinter::detail {

/// ShapeError unless the arrays, given by one leaf each, may have the same shape.
SINTER_API void check_same_shape(const char* what, const LeafRef* const* arrays, std::size_t count, location where);
/// ShapeError if the extents of a matrix are known and differ.
SINTER_API void check_square(const char* what, const LeafRef& matrix, location where);
/// ShapeError unless the arrays may have the same outermost extent.
SINTER_API void check_same_outer(const char* what, const LeafRef* const* arrays, std::size_t count, location where);
/// Known extents of an array; UsageError naming `what` if one depends on parameters of a compiled program.
SINTER_API void known_shape(const LeafRef& array, std::int64_t* extents, const char* what, location where);

/// The extent of an axis if it is the same in every call of the program that is being written, else -1.
SINTER_API std::int64_t extent_if_known(const LeafRef& array, std::size_t axis, location where);

/// The traced function as the operator of a map over args (at least one). `indexed`: its first parameters are indices.
SINTER_API void end_map(std::uint64_t trace, const Handle* results, std::size_t result_count, const LeafRef* args,
                        std::size_t arg_count, bool indexed, LeafRef* out);
/// The traced function of `rank` indices as an array of this shape.
SINTER_API void end_generate(std::uint64_t trace, const Handle* results, std::size_t result_count, const SizeArgument* shape,
                             std::size_t rank, LeafRef* out);
/// The traced function of indices as an array of the shape of `like` without its `outer` outermost axes.
SINTER_API void end_generate_like(std::uint64_t trace, const Handle* results, std::size_t result_count, const LeafRef& like,
                                  std::size_t outer, LeafRef* out);
struct FoldKind {
    bool commutative = false;  ///< the operator is known to be commutative; single commutative operations are recognised
                               ///< without this
    bool nonempty = false;     ///< without elements there is no result but a ShapeError
};
/// The traced operator (accumulators, then elements) as a fold of `count` args.
SINTER_API void end_fold(std::uint64_t trace, const Handle* results, const LeafRef* inits, const LeafRef* args,
                         std::size_t count, const std::int64_t* axes, std::size_t axis_count, FoldKind kind, LeafRef* out);
/// ShapeError if the array is known to have no element along these axes: `what` needs one.
SINTER_API void check_not_empty(const char* what, const LeafRef& array, const std::int64_t* axes, std::size_t axis_count,
                                location where);

struct ScanKind {
    std::int64_t axis = -1;
    bool exclusive = false, reverse = false, totals = false;
};
/// The traced operator as a scan of `count` args. inits may be null. out: count prefixes, then count totals if wanted.
SINTER_API void end_scan(std::uint64_t trace, const Handle* results, const LeafRef* inits, const LeafRef* args,
                         std::size_t count, const ScanKind& kind, LeafRef* out);
/// The traced function (states, elements) -> states as a recurrence along an axis of the args. inits: one per state, of rank
/// 0 or of the args' shape without the axis. kind.totals: only the last states are wanted. out: one per state.
struct RecurArguments {
    const LeafRef *inits, *args;
    std::size_t states, count;
};
SINTER_API void end_recur(std::uint64_t trace, const Handle* results, const RecurArguments& arguments, const ScanKind& kind,
                          LeafRef* out);
/// The elements of args (rank 1) where mask is true.
SINTER_API void compact(const LeafRef& mask, const LeafRef* args, std::size_t count, LeafRef* out, location where);

struct ScatterArguments {
    const LeafRef *dests, *indices, *values;
    std::size_t count, rank;  ///< the number of dests and of values; the rank of the dests, which is the number of index
                              ///< arrays
    bool drops = true;        ///< an element is dropped if all its indices are -1
};
SINTER_API void scatter(const char* what, const ScatterArguments& arguments, LeafRef* out, location where);
/// The traced operator combines what is there with the values.
SINTER_API void end_scatter(std::uint64_t trace, const Handle* results, const ScatterArguments& arguments, LeafRef* out);
/// Sorts the lines of the innermost axis by the first `keys` args.
SINTER_API void sort(const char* what, const LeafRef* args, std::size_t count, std::size_t keys, bool descending,
                     LeafRef* out, location where);

struct SliceArgument {
    bool all = true;
    SizeArgument low, high;
    std::int64_t step = 1;
};

/// A sum of products of arrays of one scalar type, in Einstein's notation: "ij,jk->ik".
SINTER_API LeafRef einsum(const char* subscripts, const LeafRef* operands, std::size_t count, location where);

SINTER_API LeafRef transpose(const LeafRef& array, const std::int64_t* axes, std::size_t count, location where);
SINTER_API LeafRef slice(const LeafRef& array, const SliceArgument* axes, std::size_t count, location where);
/// The first `count` elements along an axis; with drop, all but these.
SINTER_API LeafRef take(const LeafRef& array, SizeArgument count, std::int64_t axis, location where);
SINTER_API LeafRef drop(const LeafRef& array, SizeArgument count, std::int64_t axis, location where);
SINTER_API LeafRef reverse(const LeafRef& array, std::int64_t axis, location where);
SINTER_API LeafRef broadcast(const LeafRef& array, const SizeArgument* shape, std::size_t rank, const std::int64_t* axes,
                             std::size_t axis_count, location where);
/// An array that lacks axes of `like`, repeated along those to the shape of `like`.
SINTER_API LeafRef broadcast_back(const LeafRef& array, const LeafRef& like, const std::int64_t* lost, std::size_t count,
                                  location where);
SINTER_API LeafRef replicate(SizeArgument count, const LeafRef& array, location where);
SINTER_API LeafRef reshape(const LeafRef& array, const SizeArgument* shape, std::size_t rank, location where);
SINTER_API LeafRef flatten(const LeafRef& array, location where);
/// indices: one index array per axis of the sources.
SINTER_API void gather(const char* what, const LeafRef* indices, std::size_t rank, const LeafRef* sources, std::size_t count,
                       LeafRef* out, location where);
SINTER_API void force(const LeafRef* arrays, std::size_t count, LeafRef* out, location where);
/// The array without the axes that are marked as dropped, whose extents are 1.
SINTER_API LeafRef without_axes(const LeafRef& array, const bool* dropped, location where);
/// An extent as an array of rank 0.
SINTER_API LeafRef extent_leaf(const LeafRef& array, std::int64_t axis, location where);
/// Adds elements around an array: widths[k] are the numbers of elements before and after those of axis k.
SINTER_API LeafRef pad(const LeafRef& array, const LeafRef& fill, const SizeArgument (*widths)[2], location where);
/// Each part padded to the length of all parts together along an axis; bounds[p], of rank 0, is where part p ends. `parts`
/// are of one leaf.
SINTER_API void concat_parts(const LeafRef* parts, std::size_t count, std::int64_t axis, LeafRef* padded, LeafRef* bounds,
                             location where);
/// The two parts of an array rotated to the left by `distance`, padded as by concat_parts.
SINTER_API void rotation_parts(const LeafRef& array, SizeArgument distance, std::int64_t axis, LeafRef* padded,
                               LeafRef* bound, location where);

enum class Border { clamp, wrap, symmetric, reflect, constant, keep };
/// In the function of a stencil, which is the innermost: the element of leaf number `leaf` of its array at this offset.
SINTER_API Handle neighbour(std::uint64_t trace, const LeafRef& array, std::size_t leaf, const std::int64_t* offset,
                            std::size_t rank);
/// The traced function of neighbours as an array of the shape of args, which are the array's leaves. fills: for
/// Border::constant.
/// Border::keep: as many results as leaves, and of their types.
SINTER_API void end_stencil(std::uint64_t trace, const Handle* results, std::size_t result_count, const LeafRef* args,
                            Border border, const LeafRef* fills, LeafRef* out);

/// A function of the user: manifest arrays in, manifest arrays out. Two callees are the same function if their call and
/// context are the same.
struct ForeignCallee {
    void (*call)(void* context, const LeafRef* args, LeafRef* results);
    void* context;
    void (*destroy)(void* context);  ///< null: the context lives as long as the process
};
struct ForeignResults {
    const Scalar* scalars;
    const std::size_t* ranks;
    std::size_t count;
};
/// The callee's context is destroyed when nothing refers to the function any more.
SINTER_API void foreign(const char* name, const ForeignCallee& callee, const LeafRef* args, std::size_t count,
                        const ForeignResults& results, LeafRef* out, location where);
/// The same with a rule: a function of args, the results and their cotangents, which returns adjoints of the args that `by`
/// selects, with one flag per argument.
SINTER_API void foreign_with_rule(const char* name, const ForeignCallee& callee, const ForeignCallee& rule, const bool* by,
                                  const LeafRef* args, std::size_t count, const ForeignResults& results, LeafRef* out,
                                  location where);

/// A C++ scalar as an array of rank 0.
SINTER_API LeafRef literal(Scalar type, std::uint64_t bits, location where);
/// A C++ number of floating type for an array of integers. UsageError if it has a fraction or does not fit.
SINTER_API LeafRef integer_literal(const char* what, Scalar type, double value, location where);
/// The extents of a shape of literals; UsageError naming `what` if one is an Exp.
SINTER_API void literal_shape(const SizeArgument* shape, std::size_t rank, std::int64_t* extents, const char* what,
                              location where);

// Manifest arrays

/// Uninitialised. MemoryError if there is no room.
SINTER_API LeafRef make_array(Scalar type, const std::int64_t* shape, std::size_t rank, location where);
/// The caller's memory, which must outlive every use.
SINTER_API LeafRef borrow_array(Scalar type, const void* data, const std::int64_t* shape, std::size_t rank, location where);
/// The elements of a manifest array, row-major. Writable only before the array is shared.
SINTER_API void* data(const LeafRef& array, location where);
/// Offset of an element; IndexError if it does not exist.
SINTER_API std::size_t checked_offset(const LeafRef& array, const std::int64_t* index, std::size_t rank, location where);

}  // namespace sinter::detail
