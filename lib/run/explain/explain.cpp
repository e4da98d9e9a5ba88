// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// explain(): the clusters of a program, what they move, and why edges were not fused; as data, text and a graph.
#include "fuse/compare.hpp"
#include "run/entry.hpp"
#include "run/explain/explain_graph.hpp"
#include "run/explain/explain_text.hpp"
#include "run/explain/explain_walk.hpp"
#include "run/messages.hpp"
#include "run/options.hpp"
#include "run/ranks/ahead/forecast.hpp"
#include "run/ranks/job/job.hpp"
#include "support/threads/process.hpp"

#include "front/frame.hpp"

#include <sinter/detail/rank_explanation.hpp>
#include <sinter/detail/ranks.hpp>
#include <sinter/detail/run.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace sinter::runtime {

namespace {

/// Kernels are interpreted, not generated, because explaining a program has to be fast.
Prepared prepare_explained(const detail::LeafRef* leaves, std::size_t count, RunOptions options, location where) {
    options.target = TargetKind::kernel_interpreter;
    options.other_devices.clear();
    return Engine::shared().prepare(front::to_leaves(leaves, count, where), {}, true, options);
}

/// The backend whose code is shown: the interpreter has none, so the host's is shown for it.
Backend& generator(const RunOptions& options) {
    const bool generates = options.target != TargetKind::interpreter;
    return Engine::shared().backend(generates ? options.target : TargetKind::host, generates ? options.device : 0,
                                    generates ? options.other_devices : std::vector<int>());
}

/// How ranks would share the launches of the plan on the host.
Forecast forecast_of(const Prepared& prepared, int ranks, int threads) {
    const Plan& plan = *prepared.plan;
    Forecast result;
    Engine::with_inputs(prepared, [&](const Call& call) {
        Call with_threads = call;
        with_threads.threads = threads;
        result = forecast(plan, with_threads, Engine::shared().backend(TargetKind::host), ranks);
    });
    return result;
}

/// The forecast, a line for each launch.
std::string lines_of(const Forecast& forecast, const Prepared& prepared, int ranks) {
    const std::vector<ExplainedBody> bodies =
        walk(forecast.plan ? *forecast.plan : *prepared.plan, prepared.converted.program.sites);
    std::string text = fmt::format("{} ranks; {}\n", ranks, text_of(forecast.received)) + forecast.choice;
    if (forecast.count_unknown) text += "Of loops that end when data say so, one iteration is counted.\n";
    for (const ExplainedBody& body : bodies) {
        if (!body.role.empty()) text += body.role + "\n";
        for (const Step& step : body.plan->steps) {
            const auto found = forecast.steps.find(&step);
            if (found == forecast.steps.end() || found->second.how.empty()) continue;
            const auto* kernel = std::get_if<KernelStep>(&step.action);
            const std::string name = kernel ? kernel->kernel->kernel.name : "sort or foreign function";
            text += fmt::format("  {}: {}", name, found->second.how);
            const Received& received = found->second.received;
            text += received.all() > 0 || received.at_least > 0 ? fmt::format("; {}\n", text_of(received)) : "\n";
        }
    }
    return text;
}

/// What each strategy makes of all bodies together; heuristics make no copies.
fuse::Comparison compare_strategies(const Prepared& prepared, const std::vector<ExplainedBody>& bodies) {
    const Plan& plan = *prepared.plan;
    auto extents = [&](const ir::Program& program) {
        return fuse::Extents(Engine::size_estimates(prepared, program), prepared.plan->backend->launch_bytes());
    };
    const ir::Program& original = plan.repeated.empty() ? plan.program : plan.unrepeated;
    fuse::Comparison comparison;
    fuse::compare_heuristics(original, extents(original), comparison);
    const fuse::Extents own = extents(plan.program);
    for (const ExplainedBody& body : bodies)
        fuse::compare_best(plan.program, *body.body, body.outer, body.plan->partition, own, comparison);
    return comparison;
}

detail::ExplanationData explain_prepared(const Prepared& prepared, int threads, bool on_card) {
    const Plan& plan = *prepared.plan;
    detail::ExplanationData data;
    fuse::Extents extents(Engine::size_estimates(prepared, plan.program));
    std::vector<ExplainedBody> bodies = walk(plan, prepared.converted.program.sites);
    for (const ExplainedBody& body : bodies) {
        std::vector<fuse::Traffic> traffic =
            fuse::traffic(plan.program, *body.body, body.outer, body.plan->partition, extents);
        for (std::size_t k = 0; k < body.plan->partition.clusters.size(); ++k) {
            detail::ClusterExplanation cluster = body.cluster(k);
            cluster.bytes = static_cast<std::int64_t>(traffic[k].all());
            data.bytes_moved += cluster.bytes;
            data.clusters.push_back(std::move(cluster));
        }
        for (ir::ValueId id : body.plan->partition.manifest) data.manifest.push_back(body.variable_name(id));
    }
    const fuse::Comparison comparison = compare_strategies(prepared, bodies);
    data.gap = comparison.cost > 0 ? 1 - comparison.lower / comparison.cost : 0;
    data.solve_time = plan.partition_seconds;
    data.text = text_of(prepared, bodies, comparison, data, on_card);
    if (job()) data.text = lines_of(forecast_of(prepared, job()->count, threads), prepared, job()->count) + "\n" + data.text;
    std::vector<std::int64_t> bytes;
    for (const detail::ClusterExplanation& cluster : data.clusters) bytes.push_back(cluster.bytes);
    data.dot = dot_of(bodies, bytes);
    return data;
}

KernelTexts texts_of(const KernelStep& step, Backend& target, const Prepared& prepared) {
    try {
        return with_operation(step.largest, [&] { return target.texts(step.kernel->kernel); });
    } catch (const CodeTooLarge& error) {
        throw_code_too_large(error, prepared.converted.program.sites);
    }
}

}  // namespace
}  // namespace sinter::runtime

