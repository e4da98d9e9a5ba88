// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A region: a sequential loop on arrays, with all that its body contains, made ready once for all of its iterations.
///
/// Executed step by step, most of the time of a short step goes into what is the same in every iteration: sizes are found as
/// trees, kernels by their sizes among those that were launched before, how a kernel is cut into tasks is decided, arrays
/// are allocated and counted. In a region
///
///   - variables are places in one table, of which each body has a part (levels do not tell: an operation that stands behind
///     a nested body, and has its levels, may be executed before);
///   - sizes that depend on computed values are straight-line code, placed where their values are first known, before the
///     loop if they do not change in it. Of a kernel's own size table only what changes is computed;
///   - kernels whose sizes stay as they are have their arguments ready (RepeatedKernel), and decide again where they change;
///   - memory goes from array to array within the region (memory.hpp); counts of names are plain numbers;
///   - an array that dies at a branch or a nested loop dies inside, so that it may be overwritten there;
///   - a nested loop of short steps becomes one kernel when that pays, as it does outside of a region.
///
/// What is executed, checked and reported is the same, in the same order. Threads are those of the team (run/threads), which
/// wait awake for the next kernel: that is the barrier between two kernels, and kernels not worth sharing are not shared.
#pragma once

#include "run/execute/context.hpp"
#include "run/execute/region/memory.hpp"
#include "run/execute/whole_loops/loop_decision.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::runtime {

/// Computes entry `to` of a table of sizes.
struct SizeOp {
    ir::Size::Kind kind;
    std::uint32_t to;
    std::uint32_t left, right;  ///< entries; of a value: its variable's place
};
using SizeCode = std::vector<SizeOp>;

namespace region {

using Places = std::vector<std::uint32_t>;  ///< of variables

/// An array that a kernel writes.
struct Output {
    std::uint32_t place;
    ir::Scalar scalar;
    std::vector<SizeId> shape = {};           ///< empty where the kernel itself finds the extents
    bool is_array = false;                    ///< it has a shape that is known before
    SizeId room;                              ///< of the kernel's table: elements it may write
    std::optional<std::uint32_t> dest;        ///< the variable that it begins as a copy of
    std::optional<std::uint32_t> takes = {};  ///< the variable whose memory it may have
    bool may_take = false;                    ///< and may be, where nobody else sees that
    bool varies = false;                      ///< its bytes do
    std::optional<std::size_t> bytes;         ///< once they are known, where they do not
};

struct KernelNode {
    const KernelStep* step = nullptr;
    std::unique_ptr<RepeatedKernel> code;
    std::vector<std::int64_t> sizes;                                 ///< the kernel's table
    std::vector<std::pair<std::uint32_t, std::uint32_t>> arguments;  ///< that change: entry of that table, and the region's
    SizeCode varying;                                                ///< entries of the table that depend on them
    bool checks_shapes = false;                                      ///< shapes to be checked change
    bool prints = false;
    bool is_sized = false, is_too_large = false;  ///< of the sizes as they are
    bool among_shared = false;                    ///< as it was when they were looked at
    Places inputs;
    std::vector<Output> outputs;
    std::vector<void*> buffers;
};

struct AliasNode {
    Places from;
    std::uint32_t to = 0;
};

struct StepNode;

struct BodyNode {
    std::uint32_t first = 0;  ///< place of the first parameter
    std::vector<StepNode> steps;
    SizeCode after;                        ///< sizes that are needed behind the last step
    std::vector<const ir::Guard*> guards;  ///< checked then
    Places left;                           ///< own variables that did not die in a step
    Places wanted;                         ///< what the results are
    std::vector<bool> moves;               ///< by result: nothing else wants it
    std::vector<Variable> results;         ///< until the enclosing body has them
};

struct BranchNode {
    std::uint32_t condition = 0, to = 0;
    BodyNode then, otherwise;
};

/// A nested loop as one kernel.
struct WholeLoop {
    KernelNode kernel;                                       ///< without code until it is first launched
    std::vector<std::pair<ValueId, std::uint32_t>> numbers;  ///< that the decision asks for, and their places
    std::optional<LoopDecision> decision = {};               ///< once the region runs
};

struct LoopNode {
    const LoopStep* step = nullptr;
    std::uint32_t count = 0, to = 0;
    Places inits;
    BodyNode condition, body;
    std::vector<bool> moves;  ///< by initial state: nothing else wants it
    std::int64_t counter = 0;
    std::vector<std::int64_t> extents;  ///< of states, that change
    std::vector<Variable> states;       ///< between two iterations
    std::unique_ptr<WholeLoop> whole;   ///< where it may be one kernel
};

struct StepNode {
    std::variant<KernelNode, AliasNode, BranchNode, LoopNode> action;
    ir::SiteId site;
    SizeCode before;                       ///< sizes that are needed from here on
    std::vector<const ir::Guard*> guards;  ///< checked before, and not known to hold
    Places dying;
};

/// Ready to run.
struct Region {
    explicit Region(Backend& backend) : memory(backend) {}
    RegionMemory memory;
    std::vector<Variable> variables;    ///< by place; outer ones by level
    std::vector<std::int64_t> sizes;    ///< of the program
    SizeCode before;                    ///< sizes that the loop does not change
    std::vector<std::size_t> outsides;  ///< levels of outer variables that are read
    std::size_t bytes = 0;              ///< of the states that it begins with
    LoopNode loop;
};

/// False where the loop has to be executed step by step: it sorts, calls foreign functions, or a check of shapes fails that
/// may not be reached. `dying`: variables of the enclosing body that nothing reads behind the loop.
bool build(const Context& context, const LoopStep& step, const std::vector<ValueId>& dying, Region& region);

/// Executes it: initial states come from the frame, results go there.
void run(const Context& context, Region& region, Frame& frame);

}  // namespace region

}  // namespace sinter::runtime
