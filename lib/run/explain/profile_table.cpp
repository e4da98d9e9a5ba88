// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/explain/profile_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace sinter::runtime {

namespace {

using Row = std::pair<std::string, Totals>;

std::vector<Row> by_time(const std::map<Recording::Key, Totals>& all) {
    std::vector<Row> rows;
    for (const auto& [key, totals] : all) rows.push_back({key.first, totals});
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.second.time > b.second.time; });
    return rows;
}

double seconds(Clock::duration time) { return std::max(1e-9, std::chrono::duration<double>(time).count()); }

}  // namespace

std::string profile_table(const Recording& recording, double bandwidth) {
    std::string text;
    auto out = std::back_inserter(text);
    fmt::format_to(out, "{:<40}{:>9}{:>12}{:>10}{:>10}\n", "kernel", "calls", "ms", "GB/s", "% of copy");
    for (const auto& [name, totals] : by_time(recording.kernels)) {
        const double rate = totals.bytes / seconds(totals.time);
        fmt::format_to(out, "{:<40}{:>9}{:>12.3f}{:>10.2f}{:>10.1f}\n", name, totals.calls, seconds(totals.time) * 1e3,
                       rate / 1e9, rate / (totals.bandwidth > 0 ? totals.bandwidth : bandwidth) * 100);
    }
    if (!recording.stages.empty()) fmt::format_to(out, "\n{:<40}{:>9}{:>12}\n", "stage", "times", "ms");
    for (const auto& [name, totals] : by_time(recording.stages))
        fmt::format_to(out, "{:<40}{:>9}{:>12.3f}\n", name, totals.calls, seconds(totals.time) * 1e3);
    fmt::format_to(
        out, "\nmemory of arrays: at most {:.1f} MB, {:.1f} MB of them since the start\n",
        1e-6 * static_cast<double>(recording.bytes_most),
        1e-6 * static_cast<double>(recording.bytes_most - std::min(recording.bytes_most, recording.bytes_before)));
    return text;
}

}  // namespace sinter::runtime
