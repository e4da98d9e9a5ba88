// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/threads/shared_memory.hpp"

#include "support/threads/pool.hpp"
#include "support/threads/process.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <mutex>
#include <new>
#include <unordered_map>

namespace sinter {

namespace {

int make_file() {
#ifdef __linux__
    return sysconf(_SC_PAGESIZE) == page_bytes ? memfd_create("sinter", MFD_CLOEXEC) : -1;
#else
    return -1;
#endif
}

struct File {
    const int descriptor = make_file();
    const pid_t owner = getpid();
    std::int64_t end = 0;
    std::unordered_map<const void*, std::int64_t> offsets;
    ForkMutex mutex;
};

/// Never destroyed, as the pool, whose lock comes before this one, also where the process forks.
File& file() {
    static File* made = (Pool::shared(), new File);
    return *made;
}

}  // namespace

bool can_share_memory() { return file().descriptor >= 0; }
int shared_file() { return file().descriptor; }

void* map_shared(std::size_t bytes) noexcept {
#ifdef __linux__
    File& all = file();
    if (all.descriptor < 0 || all.owner != getpid()) return nullptr;
    const std::lock_guard lock(all.mutex);
    const auto length = (static_cast<std::int64_t>(bytes) + page_bytes - 1) / page_bytes * page_bytes;
    // What is missing is found out here, and not by a signal when it is written.
    if (fallocate(all.descriptor, 0, all.end, length) != 0) return nullptr;
    void* memory = mmap(nullptr, static_cast<std::size_t>(length), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
                        all.descriptor, all.end);
    try {
        if (memory != MAP_FAILED) all.offsets.emplace(memory, all.end);
    } catch (const std::bad_alloc&) {
        munmap(memory, static_cast<std::size_t>(length));
        memory = MAP_FAILED;
    }
    if (memory == MAP_FAILED) {
        fallocate(all.descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, all.end, length);
        return nullptr;
    }
    all.end += length;
    return memory;
#else
    (void)bytes;
    return nullptr;
#endif
}

void unmap_shared(void* memory, std::size_t bytes) noexcept {
#ifdef __linux__
    File& all = file();
    const std::lock_guard lock(all.mutex);
    const auto length = (static_cast<std::int64_t>(bytes) + page_bytes - 1) / page_bytes * page_bytes;
    munmap(memory, static_cast<std::size_t>(length));
    const auto place = all.offsets.find(memory);
    if (place == all.offsets.end()) return;
    // Others may have it mapped still; nobody reads it there.
    if (all.owner == getpid()) fallocate(all.descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, place->second, length);
    all.offsets.erase(place);
#else
    (void)memory, (void)bytes;
#endif
}

std::int64_t offset_in_shared(const void* memory) {
    File& all = file();
    const std::lock_guard lock(all.mutex);
    const auto place = all.offsets.find(memory);
    return place == all.offsets.end() ? -1 : place->second;
}

}  // namespace sinter
