// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Manifest arrays, which are nodes of kind Input.
#include <sinter/combinators/from.hpp>
#include <sinter/detail/build.hpp>

#include "front/shape.hpp"
#include "support/check.hpp"

#include <fmt/format.h>

#include <new>

namespace sinter::front {
namespace {

std::size_t bytes_of(Scalar type, const std::vector<Extent>& shape, const char* what, location where) {
    std::size_t bytes = 0;
    auto count = static_cast<std::size_t>(element_count(shape, what, where));
    if (__builtin_mul_overflow(count, static_cast<std::size_t>(detail::size_of(type)), &bytes))
        throw MemoryError(fmt::format("{}: an array of shape {} is too large", what, print_shape(shape)), where);
    return bytes;
}

LeafRef input_leaf(BufferRef buffer, Scalar type, std::span<const Extent> shape, location where) {
    return to_ref({make_input(std::move(buffer), type, shape, where), 0});
}

}  // namespace
}  // namespace sinter::front

namespace sinter::detail {

using namespace sinter::front;

LeafRef make_array(Scalar type, const std::int64_t* shape, std::size_t rank, location where) {
    std::vector<Extent> extents(shape, shape + rank);
    std::size_t bytes = bytes_of(type, extents, "from", where);
    BufferRef buffer;
    try {
        buffer = allocate(bytes);
    } catch (const std::bad_alloc&) {
        throw MemoryError(fmt::format("from: no room for an array of shape {}, {} bytes", print_shape(extents), bytes),
                          where);
    }
    return input_leaf(std::move(buffer), type, extents, where);
}

LeafRef borrow_array(Scalar type, const void* data, const std::int64_t* shape, std::size_t rank, location where) {
    std::vector<Extent> extents(shape, shape + rank);
    std::size_t bytes = bytes_of(type, extents, "borrow", where);
    return input_leaf(sinter::borrow(const_cast<void*>(data), bytes), type, extents, where);
}

void* data(const LeafRef& array, location where) {
    Leaf leaf = to_leaf(array, where);
    auto* input = std::get_if<Input>(&leaf.node->op);
    check(input != nullptr, "a manifest array is an input node");
    if (!input->buffer->on_device) return input->buffer->data;
    try {
        return with_place(where, [&] { return on_host(input->buffer)->data; });
    } catch (const std::bad_alloc&) {
        throw MemoryError(
            fmt::format("no room on the host for a copy of {}, {} bytes", describe_shape(leaf), input->buffer->bytes),
            where);
    }
}

std::size_t checked_offset(const LeafRef& array, const std::int64_t* index, std::size_t rank, location where) {
    Leaf leaf = to_leaf(array, where);
    const auto& shape = type_of(leaf).shape;
    std::size_t offset = 0;
    for (std::size_t k = 0; k < rank; ++k) {
        if (index[k] < 0 || index[k] >= shape[k])
            throw IndexError(fmt::format("index {} is outside axis {} of {}", index[k], k, describe_shape(leaf)), where);
        offset = offset * static_cast<std::size_t>(shape[k]) + static_cast<std::size_t>(index[k]);
    }
    return offset;
}

void check_count(const char* what, const std::int64_t* extents, std::size_t rank, std::size_t count, location where) {
    std::vector<Extent> shape(extents, extents + rank);
    if (static_cast<std::size_t>(element_count(shape, what, where)) != count)
        throw ShapeError(fmt::format("{}: the range has {} elements, the shape {} has {}", what, count, print_shape(shape),
                                     element_count(shape, what, where)),
                         where);
}

}  // namespace sinter::detail
