// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// NumPy's .npy files (NEP 1, format versions 1.0 to 3.0). Not part of sinter.hpp.
#pragma once

#include <sinter/array.hpp>
#include <sinter/detail/interop.hpp>

namespace sinter {

namespace detail {

template <class T>
constexpr FileElement file_element() {
    static_assert(is_scalar<T> || (is_complex<T> && leaf_count<T> == 2),
                  "npy: elements are bool, integers, half, float, double, std::complex<float> or std::complex<double>");
    constexpr Scalar scalar = scalars_of<T>.scalars[0];
    static_assert(is_scalar<T> || scalar == Scalar::f32 || scalar == Scalar::f64,
                  "npy: complex numbers are std::complex<float> or std::complex<double>");
    return {scalar, !is_scalar<T>};
}

}  // namespace detail

/// The last argument of load_npy and load_npz: elements of other types are converted.
struct Convert {};
inline constexpr Convert convert;

/// The array in a file: little-endian elements, in C or Fortran order. UsageError if the file cannot be read, is damaged or
/// holds other elements; ShapeError if its rank is not Rank.
template <class T, int Rank = 1>
Array<T, Rank> load_npy(const std::string& path, location where = location::current()) {
    detail::Leaves<T> leaves;
    detail::load_npy(path, detail::file_element<T>(), Rank, false, leaves.leaf, where);
    return Array<T, Rank>(std::move(leaves));
}
/// The same for a file with elements of any type and byte order, which are converted as by cast<T>: floats to integers
/// saturate, integers to integers wrap. UsageError for complex numbers if T is not complex.
template <class T, int Rank = 1>
Array<T, Rank> load_npy(const std::string& path, Convert, location where = location::current()) {
    detail::Leaves<T> leaves;
    detail::load_npy(path, detail::file_element<T>(), Rank, true, leaves.leaf, where);
    return Array<T, Rank>(std::move(leaves));
}

/// Writes an array, in C order. UsageError if the file cannot be written.
template <class T, int Rank>
void save_npy(const std::string& path, const Array<T, Rank>& a, location where = location::current()) {
    auto shape = a.shape(where);
    detail::save_npy(path, detail::file_element<T>(), shape.data(), Rank, a.leaves().leaf, where);
}

}  // namespace sinter
