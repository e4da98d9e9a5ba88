// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays in memory that its owner releases.
#include <sinter/detail/interop.hpp>

#include "front/shape.hpp"

namespace sinter {
namespace {

struct AdoptedBuffer final : Buffer {
    AdoptedBuffer(const void* memory, std::size_t size) {
        data = const_cast<void*>(memory);
        bytes = size;
    }
    ~AdoptedBuffer() override {
        if (release) release(owner);
    }
    void* owner = nullptr;
    void (*release)(void*) = nullptr;  ///< set once nothing can fail any more
};

}  // namespace

namespace detail {

LeafRef adopt_array(Scalar type, const void* data, void* owner, void (*release)(void*), const std::int64_t* shape,
                    std::size_t rank, location where) {
    std::vector<front::Extent> extents(shape, shape + rank);
    auto count = static_cast<std::size_t>(front::element_count(extents, "from_dlpack", where));
    auto buffer = std::make_shared<AdoptedBuffer>(data, count * static_cast<std::size_t>(size_of(type)));
    LeafRef leaf = front::to_ref({front::make_input(buffer, type, extents, where), 0});
    buffer->owner = owner;
    buffer->release = release;
    return leaf;
}

}  // namespace detail
}  // namespace sinter
