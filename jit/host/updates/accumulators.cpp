// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/updates/accumulators.hpp"

#include "ir/neutral.hpp"
#include "jit/host/launch.hpp"
#include "jit/host/task_memory.hpp"
#include "jit/host/updates/fill.hpp"
#include "jit/host/updates/update_kernels.hpp"
#include "run/threads/threads.hpp"
#include "schedule/tuning.hpp"
#include "support/buffer.hpp"
#include "support/check.hpp"
#include "support/stack_array.hpp"

#include <algorithm>

namespace sinter::host {

using emit::Arguments;
using emit::Tile;

namespace {

/// Finds the updates.
class Find {
  public:
    Find(const lower::Kernel& kernel, const std::shared_ptr<const Target>& target) : kernel_(kernel), target_(target) {}

    std::vector<Accumulators::Group> operator()() {
        block(kernel_.body, 0);
        return std::move(groups_);
    }

  private:
    void block(const lower::Block& b, std::size_t level) {
        level += b.params.size();
        for (const lower::Inst& inst : b.insts) {
            if (inst.op == ir::Op::update) add(inst, level);
            for (const lower::Block& inner : inst.blocks) block(inner, level);
            level += inst.types.size();
        }
    }

    void add(const lower::Inst& update, std::size_t level) {
        const std::size_t count = update.operands.size() - 1;
        auto neutral = ir::neutral_elements(update.blocks[0], count, level);
        check(neutral.has_value(), "the operators of what runs accumulate have neutral elements");
        Accumulators::Group group{update.bits, {}, std::move(*neutral), {}, kernel_.buffers[update.bits].elements, {}};
        for (std::size_t v = 0; v < count; ++v) {
            if (const lower::Accumulator* accumulator = lower::accumulator_at(kernel_, update.bits + v))
                group.initial.push_back(accumulator->initial);
            group.bytes.push_back(static_cast<std::size_t>(detail::size_of(kernel_.buffers[update.bits + v].scalar)));
        }
        group.merged = std::make_unique<const KernelCode>(merging_kernel(kernel_, update, level), target_);
        groups_.push_back(std::move(group));
    }

