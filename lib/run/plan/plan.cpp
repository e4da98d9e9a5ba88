// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bodies become lists of steps: clusters in the order that fusion gives them; control flow and force are steps of their own.
#include "run/plan/plan.hpp"

#include "fuse/extract.hpp"
#include "fuse/graph/bodies.hpp"
#include "ir/sizes/size_parts.hpp"
#include "ir/text/print.hpp"
#include "pipeline/pipeline.hpp"
#include "run/execute/replay.hpp"
#include "run/execute/swept/known_sweeps.hpp"
#include "run/execute/tiled/known_tiles.hpp"
#include "run/explain/extents.hpp"
#include "run/messages.hpp"
#include "run/plan/filled.hpp"
#include "run/plan/loop_kernel.hpp"
#include "run/plan/reshaped_results.hpp"
#include "run/plan/size_kinds.hpp"
#include "run/plan/size_values.hpp"
#include "run/plan/streams.hpp"
#include "run/plan/uses.hpp"
#include "run/ranks/ahead/placements.hpp"
#include "run/ranks/job/job.hpp"
#include "run/threads/threads.hpp"
#include "run/tuning.hpp"
#include "support/check.hpp"
#include "support/log.hpp"
#include "support/match.hpp"
#include "support/text/dump.hpp"
#include "support/threads/process.hpp"
#include "support/threads/recorder.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>

namespace sinter::runtime {

namespace {

using ir::Binding;
using ir::Body;
using ir::Type;
using ir::ValueId;

class Planner {
  public:
    Planner(const Plan& plan, const PlanOptions& options, Backend& backend, KernelCache& kernels,
            std::vector<std::int64_t> sizes, std::vector<fuse::Optimum> optima)
        : plan_(plan),
          program_(plan.program),
          options_(options),
          backend_(backend),
          kernels_(kernels),
          sizes_(std::move(sizes)) {
        if (optima.empty()) return;
        std::size_t next = 0;
        fuse::for_each_body(program_.body, {}, [&](const Body& body, const std::vector<Type>&) {
            optima_.emplace(&body, std::move(optima[next++]));
        });
    }

    /// `repeats`: it is the body of a loop.
    BodyPlan plan(const Body& body, const std::vector<Type>& outer, bool repeats = false) {
        BodyPlan result;
        result.base = outer.size();
        result.parameters = body.params.size();
        result.types = ir::types_of(body, outer);
        result.results = body.results;
        result.partition = partition(body, outer);
        depends_on_extents_ = depends_on_extents_ || result.partition.depends_on_extents;
        const fuse::BodyIndex index = fuse::index_body(body, outer.size());
        std::vector<fuse::Extracted> clusters;
        for (const fuse::Cluster& cluster : result.partition.clusters)
            result.steps.push_back({action(body, outer, result, cluster, index, clusters)});
        place_guards(body, index, result);
        mark_dying(result);
        compile_kernels(result, clusters, repeats);
        mark_filled(program_, body, result);
        if (backend_.immediate())
            result.runs = launch_runs(program_.sizes, result);
        else
            result.has_branches = streams_of(result).count > 1;
        return result;
    }

    double partition_seconds() const { return partition_seconds_; }
    bool depends_on_extents() const { return depends_on_extents_; }

  private:
    fuse::Partition partition(const Body& body, const std::vector<Type>& outer) {
        const StageTimer timer("fuse");
        auto start = std::chrono::steady_clock::now();
        const fuse::Target target{backend_.launch_bytes(), backend_.has_outer_folds(), has_ranks()};
        fuse::Partition result;
        if (auto found = optima_.find(&body); found != optima_.end()) {
            result = fuse::partition_into(program_, body, outer, std::move(found->second.clusters), sizes_, target);
            result.depends_on_extents |= found->second.depends_on_extents;
        } else {
            result = fuse::partition(program_, body, outer, options_.strategy, sizes_, target);
        }
        partition_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return result;
    }

    /// The kernels of the steps whose clusters these are. They are compiled on several threads first, and found in the cache
    /// then; those that cannot be compiled are left to that.
    void compile_kernels(BodyPlan& plan, const std::vector<fuse::Extracted>& clusters, bool repeats) {
        std::vector<KernelOptions> options(clusters.size(), options_.kernels);
        std::vector<KernelStep*> launches;
        for (Step& step : plan.steps) {
            auto* const launch = std::get_if<KernelStep>(&step.action);
            if (!launch) continue;
            if (repeats && backend_.immediate()) options[launches.size()].free = positions(step.dying, launch->inputs);
            launches.push_back(launch);
        }
        if (!dumps("kernel")) compile_side_by_side(clusters, options, repeats);
        for (std::size_t k = 0; k < clusters.size(); ++k)
            launches[k]->kernel = with_operation(
                launches[k]->largest, [&] { return kernels_.find_or_compile(clusters[k].program, options[k], backend_); });
    }

