// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Plain loops. Everything is in an unnamed namespace: two compilers build this file into one program.
#pragma once

#include "table.hpp"

#include <algorithm>
#include <cmath>

namespace {
namespace plain {

using bench::index;

template <class T>
void saxpy(index begin, index end, T a, const T* x, const T* y, T* __restrict out) {
    for (index i = begin; i < end; ++i) out[i] = a * x[i] + y[i];
}

template <class T>
T dot(index begin, index end, const T* x, const T* y) {
    T sum = 0;
#pragma omp simd reduction(+ : sum)
    for (index i = begin; i < end; ++i) sum += x[i] * y[i];
    return sum;
}

template <class T>
T norm(index begin, index end, const T* x, const T* y) {
    T sum = 0;
#pragma omp simd reduction(+ : sum)
    for (index i = begin; i < end; ++i) sum += std::sqrt(x[i] * x[i] + y[i] * y[i]);
    return sum;
}

template <class T>
void chain(index begin, index end, const T* x, T* __restrict out) {
    for (index i = begin; i < end; ++i) {
        const T v = std::sqrt(std::abs((x[i] + T(1)) * T(1.1) - T(0.3))) * T(0.7) + T(0.25);
        out[i] = v > T(0.5) ? v : T(0.5);
    }
}

template <class T>
T phi_polynomial(T x) {
    const T k = 1 / (1 + T(0.2316419) * std::abs(x));
    const T p =
        k * (T(0.31938153) + k * (T(-0.356563782) + k * (T(1.781477937) + k * (T(-1.821255978) + k * T(1.330274429)))));
    const T t = T(0.39894228040143267794) * std::exp(-x * x / 2) * p;
    return x > 0 ? 1 - t : t;
}

template <class T>
void black_scholes(index begin, index end, const bench::OptionData<T>& d) {
    for (index i = begin; i < end; ++i) {
        const T spread = d.vol * std::sqrt(d.years[i]);
        const T d1 = (std::log(d.price[i] / d.strike[i]) + (d.rate + d.vol * d.vol / 2) * d.years[i]) / spread;
        const T disc = d.strike[i] * std::exp(-d.rate * d.years[i]);
        const T phi1 = phi_polynomial(d1), phi2 = phi_polynomial(d1 - spread);
        d.call[i] = d.price[i] * phi1 - disc * phi2;
        d.put[i] = disc * (1 - phi2) - d.price[i] * (1 - phi1);
    }
}

template <class T>
T phi_exact(T x) {
    return std::erfc(x * T(-0.70710678118654752440)) / 2;
}

template <class T>
void black_scholes_erf(index begin, index end, const bench::OptionData<T>& d) {
    for (index i = begin; i < end; ++i) {
        const T spread = d.vol * std::sqrt(d.years[i]);
        const T d1 = (std::log(d.price[i] / d.strike[i]) + (d.rate + d.vol * d.vol / 2) * d.years[i]) / spread;
        const T d2 = d1 - spread;
        const T disc = d.strike[i] * std::exp(-d.rate * d.years[i]);
        d.call[i] = d.price[i] * phi_exact(d1) - disc * phi_exact(d2);
        d.put[i] = disc * phi_exact(-d2) - d.price[i] * phi_exact(-d1);
    }
}

template <class T>
void row_sums(index begin, index end, index columns, const T* a, T* out) {
    for (index row = begin; row < end; ++row) {
        T sum = 0;
#pragma omp simd reduction(+ : sum)
        for (index j = 0; j < columns; ++j) sum += a[row * columns + j];
        out[row] = sum;
    }
}

/// A block of columns at a time, so that its sums stay in the first-level cache.
template <class T>
void column_sums(index begin, index end, index rows, index columns, const T* a, T* __restrict out) {
    constexpr index block = 2048 / sizeof(T) * 4;
    for (index first = begin; first < end; first += block) {
        const index last = std::min(first + block, end);
        std::fill(out + first, out + last, T(0));
        for (index i = 0; i < rows; ++i)
            for (index j = first; j < last; ++j) out[j] += a[i * columns + j];
    }
}

template <class T>
void mandelbrot(index begin, index end, const bench::MandelbrotView<T>& v, std::int32_t* counts) {
    for (index i = begin; i < end; ++i) {
        const T ci = v.ymin + T(i) * v.dy / T(v.height);
        for (index j = 0; j < v.width; ++j) {
            const T cr = v.xmin + T(j) * v.dx / T(v.width);
            T zr = cr, zi = ci;
            std::int32_t n = 0;
            while (n < v.limit && zr * zr + zi * zi < v.radius * v.radius) {
                const T next = cr + (zr * zr - zi * zi);
                zi = ci + (zr * zi + zi * zr);
                zr = next;
                ++n;
            }
            counts[i * v.width + j] = n;
        }
    }
}

/// The empty statement keeps the compiler from making a call of memcpy, which stores past the caches.
template <class T>
void copy(index begin, index end, const T* x, T* __restrict out) {
    for (index i = begin; i < end; i += 64) {
        const index last = std::min(i + 64, end);
        for (index j = i; j < last; ++j) out[j] = x[j];
        __asm__ volatile("" ::: "memory");
    }
}

template <class T>
T read(index begin, index end, const T* x) {
    T sum = 0;
#pragma omp simd reduction(+ : sum)
    for (index i = begin; i < end; ++i) sum += x[i];
    return sum;
}

}  // namespace plain
}  // namespace
