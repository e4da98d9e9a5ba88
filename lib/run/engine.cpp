// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/engine.hpp"

#include "ir/print.hpp"
#include "run/interpret.hpp"
#include "run/size_values.hpp"
#include "support/match.hpp"

#include <fmt/format.h>

#include <array>

namespace sinter::runtime {

namespace {

constexpr std::size_t target_count = 3;

/// Filled by static initialisers, read afterwards.
std::array<BackendFactory, target_count>& factories() {
    static std::array<BackendFactory, target_count> table{nullptr, make_kernel_interpreter, nullptr};
    return table;
}

/// The inputs of one execution, in the order of the program's; literals live in `literals`.
struct BoundInputs {
    std::vector<InputView> views;
    std::vector<std::uint64_t> literals;
    std::vector<std::int64_t> size_arguments;
};

BoundInputs bind_inputs(const convert::Result& converted, std::span<const InputView> parameters) {
    BoundInputs bound;
    bound.views.resize(converted.arguments.size());
    bound.literals.resize(converted.arguments.size());
    for (std::size_t k = 0; k < converted.arguments.size(); ++k) {
        match(
            converted.arguments[k],
            [&](const convert::ArrayArgument& a) { bound.views[k] = {a.buffer->data, a.buffer, a.extents}; },
            [&](const convert::LiteralArgument& a) {
                bound.literals[k] = a.bits;
                bound.views[k] = {&bound.literals[k], nullptr, {}};
            },
            [&](const convert::ParameterArgument& a) { bound.views[k] = parameters[a.position]; });
    }
    bound.size_arguments = converted.size_arguments;
    return bound;
}

}  // namespace

void register_backend(TargetKind kind, BackendFactory factory) { factories()[static_cast<std::size_t>(kind)] = factory; }

Engine& Engine::shared() {
    static Engine* engine = new Engine;
    return *engine;
}

Backend& Engine::backend(TargetKind kind) {
    std::lock_guard lock(backends_mutex_);
    std::unique_ptr<Backend>& backend = backends_[kind];
    if (!backend) {
        BackendFactory factory = factories()[static_cast<std::size_t>(kind)];
        if (!factory) throw Limitation("this build of the library has no code generator for the host", location::current());
        backend = factory();
    }
    return *backend;
}

std::shared_ptr<const Plan> Engine::find_plan(convert::Result& converted, const RunOptions& options) {
    Backend& target = backend(options.target);
    std::string key =
        fmt::format("{}\n{} {}\n", target.identity(), static_cast<int>(options.plan.strategy), options.plan.checked);
    key += ir::print(converted.program);
    {
        std::shared_lock lock(plans_mutex_);
        if (auto found = plans_.find(key); found != plans_.end()) return found->second;
    }
    auto plan = make_plan(converted.program, options.plan, target, kernels_);
    std::unique_lock lock(plans_mutex_);
    return plans_.emplace(std::move(key), std::move(plan)).first->second;
}

Prepared Engine::prepare(std::span<const front::Leaf> roots, std::span<const front::NodeRef> parameters, bool lift_literals,
                         const RunOptions& options) {
    Prepared prepared{nullptr, convert::convert(roots, parameters, {.lift_literals = lift_literals})};
    if (options.target != TargetKind::interpreter) prepared.plan = find_plan(prepared.converted, options);
    return prepared;
}

std::vector<std::int64_t> Engine::size_values(const Prepared& prepared) {
    BoundInputs inputs = bind_inputs(prepared.converted, {});
    Call call{inputs.views, inputs.size_arguments, prepared.converted.program.sites, location::current(), 1};
    return SizeValues(*prepared.plan, call).statics();
}

std::vector<Array> Engine::execute(const Prepared& prepared, std::span<const InputView> parameters,
                                   const RunOptions& options, location where) {
    BoundInputs inputs = bind_inputs(prepared.converted, parameters);
    Call call{inputs.views, inputs.size_arguments, prepared.converted.program.sites, where, options.threads};
    if (!prepared.plan) return interpret(prepared.converted.program, call);
    return runtime::execute(*prepared.plan, call);
}

}  // namespace sinter::runtime
