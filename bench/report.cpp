// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace bench {
namespace {

/// The fastest of the results that `belongs` accepts; null if there is none.
template <class Belongs>
const Result* best(const Row& row, Belongs belongs) {
    const Result* found = nullptr;
    for (const Result& r : row.results)
        if (belongs(r.name) && (found == nullptr || r.timing.median < found->timing.median)) found = &r;
    return found;
}

bool is_sinter(std::string_view name) { return name.starts_with("sinter"); }
bool is_hand(std::string_view name) { return name.starts_with("gcc") || name.starts_with("clang"); }

bool is_limit(std::string_view name) { return name.starts_with("copy") || name.starts_with("read"); }
bool is_peer(std::string_view name) { return !is_sinter(name) && !is_hand(name) && !is_limit(name); }

/// Bytes per second that the machine moves at this size: for copies if the case writes, for reads if it does not.
double limit(const Row& row) {
    const bool writes = row.bytes_written > 0.05 * row.bytes;
    const Result* r = best(row, [&](std::string_view name) { return name.starts_with(writes ? "copy" : "read"); });
    const double bytes = double(row.n) * (row.type == "f32" ? 4 : 8) * (writes ? 2 : 1);
    return r == nullptr ? NAN : bytes / r->timing.median;
}

std::string time_text(double seconds) {
    return seconds < 1e-3 ? fmt::format("{:.2f} us", seconds * 1e6) : fmt::format("{:.3f} ms", seconds * 1e3);
}

std::string cpu_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    return "unknown";
}

}  // namespace

void print_header() {
    fmt::print("{:<18}{:<5}{:>5}{:>12}{:>9}{:>10}{:>12}{:>9}  {:<20}{:>11}{:>12}  {:<10}{:>11}\n", "case", "type", "size",
               "sinter", "GB/s", "of limit", "hand", "GB/s", "best hand", "sinter/hand", "peer", "fastest", "sinter/peer");
}

void print_row(const Row& row) {
    const Result *sinter = best(row, is_sinter), *hand = best(row, is_hand), *peer = best(row, is_peer);
    const double bandwidth = limit(row);
    fmt::print("{:<18}{:<5}{:>5}", row.name, row.type, fmt::format("2^{}", std::lround(std::log2(double(row.n)))));
    if (sinter != nullptr) {
        const double rate = row.bytes / sinter->timing.median;
        fmt::print("{:>12}{:>9.1f}{:>9.0f}%", time_text(sinter->timing.median), rate / 1e9, 100 * rate / bandwidth);
    } else {
        fmt::print("{:>31}", "");
    }
    if (hand != nullptr)
        fmt::print("{:>12}{:>9.1f}  {:<20}", time_text(hand->timing.median), row.bytes / hand->timing.median / 1e9,
                   hand->name);
    if (hand != nullptr && sinter != nullptr) fmt::print("{:>11.2f}", sinter->timing.median / hand->timing.median);
    if (peer != nullptr && sinter != nullptr)
        fmt::print("{:>12}  {:<10}{:>11.2f}", time_text(peer->timing.median), peer->name,
                   sinter->timing.median / peer->timing.median);
    fmt::print("\n");
    std::fflush(stdout);
}

void write_json(const std::string& path, const std::vector<Row>& rows) {
    std::string text = fmt::format("{{\"machine\": {{\"processor\": \"{}\", \"threads\": {}}},\n\"rows\": [", cpu_name(),
                                   std::thread::hardware_concurrency());
    const char* separator = "\n";
    for (const Row& row : rows) {
        text += fmt::format(
            "{}{{\"name\": \"{}\", \"type\": \"{}\", \"n\": {}, \"bytes\": {}, \"limit\": {:.4g}, \"results\": [", separator,
            row.name, row.type, row.n, row.bytes, limit(row));
        separator = ",\n";
        const char* inner = "";
        for (const Result& r : row.results) {
            text += fmt::format("{}{{\"name\": \"{}\", \"median\": {:.6g}, \"fastest\": {:.6g}}}", inner, r.name,
                                r.timing.median, r.timing.fastest);
            inner = ", ";
        }
        text += "]}";
    }
    std::ofstream file(path);
    file << text << "\n]}\n";
    if (!file) throw std::runtime_error("cannot write " + path);
}

}  // namespace bench