    /// Where some variables are among those that a kernel reads.
    static std::vector<std::size_t> positions(const std::vector<ValueId>& of, const std::vector<ValueId>& among) {
        std::vector<std::size_t> found;
        for (std::size_t k = 0; k < among.size(); ++k)
            if (std::find(of.begin(), of.end(), among[k]) != of.end()) found.push_back(k);
        return found;
    }

    /// Where the extents of a call are known, code is generated for these, and not what launches with any extents need.
    void compile_side_by_side(const std::vector<fuse::Extracted>& clusters, std::vector<KernelOptions>& options,
                              bool repeats) {
        const std::size_t first = compiled_.size();
        compiled_.resize(first + clusters.size());
        const bool prepares = options_.kernels.certain && !sizes_.empty();
        for (KernelOptions& each : options) each.certain = each.certain && !prepares;
        parallel_for(static_cast<std::int64_t>(clusters.size()), default_threads(), [&](std::int64_t k) {
            const CriticalSection::Part part;
            const auto index = static_cast<std::size_t>(k);
            try {
                compiled_[first + index] = kernels_.find_or_compile(clusters[index].program, options[index], backend_);
                if (prepares) prepare_kernel(clusters[index], *compiled_[first + index], repeats);
            } catch (...) {
            }
        });
    }

    /// Prepares the code for the extents of this call; for their estimates, where they are computed while it runs. What may
    /// never be executed may have extents that cannot be.
    void prepare_kernel(const fuse::Extracted& cluster, const CachedKernel& kernel, bool repeats) const {
        std::vector<Estimate> arguments;
        for (ir::SizeId id : cluster.sizes) arguments.push_back({sizes_[id.index], plan_.dynamic[id.index]});
        const std::vector<std::int64_t> sizes = estimate_kernel_sizes(kernel.kernel.sizes, arguments);
        const auto is_extent = [&](ir::SizeId id) { return sizes[id.index] >= 0; };
        const bool possible = std::all_of(kernel.kernel.space.begin(), kernel.kernel.space.end(), is_extent);
        if (possible && are_small(kernel.kernel, sizes)) kernel.code->prepare(sizes.data(), repeats);
    }

    decltype(Step::action) action(const Body& body, const std::vector<Type>& outer, const BodyPlan& plan,
                                  const fuse::Cluster& cluster, const fuse::BodyIndex& index,
                                  std::vector<fuse::Extracted>& clusters) {
        std::size_t position = cluster.operations.back().index;
        const Binding& last = body.bindings[position];
        const ValueId first(index.levels[position]);
        if (const auto* force = std::get_if<ir::Force>(&last.op)) return AliasStep{force->args, first};
        if (const auto* sort = std::get_if<ir::Sort>(&last.op))
            return SortStep{sort->args, sort->keys, sort->descending, first, last.site};
        if (const auto* foreign = std::get_if<ir::Foreign>(&last.op))
            return ForeignStep{foreign->function, foreign->args, first, last.types.size(), last.site, foreign->name};
        // Bodies see the variables bound before them.
        auto scope = [&] { return std::vector<Type>(plan.types.begin(), plan.types.begin() + first.index); };
        if (const auto* cond = std::get_if<ir::Cond>(&last.op)) return cond_step(*cond, first, scope());
        if (const auto* loop = std::get_if<ir::Loop>(&last.op)) return loop_step(*loop, first, scope(), last.site);
        clusters.push_back(fuse::extract(program_, body, outer, index, cluster, plan.partition.manifest));
        return kernel_step(clusters.back(), cluster.needs_copy);
    }

    /// Without its kernel, for which it has to be known what nobody reads afterwards.
    static KernelStep kernel_step(const fuse::Extracted& cluster, bool needs_copy) {
        if (dumps("cluster")) dump("cluster", ir::print(cluster.program));
        return {nullptr,    cluster.inputs, cluster.outputs,           cluster.sizes, cluster.sites, cluster.made,
                needs_copy, false,          largest_operation(cluster)};
    }

    /// The operation with the largest function; if several are equal, the last.
    static UserOperation largest_operation(const fuse::Extracted& cluster) {
        std::size_t most = 0;
        const Binding* largest = nullptr;
        for (const Binding& binding : cluster.program.body.bindings) {
            const ir::Fn* fn = ir::function_of(binding.op);
            const std::size_t count = fn ? ir::count_instructions(fn->body) : 0;
            if (count < most || binding.site.index >= cluster.sites.size()) continue;
            most = count;
            largest = &binding;
        }
        if (!largest) return {};
        return {cluster.sites[largest->site.index], ir::name_of(largest->op)};
    }

