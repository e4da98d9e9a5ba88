// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loop IR: one fused cluster as a kernel. Every target starts from it, and lib/interp can execute it.
///
/// A kernel says what happens at *one point* of a parallel iteration space. `body` has one i64 parameter per parallel axis
/// (outermost first) and consists of the instructions of functions (ir/function.hpp) plus
///
///   load b, offset            element `offset` of buffer b
///   store b, offset, value    (no result)
///   add, sub, mul             of f32 or f64, bits = 1: a target may leave out the rounding of a product so marked where it
///                             is an operand of a sum so marked (Options::contract). A product of f32 with bits = 2 may
///                             besides have factors that are rounded to TF32 (Options::tf32)
///   size k                    entry k of the kernel's size table, evaluated for this call
///   check_index i, n          i, or 0 after reporting check `bits` if i < 0 or i >= n
///   check_divisor d           d, or 1 after reporting check `bits` if d = 0
///   expect c, n               c, a boolean, after reporting check `bits` with the number n of an element if c is false
///   expect c, n, m            the same with two numbers: the sizes that a guard compares, or extents of a shape
///   print n, v...             true, after handing the values v to who collects what is printed, as check `bits` says
///   reduce                    operands: r extents (i64), k initial values; bits = r | commutative << 8.
///                             blocks: {element: r indices -> k values, combine: k left, k right -> k}.
///                             results: init combine (e0 combine e1 combine ...), elements in row-major order of the
///                             indices; the inits alone if there is no element. combine is associative, and commutative if
///                             so marked. The element block may store.
///   for_each                  operands: r extents; bits = r. blocks: {r indices -> nothing}. Points are independent.
///   scan                      operands: an extent n, k initial values or none; bits = 1 | exclusive << 8.
///                             blocks: {element: index -> k values, combine: k left, k right -> k,
///                             emit: index, k prefixes -> nothing}. Prefix i is init combine e0 combine ... ei, without ei
///                             if exclusive; without initial values e0 combine ... ei, and not exclusive. results: init
///                             combined with all elements (unspecified without init and elements). The emit block stores.
///   compact                   operand: an extent n; bits: a buffer b. blocks: {element: index -> boolean, k values}.
///                             The values where the boolean is true go to the front of buffers b .. b + k, in order.
///                             result: their number, an i64. The element block may store.
///   update                    operands: an offset, k values; bits: a buffer b. block: {combine: k left, k right -> k}.
///                             Element `offset` of buffers b .. b + k becomes what is there combined with the values.
///                             combine is associative and commutative. In a scan only in the emit block, at an accumulator
///                             whose offset is the same for all of its points; in a reduce only in the element block, and
///                             only on the host (schedule/merge_loops.hpp). The buffers begin as copies of inputs or, as
///                             *accumulators*, with one pattern; combine has a neutral element then.
///
/// The target chooses the order of points and the association of a reduce, but these are fixed by the extents alone: never
/// by the number of threads. Stores of different points go to different elements (for buffers that are updated in place,
/// whichever is last remains). An output that begins as a copy of an input may be that input: what is loaded from it is what
/// the same point stores later, or what no point stores. `read`, `extent` and math operations do not occur: lowering has
/// replaced them by loads and definitions. All offsets are i64, in elements.
///
/// Loads are inside their buffers, even after a failed check, if the sizes in `nonempty` are positive. If one is not (an
/// array without elements is read at a computed index), every such check fails, and only a target that ends with the first
/// failed check may execute the kernel; others execute a guarded() one (guarded.hpp).
#pragma once

#include "ir/function.hpp"
#include "ir/program.hpp"
#include "support/shared.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sinter::lower {

using ir::Block;
using ir::Inst;
using ir::Local;
using ir::Scalar;
using ir::SizeId;

struct Buffer {
    Scalar scalar;
    bool output;                            ///< written by this kernel (and read only by updates); otherwise only read
    SizeId elements;                        ///< number of elements; for those of a compact, the largest possible number
    std::optional<std::size_t> dest = {};   ///< the input of which the output begins as a copy
    bool local = false;                     ///< each point has its own: it loads only what it has stored
    std::optional<std::size_t> takes = {};  ///< the input whose memory the output may have (lower/outputs/takes.hpp)
    bool operator==(const Buffer&) const = default;
};

/// What a check_index, check_divisor, expect or print reports.
struct Check {
    enum class Kind : std::uint8_t {
        index,
        divisor,
        length,  ///< of a segment; the index out of range is the number of the segment
        total,   ///< of the lengths of the segments up to and including that one
        expect,  ///< the user's; the index is the number of the element
        print,   ///< not a check: text and types of what is printed
        guard,   ///< sizes that have to be equal; the index and the extent are their values
        shape,   ///< extents that may not be negative: the index and the extent are those that the kernel computes
    } kind;
    ir::SiteId site;                 ///< the operation in the user's program
    std::size_t axis = 0;            ///< for index checks: the axis of the array read; for guards and shapes: which of
                                     ///< those of the step that launches the kernel
    std::uint64_t text = 0;          ///< for expect and print: the user's text (support/text/user_text.hpp)
    std::vector<Scalar> types = {};  ///< for print: types of the values
    bool operator==(const Check&) const = default;
};

/// An output whose elements all begin with one pattern. Who launches the kernel writes it first.
struct Accumulator {
    std::size_t buffer;
    std::uint64_t initial;
    bool operator==(const Accumulator&) const = default;
};

struct Kernel {
    std::string name;             ///< for people: the operations that it fuses
    ir::SizeTable sizes;          ///< those of the cluster, extended; size instructions refer to it
    std::vector<Buffer> buffers;  ///< the cluster's inputs in order, then its outputs, then local ones
    std::vector<Check> checks;
    std::vector<SizeId> space;  ///< extents of the parallel axes
    Block body;
    std::vector<SizeId> nonempty;                ///< elements of the arrays read at checked indices
    std::vector<Accumulator> accumulators = {};  ///< by buffer
};

/// The accumulator that buffer `index` is; null if it is none.
SINTER_SHARED const Accumulator* accumulator_at(const Kernel& kernel, std::size_t index);

/// True if the kernel loads from buffer `index` and may store there: an output begins as a copy of it or may have its
/// memory, or it is an output.
SINTER_SHARED bool is_overwritten(const Kernel& kernel, std::size_t index);

/// The text form: complete and canonical, so it is also the kernel's key.
std::string print(const Kernel& kernel);

}  // namespace sinter::lower
