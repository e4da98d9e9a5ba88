// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is being traced on this thread: a stack of frames, one per function or program that is being called.
///
/// A *function* frame records scalar instructions; it ends as a closed ir::Fn. Its values are numbered in the order in which
/// they appear, whatever their block; a value may be used as long as the block in which it was made is open. A *program*
/// frame (compile(), bodies of loops and conditionals on arrays) makes nodes of rank 0 immediately.
#pragma once

#include <sinter/detail/handle.hpp>

#include "front/graph.hpp"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sinter::front {

using detail::Handle;
using detail::LeafRef;
using detail::Op;
using ValueNumber = std::uint32_t;

struct RecordedBlock;

struct Recorded {
    Op op;
    std::vector<Scalar> types;
    std::uint64_t bits = 0;
    std::vector<ValueNumber> operands;
    std::vector<RecordedBlock> blocks;
    ValueNumber first = 0;  ///< its first result; the others follow
};

struct RecordedBlock {
    std::uint32_t number = 0;
    std::vector<ValueNumber> params;
    std::vector<Recorded> insts;
    std::vector<ValueNumber> results;
    std::optional<ValueNumber> effects;  ///< a boolean, always true, that comes before the results (expect, debug_print)
};

/// A parameter of a stencil's function: the element of a leaf at an offset. Parameters are added as they are asked for.
struct Neighbour {
    std::size_t leaf;
    std::vector<std::int64_t> offset;
    ValueNumber value;
};

struct FunctionFrame {
    struct Value {
        Scalar type;
        std::uint32_t block;  ///< RecordedBlock::number
    };
    std::vector<Value> values;
    std::vector<RecordedBlock> open;  ///< open[0] is the function's body
    std::uint32_t blocks = 0;         ///< number of blocks so far
    Captures captures;
    std::vector<ValueNumber> captured;  ///< the value that stands for captures.scalars[i]
    std::vector<ir::ArrayParam> arrays;
    std::vector<Neighbour> neighbours;
    std::optional<ValueNumber> element;  ///< the number of the element (support/text/user_text.hpp), if something needs it
};

struct ProgramFrame {
    std::vector<Leaf> scalars;    ///< by handle
    std::vector<NodeRef> params;  ///< nodes of kind Parameter
};

struct Frame {
    std::uint64_t serial;
    const char* combinator;
    location where;
    std::variant<FunctionFrame, ProgramFrame> body;
};

/// A control operation whose blocks are being recorded.
struct ControlFrame {
    const char* name;
    location where;
    std::size_t frames;  ///< height of the stack when the operation was opened
    std::size_t blocks;  ///< number of open blocks in the function frame below it
    std::vector<RecordedBlock> recorded;
    std::vector<Scope> scopes;
    std::vector<std::vector<bool>> changing = {};  ///< for a loop on arrays: by state and axis, extents that change
    bool is_derivative = false;
};

/// The frames and control operations of this thread, innermost last.
std::vector<std::unique_ptr<Frame>>& frames();
std::vector<ControlFrame>& controls();
/// True if there is a frame.
bool is_tracing();
/// To be called after frames have ended: a thread that is ending keeps no memory for them.
void trim_stacks() noexcept;

Frame& push_frame(const char* combinator, location where, std::variant<FunctionFrame, ProgramFrame> body);
/// The innermost frame; UsageError if there is none: `what` is only possible inside a function.
Frame& innermost(const char* what);
Frame* find_frame(std::uint64_t serial);
/// The innermost frame, which is a program's; UsageError naming `what` otherwise.
ProgramFrame& innermost_program(const char* what, location where);

/// For example "the function given to map at file.cpp:12".
std::string describe(const Frame& frame);
std::string describe(location where);
/// Throws the UsageError for a handle that no open frame of this thread owns.
[[noreturn]] void throw_not_open(Handle handle);

// Values of function frames

ValueNumber add_value(FunctionFrame& frame, Scalar type);
Handle add_inst(Frame& frame, Recorded inst);
/// The value that a handle stands for in this function, whose frame is the innermost: captures scalars of enclosing
/// programs.
ValueNumber resolve(Frame& frame, Handle handle);
/// A value that exists from the start of the function, whichever block is open.
ValueNumber add_outer_value(FunctionFrame& frame, Scalar type);
ValueNumber capture_scalar(FunctionFrame& frame, const Leaf& leaf);
std::size_t capture_array(FunctionFrame& frame, const Leaf& leaf);
void open_recorded_block(FunctionFrame& frame);
/// The number of the element that is passed to the function.
ValueNumber element_number(FunctionFrame& frame);
/// Makes the results of the innermost open block depend on `value`, a boolean that is always true.
void add_effect(Frame& frame, ValueNumber value);
/// The results of the innermost open block, after its effects.
std::vector<ValueNumber> after_effects(Frame& frame, std::vector<ValueNumber> results);
/// The finished function: canonical, captured scalars last.
ir::Fn finish_function(Frame& frame, const Handle* results, std::size_t count);
/// The same for a function of elements of rank-`rank` arrays. If it needs the numbers of elements, it gets the indices as
/// first parameters and becomes `indexed`.
ir::Fn finish_element_function(Frame& frame, const Handle* results, std::size_t count, std::size_t rank, bool& indexed);

/// A block of the frame as a function of its parameters and of the values `outer`, which it uses from around it.
ir::Fn closed_block(const FunctionFrame& frame, const RecordedBlock& block, std::vector<ValueNumber>& outer);
/// Records the instructions of a function whose arrays are those of the frame; returns its results.
std::vector<ValueNumber> record_inlined(Frame& frame, const ir::Fn& fn, const std::vector<ValueNumber>& arguments);

// Scalars of program frames

Handle add_scalar(Frame& frame, Leaf leaf);
/// The rank-0 array behind a handle of any open program; UsageError for handles of functions: `what` cannot use them.
Leaf program_scalar(Handle handle, const char* what, location where);
Leaf make_literal(Scalar type, std::uint64_t bits, location where);

// Public handles

/// UsageError for a default-constructed array.
Leaf to_leaf(const LeafRef& leaf, location where);
Leaf to_leaf(const LeafRef& leaf);
LeafRef to_ref(Leaf leaf);
std::vector<Leaf> to_leaves(const LeafRef* leaves, std::size_t count, location where);
/// Writes one reference for each result of `node`.
void write_results(const NodeRef& node, LeafRef* out);

}  // namespace sinter::front
