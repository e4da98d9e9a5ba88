// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/updates.hpp"

#include <algorithm>

namespace sinter::host {

namespace {

// Copies: a copy costs about as much as an update an element, to fill and to merge it. Partitioning costs about 6 ns an
// update, whatever the array's size; updates in order 1.5 ns up to 4 MiB, 10 ns at 16 MiB and more beyond (Zen 3, f32 sums).
constexpr std::int64_t largest_copy = 4 << 20, memory_for_copies = 64 << 20, most_copies = 64;
constexpr std::int64_t points_per_copy = 1 << 15, points_per_element = 8;
constexpr std::int64_t large_array = 8 << 20, large_for_many = 1 << 20;
constexpr int many_threads = 6;
constexpr std::int64_t points_per_run = 1 << 18, fewest_points = 1 << 17;

/// How many; fewer than two: none. Depends on extents alone. `bytes`: of all `arrays`.
std::int64_t count_copies(std::int64_t points, std::int64_t elements, std::int64_t bytes, std::int64_t arrays) {
    if (bytes > largest_copy * arrays || bytes == 0) return 0;
    const std::int64_t least = std::max(points_per_copy, points_per_element * elements);
    return std::min({most_copies, points / least, memory_for_copies / bytes});
}

bool is_exact(const std::vector<ir::Scalar>& types) {
    return std::none_of(types.begin(), types.end(), [](ir::Scalar type) { return detail::is_float(type); });
}

}  // namespace

Updates::Updates(UpdateKernels kernels, const Target& target) : kernels_(std::move(kernels)), target_(target) {}

Tiling runs_of(Tiling t, std::int64_t points) {
    t.rows_per_task = std::clamp(points / t.inner, std::int64_t{1}, t.row_count);
    t.inner_per_task = std::min(t.inner, (points + 63) / 64 * 64);
    return t;
}

bool Updates::launch(const LoadedObject& in_order, const Tiling& tiling, const runtime::Launch& launch) const {
    const std::int64_t elements = launch.sizes[kernels_.elements.index], points = tiling.points;
    std::int64_t bytes = 0;
    for (ir::Scalar type : kernels_.types) bytes += elements * detail::size_of(type);
    UpdateLaunch update{kernels_, launch, tiling, elements};
    const std::int64_t copies =
        kernels_.neutral ? count_copies(points, elements, bytes, static_cast<std::int64_t>(kernels_.types.size())) : 0;
    const bool alone = launch.threads == 1;
    if (copies > 1 && !(alone && is_exact(kernels_.types))) {
        update.tiling = runs_of(tiling, (points + copies - 1) / copies);
        update_copies(update, in_order.kernel(), entry(merged_, kernels_.merged));
        return true;
    }
    const bool large = bytes > (launch.threads < many_threads ? large_array : large_for_many);
    if (copies > 1 || !large || points < fewest_points || elements >= std::int64_t{1} << 31) return false;
    update.tiling = runs_of(tiling, points_per_run);
    update_partitioned(update, entry(noted_, kernels_.noted), entry(applied_, kernels_.applied));
    return true;
}

}  // namespace sinter::host
