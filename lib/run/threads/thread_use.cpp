// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Measured on two cores of Sapphire Rapids, with second caches of their own:
///
///   - 500 steps of a dot product of x and y and of x / 2 + y / c, f64, in us a step, on one thread, where threads share
///   what
///     is worthwhile by its own time (2 us), and only what takes 8 us: 4000 elements 1.9, 5.4, 2.1; 8000 3.5, 9.6, 3.7;
///     16,000 6.9, 5.9, 20.0 (one of the two kernels); 32,000 13.3, 9.8, 36.8; 64,000 26.3, 19.8, 19.4.
///   - LU of 400 x 400 by rows, f64: 2.58, 2.70, 2.45 ms. Cholesky's columns: 1.55, 1.71, 1.55.
#include "run/threads/thread_use.hpp"

#include "run/tuning.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace sinter::runtime {

ThreadUse ThreadUseHistory::choose(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    return known_[std::bit_width(bytes)].choice;
}

void ThreadUseHistory::report(std::size_t bytes, const Period& period) {
    if (!(period.work > 0)) return;
    const std::lock_guard lock(mutex_);
    Known& known = known_[std::bit_width(bytes)];
    const auto way = static_cast<std::size_t>(period.way);
    const double time = static_cast<double>(period.time.count()) / period.work;
    double& best = known.best[way];
    best = known.periods[way]++ == 0 ? time : std::min(best, time);
    const bool first = period.way == ThreadUse::worthwhile;
    if (first) known.settled = !period.shared || period.time > period.launches * tuning::long_launch;
    decide(known);
}

/// A way that has not yet had its turns, or else the fastest. The first one is looked at again where there was nothing to
/// learn.
void ThreadUseHistory::decide(Known& known) {
    if (++known.since > tuning::periods_between_looks) known = {};
    known.choice = ThreadUse::worthwhile;
    if (known.settled) return;
    const auto waiting = std::find_if(known.periods.begin(), known.periods.end(),
                                      [](int periods) { return periods < tuning::periods_of_a_look; });
    const bool is_known = waiting == known.periods.end();
    const auto way = is_known ? std::min_element(known.best.begin(), known.best.end()) - known.best.begin()
                              : waiting - known.periods.begin();
    known.choice = static_cast<ThreadUse>(way);
}

ThreadUseRun::ThreadUseRun(ThreadUseHistory* history, std::size_t bytes) : history_(history), bytes_(bytes) {
    if (!history_) return;
    way_ = history_->choose(bytes_);
    begin_ = Clock::now();
}

void ThreadUseRun::iterated(bool last) {
    if (!history_ || (!last && launches_ - looked_ < tuning::launches_between_looks)) return;
    looked_ = launches_;
    const auto now = Clock::now();
    if (!last && now - begin_ < tuning::least_period) return;
    history_->report(bytes_, {way_, now - begin_, work_, launches_, shared_});
    way_ = history_->choose(bytes_);
    begin_ = now, work_ = 0, launches_ = 0, looked_ = 0, shared_ = false;
}

}  // namespace sinter::runtime
