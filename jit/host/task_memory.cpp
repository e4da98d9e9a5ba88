// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/task_memory.hpp"

#include "schedule/tuning.hpp"
#include "support/cache/thread_cache.hpp"
#include "support/threads/pool.hpp"

namespace sinter::host {

namespace {

using schedule::tuning::most_kept_bytes;

struct GiveBack {
    void operator()(TaskMemory::Block block) const { Pool::shared().give_back(block.data, block.bytes); }
};

/// Empty while a task is using it.
constinit thread_local ThreadCache<TaskMemory::Block, 1, GiveBack> kept;

}  // namespace

TaskMemory::TaskMemory(std::size_t bytes) {
    if (bytes == 0) return;
    if (const auto before = kept.take()) block_ = *before;
    if (block_.bytes >= bytes) return;
    give_back();
    block_ = {static_cast<char*>(Pool::shared().take(bytes)), bytes};
}

TaskMemory::~TaskMemory() {
    if (block_.data && block_.bytes <= most_kept_bytes && kept.keep(block_)) return;
    give_back();
}

void TaskMemory::give_back() noexcept {
    if (block_.data) GiveBack()(block_);
    block_ = {};
}

}  // namespace sinter::host
