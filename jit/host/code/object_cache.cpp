// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/code/object_cache.hpp"

#include "jit/generator/generator.hpp"
#include "schedule/decision.hpp"
#include "support/cache/build_id.hpp"
#include "support/cache/disk_cache.hpp"
#include "support/log.hpp"
#include "support/threads/recorder.hpp"

#include <fmt/format.h>

namespace sinter::host {

using codegen::Effort;
using codegen::HostObject;

namespace {

/// Everything that decides the code. A kernel has at most one loop that can be chunked.
std::string key_of(const lower::Kernel& kernel, const Target& target, const schedule::Schedule& schedule) {
    return fmt::format("{}\n{}\n{} {}\n{}", build_id(), target.identity(), schedule::describe(schedule.way),
                       schedule.chunked ? "chunked" : "whole", lower::print(kernel));
}

const char* name_of(Effort effort) { return effort == Effort::quick ? "quick" : "full"; }

std::string with_effort(const std::string& key, Effort effort) { return fmt::format("object {} {}", name_of(effort), key); }

/// Better code is as good as what is wanted.
std::optional<HostObject> find(const std::string& key, Effort wanted) {
    for (Effort effort : {Effort::full, Effort::quick}) {
        if (auto bytes = DiskCache::shared().find(with_effort(key, effort))) return HostObject{*std::move(bytes), effort};
        if (effort == wanted) break;
    }
    return std::nullopt;
}

}  // namespace

HostObject find_or_compile(const lower::Kernel& kernel, const Target& target, const schedule::Schedule& schedule,
                           Effort effort) {
    const std::string key = key_of(kernel, target, schedule);
    const std::string way = schedule::describe(schedule.way);
    if (std::optional<HostObject> found = find(key, effort)) {
        log_line(LogLevel::debug, "found the code of {} ({}) on disk", kernel.name, way);
        return *std::move(found);
    }
    const StageTimer timer("generate code");
    const auto begin = Clock::now();
    HostObject object = codegen::generator().host_object(kernel, target.machine(), schedule, effort);
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    log_line(LogLevel::info, "generated the code of {} ({}, {}): {} bytes in {:.1f} ms", kernel.name, way,
             name_of(object.effort), object.bytes.size(), ms);
    DiskCache::shared().store(with_effort(key, object.effort), object.bytes);
    return object;
}

}  // namespace sinter::host
