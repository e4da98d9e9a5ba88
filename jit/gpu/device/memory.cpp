// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/device/memory.hpp"

#include "schedule/card/tuning.hpp"
#include "support/threads/pool.hpp"
#include "support/threads/process.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <new>

namespace sinter::gpu {

namespace {

/// There are few sizes, so that kept memory can be used again: at most an eighth is wasted.
std::size_t size_class(std::size_t bytes) {
    bytes = std::max<std::size_t>(bytes, 256);
    const std::size_t step = std::max<std::size_t>(256, std::bit_floor(bytes) / 8);
    return (bytes + step - 1) / step * step;
}

struct DeviceBuffer final : Buffer {
    DeviceBuffer(std::shared_ptr<Memory> from, std::size_t size) : memory(std::move(from)), counted(size) {
        data = memory->take(size);
        bytes = size;
        reusable = true;
        on_device = true;
    }
    ~DeviceBuffer() override { memory->give_back(data); }
    BufferRef fetch() override {
        const SectionLock lock(memory->copies());
        if (copy) return copy;
        BufferRef here = sinter::allocate(bytes);
        if (bytes > 0) memory->read(here->data, data, bytes);
        return copy = here;
    }
    std::shared_ptr<Memory> memory;
    const CountedBytes counted;
};

}  // namespace

Memory::~Memory() { release_kept(); }

void* Memory::find_kept(std::size_t size, Kept which) {
    using namespace schedule::card::tuning;
    auto found = kept_.find(size);
    if (found == kept_.end() || found->second.empty()) return nullptr;
    std::vector<void*>& list = found->second;
    const bool is_oldest = which == Kept::oldest && size <= rotated_bytes;
    if (is_oldest && list.size() < most_streams) return nullptr;
    const auto place = is_oldest ? list.begin() : list.end() - 1;
    void* memory = *place;
    list.erase(place);
    kept_bytes_ -= size;
    return memory;
}

void Memory::release_kept() {
    ++releases_;
    for (auto& [size, list] : kept_)
        for (void* memory : list) device_.release(memory);
    kept_.clear();
    kept_bytes_ = 0;
}

void* Memory::take(std::size_t bytes, Kept kept) {
    const std::size_t size = size_class(bytes);
    const SectionLock lock(mutex_);
    if (device_.lost()) {
        release_kept();
        device_.renew();
    }
    void* memory = find_kept(size, kept);
    if (!memory) memory = device_.allocate(size);
    if (!memory) {
        release_kept();
        memory = device_.allocate(size);
    }
    if (!memory) throw std::bad_alloc();
    taken_[memory] = {size};
    return memory;
}

void Memory::divide(const void* memory) {
    const SectionLock lock(mutex_);
    taken_.at(memory).divided = true;
}

void Memory::give_back(void* memory) {
    const SectionLock lock(mutex_);
    const auto found = taken_.find(memory);
    const std::size_t size = found->second.size;
    taken_.erase(found);
    if (kept_bytes_ + size > device_.memory_bytes() / schedule::card::tuning::kept_share) {
        ++releases_;
        return device_.release(memory);
    }
    kept_[size].push_back(memory);
    kept_bytes_ += size;
}

bool Memory::contains(const void* memory) const {
    const SectionLock lock(mutex_);
    const auto found = around(memory);
    return found != taken_.end() && (memory == found->first || found->second.divided);
}

bool Memory::covers(const void* element) const {
    const SectionLock lock(mutex_);
    return around(element) != taken_.end();
}

std::map<const void*, Memory::Block>::const_iterator Memory::around(const void* address) const {
    const auto behind = taken_.upper_bound(address);
    if (behind == taken_.begin()) return taken_.end();
    const auto found = std::prev(behind);
    return address < static_cast<const std::byte*>(found->first) + found->second.size ? found : taken_.end();
}

bool Memory::take_over(void* to, const Buffer& array) {
    const auto* there = dynamic_cast<const DeviceBuffer*>(&array);
    if (!there) return false;
    there->memory->await();
    if (!device_.copy_from(there->memory->device_, to, there->data, there->bytes)) return false;
    device_.wait("copy of another device's array");
    return true;
}

BufferRef allocate(std::shared_ptr<Memory> memory, std::size_t bytes) {
    return std::make_shared<DeviceBuffer>(std::move(memory), bytes);
}

}  // namespace sinter::gpu
