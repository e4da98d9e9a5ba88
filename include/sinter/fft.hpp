// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Discrete Fourier transforms, made of the combinators: of any length, on every target, under vmap, with derivatives.
///
/// Lengths that are powers of two use Stockham's algorithm, which needs no reordering: log2 n passes. Other lengths are
/// computed as a convolution, by transforms whose length is a power of two (Bluestein, "A Linear Filtering Approach to the
/// Computation of the Discrete Fourier Transform", 1970): about eight times as expensive.
#pragma once

#include <sinter/array_control.hpp>
#include <sinter/array_math.hpp>
#include <sinter/array_operators.hpp>
#include <sinter/combinators/make.hpp>
#include <sinter/combinators/pad.hpp>
#include <sinter/combinators/slice.hpp>
#include <sinter/combinators/update.hpp>
#include <sinter/combinators/vmap.hpp>
#include <sinter/complex.hpp>

#include <complex>
#include <numbers>

namespace sinter {

namespace detail {

template <class F>
using Wave = Delayed<std::complex<F>>;
using Place = Exp<std::int64_t>;

/// exp(sign 2 pi i k / n), 0 <= k < n.
template <class F>
Exp<std::complex<F>> root_of_unity(Place k, Place n, F sign) {
    // The angle is taken relative to the nearest multiple of a quarter turn, at most an eighth away: it is small, and exact
    // quarters are exact.
    const Place quarter = (4 * k + n / 2) / n;
    const Exp<F> rest = cast<F>(4 * k - quarter * n) / cast<F>(n);
    const Exp<F> angle = rest * F(std::numbers::pi / 2);
    const Exp<F> c = cos(angle), s = sin(angle);
    const Place turn = quarter % 4;
    const Exp<F> x = select(turn == 0, c, select(turn == 1, -s, select(turn == 2, -c, s)));
    const Exp<F> y = select(turn == 0, s, select(turn == 1, c, select(turn == 2, -s, -c)));
    return record<std::complex<F>>(x, sign * y);
}

/// The transform for a length that is a power of two. `n` and `stages`, its binary logarithm, have rank 0.
template <class F>
Wave<F> fft_of_power(const Wave<F>& x, const Delayed<std::int64_t, 0>& stages, F sign, location where) {
    auto same = [&](const auto& f) {
        return generate_like(std::make_index_sequence<1>{}, "fft", where, x.leaves().leaf[0], f);
    };
    auto root = [&](Place k) { return root_of_unity<F>(k, extent(x, 0), sign); };
    const Wave<F> roots = force(same(root), where);
    auto pass = [=](Place stage, const Wave<F>& y) {
        auto element = [&](Place t) {
            // Blocks of m: the even ones are sums, the odd ones rotated differences.
            const Place m = Place(1) << stage, n = extent(y, 0);
            const Place block = t / m, inside = t % m, j = block / 2;
            const Place at = inside + j * m;
            const Exp<std::complex<F>> a = y(at), b = y(at + n / 2);
            return select(block % 2 == 0, a + b, (a - b) * roots(j * m));
        };
        return generate_like(std::make_index_sequence<1>{}, "fft", where, y.leaves().leaf[0], element);
    };
    return for_loop(stages, pass, x, where);
}

/// Since j k = (k^2 + j^2 - (k - j)^2) / 2, the transform is a convolution.
template <class F>
Wave<F> fft_by_convolution(const Wave<F>& x, std::int64_t n, F sign, location where) {
    std::int64_t padded = 1, stages = 0;
    for (; padded < 2 * n - 1; padded *= 2) ++stages;
    const Delayed<std::int64_t, 0> logarithm(literal_leaves(stages, where));
    auto chirp = [=](Place k) { return root_of_unity<F>(k * k % (2 * n), 2 * n, sign); };
    auto wave = [=](Place k) {
        const Place inside = min(k, n - 1);
        return select(k < n, x(inside) * chirp(inside), Exp<std::complex<F>>(std::complex<F>(0)));
    };
    auto kernel = [=](Place k) {
        const Place distance = select(k < n, k, padded - k);
        return select(distance < n, conj(chirp(min(distance, n - 1))), Exp<std::complex<F>>(std::complex<F>(0)));
    };
    const Wave<F> a = fft_of_power<F>(generate(shape(padded), wave, where), logarithm, F(-1), where);
    const Wave<F> b = fft_of_power<F>(generate(shape(padded), kernel, where), logarithm, F(-1), where);
    const Wave<F> product = map([](auto p, auto q) { return p * q; }, a, b);
    const Wave<F> back = fft_of_power<F>(product, logarithm, F(1), where);
    const F scale = F(1) / static_cast<F>(padded);
    auto element = [=](Place k) { return back(k) * chirp(k) * record<std::complex<F>>(Exp<F>(scale), Exp<F>(F(0))); };
    return generate_like(std::make_index_sequence<1>{}, "fft", where, x.leaves().leaf[0], element);
}

template <class F>
Wave<F> fft_of_line(const Wave<F>& x, F sign, location where) {
    const std::int64_t n = known_count(x.leaves().leaf[0]);
    if (n < 0)
        throw UsageError(
            "fft: the extent of the axis has to be known where the transform is written, which that of a parameter "
            "of compile() is not: reshape it to a literal extent",
            where);
    if (n <= 1) return x;
    if ((n & (n - 1)) != 0) return fft_by_convolution<F>(x, n, sign, where);
    std::int64_t stages = 0;
    while ((std::int64_t{1} << stages) < n) ++stages;
    return fft_of_power<F>(x, Delayed<std::int64_t, 0>(literal_leaves(stages, where)), sign, where);
}

/// The elements as complex numbers.
template <class A>
auto as_complex(const A& a) {
    using T = element_t<A>;
    if constexpr (is_complex<T>) {
        return Delayed<T, rank_v<A>>(a);
    } else {
        static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>, "fft: real or complex floating-point elements");
        auto with_zero = [](Exp<T> x) { return record<std::complex<T>>(x, Exp<T>(T(0))); };
        return Delayed<std::complex<T>, rank_v<A>>(map(with_zero, a));
    }
}

template <class C>
struct RealOf;
template <class F>
struct RealOf<std::complex<F>> {
    using type = F;
};

/// Makes axis `axis` the innermost, applies f, and moves the axis back.
template <class A, class F>
auto along(const A& a, std::int64_t axis, const char* what, location where, F f) {
    constexpr int rank = rank_v<A>;
    const std::int64_t k = axis < 0 ? axis + rank : axis;
    if (k < 0 || k >= rank) throw UsageError(std::string(what) + ": the array has no axis " + std::to_string(axis), where);
    int order[rank];
    for (int i = 0; i < rank; ++i) order[i] = i;
    std::swap(order[k], order[rank - 1]);
    return transpose(f(transpose(a, order, where)), order, where);
}

/// The unscaled transform along one axis.
template <class A>
auto transform(const A& a, std::int64_t axis, int sign, const char* what, location where) {
    const auto z = as_complex(a);
    using F = typename RealOf<element_t<std::remove_const_t<decltype(z)>>>::type;
    constexpr int rank = rank_v<A>;
    return along(z, axis, what, where, [&](const auto& lines) {
        return each_line(Delayed<std::complex<F>, rank>(lines),
                         [=](const Wave<F>& line) { return fft_of_line<F>(line, static_cast<F>(sign), where); });
    });
}

template <class A>
auto divided_by(const A& z, std::int64_t count) {
    using C = element_t<A>;
    using F = typename RealOf<C>::type;
    return map([=](Exp<C> x) { return record<C>(real(x) / static_cast<F>(count), imag(x) / static_cast<F>(count)); }, z);
}

template <class A>
std::int64_t known_extent(const A& a, std::int64_t axis) {
    const std::int64_t k = axis < 0 ? axis + rank_v<A> : axis;
    return Delayed<element_t<A>, rank_v<A>>(a).shape()[static_cast<std::size_t>(k)];
}

}  // namespace detail