    CondStep cond_step(const ir::Cond& cond, ValueId to, const std::vector<Type>& scope) {
        return {cond.condition, to, std::make_unique<BodyPlan>(plan(cond.bodies[0], scope)),
                std::make_unique<BodyPlan>(plan(cond.bodies[1], scope))};
    }

    LoopStep loop_step(const ir::Loop& loop, ValueId to, const std::vector<Type>& scope, ir::SiteId site) {
        LoopStep step{loop.count, loop.inits, to, nullptr, nullptr, {}, {}, site};
        if (!loop.count) step.condition = std::make_unique<BodyPlan>(plan(loop.bodies[0], scope));
        step.body = std::make_unique<BodyPlan>(plan(loop.bodies.back(), scope, true));
        for (auto [state, axis] : loop.changing) {
            step.first.push_back(scope[loop.inits[state].index].shape[axis]);
            step.next.push_back(step.body->types[step.body->results[state].index].shape[axis]);
        }
        if (backend_.immediate()) step.kernel = make_loop_kernel(plan_, step, scope);
        step.sweeps = std::make_shared<KnownSweeps>();
        step.tiles = std::make_shared<KnownTiles>();
        step.thread_use = std::make_shared<ThreadUseHistory>();
        return step;
    }

    /// Guards on values that are computed while the program runs are checked before the step that follows those which make
    /// them; guards of nested bodies are checked whenever the bodies are executed.
    void place_guards(const Body& body, const fuse::BodyIndex& index, BodyPlan& plan) const {
        std::vector<std::size_t> ready(plan.types.size(), 0);  // by variable: the first step that can use it
        for (std::size_t step = 0; step < plan.steps.size(); ++step)
            for (fuse::Operation op : plan.partition.clusters[step].operations)
                for (std::size_t k = 0; k < body.bindings[op.index].types.size(); ++k)
                    ready[index.levels[op.index] + k] = step + 1;
        for (const ir::Guard& guard : body.guards) {
            const bool is_static = !plan_.dynamic[guard.left.index] && !plan_.dynamic[guard.right.index];
            if (is_static && &body == &program_.body) continue;
            std::size_t step = std::max(first_step(guard.left, ready), first_step(guard.right, ready));
            (step < plan.steps.size() ? plan.steps[step].guards : plan.final_guards).push_back(&guard);
        }
    }

    std::size_t first_step(ir::SizeId id, const std::vector<std::size_t>& ready) const {
        std::size_t step = 0;
        if (plan_.dynamic[id.index])
            ir::for_each_value(program_.sizes, id, [&](ValueId value) { step = std::max(step, ready[value.index]); });
        return step;
    }

    /// Walks backwards: the first use it meets is the last one executed. Results live on, and so do variables to which sizes
    /// refer.
    void mark_dying(BodyPlan& plan) const {
        std::vector<bool> alive(plan.types.size(), false);
        for (ValueId id : plan.results) alive[id.index] = true;
        for (std::size_t k = 0; k < program_.sizes.count(); ++k) {
            const ir::Size& size = program_.sizes[ir::SizeId(k)];
            auto index = static_cast<std::size_t>(size.index);
            if (size.kind != ir::Size::Kind::value || index >= alive.size()) continue;
            if (plan.types[index].rank() == 0)
                alive[index] = true;  // otherwise it belongs to another body, at the same
                                      // level
        }
        for (auto step = plan.steps.rbegin(); step != plan.steps.rend(); ++step) {
            std::vector<ValueId> uses;
            add_uses(*step, uses);
            for (ValueId id : uses) {
                if (id.index >= alive.size() || alive[id.index]) continue;
                alive[id.index] = true;
                if (id.index >= plan.base) step->dying.push_back(id);
            }
        }
    }

