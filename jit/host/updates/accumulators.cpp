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

/// The runs of one launch and their accumulators, of which the first run's are the results.
class Runs {
  public:
    Runs(const std::vector<Accumulators::Group>& groups, const KernelCode& code, const schedule::Tasks& tasks,
         const runtime::Launch& launch)
        : groups_(groups), code_(code), tasks_(tasks), launch_(launch), count_(tasks.points > 0 ? tasks.count() : 1) {
        for (const Accumulators::Group& group : groups_)
            for (std::size_t bytes : group.bytes) {
                starts_.push_back(stride_);
                stride_ += (static_cast<std::size_t>(elements(group)) * bytes + line - 1) / line * line;
            }
        memory_ = allocate(stride_ * static_cast<std::size_t>(count_ - 1));
    }

    void execute(const LoadedObject& object) {
        runtime::parallel_for(count_, launch_.threads, [&](std::int64_t k) {
            if (!stops()) run(k, object.kernel());
        });
        if (count_ == 1 || launch_.error->check.load() != 0 || (launch_.control && launch_.control->stopped())) return;
        std::size_t first = 0;
        for (const Accumulators::Group& group : groups_) {
            merge(group, first);
            first += group.bytes.size();
        }
    }

  private:
    static constexpr std::size_t line = schedule::tuning::cache_line;

    std::int64_t elements(const Accumulators::Group& group) const { return launch_.sizes[group.elements.index]; }
    bool stops() const { return launch_.control && launch_.control->stops(); }

    /// `v`: counted over all groups.
    void* accumulator(std::int64_t k, std::size_t v, std::size_t buffer) const {
        if (k == 0) return launch_.buffers[buffer];
        return static_cast<char*>(memory_->data) + static_cast<std::size_t>(k - 1) * stride_ + starts_[v];
    }

    void run(std::int64_t k, emit::Entry entry) const {
        StackArray<void*, 16> buffers(code_.kernel().buffers.size());
        for (std::size_t b = 0; b < buffers.size(); ++b)
            buffers[b] = code_.kernel().buffers[b].local ? nullptr : launch_.buffers[b];
        std::size_t next = 0;
        for (const Accumulators::Group& group : groups_)
            for (std::size_t v = 0; v < group.bytes.size(); ++v, ++next) {
                void* const mine = buffers[group.first + v] = accumulator(k, next, group.first + v);
                if (k == 0 && group.initial.empty()) continue;
                fill(mine, elements(group), group.bytes[v], k == 0 ? group.initial[v] : group.neutral[v]);
            }
        if (tasks_.points <= 0) return;
        Arguments arguments = arguments_of(launch_, tasks_, code_.kernel());
        arguments.buffers = buffers.data();
        Tile tile = tile_of(tasks_, k);
        const TaskMemory memory(tasks_.task_bytes());
        if (tasks_.task_bytes() > 0) tile.local = memory.data();
        entry(&arguments, &tile);
    }

    /// All runs' accumulators into the first one's, a range of elements at a time.
    void merge(const Accumulators::Group& group, std::size_t first) const {
        const emit::Entry merged = group.merged->code(0).kernel();
        const std::int64_t all = elements(group), range = schedule::tuning::merged_elements,
                           ranges = (all + range - 1) / range;
        runtime::parallel_for(ranges, launch_.threads, [&](std::int64_t r) {
            const std::size_t values = group.bytes.size();
            StackArray<void*, 16> buffers(2 * values);
            for (std::size_t v = 0; v < values; ++v) buffers[values + v] = launch_.buffers[group.first + v];
            Arguments arguments = arguments_of(launch_, tasks_, group.merged->kernel());
            arguments.buffers = buffers.data();
            arguments.sizes = &all;
            Tile tile{};
            tile.row_end = 1;
            tile.begin = r * range;
            tile.end = std::min(all, (r + 1) * range);
            for (std::int64_t k = 1; k < count_ && !stops(); ++k) {
                for (std::size_t v = 0; v < values; ++v) buffers[v] = accumulator(k, first + v, group.first + v);
                merged(&arguments, &tile);
            }
        });
    }

    const std::vector<Accumulators::Group>& groups_;
    const KernelCode& code_;
    const schedule::Tasks tasks_;
    const runtime::Launch& launch_;
    const std::int64_t count_;
    std::vector<std::size_t> starts_;  ///< by value, in a run's accumulators
    std::size_t stride_ = 0;           ///< from run to run
    BufferRef memory_;
};

}  // namespace

Accumulators::Accumulators(const lower::Kernel& kernel, const std::shared_ptr<const Target>& target)
    : groups_(Find(kernel, target)()) {}

void Accumulators::launch(const LoadedObject& object, const KernelCode& code, const schedule::Decision& decision,
                          const runtime::Launch& launch) const {
    const auto* copies = std::get_if<schedule::Copies>(&decision.updates);
    const std::int64_t runs = copies ? copies->count : 1, points = decision.tasks.points;
    Runs(groups_, code, schedule::runs_of(decision.tasks, (points + runs - 1) / runs), launch).execute(object);
}

}  // namespace sinter::host
