// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/options.hpp"

#include "ad/tuning.hpp"
#include "run/threads/threads.hpp"
#include "support/settings.hpp"
#include "support/text/byte_count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace sinter::runtime {

namespace {

constexpr std::pair<std::string_view, fuse::Strategy> strategies[] = {{"none", fuse::Strategy::none},
                                                                      {"greedy_down", fuse::Strategy::greedy_down},
                                                                      {"greedy_up", fuse::Strategy::greedy_up},
                                                                      {"t2", fuse::Strategy::t2},
                                                                      {"optimal", fuse::Strategy::optimal}};

/// "gpu:0,1" or "gpu_emulated:0,1": the devices that share each run.
std::optional<Target> parse_devices(std::string_view text) {
    Target target = Target::gpu();
    std::size_t count = 0;
    for (std::size_t at = text.find(':'); at != text.npos; at = text.find(',', at)) {
        ++at;
        if (count == Target::most_devices) return std::nullopt;
        std::int16_t number = 0;
        if (std::from_chars(text.data() + at, text.data() + text.size(), number).ec != std::errc()) return std::nullopt;
        if (count == 0)
            target.number = number;
        else
            target.others[count - 1] = number;
        ++count;
    }
    target.other_count = count == 0 ? 0 : static_cast<int>(count) - 1;
    return target;
}

Target default_target(location where) {
    std::string_view text = setting("SINTER_TARGET");
    if (text.empty() || text == "host") return Target::host();
    if (text == "interpreter") return Target::interpreter();
    if (text.starts_with("gpu"))
        if (const auto target = parse_devices(text)) return *target;
    throw UsageError(means_nothing("SINTER_TARGET", text), where);
}

/// Opens the device here, so that an error carries the place of the call.
void choose_gpu(RunOptions& result, const Target& target, location where) {
    result.target = setting("SINTER_TARGET").starts_with("gpu_emulated") ? TargetKind::gpu_emulated : TargetKind::gpu;
    result.device = target.number;
    result.other_devices.assign(target.others.begin(), target.others.begin() + target.other_count);
    for (auto other = result.other_devices.begin(); other != result.other_devices.end(); ++other)
        if (*other == target.number || std::find(result.other_devices.begin(), other, *other) != other)
            throw UsageError(fmt::format("Target::gpu: device {} is named twice", *other), where);
    try {
        Engine::shared().backend(result.target, result.device, result.other_devices);
    } catch (const DeviceError& error) {
        throw DeviceError(error.what(), where);
    }
}

fuse::Strategy strategy_of(Fusion fusion, location where) {
    if (fusion != Fusion::by_default) return strategies[static_cast<int>(fusion) - 1].second;
    std::string_view text = setting("SINTER_FUSION");
    if (text.empty()) return fuse::Strategy::optimal;
    for (const auto& [name, strategy] : strategies) {
        if (text == name) return strategy;
    }
    throw UsageError(means_nothing("SINTER_FUSION", text), where);
}

std::int64_t tape_of(const Options& options, location where) {
    if (options.tape < 0) throw UsageError(fmt::format("Options::tape: {} bytes", options.tape), where);
    if (options.tape > 0) return options.tape;
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return static_cast<std::int64_t>(std::min(byte_count_setting("SINTER_TAPE").value_or(ad::kept_bytes), most));
}

/// Checks all settings, because some are read where the library cannot report errors.
bool check_settings(location where) {
    if (const auto bad = bad_setting()) throw UsageError(*bad, where);
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
    if (target.kind == Target::Kind::gpu) choose_gpu(result, target, where);
    result.threads = target.kind == Target::Kind::host && target.number > 0 ? target.number : default_threads();
    result.plan.strategy = strategy_of(options.fusion, where);
    if (options.tf32 && !options.contract)
        throw UsageError("Options::tf32 rounds factors of products that need not be rounded: it needs Options::contract",
                         where);
    result.plan.kernels = {.checked = options.bounds == Bounds::checked,
                           .contract = options.contract,
                           .tf32 = options.tf32 && target.kind == Target::Kind::gpu};
    result.plan.passes.merge_scatters = target.kind != Target::Kind::gpu;
    result.plan.passes.widen_late = target.kind == Target::Kind::gpu && options.contract;
    result.debug = options.debug;
    result.plan.passes.tape = tape_of(options, where);
    return result;
}

}  // namespace sinter::runtime
