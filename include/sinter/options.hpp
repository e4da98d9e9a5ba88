// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How run, compile and explain proceed: run(e, {.target = Target::host(4), .fusion = Fusion::none}).
#pragma once

#include <sinter/detail/callback.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sinter {

/// Where kernels run.
struct Target {
    enum class Kind : std::uint8_t { by_default, host, gpu, interpreter };
    static constexpr std::size_t most_devices = 16;
    Kind kind = Kind::by_default;
    int number = 0;       ///< host: number of threads, 0 for all; gpu: number of the first device
    int other_count = 0;  ///< gpu: how many devices there are besides the first
    std::array<std::int16_t, most_devices - 1> others = {};

    /// The processor, with at most this many threads. 0: SINTER_THREADS where set, else all that this process may use.
    static constexpr Target host(int threads = 0) { return {Kind::host, threads}; }
    /// A card, or several that share each run: the bits are those of one.
    template <std::convertible_to<int>... Devices>
        requires(sizeof...(Devices) < most_devices)
    static constexpr Target gpu(int device = 0, Devices... others) {
        return {Kind::gpu, device, sizeof...(others), {static_cast<std::int16_t>(others)...}};
    }
    /// Slow and simple: the other targets are tested against it.
    static constexpr Target interpreter() { return {Kind::interpreter}; }

    constexpr bool operator==(const Target&) const = default;
};

/// How operations are fused into kernels. by_default: SINTER_FUSION where set, else optimal.
enum class Fusion : std::uint8_t { by_default, none, greedy_down, greedy_up, t2, optimal };

/// Says if the indices of gathers and reads are checked.
enum class Bounds : std::uint8_t { checked, unchecked };

/// Asks a run to end early: a std::stop_token, or any other object whose stop_requested() several threads may call.
class Stop {
  public:
    constexpr Stop() = default;
    template <class Token>
        requires requires(const Token& token) { static_cast<bool>(token.stop_requested()); }
    Stop(Token token) : requested_([token = std::move(token)] { return static_cast<bool>(token.stop_requested()); }) {}

    /// True if something may ask.
    explicit operator bool() const { return static_cast<bool>(requested_); }
    bool requested() const { return requested_ && requested_(); }

  private:
    detail::Callback<bool()> requested_;
};

/// The latest time at which a run is to end: a time of std::chrono::steady_clock.
class Deadline {
  public:
    constexpr Deadline() = default;
    template <class Time>
        requires(Time::clock::is_steady)
    constexpr Deadline(Time time) {
        using Period = typename Time::period;
        const auto count = time.time_since_epoch().count();
        const double seconds = static_cast<double>(count) * Period::num / Period::den, nanoseconds = 1e9 * seconds;
        if (nanoseconds >= static_cast<double>(never)) return;
        constexpr bool is_nano = Period::num == 1 && Period::den == 1'000'000'000;
        nanoseconds_ = static_cast<std::int64_t>(is_nano ? count : nanoseconds);
    }

    /// True if there is a deadline.
    constexpr explicit operator bool() const { return nanoseconds_ != never; }
    /// Nanoseconds since the clock's epoch.
    constexpr std::int64_t nanoseconds() const { return nanoseconds_; }

  private:
    static constexpr std::int64_t never = INT64_MAX;
    std::int64_t nanoseconds_ = never;
};

/// How far a run has got.
struct Progress {
    std::int64_t steps_done = 0, steps = 0;  ///< steps of the program: kernels, sorts, loops, ...
    std::int64_t iterations_done = 0;        ///< of the loop that is running now, the outermost one if loops are nested
    std::int64_t iterations = 0;             ///< how many it will have; 0 if no loop is running or a condition ends it

    /// From 0 to 1, as if all steps took the same time.
    constexpr double fraction() const {
        const double inside = iterations > 0 ? static_cast<double>(iterations_done) / static_cast<double>(iterations) : 0.0;
        return steps > 0 ? (static_cast<double>(steps_done) + inside) / static_cast<double>(steps) : 1.0;
    }
};

struct Options {
    Target target = {};  ///< by default SINTER_TARGET where set, else the host
    Fusion fusion = Fusion::by_default;
    Bounds bounds = Bounds::checked;
    /// Lets a product that is added or subtracted (f32, f64) keep its exact value until then: a * b + c in one instruction,
    /// with one rounding. This is more accurate, and up to twice as fast where arithmetic is the limit; but bits then depend
    /// on what is fused and on the target. They do not depend on the number of threads. On a card, sums of products of
    /// halves that are widened to floats may go to tensor cores (docs/reference/numbers.md).
    bool contract = false;
    /// Under contract: on a card, sums of products of floats, as matrix products are, may go to tensor cores, which round
    /// both factors to 11 bits (TF32): each product then has an error of up to 2^-10 of it (docs/reference/numbers.md).
    /// Other targets, and products of other types, do not change.
    bool tf32 = false;
    /// Receives each line that debug_print prints, without its end; by default lines go to stderr.
    detail::Callback<void(std::string_view)> debug = {};
    /// Ends the run, which then throws Stopped: between kernels, between iterations of loops, and between the parts into
    /// which the host divides a kernel.
    Stop stop = {};
    Deadline deadline = {};
    /// Called on the thread that runs, after every step of the program and every iteration of its outermost loops. An
    /// exception that it throws ends the run.
    detail::Callback<void(const Progress&)> progress = {};
    /// The number of bytes of states that the reverse sweep of a loop over arrays keeps: as many of the last states as fit.
    /// The states before these are recomputed in segments, for each of which one state is kept. 0: SINTER_TAPE where set,
    /// else 4 MiB. With 1, all states belong to segments, unless they have no more than a byte.
    std::int64_t tape = 0;
};

}  // namespace sinter
