// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/notes.hpp"

#include "schedule/tuning.hpp"

#include <algorithm>

namespace sinter::host {

namespace {

constexpr std::size_t line = schedule::tuning::cache_line;

/// Calls f(T()) for an unsigned integer T that has the type's size.
template <class F>
void with_size_of(ir::Scalar type, F f) {
    switch (detail::size_of(type)) {
        case 1:
            return f(std::uint8_t());
        case 2:
            return f(std::uint16_t());
        case 4:
            return f(std::uint32_t());
        default:
            return f(std::uint64_t());
    }
}

}  // namespace

Notes::Notes(std::size_t room, std::span<const ir::Scalar> types) {
    auto bytes = [&](std::size_t size) { return (room * size + line - 1) / line * line; };
    std::size_t end = bytes(sizeof(std::uint32_t));
    for (ir::Scalar type : types) {
        starts_.push_back(end);
        end += bytes(static_cast<std::size_t>(detail::size_of(type)));
    }
    memory_ = allocate(end);
}

void group(GroupScratch& scratch, std::size_t count, const Buckets& buckets, std::span<const ir::Scalar> types,
           const Notes& to, std::uint32_t* begins) {
    const auto last = static_cast<std::uint32_t>(buckets.count);
    const std::uint32_t low = (std::uint32_t{1} << buckets.shift) - 1;
    std::uint32_t *offsets = scratch.notes.offsets(), *next = scratch.next.data(), *grouped = to.offsets();
    auto bucket = [&](std::size_t i) { return std::min(offsets[i] >> buckets.shift, last); };
    std::fill_n(next, buckets.count + 2, 0);
    for (std::size_t i = 0; i < count; ++i) ++next[bucket(i) + 1];
    for (std::size_t b = 0; b <= buckets.count; ++b) next[b + 1] += next[b] + static_cast<std::uint32_t>(Buckets::gap);
    std::copy_n(next, buckets.count + 1, begins);
    with_size_of(types[0], [&]<class T>(T) {
        const T* values = static_cast<const T*>(scratch.notes.values(0));
        T* moved = static_cast<T*>(to.values(0));
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t place = next[bucket(i)]++;
            grouped[place] = offsets[i] & low;
            moved[place] = values[i];
            offsets[i] = place;  // kept for the other values
        }
    });
    for (std::size_t v = 1; v < types.size(); ++v)
        with_size_of(types[v], [&]<class T>(T) {
            const T* values = static_cast<const T*>(scratch.notes.values(v));
            T* moved = static_cast<T*>(to.values(v));
            for (std::size_t i = 0; i < count; ++i) moved[offsets[i]] = values[i];
        });
}

}  // namespace sinter::host
