// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the peers' versions of the cases have in common. A case for which a library has no means is left out.
#pragma once

#include "../problem.hpp"

#include <memory>
#include <utility>

namespace bench {

template <class T>
double sum_of(const Buffer<T>& b, index n) {
    double sum = 0;
    for (index i = 0; i < n; ++i) sum += double(b.data()[i]);
    return sum;
}

/// call() leaves its result in p.out, the first `written` elements of which are checked.
template <class T, class F>
Contender writes(const char* name, const Problem<T>& p, index written, F call) {
    return {name, [p, call] { call(); }, [p, written] { return sum_of(p.out, written); }};
}

/// As above; two results.
template <class T, class F>
Contender writes_two(const char* name, const Problem<T>& p, F call) {
    return {name, [p, call] { call(); }, [p] { return sum_of(p.out, p.n) + sum_of(p.out2, p.n); }};
}

/// call() returns the result.
template <class T, class F>
Contender returns(const char* name, const Problem<T>& p, F call) {
    auto result = std::make_shared<T>();
    return {name, [p, call, result] { *result = call(); }, [result] { return double(*result); }};
}

}  // namespace bench
