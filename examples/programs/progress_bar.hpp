// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A bar for runs that take seconds: run(e, {.progress = ProgressBar()}).
#pragma once

#include <sinter/options.hpp>

#include <unistd.h>
#include <chrono>
#include <cstdio>

namespace programs {

/// Draws itself on stderr if that is a terminal, ten times per second from the first second on, and erases itself at the
/// end.
class ProgressBar {
  public:
    void operator()(const sinter::Progress& progress) {
        if (!is_terminal_) return;
        const auto now = Clock::now();
        const bool is_done = progress.steps_done == progress.steps;
        if (is_done && drawn_) std::fprintf(stderr, "\r\033[K");
        if (is_done || now < next_) return;
        next_ = now + std::chrono::milliseconds(100);
        drawn_ = true;
        draw(progress);
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr int width = 40;

    static void draw(const sinter::Progress& progress) {
        const double fraction = progress.fraction();
        char bar[width + 1] = {};
        for (int k = 0; k < width; ++k) bar[k] = k < fraction * width ? '#' : '.';
        std::fprintf(stderr, "\r[%s] %3.0f %%, step %lld of %lld", bar, 100 * fraction,
                     static_cast<long long>(progress.steps_done + 1), static_cast<long long>(progress.steps));
        if (progress.iterations_done > 0)
            std::fprintf(stderr, ", iteration %lld", static_cast<long long>(progress.iterations_done));
        std::fprintf(stderr, "\033[K");
    }

    bool is_terminal_ = isatty(STDERR_FILENO) == 1;
    bool drawn_ = false;
    Clock::time_point next_ = Clock::now() + std::chrono::seconds(1);
};

}  // namespace programs
