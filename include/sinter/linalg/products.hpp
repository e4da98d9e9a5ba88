// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Products of vectors, matrices and arrays of any rank; norms. They fuse with whatever makes their operands and whatever
/// uses them; transposed operands are views.
#pragma once

#include <sinter/array_math.hpp>
#include <sinter/array_operators.hpp>
#include <sinter/combinators/boundary.hpp>
#include <sinter/combinators/make.hpp>
#include <sinter/combinators/reduce.hpp>
#include <sinter/combinators/slice.hpp>
#include <sinter/combinators/update.hpp>
#include <sinter/combinators/view.hpp>
#include <sinter/combinators/vmap.hpp>

#include <bit>
#include <cstddef>
#include <optional>

namespace sinter {

namespace detail {

/// The number of letters that NUL-terminated subscripts of N characters have after "->", if the arrays' ranks fit: all
/// characters except those of the arrays, the commas and the arrow.
template <std::size_t N, class... A>
constexpr int einsum_rank = static_cast<int>(N) - 1 - (rank_v<A> + ...) - (static_cast<int>(sizeof...(A)) - 1) - 2;

template <class T, int Rank>
Delayed<T, Rank> einsum_leaves(const char* subscripts, location where, const LeafRef* operands, std::size_t count) {
    Leaves<T> out;
    out.leaf[0] = einsum(subscripts, operands, count, where);
    return Delayed<T, Rank>(std::move(out));
}

/// Of complex arrays: products of real and imaginary parts, of which those with an odd number of imaginary parts are the
/// imaginary part of the result, and two imaginary factors are -1.
template <class T, int Rank, class... A>
Delayed<T, Rank> complex_einsum(const char* subscripts, location where, const A&... a) {
    using F = element_t<decltype(real(std::declval<const Delayed<T, Rank>&>()))>;
    constexpr std::size_t count = sizeof...(A);
    static_assert(count <= 4, "einsum: at most four arrays of complex numbers");
    const LeafRef parts[count][2] = {{a.leaves().leaf[0], a.leaves().leaf[1]}...};
    std::optional<Delayed<F, Rank>> sums[2];
    for (unsigned imaginary = 0; imaginary < 1u << count; ++imaginary) {  // bit k: array k gives its imaginary part
        LeafRef operands[count];
        for (std::size_t k = 0; k < count; ++k) operands[k] = parts[k][imaginary >> k & 1];
        const auto product = einsum_leaves<F, Rank>(subscripts, where, operands, count);
        const int factors = std::popcount(imaginary);
        std::optional<Delayed<F, Rank>>& sum = sums[factors % 2];
        if (!sum)
            sum = product;  // without an imaginary factor, or with one
        else
            sum = factors % 4 < 2 ? Delayed<F, Rank>(*sum + product) : Delayed<F, Rank>(*sum - product);
    }
    return map([](const auto& re, const auto& im) { return record<T>(re, im); }, *sums[0], *sums[1]);
}

template <class T, int Rank, class... A>
Delayed<T, Rank> einsum_arrays(const char* subscripts, location where, const A&... a) {
    static_assert((std::is_same_v<element_t<A>, T> && ...), "einsum: the arrays have one element type");
    if constexpr (is_complex<T>) {
        return complex_einsum<T, Rank>(subscripts, where, a...);
    } else {
        static_assert(is_scalar<T> && !std::is_same_v<T, bool>, "einsum: the elements are numbers");
        const LeafRef operands[] = {a.leaves().leaf[0]...};
        return einsum_leaves<T, Rank>(subscripts, where, operands, sizeof...(A));
    }
}

}  // namespace detail

/// The sum of products that the subscripts describe, as in NumPy, but with the result written out and without spaces:
/// einsum("ij,jk->ik", a, b) is the matrix product, einsum("ij->ji", a) the transpose, einsum("ii->", a) the trace. Axes
/// with the same letter have the same extent (ShapeError). UsageError for subscripts that do not fit the arrays.
template <std::size_t N, class A, class... As>
auto einsum(const char (&subscripts)[N], detail::Operand<A> a, const As&... as) {
    constexpr int rank = detail::einsum_rank<N, A, As...>;
    static_assert(rank >= 0,
                  "einsum: the subscripts have one letter for each axis of each array, a comma between arrays, then -> and "
                  "the letters of the result, without spaces");
    return detail::einsum_arrays<element_t<A>, rank>(subscripts, a.where, *a.array, as...);
}

/// The sum of the products of the elements of two arrays of rank 1, as an array of rank 0.
template <class A, class B>
    requires(rank_v<A> == 1 && rank_v<B> == 1)
auto dot(detail::Operand<A> a, detail::Operand<B> b) {
    return detail::einsum_arrays<element_t<A>, 0>("i,i->", a.where, *a.array, *b.array);
}

/// All products of an element of a and one of b, as an array of rank 2.
template <class A, class B>
    requires(rank_v<A> == 1 && rank_v<B> == 1)
auto outer(detail::Operand<A> a, detail::Operand<B> b) {
    return detail::einsum_arrays<element_t<A>, 2>("i,j->ij", a.where, *a.array, *b.array);
}

/// The matrix product, as NumPy's @: of matrices; of a matrix and a vector, either way round; of two vectors; of arrays of
/// matrices, where one or both have rank 3.
template <class A, class B>
auto matmul(detail::Operand<A> a, detail::Operand<B> b) {
    constexpr int left = rank_v<A>, right = rank_v<B>;
    static_assert(
        left >= 1 && left <= 3 && right >= 1 && right <= 3 && !(left == 3 && right == 1) && !(left == 1 && right == 3),
        "matmul: vectors, matrices, or arrays of matrices");
    using T = element_t<A>;
    if constexpr (left == 1 && right == 1)
        return detail::einsum_arrays<T, 0>("i,i->", a.where, *a.array, *b.array);
    else if constexpr (left == 1)
        return detail::einsum_arrays<T, 1>("j,jk->k", a.where, *a.array, *b.array);
    else if constexpr (right == 1)
        return detail::einsum_arrays<T, 1>("ij,j->i", a.where, *a.array, *b.array);
    else if constexpr (left == 2 && right == 2)
        return detail::einsum_arrays<T, 2>("ij,jk->ik", a.where, *a.array, *b.array);
    else if constexpr (left == 3 && right == 3)
        return detail::einsum_arrays<T, 3>("bij,bjk->bik", a.where, *a.array, *b.array);
    else if constexpr (left == 3)
        return detail::einsum_arrays<T, 3>("bij,jk->bik", a.where, *a.array, *b.array);
    else
        return detail::einsum_arrays<T, 3>("ij,bjk->bik", a.where, *a.array, *b.array);
}

/// The elements a(i, i) of a square matrix.
template <class A>
    requires(rank_v<A> == 2)
auto diagonal(detail::Operand<A> a) {
    return detail::einsum_arrays<element_t<A>, 1>("ii->i", a.where, *a.array);
}

/// The sum of the diagonal.
template <class A>
    requires(rank_v<A> == 2)
auto trace(detail::Operand<A> a) {
    return detail::einsum_arrays<element_t<A>, 0>("ii->", a.where, *a.array);
}

/// The norms of a vector: the sum of absolute values, the length, the largest absolute value.
enum class Norm { one, two, infinity };

/// The norm over all elements: the length of a vector, the Frobenius norm of a matrix. Squares may overflow: scale first.
template <ArrayLike A>
    requires(rank_v<A> > 0)
auto norm(const A& a, Norm kind = Norm::two, location where = location::current()) {
    using T = element_t<A>;
    const auto elements = flatten(a, where);
    auto plus = [](const auto& x, const auto& y) { return x + y; };
    auto largest = [](const auto& x, const auto& y) { return max(x, y); };
    auto size = [](const auto& x) { return sinter::abs(x); };
    auto square = [](const auto& x) { return x * x; };
    auto root = [](const auto& x) { return sinter::sqrt(x); };
    using R = Delayed<T, 0>;
    if (kind == Norm::one) return R(fold(plus, T(0), map(size, elements), axis(0), where));
    if (kind == Norm::infinity) return R(fold(largest, T(0), map(size, elements), axis(0), where));
    return R(map(root, fold(plus, T(0), map(square, elements), axis(0), where)));
}

/// The n x n matrix with ones on the diagonal.
template <class T = double, detail::SizeLike N>
auto eye(const N& n, location where = location::current()) {
    return generate(shape(n, n), [](const auto& i, const auto& j) { return select(i == j, T(1), T(0)); }, where);
}

}  // namespace sinter
