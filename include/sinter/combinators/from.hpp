// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Manifest arrays made from the user's memory.
#pragma once

#include <sinter/array.hpp>

#include <cstring>
#include <initializer_list>
#include <vector>

namespace sinter {

namespace detail {

template <class R>
concept ContiguousRange = requires(const R& r) {
    { *std::data(r) };
    { std::size(r) } -> std::convertible_to<std::size_t>;
};
template <class R>
using range_element_t = std::remove_cvref_t<decltype(*std::data(std::declval<const R&>()))>;

/// Copies elements into a new array, splitting structures into leaves. `at(i)` is element i; `memory` is where the elements
/// lie, if they lie in memory.
template <class T, int Rank, class At>
Array<T, Rank> copy_elements(const std::int64_t* extents, std::size_t count, const void* memory, At at, location where) {
    static_assert(Element<T>,
                  "from: not an element type: bool, integers up to 64 bits, half, float, double; std::tuple, "
                  "std::pair, std::array, std::complex of elements; structs adapted with BOOST_HANA_ADAPT_STRUCT");
    Leaves<T> leaves;
    void* pointers[leaf_count<T>];
    for (std::size_t i = 0; i < leaf_count<T>; ++i) {
        leaves.leaf[i] = make_array(scalars_of<T>.scalars[i], extents, Rank, where);
        pointers[i] = data(leaves.leaf[i], where);
    }
    if constexpr (is_scalar<T>) {
        if (memory) {
            if (count != 0) std::memcpy(pointers[0], memory, count * sizeof(T));
            return Array<T, Rank>(std::move(leaves));
        }
    }
    for (std::size_t i = 0; i < count; ++i) detail::store<T>(pointers, i, at(i));
    return Array<T, Rank>(std::move(leaves));
}

SINTER_API void check_count(const char* what, const std::int64_t* extents, std::size_t rank, std::size_t count,
                            location where);

}  // namespace detail

/// A copy of a contiguous range (vector, span, std::array, ...), with this shape in row-major order. ShapeError if the
/// number of elements differs.
template <detail::ContiguousRange R, int Rank>
auto from(const R& range, const Shape<Rank>& shape, location where = location::current()) {
    using T = detail::range_element_t<R>;
    std::int64_t extents[Rank + 1];
    detail::literal_shape(shape.sizes, Rank, extents, "from", where);
    detail::check_count("from", extents, Rank, std::size(range), where);
    const T* memory = std::data(range);
    return detail::copy_elements<T, Rank>(
        extents, std::size(range), memory, [&](std::size_t i) { return memory[i]; }, where);
}
/// The same with rank 1.
template <detail::ContiguousRange R>
auto from(const R& range, location where = location::current()) {
    return from(range, shape(std::size(range)), where);
}
template <class T>
Array<T, 1> from(std::initializer_list<T> elements, location where = location::current()) {
    return from<std::initializer_list<T>, 1>(elements, shape(elements.size()), where);
}
template <class T, int Rank>
Array<T, Rank> from(std::initializer_list<T> elements, const Shape<Rank>& shape, location where = location::current()) {
    return from<std::initializer_list<T>, Rank>(elements, shape, where);
}

template <class Allocator, int Rank>
Array<bool, Rank> from(const std::vector<bool, Allocator>& range, const Shape<Rank>& shape,
                       location where = location::current()) {
    std::int64_t extents[Rank + 1];
    detail::literal_shape(shape.sizes, Rank, extents, "from", where);
    detail::check_count("from", extents, Rank, range.size(), where);
    auto at = [&](std::size_t i) -> bool { return range[i]; };
    return detail::copy_elements<bool, Rank>(extents, range.size(), nullptr, at, where);
}
template <class Allocator>
Array<bool, 1> from(const std::vector<bool, Allocator>& range, location where = location::current()) {
    return from(range, shape(range.size()), where);
}

/// An array in the caller's memory, which is not copied: it must neither change nor be freed while the array is in use.
template <detail::ContiguousRange R, int Rank>
auto borrow(const R& range, const Shape<Rank>& shape, location where = location::current()) {
    using T = detail::range_element_t<R>;
    static_assert(detail::is_scalar<T>, "borrow: only arrays of scalars lie in memory as the library needs them; use from");
    std::int64_t extents[Rank + 1];
    detail::literal_shape(shape.sizes, Rank, extents, "borrow", where);
    detail::check_count("borrow", extents, Rank, std::size(range), where);
    detail::Leaves<T> leaves;
    leaves.leaf[0] = detail::borrow_array(detail::scalar_v<T>, std::data(range), extents, Rank, where);
    return Array<T, Rank>(std::move(leaves));
}
template <detail::ContiguousRange R>
auto borrow(const R& range, location where = location::current()) {
    return borrow(range, shape(std::size(range)), where);
}

}  // namespace sinter
