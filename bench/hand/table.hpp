// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The hand-written side of the benchmarks: one table of kernels a compiler, the same source built by each.
/// The hand-written side of the benchmarks: one table of kernels per compiler, each of which builds the same source.
/// A kernel works on the range [begin, end) of its outermost index; the driver gives each thread a range. Floating point is
/// A kernel works on the range [begin, end) of its outermost index; the driver gives each thread a range. Floating point is
/// strict, except for the association of sums. `plain` is a loop as anyone would write it, `simd` uses explicit vectors and
/// libmvec, and `stream` is simd with non-temporal stores.
#pragma once

#include <cstdint>

namespace bench {

using index = std::int64_t;

template <class T>
struct MandelbrotView {
    index width, height;
    T xmin, ymin, dx, dy;  ///< cr(j) = xmin + (j * dx) / width; ci(i) = ymin + (i * dy) / height
    T radius;
    std::int32_t limit;
};

template <class T>
struct OptionData {
    const T* price;
    const T* strike;
    const T* years;
    T* call;
    T* put;
    T rate, vol;
};

template <class T>
struct Kernels {
    /// out = a x + y
    void (*saxpy)(index begin, index end, T a, const T* x, const T* y, T* out);
    /// sum of x y
    T (*dot)(index begin, index end, const T* x, const T* y);
    /// sum of sqrt(x^2 + y^2)
    T (*norm)(index begin, index end, const T* x, const T* y);
    /// out = eight maps of x, one after the other
    void (*chain)(index begin, index end, const T* x, T* out);
    /// European calls and puts; normal distribution by polynomial or by erfc
    void (*black_scholes)(index begin, index end, const OptionData<T>& data);
    void (*black_scholes_erf)(index begin, index end, const OptionData<T>& data);
    /// sums of rows [begin, end) of a matrix with `columns` columns
    void (*row_sums)(index begin, index end, index columns, const T* a, T* out);
    /// sums of columns [begin, end) of a matrix of `rows` times `columns`
    void (*column_sums)(index begin, index end, index rows, index columns, const T* a, T* out);
    /// escape counts of rows [begin, end)
    void (*mandelbrot)(index begin, index end, const MandelbrotView<T>& view, std::int32_t* counts);
    /// limits of the machine: copying and reading
    void (*copy)(index begin, index end, const T* x, T* out);
    T (*read)(index begin, index end, const T* x);
};

template <class T>
struct Variants {
    Kernels<T> plain, simd, stream;
};

struct Table {
    const char* compiler;
    Variants<float> f32;
    Variants<double> f64;
};

}  // namespace bench

extern "C" const bench::Table* hand_table_gcc();
extern "C" const bench::Table* hand_table_clang();
