// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How run, compile and explain proceed: run(e, {.target = Target::host(4), .fusion = Fusion::none}).
#pragma once

#include <cstdint>

namespace sinter {

/// Where kernels run.
struct Target {
    enum class Kind : std::uint8_t { by_default, host, gpu, interpreter };
    Kind kind = Kind::by_default;
    int number = 0;  ///< host: threads, 0 for all; gpu: the device

    /// The processor, with at most this many threads (0: all this process may use; SINTER_THREADS where set).
    static constexpr Target host(int threads = 0) { return {Kind::host, threads}; }
    static constexpr Target gpu(int device = 0) { return {Kind::gpu, device}; }
    /// Slow and simple: what the others are tested against.
    static constexpr Target interpreter() { return {Kind::interpreter, 0}; }

    constexpr bool operator==(const Target&) const = default;
};

/// How operations are joined in kernels. by_default: SINTER_FUSION where set, else optimal.
enum class Fusion : std::uint8_t { by_default, none, greedy_down, greedy_up, t2, optimal };

/// Whether indices of gathers and reads are checked.
enum class Bounds : std::uint8_t { checked, unchecked };

struct Options {
    Target target = {};  ///< by default SINTER_TARGET where set, else the host
    Fusion fusion = Fusion::by_default;
    Bounds bounds = Bounds::checked;
    /// Lets a product that is added or subtracted (f32, f64) keep its exact value until then: a * b + c in one instruction,
    /// with one rounding. More accurate and up to twice as fast where arithmetic is the limit, but bits then depend on what
    /// is fused and on the target; not on the number of threads.
    bool contract = false;
    /// Bytes of states that the reverse sweep of a loop over arrays keeps, as many of the last as fit; those before, in
    /// segments, of which it keeps one state each. 0: SINTER_TAPE where set, else none but the segments.
    std::int64_t tape = 0;
};

}  // namespace sinter
