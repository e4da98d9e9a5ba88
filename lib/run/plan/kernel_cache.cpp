// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/plan/kernel_cache.hpp"

#include "ir/text/print.hpp"
#include "ir/walk.hpp"
#include "lower/lower.hpp"
#include "lower/text/parse.hpp"
#include "run/tuning.hpp"
#include "support/cache/build_id.hpp"
#include "support/cache/disk_cache.hpp"
#include "support/origin.hpp"
#include "support/text/dump.hpp"
#include "support/threads/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>

namespace sinter::runtime {

namespace {

/// The lowered kernel from the disk cache, or else lowered now.
lower::Kernel find_or_lower(const std::string& key, const ir::Program& cluster, const lower::Options& options,
                            const Backend& backend) {
    DiskCache& disk = DiskCache::shared();
    const std::string disk_key = "kernel " + build_id() + "\n" + backend.identity() + key;
    if (const std::optional<std::string> text = disk.find(disk_key)) return lower::parse(*text);
    const StageTimer timer("lower");
    lower::Kernel kernel = lower::lower(cluster, options);
    disk.store(disk_key, lower::print(kernel));
    return kernel;
}

/// FNV-1a.
std::uint64_t digest_of(const std::string& text) {
    std::uint64_t digest = 0xcbf29ce484222325u;
    for (char c : text) digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return digest;
}

/// The memory of a kernel without its machine code.
std::size_t bytes_of(const lower::Kernel& kernel) {
    return code_bytes::kernel + code_bytes::kernel_instruction * ir::count_instructions(kernel.body);
}

std::shared_ptr<const CachedKernel> compile(const std::string& key, const ir::Program& cluster, const KernelOptions& options,
                                            Backend& backend) {
    auto result = std::make_shared<CachedKernel>();
    const lower::Options lowering{.bounds_checks = options.checked,
                                  .local_rows = backend.has_local_buffers(),
                                  .contract = options.contract,
                                  .tf32 = options.tf32,
                                  .free = options.free};
    result->kernel = find_or_lower(key, cluster, lowering, backend);
    if (names_origins() && !cluster.sites.empty())
        result->kernel.name = with_origin(result->kernel.name, cluster.sites.back().where);
    if (dumps("kernel")) dump("kernel", lower::print(result->kernel));
    result->code = backend.compile(result->kernel);
    if (options.certain) result->code->prepare_certain();
    result->charge = CodeCharge(key.size() + bytes_of(result->kernel));
    result->digest = digest_of(key);
    return result;
}

std::string key_of(const ir::Program& cluster, const KernelOptions& options) {
    const std::string free = options.free.empty() ? "" : fmt::format(" free {}", fmt::join(options.free, " "));
    const char* rounding = options.tf32 ? " tf32" : options.contract ? " contract" : "";
    return fmt::format("\n{}{}{}\n{}", options.checked ? "checked" : "unchecked", rounding, free, ir::print(cluster));
}

}  // namespace

std::shared_ptr<const CachedKernel> KernelCache::find_or_compile(const ir::Program& cluster, const KernelOptions& options,
                                                                 Backend& backend) {
    auto kernel = find_or_make(cluster, options, backend);
    if (options.certain) kernel->code->prepare_certain();
    return kernel;
}

std::shared_ptr<const CachedKernel> KernelCache::find_or_make(const ir::Program& cluster, const KernelOptions& options,
                                                              Backend& backend) {
    const std::string key = key_of(cluster, options);
    Kernels& kernels = kernels_of(backend);
    Promise promise;
    {
        std::unique_lock lock(mutex_);
        Entry& entry = kernels[key];
        if (entry.pending.valid()) {
            ++statistics_.hits;
            const Pending pending = entry.pending;
            lock.unlock();
            return pending.get();
        }
        if (auto kernel = entry.kernel.lock()) {
            ++statistics_.hits;
            return kernel;
        }
        entry.pending = promise.get_future().share();
    }
    auto start = std::chrono::steady_clock::now();
    try {
        auto kernel = compile(key, cluster, options, backend);
        const std::lock_guard lock(mutex_);
        keep(kernels, key, kernel);
        promise.set_value(kernel);
        ++statistics_.compiled;
        statistics_.compile_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return kernel;
    } catch (...) {
        promise.set_exception(std::current_exception());
        const std::lock_guard lock(mutex_);
        kernels.erase(key);
        throw;
    }
}

KernelCache::Kernels& KernelCache::kernels_of(const Backend& backend) {
    const std::lock_guard lock(mutex_);
    return kernels_[&backend];
}

/// Removes entries of kernels that nobody has any more, whenever there may be as many of these as there are others.
void KernelCache::keep(Kernels& kernels, const std::string& key, const std::shared_ptr<const CachedKernel>& kernel) {
    kernels[key] = {kernel, {}};
    std::size_t& sweep_at = sweep_at_[&kernels];
    if (kernels.size() <= std::max(tuning::few_kernels, sweep_at)) return;
    std::erase_if(kernels, [](const auto& entry) { return !entry.second.pending.valid() && entry.second.kernel.expired(); });
    sweep_at = 2 * kernels.size();
}

KernelStatistics KernelCache::statistics() const {
    std::lock_guard lock(mutex_);
    return statistics_;
}

void KernelCache::clear() {
    std::lock_guard lock(mutex_);
    for (auto& [backend, kernels] : kernels_)
        std::erase_if(kernels, [](const auto& entry) { return !entry.second.pending.valid(); });
}

}  // namespace sinter::runtime
