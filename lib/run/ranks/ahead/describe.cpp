// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/ranks/ahead/describe.hpp"

#include "place/tuning.hpp"
#include "run/execute/launcher.hpp"
#include "support/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>

namespace sinter::runtime {

bool is_kept(const SharedKernel& shared, std::size_t buffer) {
    if (shared.loop() != SharedKernel::Loop::compact) return false;
    return buffer >= shared.first_kept() && buffer < shared.first_kept() + shared.kept_values();
}

namespace {

/// Where an output would be cut; nothing where it has not as many elements as its type says.
std::optional<place::Layout> layout_of_output(const LaunchView& launch, const SharedKernel& shared, std::size_t k,
                                              const std::function<std::int64_t(ir::SizeId)>& extent_of) {
    const ir::Type& type = launch.plan.types[launch.step.outputs[k].index];
    const std::size_t buffer = launch.step.inputs.size() + k;
    const std::int64_t room = launch.sizes[launch.step.kernel->kernel.buffers[buffer].elements.index];
    place::Layout layout{type.rank() > 0};
    if (is_kept(shared, buffer)) {
        layout.rows = room;
        return layout;
    }
    for (std::size_t axis = 0; axis < type.shape.size(); ++axis) {
        if (is_output(launch.program, type.shape[axis], launch.step)) return std::nullopt;
        (axis == 0 ? layout.rows : layout.row) *= extent_of(type.shape[axis]);
    }
    return layout.elements() == room ? std::optional(layout) : std::nullopt;
}

}  // namespace

bool has_points(const lower::Kernel& kernel, const std::int64_t* sizes) {
    return std::all_of(kernel.space.begin(), kernel.space.end(), [&](ir::SizeId id) { return sizes[id.index] > 0; });
}

std::optional<place::LaunchFacts> describe(const LaunchView& launch, const SharedKernel& shared,
                                           const std::function<place::Layout(ir::ValueId)>& layout_of,
                                           const std::function<std::int64_t(ir::SizeId)>& extent_of, std::string& why) {
    const lower::Kernel& kernel = launch.step.kernel->kernel;
    why = shared.refusal();
    if (!why.empty()) return std::nullopt;
    if (kernel.buffers.size() != launch.step.inputs.size() + launch.step.outputs.size())
        return why = "its points have memory of their own", std::nullopt;
    place::LaunchFacts facts{shared.work(),
                             &shared.points(),
                             shared.least_points(),
                             &shared.reduced(),
                             shared.chunk_length(),
                             shared.chunks(),
                             {},
                             {}};
    auto bytes_each = [&](std::size_t buffer) { return detail::size_of(kernel.buffers[buffer].scalar); };
    for (std::size_t k = 0; k < launch.step.inputs.size(); ++k) {
        const place::Layout layout = layout_of(launch.step.inputs[k]);
        const std::int64_t elements = launch.sizes[kernel.buffers[k].elements.index];
        facts.inputs.push_back({layout.blocks ? layout : place::Layout{false, elements, 1}, bytes_each(k)});
    }
    for (std::size_t k = 0; k < launch.step.outputs.size(); ++k) {
        const std::optional<place::Layout> layout = layout_of_output(launch, shared, k, extent_of);
        if (!layout) return why = "it finds the sizes of its results", std::nullopt;
        facts.outputs.push_back({*layout, bytes_each(launch.step.inputs.size() + k)});
    }
    return facts;
}

bool is_in_blocks(const place::LaunchFacts& facts, place::Way way, const SharedKernel& shared, std::size_t output) {
    const place::Operand& operand = facts.outputs[output];
    if (way == place::Way::points) return operand.layout.blocks;
    if (is_kept(shared, facts.inputs.size() + output))
        return operand.layout.elements() * operand.bytes_each >= least_kept_bytes();
    return place::writes(facts, output);
}

place::Least least_shared() {
    static const place::Least least = [] {
        const std::string_view wish = setting("SINTER_SHARE");
        if (wish == "always") return place::Least();
        return place::Least{wish == "never" ? std::numeric_limits<double>::infinity() : place::tuning::least_work,
                            place::tuning::least_band_bytes};
    }();
    return least;
}

std::int64_t least_kept_bytes() { return setting("SINTER_SHARE") == "always" ? 0 : place::tuning::least_blocks_bytes; }

std::int64_t least_sorted() {
    const std::string_view wish = setting("SINTER_SHARE");
    if (wish == "always") return 1;
    return wish == "never" ? std::numeric_limits<std::int64_t>::max() : place::tuning::least_sorted;
}

std::string text_of(const place::Share& share, int ranks) {
    constexpr std::string_view ways[] = {"whole on each of", "by points on", "by chunks on"};
    std::string result = fmt::format("{} {} ranks", ways[static_cast<std::size_t>(share.way)], ranks);
    const auto idle = std::count_if(share.parts.begin(), share.parts.end(), [](const auto& part) { return part.empty(); });
    if (idle > 0) result += fmt::format(", {} of which have no part of it", idle);
    if (!share.why.empty()) result += fmt::format(" ({})", share.why);
    for (std::size_t k = 0; k < share.gathered.size(); ++k)
        if (share.gathered[k])
            result += fmt::format(", {} input {}", share.looked_up[k] ? "looks up rows of" : "gathers", k);
    return result;
}

}  // namespace sinter::runtime
