// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sinter/detail/tool.hpp>
#include <sinter/version.hpp>

#include "run/calibration.hpp"
#include "run/engine.hpp"
#include "run/gpu_driver.hpp"
#include "run/threads/thread_costs.hpp"
#include "run/threads/threads.hpp"
#include "support/cache/build_id.hpp"
#include "support/cache/disk_cache.hpp"

#include <fmt/format.h>

#include <unistd.h>

namespace sinter::detail {

namespace {

using sinter::runtime::Engine;

std::string kind_of(const DiskCache::Entry& entry) {
    return entry.key ? entry.key->substr(0, entry.key->find(' ')) : "damaged";
}

std::string describe_cache() {
    const CacheState state = cache_state();
    if (state.folder.empty()) return "off";
    if (access(state.folder.c_str(), F_OK) == 0 && !DiskCache::shared().open())
        return state.folder + ": not used, since others may write it (chmod go-w)";
    std::uint64_t bytes = 0;
    for (const CacheEntry& entry : state.entries) bytes += entry.bytes;
    return fmt::format("{}: {} entries, {:.1f} of {:.0f} MiB", state.folder, state.entries.size(),
                       static_cast<double>(bytes) / (1 << 20), static_cast<double>(state.limit) / (1 << 20));
}

}  // namespace

CacheState cache_state() {
    const DiskCache& cache = DiskCache::shared();
    CacheState state{cache.settings().folder, cache.settings().limit, {}};
    for (const DiskCache::Entry& entry : cache.entries())
        state.entries.push_back({entry.path, kind_of(entry), entry.bytes, entry.used});
    return state;
}

void clear_cache() { DiskCache::shared().clear(); }

std::vector<std::pair<std::string, std::string>> diagnose() {
    std::vector<std::pair<std::string, std::string>> facts{{"sinter", SINTER_VERSION_STRING}, {"build", build_id()}};
    for (auto& fact : Engine::shared().backend(sinter::runtime::TargetKind::host).description()) facts.push_back(fact);
    facts.emplace_back("threads", std::to_string(sinter::runtime::default_threads()));
    facts.emplace_back("cache", describe_cache());
    facts.emplace_back("calibrated", load_calibration().empty() ? "no: see sinter calibrate" : "yes");
    facts.emplace_back("GPU driver", sinter::runtime::describe_gpu_driver());
    return facts;
}

std::map<std::string, double> load_calibration() { return sinter::runtime::load_calibration(); }
bool store_calibration(const std::map<std::string, double>& numbers) { return sinter::runtime::store_calibration(numbers); }
std::map<std::string, double> measure_threads() { return sinter::runtime::measure_threads(); }

}  // namespace sinter::detail
