// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The matrix product without nesting: both factors replicated to three axes, one product, one fold (Keller et al., Regular,
/// Shape-polymorphic, Parallel Arrays in Haskell, 2010, section 2); and with nested parallelism.
#pragma once

#include "common.hpp"

namespace programs {

template <class T>
Delayed<T, 2> matrix_product(const Delayed<T, 2>& x, const Delayed<T, 2>& y, std::int64_t m, std::int64_t k,
                             std::int64_t n) {
    auto x3 = broadcast(x, shape(m, n, k), axes(0, 2));
    auto y3 = replicate(m, transpose(y));
    return sum(x3 * y3);
}

/// Rows of x times columns of y.
template <class T>
Delayed<T, 2> matrix_product_nested(const Delayed<T, 2>& x, const Delayed<T, 2>& y) {
    return vmap([&](Delayed<T> row) { return vmap([=](Delayed<T> column) { return sum(row * column); }, transpose(y)); }, x);
}

/// Small integers divided by `scale`.
template <class T>
Array<T, 2> factor(std::uint64_t stream, std::int64_t rows, std::int64_t columns, T scale) {
    return make_input<2>({rows, columns}, [=](Exp<std::int64_t> i) { return cast<T>(below(stream, i, 21) - 10) / scale; });
}

}  // namespace programs
