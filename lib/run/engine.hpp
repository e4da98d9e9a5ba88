// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The engine: from a graph to results. It keeps the backends, compiled kernels and plans of the process.
#pragma once

#include "convert/convert.hpp"
#include "run/execute/execute.hpp"
#include "run/execute/replay.hpp"
#include "run/plan/plan_cache.hpp"
#include "run/plan/variants.hpp"
#include "support/cache/first_few.hpp"
#include "support/text/debug_output.hpp"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace sinter::runtime {

enum class TargetKind : std::uint8_t {
    interpreter,
    kernel_interpreter,
    host,
    gpu,
    gpu_emulated,  ///< kernels for the GPU, executed by the host: for tests
};

inline bool is_card(TargetKind target) { return target == TargetKind::gpu || target == TargetKind::gpu_emulated; }

struct RunOptions {
    TargetKind target = TargetKind::host;
    int threads = 1;
    int device = 0;                  ///< for gpu: number of the device
    std::vector<int> other_devices;  ///< that share the run with it
    PlanOptions plan;
    DebugHandler debug;
};

/// A program ready to run, with the arguments of this conversion of it.
struct Prepared {
    std::shared_ptr<const Plan> plan;  ///< null for the interpreter
    convert::Result converted;         ///< if there is a plan, its program has been moved from; sites and arguments remain
    /// For a compiled function whose best plan depends on the arguments' extents; else null.
    std::shared_ptr<PlanVariants> variants;
    /// For a compiled function: its calls so far.
    std::shared_ptr<FirstFew<Replay>> replays;
    /// By parameter: the number of its input, or an invalid number if it has none. Empty if the program has other inputs,
    /// too.
    std::vector<std::size_t> input_of;
};

using BackendFactory = std::unique_ptr<Backend> (*)(int device, HostBackend host);
/// Makes a target available; called by the static initialiser of the folder that implements it.
void register_backend(TargetKind kind, BackendFactory factory);
/// The same for backends of several devices that share runs, made of one for each.
using SharedBackendFactory = std::unique_ptr<Backend> (*)(const std::vector<Backend*>& devices);
void register_shared_backend(TargetKind kind, SharedBackendFactory factory);

/// Thread-safe. Never destroyed: compiled functions and arrays may outlive main.
class Engine {
  public:
    static Engine& shared();

    /// Converts `roots` and finds or makes the plan; if there are no parameters, it is made for the extents of the arrays.
    Prepared prepare(std::span<const front::Leaf> roots, std::span<const front::NodeRef> parameters, bool lift_literals,
                     const RunOptions& options);
    /// Executes the plan. `parameters` are the compiled function's arguments, by position or, if it is not empty, by
    /// input_of.
    static void execute(const Prepared& prepared, std::span<const InputView> parameters, const RunOptions& options,
                        location where, ResultSink& results, RunControl* control = nullptr);

    /// Executes something that runs only once, and may therefore write arrays to which nothing else refers.
    static void execute_once(Prepared prepared, const RunOptions& options, location where, ResultSink& results,
                             RunControl* control = nullptr);

    /// The sizes of one form of the program for the prepared inputs, with estimates for those that depend on computed
    /// values: the sizes for which the plan was made.
    static std::vector<std::int64_t> size_estimates(const Prepared& prepared, const ir::Program& program);

    /// Calls f for a call with the arrays that the program was made from.
    static void with_inputs(const Prepared& prepared, const std::function<void(const Call&)>& f);

    /// The backend of a target, made on first use. Throws Limitation, DeviceError.
    Backend& backend(TargetKind kind, int device = 0);
    /// That of several devices, if there are others.
    Backend& backend(TargetKind kind, int device, const std::vector<int>& others);
    KernelCache& kernels() { return kernels_; }
    KernelStatistics statistics() const { return kernels_.statistics(); }

  private:
    static void execute_bound(const Prepared& prepared, std::span<const InputView> inputs, const RunOptions& options,
                              location where, ResultSink& results, RunControl* control);
    static void execute_awaited(const Prepared& prepared, std::span<const InputView> inputs, const RunOptions& options,
                                location where, ResultSink& results, RunControl* control);
    /// With inputs that the plan's backend can take.
    static void execute_here(const Prepared& prepared, std::span<const InputView> inputs, const RunOptions& options,
                             location where, ResultSink& results, RunControl* control);
    static std::vector<Array> execute_fully(const Prepared& prepared, const Call& call, bool replayable);
    std::shared_ptr<PlanVariants> find_variants(convert::Result& converted, const RunOptions& options);

    std::mutex backends_mutex_;
    std::map<std::pair<TargetKind, int>, std::unique_ptr<Backend>> backends_;
    std::map<std::pair<TargetKind, std::vector<int>>, std::unique_ptr<Backend>> shared_backends_;
    KernelCache kernels_;
    PlanCache plans_;
};

}  // namespace sinter::runtime
