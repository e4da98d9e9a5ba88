// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Built once by each compiler, with HAND_COMPILER (a name) and HAND_TABLE (the function to define).
#include "table.hpp"

#include "plain.hpp"
#include "simd.hpp"

#define HAND_PLAIN(T)                                                          \
    {plain::saxpy<T>,    plain::dot<T>,           plain::norm<T>,              \
     plain::chain<T>,    plain::black_scholes<T>, plain::black_scholes_erf<T>, \
     plain::row_sums<T>, plain::column_sums<T>,   plain::mandelbrot<T>,        \
     plain::copy<T>,     plain::read<T>}
#define HAND_SIMD(T, stream)             \
    {simd::saxpy<T, stream>,             \
     simd::dot<T>,                       \
     simd::norm<T>,                      \
     simd::chain<T, stream>,             \
     simd::black_scholes<T, stream>,     \
     simd::black_scholes_erf<T, stream>, \
     simd::row_sums<T>,                  \
     simd::column_sums<T>,               \
     simd::mandelbrot<T>,                \
     simd::copy<T, stream>,              \
     simd::read<T>}

extern "C" const bench::Table* HAND_TABLE() {
    static const bench::Table table = {
        HAND_COMPILER,
        {HAND_PLAIN(float), HAND_SIMD(float, false), HAND_SIMD(float, true)},
        {HAND_PLAIN(double), HAND_SIMD(double, false), HAND_SIMD(double, true)},
    };
    return &table;
}