    const Plan& plan_;
    const ir::Program& program_;
    const PlanOptions& options_;
    Backend& backend_;
    KernelCache& kernels_;
    std::vector<std::int64_t> sizes_;              ///< values of the program's sizes, or empty
    std::map<const Body*, fuse::Optimum> optima_;  ///< of bodies whose clusters were found together with copies
    std::vector<std::shared_ptr<const CachedKernel>> compiled_;  ///< until the steps have them
    double partition_seconds_ = 0;
    bool depends_on_extents_ = false;
};

std::vector<const ir::Guard*> static_guards(const Plan& plan) {
    std::vector<const ir::Guard*> guards;
    for (const ir::Guard& guard : plan.program.body.guards)
        if (!plan.dynamic[guard.left.index] && !plan.dynamic[guard.right.index]) guards.push_back(&guard);
    return guards;
}

/// Enters the counts of loops into the table of sizes, where loop kernels look for bounds of what their counters make.
void enter_counts(ir::Program& program) {
    std::vector<ValueId> counts;
    fuse::for_each_body(program.body, {}, [&](const Body& body, const std::vector<Type>&) {
        for (const Binding& binding : body.bindings)
            if (const auto* loop = std::get_if<ir::Loop>(&binding.op); loop && loop->count) counts.push_back(*loop->count);
    });
    for (ValueId count : counts) program.sizes.value(count);
}

/// Copies what is better computed again than stored; returns the best clusters by body if the strategy is optimal.
std::vector<fuse::Optimum> repeat_operations(Plan& plan, const PlanOptions& options, double launch, const Call* call) {
    if (options.strategy != fuse::Strategy::optimal) return {};
    const StageTimer timer("fuse");
    const auto start = std::chrono::steady_clock::now();
    const auto extents = [&](const ir::Program& program) {
        return call ? fuse::Extents(estimate_sizes(program, *call), launch) : fuse::Extents::nominal(program.sizes, launch);
    };
    fuse::Repetition found = fuse::repeat(plan.program, extents);
    plan.depends_on_extents = found.depends_on_extents;
    plan.repeatable = found.candidates;
    plan.repetition_is_best = found.exhaustive;
    if (!found.repeated.empty()) plan.unrepeated = std::exchange(plan.program, std::move(found.program));
    plan.repeated = std::move(found.repeated);
    plan.arithmetic_of_copies = found.arithmetic;
    plan.partition_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(found.optima);
}

/// The approximate memory of a plan and the programs it comes from, without kernels.
std::size_t bytes_of(const Plan& plan) {
    std::size_t bytes = code_bytes::plan;
    fuse::for_each_body(plan.program.body, {}, [&](const Body& body, const std::vector<Type>&) {
        for (const Binding& binding : body.bindings) {
            bytes += code_bytes::binding;
            if (const ir::Fn* fn = ir::function_of(binding.op))
                bytes += code_bytes::instruction * ir::count_instructions(fn->body);
        }
    });
    return bytes;
}

/// Contraction depends on what is fused.
Replan replan_with(const PlanOptions& options, Backend& backend, KernelCache& kernels) {
    if (options.strategy != fuse::Strategy::optimal || options.kernels.contract) return nullptr;
    return [options, &backend, &kernels](ir::Program program, fuse::Strategy strategy, bool certain, const Call& call) {
        PlanOptions other = options;
        other.strategy = strategy;
        other.kernels.certain = certain;
        return make_plan(std::move(program), other, backend, kernels, &call);
    };
}

}  // namespace

ir::Program prepare(ir::Program program, const PlanOptions& options) {
    const StageTimer plan("plan"), timer("optimise");
    return pipeline::prepare(std::move(program), options.passes);
}

std::shared_ptr<const Plan> make_plan(ir::Program program, const PlanOptions& options, Backend& backend,
                                      KernelCache& kernels, const Call* call) {
    const StageTimer timer("plan");
    const auto begin = Clock::now();
    auto plan = std::make_shared<Plan>();
    // Ranks divide arrays along their first axis, which another shape has elsewhere.
    plan->program = has_ranks() ? std::move(program) : name_reshaped_results(std::move(program));
    enter_counts(plan->program);
    std::vector<fuse::Optimum> optima = repeat_operations(*plan, options, backend.launch_bytes(), call);
    plan->dynamic = find_dynamic(plan->program);
    plan->large = find_large(plan->program.sizes);
    plan->backend = &backend;
    plan->static_guards = static_guards(*plan);
    Planner planner(*plan, options, backend, kernels,
                    call ? estimate_sizes(plan->program, *call) : std::vector<std::int64_t>(), std::move(optima));
    plan->body = planner.plan(plan->program.body, {});
    plan->partition_seconds += planner.partition_seconds();
    plan->depends_on_extents = plan->depends_on_extents || planner.depends_on_extents();
    plan->replayable = is_replayable(*plan);
    plan->placements = std::make_shared<Placements>();
    plan->replan = replan_with(options, backend, kernels);
    plan->charge = CodeCharge(bytes_of(*plan));
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    log_line(LogLevel::info, "planned a program of {} operations as {} steps in {:.1f} ms",
             plan->program.body.bindings.size(), plan->body.steps.size(), ms);
    return plan;
}

}  // namespace sinter::runtime