namespace sinter::detail {

ExplanationData explain(const LeafRef* leaves, std::size_t count, const Options& options, location where) {
    return sinter::runtime::enter("explain", where, [&] {
        const sinter::CriticalSection section;
        const sinter::runtime::RunOptions resolved = sinter::runtime::resolve(options, where);
        return sinter::runtime::explain_prepared(sinter::runtime::prepare_explained(leaves, count, resolved, where),
                                                 resolved.threads, sinter::runtime::is_card(resolved.target));
    });
}

RankExplanation explain_ranks(const LeafRef* leaves, std::size_t count, int ranks, location where) {
    return sinter::runtime::enter("explain_ranks", where, [&] {
        const sinter::CriticalSection section;
        if (ranks < 0) throw UsageError(fmt::format("explain_ranks: there are no {} ranks", ranks), where);
        const int number = ranks > 0 ? ranks : rank_count();
        const sinter::runtime::RunOptions resolved = sinter::runtime::resolve({}, where);
        const sinter::runtime::Prepared prepared = sinter::runtime::prepare_explained(leaves, count, resolved, where);
        const sinter::runtime::Forecast forecast = sinter::runtime::forecast_of(prepared, number, resolved.threads);
        return RankExplanation{forecast.received.by_rank, forecast.received.at_least, forecast.received.data_decides,
                               sinter::runtime::lines_of(forecast, prepared, number)};
    });
}

namespace {

std::vector<KernelExplanation> explain_each(const sinter::runtime::Prepared& prepared, sinter::runtime::Backend& target) {
    std::vector<KernelExplanation> kernels;
    for (const sinter::runtime::ExplainedBody& body : walk(*prepared.plan, prepared.converted.program.sites)) {
        for (const sinter::runtime::Step& step : body.plan->steps) {
            const auto* kernel = std::get_if<sinter::runtime::KernelStep>(&step.action);
            if (!kernel) continue;
            sinter::runtime::KernelTexts texts = sinter::runtime::texts_of(*kernel, target, prepared);
            kernels.push_back({kernel->kernel->kernel.name, body.variable_names(kernel->inputs),
                               body.variable_names(kernel->outputs), lower::print(kernel->kernel->kernel), texts.schedule,
                               texts.llvm_ir, texts.assembly});
        }
    }
    return kernels;
}

}  // namespace

std::vector<KernelExplanation> explain_kernels(const LeafRef* leaves, std::size_t count, const Options& options,
                                               location where) {
    return sinter::runtime::enter("explain", where, [&] {
        const sinter::CriticalSection section;
        const sinter::runtime::RunOptions resolved = sinter::runtime::resolve(options, where);
        return explain_each(sinter::runtime::prepare_explained(leaves, count, resolved, where),
                            sinter::runtime::generator(resolved));
    });
}

std::string draw_svg(const std::string& dot, location where) {
    char folder[] = "/tmp/sinter-svg-XXXXXX";
    if (!mkdtemp(folder)) throw Limitation("svg: no temporary folder can be made", where);
    std::filesystem::path path(folder);
    std::ofstream(path / "graph.dot") << dot;
    std::string command = fmt::format("dot -Tsvg -o {0}/graph.svg {0}/graph.dot 2>/dev/null", folder);
    int status = std::system(command.c_str());
    std::ifstream file(path / "graph.svg");
    std::string svg((std::istreambuf_iterator<char>(file)), {});
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
    if (status != 0 || svg.empty()) throw Limitation("svg: Graphviz (the program dot) is not installed", where);
    return svg;
}

}  // namespace sinter::detail
