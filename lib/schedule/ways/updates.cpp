// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/ways/updates.hpp"

#include "schedule/tuning.hpp"

#include <algorithm>

namespace sinter::schedule {

namespace {

std::int64_t bytes_of(const Updates& updates) {
    std::int64_t bytes = 0;
    for (lower::Scalar type : updates.types) bytes += updates.elements * detail::size_of(type);
    return bytes;
}

/// The number of copies; fewer than two mean that there are none. Depends on extents alone.
std::int64_t count_copies(const Updates& updates) {
    const std::int64_t bytes = bytes_of(updates);
    const auto arrays = static_cast<std::int64_t>(updates.types.size());
    if (!updates.has_neutral || bytes > tuning::largest_copy_bytes * arrays || bytes == 0) return 0;
    const std::int64_t least = std::max(tuning::points_per_copy, tuning::points_per_element * updates.elements);
    return std::min({tuning::most_copies, updates.points / least, tuning::copies_bytes / bytes});
}

/// True if the order of updates does not show.
bool is_exact(std::span<const lower::Scalar> types) {
    return std::none_of(types.begin(), types.end(), [](lower::Scalar type) { return detail::is_float(type); });
}

}  // namespace

UpdateWay choose(const Updates& updates, int threads) {
    const std::int64_t bytes = bytes_of(updates), copies = count_copies(updates);
    if (copies > 1 && !(threads == 1 && is_exact(updates.types))) return Copies{copies};
    const std::int64_t large = threads < tuning::many_threads ? tuning::partitioned_bytes : tuning::partitioned_bytes_many;
    constexpr std::int64_t most_elements = std::int64_t{1} << 31;  // offsets are noted in 32 bits
    const bool partitions = copies <= 1 && bytes > large && updates.points >= tuning::least_partitioned_points &&
                            updates.elements < most_elements;
    return partitions ? UpdateWay(Partitions{}) : UpdateWay(InOrder{});
}

UpdateWay choose_accumulators(const lower::Kernel& kernel, std::span<const UpdateFact> updates, const std::int64_t* sizes,
                              std::int64_t points, double work) {
    const auto worth = static_cast<std::int64_t>(work / tuning::accumulating_work);
    std::int64_t copies = std::min({tuning::most_accumulators, worth, points / tuning::points_per_accumulator});
    for (const UpdateFact& update : updates) {
        const std::size_t first = update.inst->bits;
        if (lower::accumulator_at(kernel, first)) continue;
        std::vector<lower::Scalar> types;
        for (std::size_t k = 1; k < update.inst->operands.size(); ++k) types.push_back(kernel.buffers[first + k - 1].scalar);
        const Updates all{points, sizes[kernel.buffers[first].elements.index], types, true};
        copies = std::min(copies, count_copies(all));
    }
    return copies > 1 ? UpdateWay(Copies{copies}) : UpdateWay(InOrder{});
}

bool accumulates(const lower::Kernel& kernel, const Facts& facts) {
    return !kernel.accumulators.empty() || (!facts.updates.empty() && !facts.loops.empty());
}

Tasks runs_of(Tasks tasks, std::int64_t points) {
    if (tasks.points <= 0) return tasks;
    tasks.rows_per_task = std::clamp(points / tasks.inner, std::int64_t{1}, tasks.row_count);
    tasks.inner_per_task = std::min(tasks.inner, (points + tuning::run_unit - 1) / tuning::run_unit * tuning::run_unit);
    return tasks;
}

Tasks runs_of(const Tasks& tasks, const UpdateWay& way) {
    if (const auto* copies = std::get_if<Copies>(&way))
        return runs_of(tasks, (tasks.points + copies->count - 1) / copies->count);
    return std::holds_alternative<Partitions>(way) ? runs_of(tasks, tuning::points_per_run) : tasks;
}

}  // namespace sinter::schedule
