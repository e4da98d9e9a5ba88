// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/interleaved.hpp"

#include "schedule/affine.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace sinter::schedule {

namespace {

/// Elements from one index of the reduced axis to the next, if those of the batch lie between them; otherwise 0.
std::int64_t distance(const AffineNumbers::Access& load, std::size_t rank, std::size_t row_axis) {
    const std::vector<std::int64_t>& factors = load.offset->factors;
    constexpr std::int64_t huge = 1LL << 40;
    if (factors.size() <= rank || factors[rank] <= -huge || factors[rank] >= huge) return 0;
    const std::int64_t step = std::abs(factors[rank]);
    for (std::size_t axis = 0; axis + 1 < rank; ++axis)
        if (axis != row_axis && load.extents[axis] > 1 && factors[axis] != 0 && factors[axis] > -step &&
            factors[axis] < step)
            return step;
    return 0;
}

}  // namespace

Interleaved interleaved(const lower::Kernel& kernel, const lower::Inst& loop, std::size_t row_axis,
                        const std::int64_t* sizes) {
    const std::size_t rank = kernel.space.size();
    if (rank < 3) return {};
    std::map<std::uint64_t, std::int64_t> by_buffer;
    const AffineNumbers numbers(kernel, sizes, {});
    for (const AffineNumbers::Access& access : numbers.accesses()) {
        if (access.loop != &loop || access.inst->op != ir::Op::load || !access.offset) continue;
        std::int64_t& bytes = by_buffer[access.inst->bits];
        bytes = std::max(bytes, distance(access, rank, row_axis) * detail::size_of(access.inst->type()));
    }
    Interleaved result;
    for (const auto& [buffer, bytes] : by_buffer) {
        if (bytes > 0) ++result.arrays;
        result.bytes += bytes;
    }
    return result;
}

}  // namespace sinter::schedule
