// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A program made executable: its bodies are steps over compiled kernels. Immutable once built, and shared by all threads.
///
/// Variables are a stack of buffers by de Bruijn level, as in ir/program.hpp. A variable that fusion has removed has no
/// buffer.
#pragma once

#include "fuse/partition.hpp"
#include "fuse/rules/repeat.hpp"
#include "ir/program.hpp"
#include "lower/kernel.hpp"
#include "pipeline/pipeline.hpp"
#include "run/backend.hpp"
#include "run/plan/kernel_cache.hpp"
#include "run/plan/launch_runs.hpp"

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace sinter::runtime {

struct BodyPlan;
class KnownSweeps;
class KnownTiles;
class ThreadUseHistory;
class LoopKernel;
class Placements;

/// Executes one fused cluster: allocates its outputs and launches the kernel.
struct KernelStep {
    std::shared_ptr<const CachedKernel> kernel;
    std::vector<ir::ValueId> inputs, outputs;
    std::vector<ir::SizeId> sizes;     ///< sizes[k] is the enclosing size that is the kernel's size argument k
    std::vector<ir::SiteId> sites;     ///< sites[k] is the enclosing site that is the kernel's site k
    std::vector<fuse::Made> made;      ///< shapes that have to be checked
    bool needs_copy = false;           ///< what it updates is not overwritten in place, even if nothing else can see it
    bool needs_only_memory = false;    ///< its result is overwritten before anything reads it (filled.hpp)
    UserOperation largest = {};        ///< the operation that accounts for most of the kernel's code
    const LoopKernel* loop = nullptr;  ///< for a loop as one kernel: what its checks name
};

/// Force: results[k] is args[k].
struct AliasStep {
    std::vector<ir::ValueId> from;
    ir::ValueId to;
};

struct SortStep {
    std::vector<ir::ValueId> args;
    std::size_t keys;
    bool descending;
    ir::ValueId to;
    ir::SiteId site;
};

struct ForeignStep {
    std::size_t function;
    std::vector<ir::ValueId> args;
    ir::ValueId to;
    std::size_t results;
    ir::SiteId site;
    std::string name;
};

struct CondStep {
    ir::ValueId condition;
    ir::ValueId to;
    std::unique_ptr<BodyPlan> then, otherwise;
};

struct LoopStep {
    std::optional<ir::ValueId> count;
    std::vector<ir::ValueId> inits;
    ir::ValueId to;
    std::unique_ptr<BodyPlan> condition, body;  ///< condition is null for counted loops
    std::vector<ir::SizeId> first, next;        ///< extents that change: those of the initial states, and those that an
                                                ///< iteration makes
    ir::SiteId site;
    std::shared_ptr<const LoopKernel> kernel = {};      ///< the whole loop, where it can be one kernel
    std::shared_ptr<KnownSweeps> sweeps = {};           ///< of it and the loop behind it
    std::shared_ptr<KnownTiles> tiles = {};             ///< how it is executed tile by tile
    std::shared_ptr<ThreadUseHistory> thread_use = {};  ///< what is known about sharing its launches among threads
};

struct Step {
    std::variant<KernelStep, AliasStep, SortStep, ForeignStep, CondStep, LoopStep> action;
    std::vector<ir::ValueId> dying = {};        ///< variables of this body that are used here for the last time
    std::vector<const ir::Guard*> guards = {};  ///< checked before the step
};

struct BodyPlan {
    std::size_t base = 0;  ///< level of the first parameter
    std::size_t parameters = 0;
    std::vector<ir::Type> types;  ///< of all variables in scope at the end, by level
    std::vector<Step> steps;
    std::vector<ir::ValueId> results;
    std::vector<const ir::Guard*> final_guards;  ///< checked after the last step
    fuse::Partition partition;                   ///< for explain()
    std::vector<LaunchRun> runs;                 ///< of launches on the host
    bool has_branches = false;                   ///< some of the kernels do not depend on each other (run/plan/streams.hpp)
};

struct Call;
struct Plan;

/// Makes another plan of a program that was a plan's own, for a call. `certain`: somebody will execute it.
using Replan = std::function<std::shared_ptr<const Plan>(ir::Program, fuse::Strategy, bool certain, const Call&)>;

struct Plan {
    ir::Program program;  ///< optimised; what the steps refer to
    BodyPlan body;
    Backend* backend = nullptr;                   ///< for the kernels; it also allocates their results
    std::vector<const ir::Guard*> static_guards;  ///< checked before anything runs
    bool replayable = false;                      ///< run/execute/replay.hpp
    double partition_seconds = 0;                 ///< time spent on finding clusters, including nested bodies
    std::vector<bool> dynamic;                    ///< by size: true if it depends on a value that is computed while the
                                                  ///< program runs
    std::vector<bool> large;                      ///< by size: true if it has many parts as a tree
    bool depends_on_extents = false;              ///< with other extents other clusters could be better
    std::vector<fuse::Repeated> repeated;         ///< operations of which the program has copies, in order to move fewer
                                                  ///< bytes
    double arithmetic_of_copies = 0;              ///< what it costs, in bytes that could be moved meanwhile
    ir::Program unrepeated;                       ///< the program without copies, if it has any
    std::size_t repeatable = 0;                   ///< operations that were considered for copies
    bool repetition_is_best = true;               ///< no other choice of copies moves fewer bytes
    CodeCharge charge;
    Replan replan;                           ///< null if other clusters may have other bits, or were not to be looked for
    std::shared_ptr<Placements> placements;  ///< how ranks share its launches (run/ranks/ahead/placements.hpp)
};

struct PlanOptions {
    fuse::Strategy strategy = fuse::Strategy::optimal;
    KernelOptions kernels = {};
    pipeline::Options passes = {.merge_scatters = true};
};

/// Optimises a converted program and rearranges it for fusion.
ir::Program prepare(ir::Program program, const PlanOptions& options);

/// Partitions, lowers and compiles a prepared program. Clusters are chosen for the extents of `call`, or, without a call, as
/// if all extents were the same.
std::shared_ptr<const Plan> make_plan(ir::Program program, const PlanOptions& options, Backend& backend,
                                      KernelCache& kernels, const Call* call = nullptr);

}  // namespace sinter::runtime
