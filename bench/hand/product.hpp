// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The matrix product with explicit vectors: blocks for the caches, both factors packed, a block of the result in registers.
/// Goto and van de Geijn, Anatomy of High-Performance Matrix Multiplication (2008), figure 8. And arithmetic alone, for the
/// limit of the machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>

namespace {
namespace product {

using index = std::int64_t;

#ifdef __AVX512F__
constexpr int bytes = 64, rows = 8, vectors = 3;
#else
constexpr int bytes = 32, rows = 6, vectors = 2;
#endif
template <class T>
constexpr int lanes = bytes / static_cast<int>(sizeof(T));
template <class T>
constexpr index columns = vectors * lanes<T>;

template <class T>
struct native {
    typedef T vector __attribute__((vector_size(bytes)));
    typedef T unaligned __attribute__((vector_size(bytes), aligned(sizeof(T))));
};
template <class T>
using vec = typename native<T>::vector;

/// out += a b, or out = a b if it is the first, for a block in registers; a and b are packed.
template <class T>
__attribute__((noinline)) void block(index count, const T* a, const T* b, T* out, index stride, bool first) {
    using unaligned = typename native<T>::unaligned;
    vec<T> sums[rows][vectors];
#pragma GCC unroll 8
    for (int i = 0; i < rows; ++i)
#pragma GCC unroll 8
        for (int j = 0; j < vectors; ++j)
            sums[i][j] = first ? vec<T>{} : vec<T>(*reinterpret_cast<const unaligned*>(out + i * stride + j * lanes<T>));
    for (index k = 0; k < count; ++k, a += rows, b += columns<T>) {
        vec<T> right[vectors];
#pragma GCC unroll 8
        for (int j = 0; j < vectors; ++j) right[j] = *reinterpret_cast<const vec<T>*>(b + j * lanes<T>);
#pragma GCC unroll 8
        for (int i = 0; i < rows; ++i) {
            const vec<T> left = a[i] - vec<T>{};
#pragma GCC unroll 8
            for (int j = 0; j < vectors; ++j) sums[i][j] += left * right[j];
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < rows; ++i)
#pragma GCC unroll 8
        for (int j = 0; j < vectors; ++j) *reinterpret_cast<unaligned*>(out + i * stride + j * lanes<T>) = sums[i][j];
}

/// The same where the block reaches beyond the result's edges.
template <class T>
void edge(index count, const T* a, const T* b, T* out, index stride, bool first, index height, index width) {
    alignas(bytes) T whole[rows * columns<T>] = {};
    for (index i = 0; i < height; ++i) std::copy_n(out + i * stride, width, whole + i * columns<T>);
    block(count, a, b, whole, columns<T>, first);
    for (index i = 0; i < height; ++i) std::copy_n(whole + i * columns<T>, width, out + i * stride);
}

template <class T>
struct Aligned {
    explicit Aligned(index n) : data(static_cast<T*>(::operator new(static_cast<std::size_t>(n) * sizeof(T), align))) {}
    ~Aligned() { ::operator delete(data, align); }
    Aligned(const Aligned&) = delete;
    static constexpr std::align_val_t align{bytes};
    T* data;
};

template <class T>
void pack_right(const T* from, index n, index count, index width, T* to) {
    for (index k = 0; k < count; ++k, to += columns<T>) {
        if (width == columns<T>)
            std::memcpy(to, from + k * n, sizeof(T) * columns<T>);
        else
            std::copy_n(from + k * n, width, to);
    }
}

template <class T>
void pack_left(const T* from, index n, index count, index height, T* to) {
    for (index i = 0; i < height; i += rows)
        for (index k = 0; k < count; ++k)
            for (index r = 0; r < rows; ++r) *to++ = i + r < height ? from[(i + r) * n + k] : T(0);
}

/// out = x y: m times depth, depth times n.
template <class T>
void multiply(const T* x, const T* y, T* out, index m, index depth, index n) {
    constexpr index part = 256, width = 2048, most = 96;
    const index height = std::max<index>(rows, std::min(most, (m / 4 + rows - 1) / rows * rows));
    const Aligned<T> right(part * (width + columns<T>));
#pragma omp parallel
    {
        const Aligned<T> left(height * part);
        for (index j0 = 0; j0 < n; j0 += width)
            for (index k0 = 0; k0 < depth; k0 += part) {
                const index w = std::min(width, n - j0), count = std::min(part, depth - k0);
#pragma omp for schedule(dynamic, 4)
                for (index j = 0; j < w; j += columns<T>)
                    pack_right(y + k0 * n + j0 + j, n, count, std::min(columns<T>, w - j), right.data + j * count);
#pragma omp for schedule(dynamic, 1)
                for (index i0 = 0; i0 < m; i0 += height) {
                    const index h = std::min(height, m - i0);
                    pack_left(x + i0 * depth + k0, depth, count, h, left.data);
                    for (index j = 0; j < w; j += columns<T>)
                        for (index i = 0; i < h; i += rows) {
                            const T *a = left.data + i * count, *b = right.data + j * count;
                            T* to = out + (i0 + i) * n + j0 + j;
                            const index inside = std::min<index>(rows, h - i), across = std::min(columns<T>, w - j);
                            if (inside == rows && across == columns<T>)
                                block(count, a, b, to, n, k0 == 0);
                            else
                                edge(count, a, b, to, n, k0 == 0, inside, across);
                        }
                }
            }
    }
}

/// `count` products and sums of vectors, on registers alone, shared by the threads.
template <class T>
void arithmetic(index count) {
#pragma omp parallel
    {
        vec<T> sums[12] = {}, x = T(1) - vec<T>{}, y = T(1) - vec<T>{};
#pragma omp for schedule(static)
        for (index k = 0; k < count / 12; ++k)
#pragma GCC unroll 12
            for (auto& sum : sums) {
                sum += x * y;
                asm volatile("" : "+x"(x));
            }
        for (auto& sum : sums) asm volatile("" : : "x"(sum));
    }
}

}  // namespace product
}  // namespace
