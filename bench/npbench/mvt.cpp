// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two vectors, to which a matrix and its transpose times two others are added.
#include "suite.hpp"

#include <algorithm>

namespace bench::npb {
namespace {

using namespace sinter;

constexpr index n = 2000;

void plain_products(const double* a, const double* y1, const double* y2, double* x1, double* x2) {
#pragma omp parallel for reduction(+ : x2[ : n])
    for (index i = 0; i < n; ++i) {
        const double *row = a + i * n, factor = y2[i];
        double t = 0;
#pragma omp simd reduction(+ : t)
        for (index j = 0; j < n; ++j) {
            t += row[j] * y1[j];
            x2[j] += factor * row[j];
        }
        x1[i] += t;
    }
}

using Pair = std::tuple<D1, D1>;

Pair nested(D2 a, D1 x1, D1 x2, D1 y1, D1 y2) {
    auto times = [](D2 rows, D1 v) { return vmap([=](D1 row) { return sum(row * v); }, rows); };
    return {x1 + times(a, y1), x2 + times(transpose(a), y2)};
}

Pair by_axes(D2 a, D1 x1, D1 x2, D1 y1, D1 y2) {
    auto n = size(x1);
    return {x1 + sum(a * replicate(n, y1)), x2 + sum(a * transpose(replicate(n, y2)), axis(0))};
}

/// The start of each sum is what stands there already.
Pair by_index(D2 a, D1 x1, D1 x2, D1 y1, D1 y2) {
    auto n = size(x1);
    auto first = map_indexed([=](I i, R x) { return for_loop(n, [=](I j, R t) { return t + a(i, j) * y1(j); }, x); }, x1);
    auto second = map_indexed([=](I j, R x) { return for_loop(n, [=](I i, R t) { return t + a(i, j) * y2(i); }, x); }, x2);
    return {first, second};
}

Pair scaled_rows(D2 a, D1 x1, D1 x2, D1 y1, D1 y2) {
    return {vmap([=](D1 row, R x) { return x + sum(row * y1); }, a, x1),
            x2 + sum(vmap([](D1 row, R factor) { return factor * row; }, a, y2), axis(0))};
}

}  // namespace

Kernel mvt() {
    A2 a = random_array(0., 1., n, n);
    A1 x1 = random_array(0., 1., n), x2 = random_array(0., 1., n), y1 = random_array(0., 1., n),
       y2 = random_array(0., 1., n);
    auto to1 = buffer(n), to2 = buffer(n);
    auto plain_call = [=] {
        std::copy_n(x1.data(), n, to1->data());
        std::copy_n(x2.data(), n, to2->data());
        plain_products(a.data(), y1.data(), y2.data(), to1->data(), to2->data());
    };
    auto of = [=](Pair (*f)(D2, D1, D1, D1, D1)) { return [=, f = compile(f)] { return f(a, x1, x2, y1, y2); }; };
    return {"mvt",
            "2000x2000",
            1e-11,
            {input("x1", x1), input("x2", x2), input("y_1", y1), input("y_2", y2), input("A", a)},
            {plain("c++", plain_call, to1, to2), form("nested", of(nested)), form("axes", of(by_axes)),
             form("scaled rows", of(scaled_rows)), form("index loops", of(by_index))}};
}

}  // namespace bench::npb
