// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/device/code_cache.hpp"

#include "support/cache/build_id.hpp"
#include "support/cache/disk_cache.hpp"
#include "support/log.hpp"
#include "support/threads/recorder.hpp"

#include <functional>

namespace sinter::gpu {

namespace {

std::string generate(Device& device, const codegen::CardCode& code, const std::string& name) {
    const StageTimer timer("generate code");
    const auto begin = Clock::now();
    std::string made = device.generate(code);
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    log_line(LogLevel::info, "generated the code of {} for {}: {} bytes in {:.1f} ms", name, device.identity(), made.size(),
             ms);
    return made;
}

/// The value kept under `key`, or else the one that is made.
std::string find_or(const std::string& key, bool used, const std::function<std::string()>& make) {
    DiskCache& disk = DiskCache::shared();
    if (used)
        if (std::optional<std::string> found = disk.find(key)) return std::move(*found);
    std::string made = make();
    if (used) disk.store(key, made);
    return made;
}

}  // namespace

std::unique_ptr<Program> find_or_make(Device& device, const std::string& what, const std::string& name,
                                      const codegen::CardCode& source) {
    const std::string generated = "ptx " + build_id() + "\n" + device.architecture() + "\n" + what;
    const std::string assembled = "cubin " + build_id() + "\n" + device.identity() + "\n" + what;
    const bool used = device.is_cached();
    const std::string code = find_or(assembled, used && device.assembles(), [&] {
        const std::string text = find_or(generated, used, [&] { return generate(device, source, name); });
        return device.assemble(text, name);
    });
    return device.load(code, name);
}

}  // namespace sinter::gpu
