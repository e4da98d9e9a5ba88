// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/explain/launch_log.hpp"

#include "support/log.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace sinter::runtime {

namespace {

bool is_logged() { return log_setting().launches; }

double bytes_of(const lower::Kernel& kernel, std::span<const std::int64_t> sizes) {
    double bytes = 0;
    for (const lower::Buffer& buffer : kernel.buffers)
        if (!buffer.local) bytes += static_cast<double>(sizes[buffer.elements.index]) * detail::size_of(buffer.scalar);
    return bytes;
}

}  // namespace

bool watched() { return Recorder::shared().active() || is_logged(); }

void report_steps(const std::string& name, Clock::time_point begin, std::size_t steps, double bytes, Backend& backend,
                  const std::string& why) {
    if (!watched()) return;
    const Clock::duration spent = Clock::now() - begin;
    const double seconds = std::chrono::duration<double>(spent).count();
    const std::string title = fmt::format("{} steps of {}", steps, name);
    Recorder::shared().record({EventKind::kernel, title, nullptr, begin, spent, bytes, backend.copy_bandwidth()});
    if (!is_logged()) return;
    fmt::print(stderr, "launch {}: {:.1f} us, {:.2f} MB, {:.1f} GB/s, {}\n", title, seconds * 1e6, bytes / 1e6,
               bytes / seconds / 1e9, why);
}

LaunchTimer::LaunchTimer(Backend& backend) : backend_(backend) {
    if (!watched()) return;
    backend.copy_bandwidth();  // so that it is not measured between two launches
    begin_ = Clock::now();
    stopwatch_ = backend.stopwatch();
}

Clock::duration LaunchTimer::time() {
    if (stopwatch_) return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(stopwatch_->seconds()));
    backend_.finish();
    return Clock::now() - begin_;
}

void LaunchTimer::report(const lower::Kernel& kernel, std::span<const std::int64_t> sizes, const CompiledKernel& code,
                         int threads) {
    report(kernel, bytes_of(kernel, sizes), is_logged() ? code.schedule(sizes.data(), threads) : "");
}

void LaunchTimer::report(const lower::Kernel& kernel, double bytes, const std::string& way) {
    const Clock::duration spent = time();
    const double seconds = std::chrono::duration<double>(spent).count();
    Recorder::shared().record({EventKind::kernel, kernel.name, &kernel, begin_, spent, bytes, backend_.copy_bandwidth()});
    if (!is_logged()) return;
    fmt::print(stderr, "launch {}: {:.1f} us, {:.2f} MB, {:.1f} GB/s{}{}\n", kernel.name, seconds * 1e6, bytes / 1e6,
               bytes / seconds / 1e9, way.empty() ? "" : ", ", way);
}

}  // namespace sinter::runtime
