// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/tiled/launches_of_body.hpp"

#include "ir/sizes/size_parts.hpp"
#include "run/execute/launcher.hpp"
#include "run/ranks/job/job.hpp"

#include <algorithm>

namespace sinter::runtime {

using schedule::Iteration;
using schedule::StepLaunch;

namespace {

const LaunchedInParts* in_parts(const KernelStep& step) {
    return dynamic_cast<const LaunchedInParts*>(step.kernel->code.get());
}

}  // namespace

LaunchesOfBody::LaunchesOfBody(const Context& context, const LoopStep& step, Frame& outer)
    : context_(context),
      step_(step),
      body_(*step.body),
      inner_(&outer, *step.body),
      extents_(context.extents(step.first, outer)),
      values_(body_.types.size() - body_.base) {
    for (std::size_t k = 0; k < extents_.size(); ++k) inner_.slots[1 + k] = {&extents_[k], nullptr};
}

bool LaunchesOfBody::find() {
    if (!extents_stay() || !all_hold(body_.final_guards)) return false;
    const std::size_t first = 1 + extents_.size();
    for (std::size_t k = 0; k < step_.inits.size(); ++k) {
        if (!add_value(body_.types[body_.base + first + k])) return false;
        values_[first + k] = k;
    }
    iteration_.states = step_.inits.size();
    for (const Step& step : body_.steps) {
        if (!all_hold(step.guards)) return false;
        if (const auto* alias = std::get_if<AliasStep>(&step.action))
            name(*alias);
        else if (const auto* kernel = std::get_if<KernelStep>(&step.action); !kernel || !add(*kernel))
            return false;
    }
    for (ValueId id : body_.results) {
        const auto value = value_of(id);
        if (!value) return false;
        iteration_.results.push_back(*value);
    }
    return has_equal_states();
}

KnownTiles::Key LaunchesOfBody::key(std::int64_t count) const {
    KnownTiles::Key key{count, context_.call.threads, has_ranks() ? 1 : 0};
    for (const Iteration::Value& value : iteration_.values) key.push_back(value.elements);
    for (const Found& found : launches_) key.insert(key.end(), found.sizes.begin(), found.sizes.end());
    return key;
}

bool LaunchesOfBody::describe(TiledLaunches& body) const {
    body.iteration = iteration_;
    return std::all_of(launches_.begin(), launches_.end(), [&](const Found& found) { return describe(found, body); });
}

bool LaunchesOfBody::extents_stay() const {
    return std::all_of(step_.next.begin(), step_.next.end(), [&](SizeId id) { return is_known(id); }) &&
           context_.extents(step_.next, inner_) == extents_;
}

/// True if it depends only on what was there before the loop, and on the extents of states.
bool LaunchesOfBody::is_known(SizeId id) const {
    if (!context_.is_dynamic(id)) return true;
    const std::size_t counter = body_.base, behind = counter + 1 + extents_.size();
    bool known = true;
    ir::for_each_value(context_.plan.program.sizes, id,
                       [&](ValueId value) { known = known && value.index != counter && value.index < behind; });
    return known;
}

std::int64_t LaunchesOfBody::number(SizeId id) const {
    return context_.is_dynamic(id) ? context_.size(id, inner_) : context_.static_size(id);
}

bool LaunchesOfBody::holds(const ir::Guard& guard) const {
    return is_known(guard.left) && is_known(guard.right) && ir::sizes::equal(number(guard.left), number(guard.right));
}

bool LaunchesOfBody::all_hold(const std::vector<const ir::Guard*>& guards) const {
    return std::all_of(guards.begin(), guards.end(), [&](const ir::Guard* guard) { return holds(*guard); });
}

std::optional<std::size_t> LaunchesOfBody::value_of(ValueId id) const {
    return id.index < body_.base ? std::nullopt : values_[id.index - body_.base];
}

bool LaunchesOfBody::add_value(const Type& type) {
    std::int64_t elements = 1;
    for (SizeId size : type.shape) {
        if (!is_known(size)) return false;
        elements = ir::sizes::mul(elements, number(size));
    }
    iteration_.values.push_back({elements, detail::size_of(type.scalar)});
    return elements > 0 && !ir::is_huge(elements);
}

void LaunchesOfBody::name(const AliasStep& alias) {
    for (std::size_t k = 0; k < alias.from.size(); ++k)
        values_[alias.to.index + k - body_.base] = value_of(alias.from[k]), from_[alias.to.index + k] = alias.from[k];
}

/// True if an extent of the kernel, or of what is made inside of it, depends on what the loop computes.
bool LaunchesOfBody::has_unknown_sizes(const KernelStep& step) const {
    auto any = [&](const auto& sizes) {
        return std::any_of(sizes.begin(), sizes.end(), [&](SizeId id) { return !is_known(id); });
    };
    return any(step.sizes) ||
           std::any_of(step.made.begin(), step.made.end(), [&](const auto& made) { return any(made.shape); });
}

bool LaunchesOfBody::add(const KernelStep& step) {
    if (!in_parts(step) || has_local_buffers(step) || has_unknown_sizes(step) || find_bad_shape(context_, step, inner_))
        return false;
    std::vector<std::int64_t> arguments;
    for (SizeId id : step.sizes) arguments.push_back(number(id));
    auto sizes = sizes_of_launch(step, arguments);
    if (!sizes) return false;
    Found found{&step, std::move(*sizes), {}, {}};
    std::vector<const void*>& of_inputs = outside_.emplace_back();
    for (ValueId id : step.inputs) {
        found.reads.push_back(value_of(id));
        of_inputs.push_back(found.reads.back() ? nullptr : place_of(id));
    }
    for (std::size_t k = 0; k < step.outputs.size(); ++k) {
        const ValueId id = step.outputs[k];
        const lower::Buffer& buffer = step.kernel->kernel.buffers[step.inputs.size() + k];
        found.writes.push_back(iteration_.values.size());
        values_[id.index - body_.base] = iteration_.values.size();
        if (!add_value(body_.types[id.index])) return false;
        if (iteration_.values.back().elements != found.sizes[buffer.elements.index]) return false;
    }
    launches_.push_back(std::move(found));
    return true;
}

bool LaunchesOfBody::describe(const Found& found, TiledLaunches& body) const {
    const lower::Kernel& kernel = found.step->kernel->kernel;
    const std::int64_t* const sizes = found.sizes.data();
    StepLaunch launch{schedule::part_facts(kernel, sizes, schedule::Overwriting::apart), {}, {}, {}, 0};
    if (!launch.facts.possible) return false;
    TiledLaunches::Launched made{found.step, in_parts(*found.step)->bind_parts(sizes, context_.call.threads)};
    if (!made.kernel) return false;
    launch.work = made.kernel->work();
    launch.reads = found.reads, launch.writes = found.writes;
    for (std::size_t k = 0; k < found.reads.size(); ++k) {
        const lower::Buffer& buffer = kernel.buffers[k];
        const bool is_read = launch.facts.reach[k].kind != schedule::Reach::Kind::nothing;
        const std::int64_t bytes = sizes[buffer.elements.index] * detail::size_of(buffer.scalar);
        launch.bytes_read.push_back(is_read ? static_cast<double>(bytes) : 0);
    }
    for (std::size_t k = found.reads.size(); k < kernel.buffers.size(); ++k) {
        const auto& dest = kernel.buffers[k].dest;
        const bool in_place = dest && may_overwrite(*found.step, found.step->inputs[*dest]);
        launch.copies.push_back(dest);
        launch.takes.push_back(in_place ? dest : kernel.buffers[k].takes);
    }
    body.iteration.launches.push_back(std::move(launch));
    body.launches.push_back(std::move(made));
    return true;
}

/// Null for the number of the iteration, which is the body's first parameter.
const void* LaunchesOfBody::place_of(ValueId id) const {
    for (auto from = from_.find(id.index); from != from_.end(); from = from_.find(id.index)) id = from->second;
    return id.index == body_.base ? nullptr : inner_.find(id).data;
}

/// Iterations may leave to each other what has as many elements only.
bool LaunchesOfBody::has_equal_states() const {
    for (std::size_t k = 0; k < iteration_.states; ++k) {
        const Iteration::Value &before = iteration_.values[k], &after = iteration_.values[iteration_.results[k]];
        if (before.elements != after.elements || before.bytes_each != after.bytes_each) return false;
    }
    return true;
}

}  // namespace sinter::runtime
