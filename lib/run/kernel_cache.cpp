// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/kernel_cache.hpp"

#include "ir/print.hpp"
#include "lower/lower.hpp"
#include "lower/parse.hpp"
#include "support/build_id.hpp"
#include "support/disk_cache.hpp"
#include "support/dump.hpp"
#include "support/recorder.hpp"

#include <chrono>
#include <exception>

namespace sinter::runtime {

namespace {

void mark_loads(const lower::Block& block, std::vector<bool>& loaded) {
    for (const lower::Inst& inst : block.insts) {
        if (inst.op == ir::Op::load) loaded[inst.bits] = true;
        for (const lower::Block& nested : inst.blocks) mark_loads(nested, loaded);
    }
}

/// Found on disk by `key`, else lowered.
lower::Kernel find_or_lower(const std::string& key, const ir::Program& cluster, const lower::Options& options) {
    DiskCache& disk = DiskCache::shared();
    const std::string disk_key = "kernel " + build_id() + "\n" + key;
    if (const std::optional<std::string> text = disk.find(disk_key)) return lower::parse(*text);
    const StageTimer timer("lower");
    lower::Kernel kernel = lower::lower(cluster, options);
    disk.store(disk_key, lower::print(kernel));
    return kernel;
}

std::shared_ptr<const CachedKernel> compile(const std::string& key, const ir::Program& cluster, const KernelOptions& options,
                                            Backend& backend) {
    auto result = std::make_shared<CachedKernel>();
    const lower::Options lowering{
        .bounds_checks = options.checked, .local_rows = backend.has_local_buffers(), .contract = options.contract};
    result->kernel = find_or_lower(key, cluster, lowering);
    if (dumps("kernel")) dump("kernel", lower::print(result->kernel));
    result->loaded.resize(result->kernel.buffers.size());
    mark_loads(result->kernel.body, result->loaded);
    result->code = backend.compile(result->kernel);
    return result;
}

}  // namespace

std::shared_ptr<const CachedKernel> KernelCache::find_or_compile(const ir::Program& cluster, const KernelOptions& options,
                                                                 Backend& backend) {
    std::string key = backend.identity();
    key += options.checked ? "\nchecked" : "\nunchecked";
    key += options.contract ? " contract\n" : "\n";
    key += ir::print(cluster);
    std::promise<std::shared_ptr<const CachedKernel>> promise;
    {
        std::unique_lock lock(mutex_);
        if (auto found = entries_.find(key); found != entries_.end()) {
            ++statistics_.hits;
            Entry entry = found->second;
            lock.unlock();
            return entry.get();
        }
        entries_.emplace(key, promise.get_future().share());
    }
    auto start = std::chrono::steady_clock::now();
    try {
        auto kernel = compile(key, cluster, options, backend);
        promise.set_value(kernel);
        std::lock_guard lock(mutex_);
        ++statistics_.compiled;
        statistics_.compile_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return kernel;
    } catch (...) {
        promise.set_exception(std::current_exception());
        std::lock_guard lock(mutex_);
        entries_.erase(key);
        throw;
    }
}

KernelStatistics KernelCache::statistics() const {
    std::lock_guard lock(mutex_);
    return statistics_;
}

void KernelCache::clear() {
    std::lock_guard lock(mutex_);
    entries_.clear();
}

}  // namespace sinter::runtime
