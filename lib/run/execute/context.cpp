// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/context.hpp"

#include "run/messages.hpp"
#include "run/threads/threads.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace sinter::runtime {

std::vector<std::int64_t> Context::extents(const std::vector<SizeId>& sizes, const Frame& frame) const {
    std::vector<std::int64_t> values;
    values.reserve(sizes.size());
    for (SizeId id : sizes) values.push_back(size(id, frame));
    return values;
}

double Context::bytes_of(const Type& type, const Frame& frame) const {
    double bytes = static_cast<double>(detail::size_of(type.scalar));
    for (SizeId id : type.shape) bytes *= static_cast<double>(std::max<std::int64_t>(0, size(id, frame)));
    return bytes;
}

std::int64_t Context::number(const void* data) const {
    std::int64_t v = 0;
    read(&v, data, sizeof v);
    return v;
}

bool Context::truth(ValueId id, const Frame& frame) const {
    unsigned char v = 0;
    read(&v, frame.find(id).data, sizeof v);
    return v != 0;
}

void Context::read(void* to, const void* from, std::size_t bytes) const {
    RemoteMemory* const remote = backend().remote();
    if (remote && remote->contains(from)) return remote->read(to, from, bytes);
    std::memcpy(to, from, bytes);
}

void Context::copy(void* to, const void* from, std::size_t bytes) const {
    if (backend().copy(to, from, bytes)) return;
    if (RemoteMemory* const remote = backend().remote()) return remote->write(to, from, bytes);
    copy_bytes(to, from, bytes, call.threads);
}

void Context::check_static_guards() const {
    for (const ir::Guard* guard : plan.static_guards)
        check_guard(*guard, static_size(guard->left), static_size(guard->right));
}

void Context::check_guards(const std::vector<const ir::Guard*>& guards, const Frame& frame) const {
    for (const ir::Guard* guard : guards) check_guard(*guard, size(guard->left, frame), size(guard->right, frame));
}

void Context::check_guard(const ir::Guard& guard, std::int64_t left, std::int64_t right) const {
    if (!ir::sizes::equal(left, right))
        throw_guard_failure(plan.program.sizes, guard, left, right, site_location(guard.site));
}

void* Context::allocate(Slot& slot, ir::Scalar scalar, std::span<const std::int64_t> shape, ir::SiteId site) const {
    std::size_t bytes = checked_bytes(scalar, shape, site_location(site));
    try {
        slot.owner = backend().allocate(bytes);
    } catch (const std::bad_alloc&) {
        throw_out_of_memory(scalar, shape, bytes, site_location(site), &backend());
    }
    slot.data = slot.owner->data;
    return slot.data;
}

void Context::set_number(Slot& slot, std::int64_t value) const {
    allocate(slot, ir::Scalar::i64, {}, {});
    copy(slot.data, &value, sizeof value);
}

}  // namespace sinter::runtime
