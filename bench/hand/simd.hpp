// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Explicit vectors; with Stream, stores bypass the caches. A range's first elements, up to alignment, and its tail go
/// through the plain loops. All arrays of one call have the same alignment.
#pragma once

#include "plain.hpp"
#include "vector.hpp"

namespace {
namespace simd {

using bench::index;

/// Calls step(i) for whole vectors of aligned elements of out, rest(begin, end) for what is left at both ends.
template <class T, class Step, class Rest>
void vectors(index begin, index end, const T* out, Step step, Rest rest) {
    index i = begin;
    while (i < end && reinterpret_cast<std::uintptr_t>(out + i) % bytes != 0) ++i;
    rest(begin, i);
    for (; i + lanes<T> <= end; i += lanes<T>) step(i);
    rest(i, end);
    _mm_sfence();
}

template <bool Stream, class T>
void write(T* p, vec<T> v) {
    if constexpr (Stream) {
        stream(p, v);
    } else {
        store(p, v);
    }
}

template <class T, bool Stream>
void saxpy(index begin, index end, T a, const T* x, const T* y, T* out) {
    const vec<T> va = all(a);
    vectors(
        begin, end, out, [=](index i) { write<Stream>(out + i, va * load(x + i) + load(y + i)); },
        [=](index b, index e) { plain::saxpy(b, e, a, x, y, out); });
}

/// Four accumulators hide the latency of the addition.
template <class T, class Term, class Rest>
T sum_of(index begin, index end, Term term, Rest rest) {
    constexpr int w = lanes<T>;
    vec<T> s0{}, s1{}, s2{}, s3{};
    index i = begin;
    for (; i + 4 * w <= end; i += 4 * w) {
        s0 += term(i);
        s1 += term(i + w);
        s2 += term(i + 2 * w);
        s3 += term(i + 3 * w);
    }
    return sum<T>((s0 + s1) + (s2 + s3)) + rest(i, end);
}

template <class T>
T dot(index begin, index end, const T* x, const T* y) {
    return sum_of<T>(
        begin, end, [=](index i) { return load(x + i) * load(y + i); },
        [=](index b, index e) { return plain::dot(b, e, x, y); });
}

template <class T>
T norm(index begin, index end, const T* x, const T* y) {
    return sum_of<T>(
        begin, end,
        [=](index i) {
            const vec<T> vx = load(x + i), vy = load(y + i);
            return sqrt(vx * vx + vy * vy);
        },
        [=](index b, index e) { return plain::norm(b, e, x, y); });
}

template <class T, bool Stream>
void chain(index begin, index end, const T* x, T* out) {
    vectors(
        begin, end, out,
        [=](index i) {
            const vec<T> v = sqrt(abs((load(x + i) + T(1)) * T(1.1) - T(0.3))) * T(0.7) + T(0.25);
            write<Stream>(out + i, max(v, all(T(0.5))));
        },
        [=](index b, index e) { plain::chain(b, e, x, out); });
}

template <class T>
vec<T> phi_polynomial(vec<T> x) {
    const vec<T> k = T(1) / (T(1) + T(0.2316419) * abs(x));
    const vec<T> p =
        k * (T(0.31938153) + k * (T(-0.356563782) + k * (T(1.781477937) + k * (T(-1.821255978) + k * T(1.330274429)))));
    const vec<T> t = T(0.39894228040143267794) * exp(-x * x * T(0.5)) * p;
    return x > T(0) ? T(1) - t : t;
}

template <class T>
vec<T> phi_exact(vec<T> x) {
    return erfc(x * T(-0.70710678118654752440)) * T(0.5);
}

/// Both variants: phi gives the four values of the distribution function.
template <bool Stream, class T, class Phi, class Rest>
void options(index begin, index end, const bench::OptionData<T>& d, Phi phi, Rest rest) {
    const T growth = d.rate + d.vol * d.vol / 2;
    vectors(
        begin, end, d.call,
        [&](index i) {
            const vec<T> price = load(d.price + i), strike = load(d.strike + i), years = load(d.years + i);
            const vec<T> spread = d.vol * sqrt(years);
            const vec<T> d1 = (log(price / strike) + growth * years) / spread;
            const vec<T> disc = strike * exp(-d.rate * years);
            vec<T> up1, up2, down1, down2;
            phi(d1, d1 - spread, up1, up2, down1, down2);
            write<Stream>(d.call + i, price * up1 - disc * up2);
            write<Stream>(d.put + i, disc * down2 - price * down1);
        },
        rest);
}

template <class T, bool Stream>
void black_scholes(index begin, index end, const bench::OptionData<T>& d) {
    const auto phi = [](vec<T> d1, vec<T> d2, vec<T>& up1, vec<T>& up2, vec<T>& down1, vec<T>& down2) {
        up1 = phi_polynomial<T>(d1);
        up2 = phi_polynomial<T>(d2);
        down1 = T(1) - up1;
        down2 = T(1) - up2;
    };
    options<Stream>(begin, end, d, phi, [&](index b, index e) { plain::black_scholes(b, e, d); });
}

template <class T, bool Stream>
void black_scholes_erf(index begin, index end, const bench::OptionData<T>& d) {
    const auto phi = [](vec<T> d1, vec<T> d2, vec<T>& up1, vec<T>& up2, vec<T>& down1, vec<T>& down2) {
        up1 = phi_exact<T>(d1);
        up2 = phi_exact<T>(d2);
        down1 = phi_exact<T>(-d1);
        down2 = phi_exact<T>(-d2);
    };
    options<Stream>(begin, end, d, phi, [&](index b, index e) { plain::black_scholes_erf(b, e, d); });
}

template <class T>
void row_sums(index begin, index end, index columns, const T* a, T* out) {
    for (index row = begin; row < end; ++row)
        out[row] = sum_of<T>(
            row * columns, (row + 1) * columns, [=](index i) { return load(a + i); },
            [=](index b, index e) { return plain::read(b, e, a); });
}

/// Eight vectors of columns in registers; each step down a row reads whole cache lines.
template <class T>
void column_sums(index begin, index end, index rows, index columns, const T* a, T* out) {
    constexpr int w = lanes<T>;
    index j = begin;
    for (; j + 8 * w <= end; j += 8 * w) {
        vec<T> s[8] = {};
        for (index i = 0; i < rows; ++i)
            for (int k = 0; k < 8; ++k) s[k] += load(a + i * columns + j + k * w);
        for (int k = 0; k < 8; ++k) store(out + j + k * w, s[k]);
    }
    plain::column_sums(j, end, rows, columns, a, out);
}

/// Two vectors of points at a time, so that one hides the latency of the other; both leave when the last point does.
template <class T>
void mandelbrot(index begin, index end, const bench::MandelbrotView<T>& v, std::int32_t* counts) {
    using I = typename native<T>::integer;
    typedef I Mask __attribute__((vector_size(bytes)));
    constexpr int w = lanes<T>;
    for (index i = begin; i < end; ++i) {
        const T ci = v.ymin + T(i) * v.dy / T(v.height);
        index j = 0;
        for (; j + 2 * w <= v.width; j += 2 * w) {
            vec<T> cr[2], zr[2], zi[2];
            Mask n[2] = {}, active[2] = {~Mask{}, ~Mask{}};
            for (int u = 0; u < 2; ++u) {
                for (int k = 0; k < w; ++k) cr[u][k] = v.xmin + T(j + u * w + k) * v.dx / T(v.width);
                zr[u] = cr[u];
                zi[u] = all(ci);
            }
            for (std::int32_t round = 0; round < v.limit; ++round) {
                for (int u = 0; u < 2; ++u) {
                    const vec<T> rr = zr[u] * zr[u], ii = zi[u] * zi[u], ri = zr[u] * zi[u];
                    active[u] &= Mask(rr + ii < all(T(v.radius * v.radius)));
                    n[u] -= active[u];
                    zr[u] = cr[u] + (rr - ii);
                    zi[u] = ci + (ri + ri);
                }
                const Mask any = active[0] | active[1];
                std::int64_t lane[bytes / 8];
                std::memcpy(lane, &any, bytes);
                std::int64_t some = 0;
                for (const std::int64_t l : lane) some |= l;
                if (some == 0) break;
            }
            for (int u = 0; u < 2; ++u)
                for (int k = 0; k < w; ++k) counts[i * v.width + j + u * w + k] = std::int32_t(n[u][k]);
        }
        for (; j < v.width; ++j) {  // the tail, as a picture one column wide
            std::int32_t count[1];
            const bench::MandelbrotView<T> column{1,        v.height, v.xmin + T(j) * v.dx / T(v.width), v.ymin, 0, v.dy,
                                                  v.radius, v.limit};
            plain::mandelbrot(i, i + 1, column, count - i);
            counts[i * v.width + j] = count[0];
        }
    }
}

template <class T, bool Stream>
void copy(index begin, index end, const T* x, T* out) {
    vectors(
        begin, end, out, [=](index i) { write<Stream>(out + i, load(x + i)); },
        [=](index b, index e) { plain::copy(b, e, x, out); });
}

template <class T>
T read(index begin, index end, const T* x) {
    return sum_of<T>(
        begin, end, [=](index i) { return load(x + i); }, [=](index b, index e) { return plain::read(b, e, x); });
}

}  // namespace simd
}  // namespace
