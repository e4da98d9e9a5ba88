// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/engine.hpp"

#include "ir/text/print.hpp"
#include "pipeline/pipeline.hpp"
#include "run/execute/interpret.hpp"
#include "run/explain/extents.hpp"
#include "run/explain/launch_log.hpp"
#include "run/messages.hpp"
#include "run/ranks/arrays/spread_array.hpp"
#include "run/ranks/launch/share.hpp"
#include "support/match.hpp"
#include "support/stack_array.hpp"
#include "support/threads/process.hpp"
#include "support/threads/recorder.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <new>

namespace sinter::runtime {

namespace {

constexpr std::size_t target_count = 5;

/// Filled by static initialisers, read afterwards.
std::array<BackendFactory, target_count>& factories() {
    static std::array<BackendFactory, target_count> table{nullptr,
                                                          [](int, HostBackend) { return make_kernel_interpreter(); }};
    return table;
}

std::array<SharedBackendFactory, target_count>& shared_factories() {
    static std::array<SharedBackendFactory, target_count> table{};
    return table;
}

/// The inputs of one execution, in the order of the program's. They refer to `converted`.
using Inputs = StackArray<InputView, 12>;

void bind_inputs(const convert::Result& converted, std::span<const InputView> parameters, Inputs& inputs) {
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        match(
            converted.arguments[k],
            [&](const convert::ArrayArgument& a) { inputs[k] = {a.buffer->data, &a.buffer, nullptr, a.extents}; },
            [&](const convert::LiteralArgument& a) { inputs[k] = {&a.bits, nullptr, nullptr, {}}; },
            [&](const convert::ParameterArgument& a) { inputs[k] = parameters[a.position]; });
    }
}

/// Gives the execution those arrays of which the conversion is the only owner.
void give_arrays(convert::Result& converted, Inputs& inputs) {
    for (std::size_t k = 0; k < inputs.size(); ++k)
        if (auto* array = std::get_if<convert::ArrayArgument>(&converted.arguments[k]))
            if (array->buffer.use_count() == 1) inputs[k].given = &array->buffer;
}

std::vector<std::size_t> find_inputs(const convert::Result& converted, std::size_t parameters) {
    std::vector<std::size_t> input_of(parameters, converted.arguments.size());
    for (std::size_t k = 0; k < converted.arguments.size(); ++k) {
        const auto* argument = std::get_if<convert::ParameterArgument>(&converted.arguments[k]);
        if (!argument) return {};
        input_of[argument->position] = k;
    }
    return input_of;
}

/// Inputs on a device, for a target that has no other memory than the host's.
class HostInputs {
  public:
    /// Refers to `inputs`. Throws MemoryError.
    HostInputs(std::span<const InputView> inputs, location where) : views_(inputs.size()), copies_(inputs.size()) {
        for (std::size_t k = 0; k < inputs.size(); ++k) {
            views_[k] = inputs[k];
            if (!inputs[k].is_on_device()) continue;
            try {
                copies_[k] = on_host(*inputs[k].owner);
            } catch (const std::bad_alloc&) {
                throw MemoryError(fmt::format("no room on the host for a copy of an array of shape ({}), {} bytes",
                                              fmt::join(inputs[k].shape, ", "), (*inputs[k].owner)->bytes),
                                  where);
            }
            views_[k] = {copies_[k]->data, &copies_[k], nullptr, inputs[k].shape};
        }
    }

    std::span<const InputView> views() const { return {views_.begin(), views_.end()}; }

