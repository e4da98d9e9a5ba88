// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How an array continues beyond its ends, for stencils and pad. The names are those of NumPy's pad, except for clamp, which
/// is NumPy's "edge". Every kind of boundary is defined at any distance, and for axes of one element.
#pragma once

#include <sinter/combinators/fold.hpp>

namespace sinter {

namespace boundary {

struct Clamp {};
struct Wrap {};
struct Symmetric {};
struct Reflect {};
template <class V>
struct Constant {
    V value;
};
struct Keep {};

//                                                indices of an axis of 4 elements, which are between the bars
inline constexpr Clamp clamp{};          ///< ... 0 0 0 | 0 1 2 3 | 3 3 3 ...  the nearest element
inline constexpr Wrap wrap{};            ///< ... 1 2 3 | 0 1 2 3 | 0 1 2 ...  as if the array were repeated
inline constexpr Symmetric symmetric{};  ///< ... 2 1 0 | 0 1 2 3 | 3 2 1 ...  reflected between elements: the last one twice
inline constexpr Reflect
    reflect{};  ///< ... 3 2 1 | 0 1 2 3 | 2 1 0 ...  reflected at the last element, which is not repeated
inline constexpr Symmetric mirror{};  ///< another name of symmetric

/// ... v v v | 0 1 2 3 | v v v ...  A constant: a literal, an Exp of the enclosing program, or an array of rank 0.
template <class V>
Constant<V> constant(const V& value) {
    return {value};
}

/// For stencils only: where the function would read beyond an end, the element stays as it is.
inline constexpr Keep keep{};

}  // namespace boundary

namespace detail {

template <class B>
inline constexpr bool is_boundary = false;
template <>
inline constexpr bool is_boundary<boundary::Clamp> = true;
template <>
inline constexpr bool is_boundary<boundary::Wrap> = true;
template <>
inline constexpr bool is_boundary<boundary::Symmetric> = true;
template <>
inline constexpr bool is_boundary<boundary::Reflect> = true;
template <class V>
inline constexpr bool is_boundary<boundary::Constant<V>> = true;
/// Of a stencil.
template <class B>
inline constexpr bool is_border = is_boundary<B>;
template <>
inline constexpr bool is_border<boundary::Keep> = true;

inline Border border_of(boundary::Clamp) { return Border::clamp; }
inline Border border_of(boundary::Wrap) { return Border::wrap; }
inline Border border_of(boundary::Symmetric) { return Border::symmetric; }
inline Border border_of(boundary::Reflect) { return Border::reflect; }
template <class V>
Border border_of(const boundary::Constant<V>&) {
    return Border::constant;
}
inline Border border_of(boundary::Keep) { return Border::keep; }

}  // namespace detail

}  // namespace sinter
