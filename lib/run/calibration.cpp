// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/calibration.hpp"

#include "fuse/partition.hpp"
#include "fuse/tuning.hpp"
#include "run/engine.hpp"
#include "run/threads/threads.hpp"
#include "support/buffer.hpp"
#include "support/cache/disk_cache.hpp"
#include "support/cache/hash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <sstream>

namespace sinter::runtime {

namespace {

std::string file_name() {
    const std::string machine =
        fmt::format("{} threads {}", Engine::shared().backend(TargetKind::host).identity(), default_threads());
    return digest(machine).hex() + ".calibration";
}

/// The best of a few copies, in memory that is not counted against SINTER_MEMORY_LIMIT, which is for arrays.
double measure_copy() {
    constexpr std::size_t bytes = std::size_t{48} << 20;
    const auto from = std::make_unique<char[]>(bytes), to = std::make_unique<char[]>(bytes);
    double best = 0;
    for (int k = 0; k < 4; ++k) {
        const auto start = std::chrono::steady_clock::now();
        copy_bytes(to.get(), from.get(), bytes, default_threads());
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        best = std::max(best, 2 * bytes / time.count());
    }
    return best;
}

}  // namespace

Calibration load_calibration() {
    Calibration result;
    const auto folder = DiskCache::shared().open();
    const std::optional<OwnFile> file = folder ? folder->read(file_name()) : std::nullopt;
    if (!file) return result;
    std::istringstream lines(file->content);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t colon = line.rfind(": ");
        if (colon != std::string::npos) result[line.substr(0, colon)] = std::strtod(line.c_str() + colon + 2, nullptr);
    }
    return result;
}

const Calibration& calibration() {
    static const auto& loaded = *new Calibration(load_calibration());  // never destroyed
    return loaded;
}

bool store_calibration(const Calibration& calibration) {
    std::string text;
    for (const auto& [name, value] : calibration) text += fmt::format("{}: {:.6g}\n", name, value);
    const std::string& path = DiskCache::shared().settings().folder;
    const auto folder = path.empty() ? std::nullopt : OwnFolder::make(path);
    return folder && folder->replace(file_name(), ".part", text);
}

double copy_bandwidth() {
    static const double measured = [] {
        const auto found = calibration().find(memory_copy);
        return found != calibration().end() && found->second > 0 ? found->second * 1e9 : measure_copy();
    }();
    return measured;
}

double launch_bytes() {
    static const double bytes = [] {
        const auto launch = calibration().find(kernel_launch), copy = calibration().find(memory_copy);
        if (launch == calibration().end() || copy == calibration().end()) return fuse::tuning::launch_bytes;
        return std::max(launch->second, 0.0) * 1e-6 * copy->second * 1e9;
    }();
    return bytes;
}

}  // namespace sinter::runtime
