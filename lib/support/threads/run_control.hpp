// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the caller of a run asks of it while it goes on: to end early, and to say how far it is.
#pragma once

#include <sinter/error.hpp>
#include <sinter/options.hpp>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

namespace sinter {

/// Of one run. Refers to its options. Progress is reported by the thread that runs; the rest is thread-safe.
class RunControl {
  public:
    /// Null where the options ask for nothing.
    static RunControl* of(const Options& options, std::optional<RunControl>& room);
    explicit RunControl(const Options& options) : options_(options) {}

    /// Whether the run is to end. What was true once stays true. Costs the look at a flag, with a deadline that at a clock.
    bool stops() const;
    /// Whether stops() was true for somebody, who may have left out work.
    bool stopped() const { return reason_.load(std::memory_order_acquire) != Reason::none; }
    /// The error of a run that stops: in this operation of the user's program, or before it. `extent`: how much of it was
    /// done, as ", after 3 iterations".
    [[noreturn]] void end(const std::string& operation, const std::string& extent, location where) const;

    /// The program is about to be executed, and has so many steps.
    void begin(std::int64_t steps);
    void step_done();

    /// While a loop is executed.
    class Loop {
      public:
        /// `control` may be null. `count`: its iterations; 0 if they are not known.
        Loop(RunControl* control, std::int64_t count);
        ~Loop();
        Loop(const Loop&) = delete;
        Loop& operator=(const Loop&) = delete;

        bool stops() const { return control_ && control_->stops(); }
        void done(std::int64_t iterations) {
            if (control_ && control_->loops_ == 1) control_->report(iterations, count_);
        }
        [[noreturn]] void end(const std::string& operation, std::int64_t iterations, location where) const;

      private:
        RunControl* control_;
        std::int64_t count_;
    };

  private:
    enum class Reason : std::uint8_t { none, request, deadline };

    Reason reason() const;
    void report(std::int64_t iterations, std::int64_t count) const;

    const Options& options_;
    mutable std::atomic<Reason> reason_{Reason::none};
    std::int64_t done_ = 0, steps_ = 0;
    int loops_ = 0;  ///< that are executed now, one in another
};

}  // namespace sinter
