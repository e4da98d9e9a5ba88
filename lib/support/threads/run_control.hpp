// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the caller demands of a run while it is in progress: to end early, and to report its progress.
#pragma once

#include <sinter/error.hpp>
#include <sinter/options.hpp>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

namespace sinter {

/// The control of one run; refers to its options. Progress is reported by the thread that runs; everything else is
/// thread-safe.
class RunControl {
  public:
    /// Null if the options demand nothing.
    static RunControl* of(const Options& options, std::optional<RunControl>& room);
    explicit RunControl(const Options& options) : options_(options) {}

    /// True if the run is to end; it stays true. Costs a check of a flag, and, if there is a deadline, of a clock.
    bool stops() const;
    /// True if stops() has been true for somebody, who may have left out work.
    bool stopped() const { return reason_.load(std::memory_order_acquire) != Reason::none; }
    /// Throws the error of a run that stops in this operation of the user's program, or before it. `extent` says how much of
    /// the operation was done, e.g. ", after 3 iterations".
    [[noreturn]] void end(const std::string& operation, const std::string& extent, location where) const;

    /// The program is about to be executed, and has this many steps.
    void begin(std::int64_t steps);
    void step_done();

    /// Exists while a loop is executed.
    class Loop {
      public:
        /// `control` may be null. `count` is the number of iterations; 0 if it is not known.
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
    int loops_ = 0;  ///< number of loops that are being executed, nested in one another
};

}  // namespace sinter
