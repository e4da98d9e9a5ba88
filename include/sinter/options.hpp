// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How run, compile and explain proceed: run(e, {.target = Target::host(4), .fusion = Fusion::none}).
#pragma once

#include <sinter/detail/callback.hpp>

#include <cstdint>
#include <string_view>

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

/// What asks a run to end early: a std::stop_token, or any other object whose stop_requested() several threads may call.
class Stop {
  public:
    constexpr Stop() = default;
    template <class Token>
        requires requires(const Token& token) { static_cast<bool>(token.stop_requested()); }
    Stop(Token token) : requested_([token = std::move(token)] { return static_cast<bool>(token.stop_requested()); }) {}

    /// Whether anything may ask.
    explicit operator bool() const { return static_cast<bool>(requested_); }
    bool requested() const { return requested_ && requested_(); }

  private:
    detail::Callback<bool()> requested_;
};

/// When a run is to end at the latest: a time of std::chrono::steady_clock.
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

    /// Whether there is one.
    constexpr explicit operator bool() const { return nanoseconds_ != never; }
    /// Since the clock's epoch.
    constexpr std::int64_t nanoseconds() const { return nanoseconds_; }

  private:
    static constexpr std::int64_t never = INT64_MAX;
    std::int64_t nanoseconds_ = never;
};

/// How far a run is.
struct Progress {
    std::int64_t steps_done = 0, steps = 0;  ///< of the program: kernels, sorts, loops, ..
    std::int64_t iterations_done = 0;        ///< of the loop that is running now, the outermost of nested ones
    std::int64_t iterations = 0;             ///< that it will have; 0: no loop is running, or a condition ends it

    /// From 0 to 1, as if all steps took as long.
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
    /// with one rounding. More accurate and up to twice as fast where arithmetic is the limit, but bits then depend on what
    /// is fused and on the target; not on the number of threads.
    bool contract = false;
    /// Gets each line that debug_print prints, without its end; by default it goes to stderr.
    detail::Callback<void(std::string_view)> debug = {};
    /// Ends the run, which then throws Stopped: between kernels, between iterations of loops, and between the parts that the
    /// host cuts a kernel into.
    Stop stop = {};
    Deadline deadline = {};
    /// Called on the thread that runs, after every step of the program and every iteration of its outermost loops. What it
    /// throws ends the run.
    detail::Callback<void(const Progress&)> progress = {};
    /// Bytes of states that the reverse sweep of a loop over arrays keeps, as many of the last as fit; those before, in
    /// segments, of which it keeps one state each. 0: SINTER_TAPE where set, else none but the segments.
    std::int64_t tape = 0;
};

}  // namespace sinter
