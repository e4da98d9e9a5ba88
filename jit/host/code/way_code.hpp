// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The code of a way of a kernel: generated quickly at first, and replaced by better code once launches have taken long
/// enough to pay for that.
#pragma once

#include "jit/generator/generator.hpp"
#include "jit/host/code/improver.hpp"
#include "jit/host/code/loaded_object.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace sinter::host {

using codegen::Effort;
using codegen::HostObject;

/// Thread-safe. All code of a way has the same functions, which work together: a launch may begin with those of quick code
/// and end with better ones.
class WayCode final : public Improvable {
  public:
    /// Code with at least this effort; called again, on another thread, for better code.
    using Make = std::function<HostObject(Effort)>;

    /// `kernel` is its name. Where no effort is given, `work` decides, that of the first launch in the prices of schedules,
    /// and quick code is not the last.
    WayCode(Make make, std::string kernel, std::optional<Effort> effort, double work);
    WayCode(const WayCode&) = delete;
    WayCode& operator=(const WayCode&) = delete;
    ~WayCode();

    emit::Entry kernel() const { return kernel_.load(std::memory_order_acquire); }
    emit::Entry finish() const { return finish_.load(std::memory_order_acquire); }
    emit::Entry chain() const { return chain_.load(std::memory_order_acquire); }

    /// Lives while work is done. It counts as long as it takes, since the prices of schedules do not know how often loops
    /// are executed whose bounds are computed on the way, but as no less than its price.
    class Working {
      public:
        Working(const WayCode& code, double work)
            : code_(code.may_improve_.load(std::memory_order_relaxed) ? &code : nullptr), work_(work) {
            if (code_) start_ = Clock::now();
        }
        ~Working() {
            if (code_) code_->count(work_, std::chrono::duration<double, std::nano>(Clock::now() - start_).count());
        }
        Working(const Working&) = delete;
        Working& operator=(const Working&) = delete;

      private:
        using Clock = std::chrono::steady_clock;
        const WayCode* const code_;  ///< null if the code cannot become better
        const double work_;
        Clock::time_point start_;
    };

  private:
    void count(double work, double ns) const;
    void improve() const override;
    void use(const LoadedObject& object) const;

    mutable std::atomic<emit::Entry> kernel_{nullptr}, finish_{nullptr}, chain_{nullptr};
    mutable std::atomic<bool> may_improve_{false};  ///< it is quick code, and there are no plans for better code yet
    mutable std::atomic<double> done_{0};           ///< in ns
    const Make make_;
    const std::string name_;
    std::optional<LoadedObject> first_;
    mutable std::optional<LoadedObject> better_;
};

}  // namespace sinter::host