  private:
    StackArray<InputView, 12> views_;
    StackArray<BufferRef, 12> copies_;
};

/// True if the execution may write, or free, one of the caller's arrays.
bool gives_arrays(std::span<const InputView> inputs) {
    return std::any_of(inputs.begin(), inputs.end(), [](const InputView& input) { return input.given; });
}

bool has_spread(std::span<const InputView> inputs) {
    return SpreadArray::exist() && std::any_of(inputs.begin(), inputs.end(),
                                               [](const InputView& input) { return input.owner && spread(*input.owner); });
}

/// Calls `f` for a call with the arrays that the program was made from.
template <class F>
auto with_call(const Prepared& prepared, F f) {
    Inputs inputs(prepared.converted.arguments.size());
    bind_inputs(prepared.converted, {}, inputs);
    return f(Call{inputs, prepared.converted.size_arguments, prepared.converted.program.sites, location(), 1,
                  prepared.converted.functions});
}

/// Calls f() and adds the operation of the program, and its place, to any CodeTooLarge.
template <class F>
auto with_line(const convert::Result& converted, F f) {
    try {
        return f();
    } catch (const CodeTooLarge& error) {
        throw_code_too_large(error, converted.program.sites);
    }
}

}  // namespace

void register_backend(TargetKind kind, BackendFactory factory) { factories()[static_cast<std::size_t>(kind)] = factory; }

void register_shared_backend(TargetKind kind, SharedBackendFactory factory) {
    shared_factories()[static_cast<std::size_t>(kind)] = factory;
}

Engine& Engine::shared() {
    static Engine* engine = new Engine;
    return *engine;
}

Backend& Engine::backend(TargetKind kind, int device) {
    const CriticalSection section;
    std::lock_guard lock(backends_mutex_);
    std::unique_ptr<Backend>& backend = backends_[{kind, device}];
    if (!backend) {
        BackendFactory factory = factories()[static_cast<std::size_t>(kind)];
        if (!factory) throw Limitation("this build of the library has no code generator for this target", location());
        backend = factory(device, [this]() -> Backend& { return this->backend(TargetKind::host); });
    }
    return *backend;
}

Backend& Engine::backend(TargetKind kind, int device, const std::vector<int>& others) {
    if (others.empty()) return backend(kind, device);
    const CriticalSection section;
    std::vector<int> devices{device};
    devices.insert(devices.end(), others.begin(), others.end());
    std::vector<Backend*> each;
    for (int number : devices) each.push_back(&backend(kind, number));
    std::lock_guard lock(backends_mutex_);
    std::unique_ptr<Backend>& backend = shared_backends_[{kind, devices}];
    if (!backend) backend = shared_factories()[static_cast<std::size_t>(kind)](each);
    return *backend;
}

std::shared_ptr<PlanVariants> Engine::find_variants(convert::Result& converted, const RunOptions& options) {
    Backend& target = backend(options.target, options.device, options.other_devices);
    std::string key = fmt::format("{} {} {} {} {} {} {} {} {}\n", static_cast<int>(options.target), options.device,
                                  fmt::join(options.other_devices, ","), static_cast<int>(options.plan.strategy),
                                  options.plan.kernels.checked, options.plan.kernels.contract, options.plan.kernels.tf32,
                                  options.plan.passes.merge_scatters, options.plan.passes.tape);
    key += ir::print(converted.program);
    if (auto found = plans_.find(key)) return found;
    auto program = runtime::prepare(converted.program, options.plan);
    return plans_.insert(std::move(key), std::make_shared<PlanVariants>(std::move(program), options.plan, target, kernels_));
}

Prepared Engine::prepare(std::span<const front::Leaf> roots, std::span<const front::NodeRef> parameters, bool lift_literals,
                         const RunOptions& options) {
    const CriticalSection section;
    Prepared prepared;
    {
        const StageTimer timer("convert");
        prepared.converted = convert::convert(roots, parameters, {.lift_literals = lift_literals});
    }
    prepared.input_of = find_inputs(prepared.converted, parameters.size());
    if (options.target == TargetKind::interpreter) {
        prepared.converted.program =
            pipeline::differentiate(std::move(prepared.converted.program), options.plan.passes.tape);
        return prepared;
    }
    auto variants = find_variants(prepared.converted, options);
    if (parameters.empty()) {
        auto find = [&] { return with_call(prepared, [&](const Call& call) { return variants->find(call); }); };
        prepared.plan = with_line(prepared.converted, find);
    } else {
        prepared.plan = with_line(prepared.converted, [&] { return variants->general(); });
        if (variants->depends_on_call()) prepared.variants = std::move(variants);
        prepared.replays = std::make_shared<FirstFew<Replay>>();
    }
    return prepared;
}

