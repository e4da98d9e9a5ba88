// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The dense arrays with which the interpreter computes.
#pragma once

#include <sinter/detail/scalar.hpp>

#include "support/with_width.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace sinter::interp {

using detail::Scalar;

/// The bit pattern of element `offset` of an array in memory.
inline std::uint64_t load_element(Scalar scalar, const void* data, std::int64_t offset) {
    return with_width_of(scalar, [&](auto value) {
        std::memcpy(&value, static_cast<const std::byte*>(data) + static_cast<std::size_t>(offset) * sizeof value,
                    sizeof value);
        return std::uint64_t{value};
    });
}

inline void store_element(Scalar scalar, void* data, std::int64_t offset, std::uint64_t bits) {
    with_width_of(scalar, [&](auto value) {
        value = static_cast<decltype(value)>(bits);
        std::memcpy(static_cast<std::byte*>(data) + static_cast<std::size_t>(offset) * sizeof value, &value, sizeof value);
    });
}

/// A row-major array. An array of rank 0 has one element.
struct ArrayValue {
    Scalar scalar = Scalar::f32;
    std::vector<std::int64_t> shape;
    std::vector<std::byte> bytes;

    ArrayValue() = default;
    /// Zeros. The extents must not be negative. Throws std::bad_alloc.
    ArrayValue(Scalar scalar, std::vector<std::int64_t> shape);
    /// An array with these bit patterns.
    ArrayValue(Scalar scalar, std::vector<std::int64_t> shape, std::span<const std::uint64_t> elements);

    std::int64_t count() const;
    std::uint64_t operator[](std::int64_t offset) const { return load_element(scalar, bytes.data(), offset); }
    void set(std::int64_t offset, std::uint64_t bits) { store_element(scalar, bytes.data(), offset, bits); }
    bool operator==(const ArrayValue&) const = default;
};

/// True if types, shapes and elements are equal, where any NaN equals any other.
bool same_values(const ArrayValue& a, const ArrayValue& b);

/// Calls visit(index vector) for every point of `shape`, in row-major order; once for rank 0.
template <class F>
void for_each_point(std::span<const std::int64_t> shape, F visit) {
    for (std::int64_t extent : shape)
        if (extent <= 0) return;
    std::vector<std::int64_t> index(shape.size(), 0);
    for (;;) {
        visit(index);
        std::size_t axis = shape.size();
        while (axis > 0 && ++index[axis - 1] == shape[axis - 1]) index[--axis] = 0;
        if (axis == 0) return;
    }
}

}  // namespace sinter::interp
