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

namespace {

/// Everything that decides the code. A kernel has at most one loop that can be chunked.
std::string key_of(const lower::Kernel& kernel, const Target& target, const schedule::Schedule& schedule) {
    return fmt::format("object {}\n{}\n{} {}\n{}", build_id(), target.identity(), schedule::describe(schedule.way),
                       schedule.chunked ? "chunked" : "whole", lower::print(kernel));
}

}  // namespace

std::string find_or_compile(const lower::Kernel& kernel, const Target& target, const schedule::Schedule& schedule) {
    DiskCache& disk = DiskCache::shared();
    const std::string key = key_of(kernel, target, schedule);
    const std::string way = schedule::describe(schedule.way);
    if (std::optional<std::string> object = disk.find(key)) {
        log_line(LogLevel::debug, "found the code of {} ({}) on disk", kernel.name, way);
        return std::move(*object);
    }
    const StageTimer timer("generate code");
    const auto begin = Clock::now();
    std::string object = codegen::generator().host_object(kernel, target.machine(), schedule);
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    log_line(LogLevel::info, "generated the code of {} ({}): {} bytes in {:.1f} ms", kernel.name, way, object.size(), ms);
    disk.store(key, object);
    return object;
}

}  // namespace sinter::host