std::vector<std::int64_t> Engine::size_estimates(const Prepared& prepared, const ir::Program& program) {
    return with_call(prepared, [&](const Call& call) { return estimate_sizes(program, call); });
}

void Engine::with_inputs(const Prepared& prepared, const std::function<void(const Call&)>& f) { with_call(prepared, f); }

void Engine::execute(const Prepared& prepared, std::span<const InputView> parameters, const RunOptions& options,
                     location where, ResultSink& results, RunControl* control) {
    const std::size_t count = prepared.converted.arguments.size();
    if (!prepared.input_of.empty())
        return execute_bound(prepared, parameters.first(count), options, where, results, control);
    Inputs inputs(count);
    bind_inputs(prepared.converted, parameters, inputs);
    execute_bound(prepared, inputs, options, where, results, control);
}

void Engine::execute_once(Prepared prepared, const RunOptions& options, location where, ResultSink& results,
                          RunControl* control) {
    Inputs inputs(prepared.converted.arguments.size());
    bind_inputs(prepared.converted, {}, inputs);
    give_arrays(prepared.converted, inputs);
    execute_bound(prepared, inputs, options, where, results, control);
}

void Engine::execute_bound(const Prepared& prepared, std::span<const InputView> inputs, const RunOptions& options,
                           location where, ResultSink& results, RunControl* control) {
    DebugOutput debug(options.debug, !prepared.plan);
    execute_awaited(prepared, inputs, options, where, results, control);
    debug.finish();
}

void Engine::execute_awaited(const Prepared& prepared, std::span<const InputView> inputs, const RunOptions& options,
                             location where, ResultSink& results, RunControl* control) {
    const bool is_host = !prepared.plan || prepared.plan->backend->immediate();
    if (is_host && std::any_of(inputs.begin(), inputs.end(), [](const InputView& input) { return input.is_on_device(); }) &&
        !(prepared.plan && !control && may_share(*prepared.plan)))
        return execute_here(prepared, HostInputs(inputs, where).views(), options, where, results, control);
    execute_here(prepared, inputs, options, where, results, control);
}

void Engine::execute_here(const Prepared& prepared, std::span<const InputView> inputs, const RunOptions& options,
                          location where, ResultSink& results, RunControl* control) {
    const bool replayable = prepared.replays && !control && !watched() && !gives_arrays(inputs) && !has_spread(inputs);
    if (replayable)
        if (const Replay* replay = prepared.replays->find([&](const Replay& r) { return r.fits(inputs); }))
            if (replay->run(inputs, results)) return;
    Sharing sharing;
    const bool shares = prepared.plan && !control && may_share(*prepared.plan);
    const Call call{inputs,
                    prepared.converted.size_arguments,
                    prepared.converted.program.sites,
                    where,
                    options.threads,
                    prepared.converted.functions,
                    control,
                    shares ? &sharing : nullptr};
    auto arrays = run_together(
        call, [&] { return with_line(prepared.converted, [&] { return execute_fully(prepared, call, replayable); }); });
    for (Array& array : arrays) results.take(std::move(array.buffer), array.shape);
}

std::vector<Array> Engine::execute_fully(const Prepared& prepared, const Call& call, bool replayable) {
    if (!prepared.plan) return interpret(prepared.converted.program, call);
    auto plan = prepared.plan;
    if (prepared.variants) {
        const CriticalSection section;
        plan = prepared.variants->find(call);
    }
    auto results = runtime::execute(*plan, call);
    const bool shared = call.sharing && call.sharing->used;
    if (replayable && !shared && plan->replayable && !prepared.replays->full())
        if (auto replay = Replay::record(std::move(plan), prepared.plan->program.sizes, call))
            prepared.replays->keep(std::move(replay));
    return results;
}

}  // namespace sinter::runtime