/// The sum over j of a(j) exp(-2 pi i j k / n) for each k, along an axis (default: the innermost). Elements are complex;
/// real ones become complex. The extent has to be known when the program is written.
template <class A>
auto fft(detail::Operand<A> a, Axes<1> axis = {{-1}}) {
    return detail::transform(*a.array, axis.axes[0], -1, "fft", a.where);
}
/// The inverse transform: with +i, divided by n.
template <class A>
auto ifft(detail::Operand<A> a, Axes<1> axis = {{-1}}) {
    return detail::divided_by(detail::transform(*a.array, axis.axes[0], 1, "ifft", a.where),
                              detail::known_extent(*a.array, axis.axes[0]));
}

/// The transform along the two innermost axes.
template <class A>
    requires(rank_v<A> >= 2)
auto fft2(detail::Operand<A> a) {
    return fft(fft(a, axis(-1)), axis(-2));
}
template <class A>
    requires(rank_v<A> >= 2)
auto ifft2(detail::Operand<A> a) {
    return ifft(ifft(a, axis(-1)), axis(-2));
}

/// The transform of real elements along the innermost axis: the first n / 2 + 1 elements of fft; the others are their
/// conjugates.
template <class A>
auto rfft(detail::Operand<A> a) {
    static_assert(std::is_floating_point_v<element_t<A>>, "rfft: real elements");
    const std::int64_t n = detail::known_extent(*a.array, -1);
    return take(detail::transform(*a.array, -1, -1, "rfft", a.where), n / 2 + 1, axis(-1), a.where);
}
/// The real array of n elements whose rfft this is.
template <class A>
auto irfft(detail::Operand<A> a, std::int64_t n) {
    using C = element_t<A>;
    static_assert(detail::is_complex<C>, "irfft: complex elements");
    const location where = a.where;
    auto line = [=](const Delayed<C>& z) {
        auto element = [&](detail::Place k) {
            return select(k <= n / 2, z(min(k, n / 2)), conj(z(select(k <= n / 2, k, n - k))));
        };
        const auto whole = generate(shape(n), element, where);
        return map([](Exp<C> x) { return real(x); }, detail::divided_by(detail::transform(whole, -1, 1, "irfft", where), n));
    };
    return detail::each_line(Delayed<C, rank_v<A>>(*a.array), line);
}

/// The frequencies of the elements of fft: 0, 1, ..., and then the negative ones, as multiples of 1 / (n d).
template <class T = double>
auto fftfreq(std::int64_t n, T d = 1, location where = location::current()) {
    auto frequency = [=](detail::Place k) { return cast<T>(select(k < (n + 1) / 2, k, k - n)) / (static_cast<T>(n) * d); };
    return generate(shape(n), frequency, where);
}

}  // namespace sinter