    const lower::Kernel& kernel_;
    const std::shared_ptr<const Target>& target_;
    std::vector<Accumulators::Group> groups_;
};

constexpr std::size_t line = schedule::tuning::cache_line;

bool stops(const runtime::Launch& launch) { return launch.control && launch.control->stops(); }

/// The buffers of the k-th run, whose copies begin as they have to.
void bind_run(const std::vector<Accumulators::Group>& groups, const KernelCode& code, std::int64_t k,
              const ArrayCopies& copies, const runtime::Launch& launch, void** buffers) {
    for (std::size_t b = 0; b < code.kernel().buffers.size(); ++b)
        buffers[b] = code.kernel().buffers[b].local ? nullptr : launch.buffers[b];
    std::size_t next = 0;
    for (const Accumulators::Group& group : groups)
        for (std::size_t v = 0; v < group.bytes.size(); ++v, ++next) {
            void* const mine = buffers[group.first + v] = copies.at(k, next);
            if (k == 0 && group.initial.empty()) continue;
            fill(mine, launch.sizes[group.elements.index], group.bytes[v], k == 0 ? group.initial[v] : group.neutral[v]);
        }
}

/// One run, with its copies.
void run_one(const std::vector<Accumulators::Group>& groups, emit::Entry entry, const KernelCode& code,
             const schedule::Tasks& tasks, std::int64_t k, const ArrayCopies& copies, const runtime::Launch& launch) {
    StackArray<void*, 16> buffers(code.kernel().buffers.size());
    bind_run(groups, code, k, copies, launch, buffers.data());
    if (tasks.points <= 0) return;
    Arguments arguments = arguments_of(launch, tasks, code.kernel());
    arguments.buffers = buffers.data();
    Tile tile = tile_of(tasks, k);
    const TaskMemory memory(tasks.task_bytes());
    if (tasks.task_bytes() > 0) tile.local = memory.data();
    entry(&arguments, &tile);
}

/// The chunks of a scan, each with copies.
void run_chunks(const std::vector<Accumulators::Group>& groups, const WayCode& way_code, const KernelCode& code,
                const schedule::Tasks& tasks, const ArrayCopies& copies, const runtime::Launch& launch) {
    const auto count = static_cast<std::size_t>(tasks.points * tasks.chunks), each = code.kernel().buffers.size();
    std::vector<void*> buffers(count * each);
    std::vector<void* const*> own(count);
    for (std::size_t k = 0; k < count; ++k) {
        bind_run(groups, code, static_cast<std::int64_t>(k), copies, launch, buffers.data() + k * each);
        own[k] = buffers.data() + k * each;
    }
    launch_scan(way_code, code, tasks, own.data(), launch);
}

/// Copies of one group, whose values are counted from `first` on, a range of elements at a time.
void merge_group(const Accumulators::Group& group, std::size_t first, const schedule::Tasks& tasks,
                 const Accumulators::Range& runs, const ArrayCopies& copies, const runtime::Launch& launch) {
    const WayCode& code = group.merged->code(0, tasks.work);
    const WayCode::Working working(code, tasks.work);
    const emit::Entry merged = code.kernel();
    const std::int64_t all = launch.sizes[group.elements.index], range = schedule::tuning::merged_elements,
                       ranges = (all + range - 1) / range;
    runtime::parallel_for(ranges, launch.threads, [&](std::int64_t r) {
        const std::size_t values = group.bytes.size();
        StackArray<void*, 16> buffers(2 * values);
        for (std::size_t v = 0; v < values; ++v) buffers[values + v] = copies.at(runs.first, first + v);
        Arguments arguments = arguments_of(launch, tasks, group.merged->kernel());
        arguments.buffers = buffers.data();
        arguments.sizes = &all;
        Tile tile{};
        tile.row_end = 1;
        tile.begin = r * range;
        tile.end = std::min(all, (r + 1) * range);
        for (std::int64_t k = runs.first + 1; k < runs.second && !stops(launch); ++k) {
            for (std::size_t v = 0; v < values; ++v) buffers[v] = copies.at(k, first + v);
            merged(&arguments, &tile);
        }
    });
}

}  // namespace

Accumulators::Accumulators(const lower::Kernel& kernel, const std::shared_ptr<const Target>& target)
    : groups_(Find(kernel, target)()) {}

void Accumulators::run(emit::Entry entry, const KernelCode& code, const schedule::Tasks& tasks, Range runs,
                       const ArrayCopies& copies, const runtime::Launch& launch) const {
    runtime::parallel_for(runs.second - runs.first, launch.threads, [&](std::int64_t k) {
        if (!stops(launch)) run_one(groups_, entry, code, tasks, runs.first + k, copies, launch);
    });
}

void Accumulators::merge(const schedule::Tasks& tasks, Range runs, const ArrayCopies& copies,
                         const runtime::Launch& launch) const {
    std::size_t first = 0;
    for (const Group& group : groups_) {
        merge_group(group, first, tasks, runs, copies, launch);
        first += group.bytes.size();
    }
}

/// All tasks update the results themselves.
void Accumulators::launch_apart(const WayCode& way_code, const KernelCode& code, const schedule::Tasks& tasks,
                                const runtime::Launch& launch) const {
    constexpr std::int64_t range = schedule::tuning::merged_elements;
    for (const Group& group : groups_) {
        const std::int64_t all = launch.sizes[group.elements.index];
        for (std::size_t v = 0; v < group.initial.size(); ++v)
            runtime::parallel_for((all + range - 1) / range, launch.threads, [&](std::int64_t r) {
                void* const first = static_cast<char*>(launch.buffers[group.first + v]) +
                                    static_cast<std::size_t>(r * range) * group.bytes[v];
                fill(first, std::min(range, all - r * range), group.bytes[v], group.initial[v]);
            });
    }
    launch_kernel(way_code, code, tasks, launch);
}

/// The first run's copies are the results.
void Accumulators::launch(const WayCode& way_code, const KernelCode& code, const schedule::Decision& decision,
                          const runtime::Launch& launch) const {
    if (decision.apart) return launch_apart(way_code, code, decision.tasks, launch);
    const auto* several = std::get_if<schedule::Copies>(&decision.updates);
    const std::int64_t wanted = several ? several->count : 1, points = decision.tasks.points;
    const bool in_chunks = points > 0 && decision.tasks.partial();
    const schedule::Tasks tasks =
        in_chunks ? decision.tasks : schedule::runs_of(decision.tasks, (points + wanted - 1) / wanted);
    const std::int64_t count = in_chunks ? points * tasks.chunks : points > 0 ? tasks.count() : 1;
    std::size_t stride = 0;
    ArrayCopies copies;
    for (const Group& group : groups_)
        for (std::size_t v = 0; v < group.bytes.size(); ++v) {
            const auto elements = static_cast<std::size_t>(launch.sizes[group.elements.index]);
            copies.arrays.push_back({static_cast<char*>(launch.buffers[group.first + v]), nullptr, stride});
            stride += (elements * group.bytes[v] + line - 1) / line * line;
        }
    const BufferRef memory = allocate(stride * static_cast<std::size_t>(count - 1));
    for (ArrayCopies::Array& array : copies.arrays)
        array = {array.first, static_cast<char*>(memory->data) + array.stride, stride};
    if (in_chunks) {
        run_chunks(groups_, way_code, code, tasks, copies, launch);
    } else {
        const WayCode::Working working(way_code, tasks.work);
        run(way_code.kernel(), code, tasks, {0, count}, copies, launch);
    }
    if (count == 1 || launch.error->check.load() != 0 || (launch.control && launch.control->stopped())) return;
    merge(tasks, {0, count}, copies, launch);
}

}  // namespace sinter::host
