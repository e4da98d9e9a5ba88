// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/cascade/members.hpp"

#include "run/execute/launcher.hpp"
#include "run/execute/tiled/tiles.hpp"
#include "run/tuning.hpp"

#include <algorithm>

namespace sinter::runtime {

using schedule::PartFacts;
using schedule::Reach;

namespace {

/// Whether a launch may be executed earlier, and again, without anybody seeing it: it reports nothing, and need not be the
/// last that reads what it updates.
bool may_be_first(const KernelStep& step) {
    const lower::Kernel& kernel = step.kernel->kernel;
    return kernel.checks.empty() && std::none_of(kernel.buffers.begin(), kernel.buffers.end(),
                                                 [](const lower::Buffer& buffer) { return buffer.dest.has_value(); });
}

bool is_among(ValueId id, const std::vector<ValueId>& ids) { return std::find(ids.begin(), ids.end(), id) != ids.end(); }

/// Not where the whole launch goes another way than parts can, as where short rows are counted as one axis.
bool is_worth_parts(const RunLaunch& launch) {
    const double whole = launch.step->kernel->code->work(launch.sizes.data());
    return launch.kernel->refusal().empty() && launch.kernel->work() <= tuning::most_work_in_parts * whole;
}

}  // namespace

void Members::drop_last() {
    steps.pop_back();
    std::erase_if(before, [&](std::size_t k) { return steps.empty() || k > steps.back().step; });
}

bool MemberFinder::describe_launches() {
    for (std::size_t k = run_.first; k <= run_.last; ++k) {
        RunLaunch launch;
        launch.step = &std::get<KernelStep>(plan_.steps[k].action);
        if (find_bad_shape(context_, *launch.step, frame_)) return false;
        auto sizes = sizes_of_launch(*launch.step, context_.extents(launch.step->sizes, frame_));
        const auto* in_parts = dynamic_cast<const LaunchedInParts*>(launch.step->kernel->code.get());
        // Parts are executed on the thread that has the tile.
        if (sizes) launch.sizes = std::move(*sizes), launch.kernel = in_parts->bind_shared(launch.sizes.data(), 1);
        if (launch.kernel && !is_worth_parts(launch)) launch.kernel = nullptr;
        launches_.push_back(std::move(launch));
    }
    return true;
}

Members MemberFinder::from(std::size_t first) const {
    Members members;
    if (!is_in_parts(launch(first), {})) return members;
    Ids made, combined;  // by parts, and from their partial results
    const SharedKernel* chunked = nullptr;
    for (std::size_t k = first; k <= run_.last && members.steps.size() < tuning::most_launches_of_cascade; ++k) {
        const RunLaunch& next = launch(k);
        const Ids& inputs = next.step->inputs;
        const auto reads = [&](const Ids& of) {
            return std::any_of(inputs.begin(), inputs.end(), [&](ValueId id) { return is_among(id, of); });
        };
        if (reads(combined)) break;
        const bool in_parts = reads(made) || k == first ? is_in_parts(next, made) : is_alike(next, launch(first));
        const bool in_chunks = !in_parts && reads(made) && is_in_chunks(next, made, chunked);
        if (!in_parts && !in_chunks) {
            if (reads(made) || !may_be_first(*next.step)) break;
            members.before.push_back(k);
            continue;
        }
        members.steps.push_back({k, in_chunks});
        if (in_chunks) chunked = next.kernel.get();
        for (std::size_t o = 0; o < next.step->outputs.size(); ++o)
            (next.is_written(in_chunks, o) ? made : combined).push_back(next.step->outputs[o]);
    }
    std::erase_if(members.before, [&](std::size_t k) { return k > members.steps.back().step; });
    return members;
}

/// Whether parts of the launch need parts of what was made before.
bool MemberFinder::is_in_parts(const RunLaunch& launch, const Ids& made) const {
    if (!launch.kernel || !launch.kernel->points().possible || launch.kernel->has_partials_of_points()) return false;
    const PartFacts& facts = launch.kernel->points();
    for (std::size_t o = 0; o < launch.step->outputs.size(); ++o)
        if (launch.output(o).dest || !is_own(launch, o, facts)) return false;
    return reads_parts(launch, facts, made);
}

/// The same of chunks, which have to be those of another launch if there is one.
bool MemberFinder::is_in_chunks(const RunLaunch& launch, const Ids& made, const SharedKernel* other) const {
    const SharedKernel* const kernel = launch.kernel.get();
    if (!kernel || !kernel->reduced().possible) return false;
    const bool is_fold = kernel->loop() == SharedKernel::Loop::fold && kernel->chunks() > 1;
    if (!is_fold && kernel->loop() != SharedKernel::Loop::update) return false;
    if (other && (kernel->chunk_length() != other->chunk_length() || kernel->chunks() != other->chunks() ||
                  kernel->reduced().extent != other->reduced().extent))
        return false;
    for (std::size_t o = 0; o < launch.step->outputs.size(); ++o)
        if (launch.is_written(true, o) && !is_own(launch, o, kernel->reduced())) return false;
    return reads_parts(launch, kernel->reduced(), made);
}

/// Whether each index of the outermost axis writes elements of its own, which are together the array.
bool MemberFinder::is_own(const RunLaunch& launch, std::size_t output, const PartFacts& facts) const {
    const Reach& reach = facts.reach[launch.step->inputs.size() + output];
    const std::int64_t elements = launch.elements(launch.output(output));
    if (reach.kind != Reach::Kind::near || reach.slope <= 0 || reach.slope * facts.extent != elements) return false;
    std::int64_t of_shape = 1;
    for (SizeId size : plan_.types[launch.step->outputs[output].index].shape)
        of_shape = ir::sizes::mul(of_shape, context_.size(size, frame_));
    return of_shape == elements;
}

bool MemberFinder::reads_parts(const RunLaunch& launch, const PartFacts& facts, const Ids& made) {
    for (std::size_t k = 0; k < launch.step->inputs.size(); ++k) {
        const Reach& reach = facts.reach[k];
        if (!is_among(launch.step->inputs[k], made) || reach.kind == Reach::Kind::nothing) continue;
        const bool in_order = reach.kind == Reach::Kind::near && reach.slope > 0 && !reach.wraps && reach.over == 1;
        // What is read whatever the index is as wide as all indices.
        if (!in_order || (facts.extent > 1 && reach.high - reach.low >= reach.slope * (facts.extent - 1))) return false;
    }
    return true;
}

/// Whether a launch that needs nothing of the others makes what one of them reads, for as many indices as the first.
bool MemberFinder::is_alike(const RunLaunch& next, const RunLaunch& first) const {
    if (!is_in_parts(next, {}) || next.kernel->points().extent != first.kernel->points().extent) return false;
    return std::all_of(next.step->outputs.begin(), next.step->outputs.end(),
                       [&](ValueId id) { return is_among(id, run_.inner); });
}

}  // namespace sinter::runtime
