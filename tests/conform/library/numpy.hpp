// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of NumPy that are a line of Sinter's: those lines of docs/reference/numpy.tsv, with NumPy's results.
/// scripts/make_operations_table.py --check wants one of each, which calls what the line calls.
#pragma once

#include "conform/support.hpp"

#include <complex>

/// The functions of NumPy that a check executes.
#define NUMPY(functions, ...) \
    do {                      \
        INFO(functions);      \
        __VA_ARGS__;          \
    } while (false)

namespace numpy {

using Long = std::int64_t;
using Longs = std::vector<Long>;
using Doubles = std::vector<double>;

inline sinter::Array<Long> longs(const Longs& values) { return sinter::from(values); }
inline sinter::Array<double> doubles(const Doubles& values) { return sinter::from(values); }

/// The elements on every target, in row-major order.
template <class A>
void is(const A& a, const std::vector<sinter::element_t<A>>& expected) {
    std::vector<sinter::Target> all = conform::targets();
    all.push_back(sinter::Target::interpreter());
    for (const sinter::Target& target : all) {
        const auto found = sinter::run(a, {.target = target}).to_vector();
        REQUIRE(found.size() == expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            using T = sinter::element_t<A>;
            if constexpr (std::is_arithmetic_v<T>)
                CHECK(found[i] == Approx(expected[i]).margin(1e-12));
            else if constexpr (std::is_same_v<T, std::complex<double>>)
                CHECK(std::abs(found[i] - expected[i]) < 1e-12);
            else
                CHECK((found[i] == expected[i]));
        }
    }
}

/// [[0, 1, 2], [3, 4, 5]]
inline sinter::Array<Long, 2> matrix() { return sinter::run(sinter::reshape(sinter::iota(6), sinter::shape(2, 3))); }

}  // namespace numpy
