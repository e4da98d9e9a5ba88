// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/options.hpp"

#include "run/threads.hpp"
#include "support/byte_count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace sinter::runtime {

namespace {

constexpr std::pair<std::string_view, fuse::Strategy> strategies[] = {{"none", fuse::Strategy::none},
                                                                      {"greedy_down", fuse::Strategy::greedy_down},
                                                                      {"greedy_up", fuse::Strategy::greedy_up},
                                                                      {"t2", fuse::Strategy::t2},
                                                                      {"optimal", fuse::Strategy::optimal}};

std::string_view environment(const char* name) {
    const char* text = secure_getenv(name);
    return text ? text : "";
}

[[noreturn]] void throw_bad_setting(const char* name, std::string_view text, location where) {
    throw UsageError(fmt::format("{}={} means nothing: see the table of environment variables in the reference", name, text),
                     where);
}

Target default_target(location where) {
    std::string_view text = environment("SINTER_TARGET");
    if (text.empty() || text == "host") return Target::host();
    if (text == "interpreter") return Target::interpreter();
    if (text == "gpu" || text == "gpu_emulated") return Target::gpu();
    throw_bad_setting("SINTER_TARGET", text, where);
}

/// Opens the device, so that an error carries the place of the call.
void choose_gpu(RunOptions& result, int device, location where) {
    result.target = environment("SINTER_TARGET") == "gpu_emulated" ? TargetKind::gpu_emulated : TargetKind::gpu;
    result.device = device;
    try {
        Engine::shared().backend(result.target, device);
    } catch (const DeviceError& error) {
        throw DeviceError(error.what(), where);
    }
}

fuse::Strategy strategy_of(Fusion fusion, location where) {
    if (fusion != Fusion::by_default) return strategies[static_cast<int>(fusion) - 1].second;
    std::string_view text = environment("SINTER_FUSION");
    if (text.empty()) return fuse::Strategy::optimal;
    for (const auto& [name, strategy] : strategies) {
        if (text == name) return strategy;
    }
    throw_bad_setting("SINTER_FUSION", text, where);
}

/// Settings that the library reads where it cannot complain.
bool check_settings(location where) {
    for (const char* name : {"SINTER_CACHE_SIZE", "SINTER_CODE_LIMIT", "SINTER_MEMORY_LIMIT"})
        if (!environment(name).empty() && !byte_count_setting(name)) throw_bad_setting(name, environment(name), where);
    const std::string_view threads = environment("SINTER_THREADS"), log = environment("SINTER_LOG");
    auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const bool number = threads.size() <= 5 && std::all_of(threads.begin(), threads.end(), is_digit);
    if (!number || (!threads.empty() && std::atoi(threads.data()) == 0)) throw_bad_setting("SINTER_THREADS", threads, where);
    if (!log.empty() && log != "launch") throw_bad_setting("SINTER_LOG", log, where);
    std::string_view cache = environment("SINTER_CACHE");
    if (!cache.empty() && cache != "on" && cache != "off") throw_bad_setting("SINTER_CACHE", cache, where);
    return true;
}

}  // namespace

RunOptions resolve(const Options& options, location where) {
    [[maybe_unused]] static const bool checked = check_settings(where);
    Target target = options.target.kind == Target::Kind::by_default ? default_target(where) : options.target;
    RunOptions result;
    if (target.kind != Target::Kind::gpu && target.number < 0)
        throw UsageError(fmt::format("Target::host: {} threads", target.number), where);
    result.target = target.kind == Target::Kind::interpreter ? TargetKind::interpreter : TargetKind::host;
    if (target.kind == Target::Kind::gpu) choose_gpu(result, target.number, where);
    result.threads = target.kind == Target::Kind::host && target.number > 0 ? target.number : default_threads();
    result.plan.strategy = strategy_of(options.fusion, where);
    result.plan.kernels = {.checked = options.bounds == Bounds::checked, .contract = options.contract};
    result.plan.merge_scatters = target.kind != Target::Kind::gpu;
    return result;
}

}  // namespace sinter::runtime
