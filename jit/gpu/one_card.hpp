// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What several cards that share launches (cards/) need of each.
#pragma once

#include "jit/gpu/device/memory.hpp"
#include "run/backend.hpp"
#include "schedule/card/launch.hpp"
#include "schedule/steps/reach.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace sinter::gpu {

/// How launches with some sizes are cut (schedule/card/launch.hpp).
struct Cutting {
    schedule::card::Cut cut = schedule::card::Cut::nowhere;
    std::string why;                           ///< for people, if nowhere
    std::int64_t extent = 1;                   ///< of the outermost axis, or the number of chunks
    std::int64_t unit = 1;                     ///< parts of points begin at multiples of it
    std::int64_t points = 1;                   ///< of the launch
    std::int64_t chunk_length = 1, inner = 1;  ///< elements of a chunk, and of an index of the loop's outermost axis
    double work = 0;                   ///< of the whole launch, in bytes that a card could have moved in the same time
    schedule::PartFacts facts;         ///< along the axis that is cut: of points, or of the loop
    std::vector<std::size_t> results;  ///< of chunks: the bytes of each value of a partial result
};

class OneCardKernel : public runtime::CompiledKernel {
  public:
    virtual Cutting cutting(const std::int64_t* sizes) const = 0;
    /// Starts a part: points of the outermost axis, or chunks. `launch` has the whole launch's sizes, and pointers to where
    /// element 0 of each array would be. `states`: of chunks, memory for the results of all.
    virtual void launch_part(const runtime::Launch& launch, const schedule::Interval& part,
                             const std::vector<bool>& is_on_device, std::span<void* const> states) const = 0;
    /// Combines the results of all chunks.
    virtual void finish_chunks(const runtime::Launch& launch, const std::vector<bool>& is_on_device,
                               std::span<void* const> states) const = 0;
};

/// Its compile() gives a OneCardKernel.
class OneCard : public runtime::Backend {
  public:
    virtual Device& device() = 0;
    virtual Memory& memory() = 0;
};

/// The size table of a kernel where nothing is known of extents.
std::vector<std::int64_t> typical_sizes(const lower::Kernel& kernel);

/// Guards the copies of the host's arrays on all devices: an array has one, on the device that read it last.
std::mutex& copies_of_arrays();

}  // namespace sinter::gpu
