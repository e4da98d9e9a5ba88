// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Lanes of a warp. A register has a value for each, side by side: what an instruction does, it does for many lanes at once.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace driver {

inline constexpr std::uint32_t warp_threads = 32;

#ifdef __clang__
#define DRIVER_INDEPENDENT_STEPS _Pragma("clang loop vectorize(assume_safety)")
#else
#define DRIVER_INDEPENDENT_STEPS _Pragma("GCC ivdep")
#endif

/// A set of lanes: bit k is lane k.
using Lanes = std::uint32_t;
inline constexpr Lanes all_lanes = 0xffffffff;

/// The values of a register.
inline std::uint64_t* column(std::uint64_t* registers, std::uint32_t number) {
    return registers + std::size_t{number} * warp_threads;
}
inline const std::uint64_t* column(const std::uint64_t* registers, std::uint32_t number) {
    return registers + std::size_t{number} * warp_threads;
}

/// One after another, beginning with the lowest.
template <class F>
void each_lane(Lanes lanes, F f) {
    for (; lanes != 0; lanes &= lanes - 1) f(static_cast<std::uint32_t>(std::countr_zero(lanes)));
}

/// In any order: what f does for one lane does not depend on another.
template <class F>
void at_once(Lanes lanes, F f) {
    if (lanes != all_lanes) return each_lane(lanes, f);
    DRIVER_INDEPENDENT_STEPS
    for (std::uint32_t lane = 0; lane < warp_threads; ++lane) f(lane);
}

/// Those of the lanes whose value is not 0.
inline Lanes where(const std::uint64_t* values, Lanes lanes) {
    if ((lanes & (lanes - 1)) == 0) return lanes != 0 && values[std::countr_zero(lanes)] != 0 ? lanes : 0;
    Lanes found = 0;
    for (std::uint32_t lane = 0; lane < warp_threads; ++lane) found |= Lanes{values[lane] != 0} << lane;
    return found & lanes;
}

}  // namespace driver
