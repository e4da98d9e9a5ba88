// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum of the hyperbolic tangents of a diagonal, added to all of the matrix.
#include "suite.hpp"

#include <algorithm>

namespace bench::npb {
namespace {

using namespace sinter;

constexpr index n = 2000;

void plain_sum(const double* a, double* out) {
    double trace = 0;
    for (index i = 0; i < n; ++i) trace += std::tanh(a[i * n + i]);
#pragma omp parallel for
    for (index i = 0; i < n * n; ++i) out[i] = a[i] + trace;
}

D2 by_diagonal(D2 a) {
    auto trace = sum(map([=](I i) { return tanh(a(i, i)); }, iota(extent(a, 0))));
    return a + trace;
}

D2 by_backpermute(D2 a) {
    D1 diagonal = backpermute(shape(extent(a, 0)), [](I i) { return std::tuple(i, i); }, a);
    return a + sum(tanh(diagonal));
}

D2 by_loop(D2 a) {
    auto add = [=](I i, R trace) { return trace + tanh(a(i, i)); };
    auto trace = for_loop(extent(a, 0), add, R(0.));
    return map([=](R x) { return x + trace; }, a);
}

D2 by_mask(D2 a) {
    auto terms = map_indexed([](I i, I j, R x) { return select(i == j, tanh(x), 0.); }, a);
    return a + sum(terms, axes(0, 1));
}

}  // namespace

Kernel go_fast() {
    A2 a = random_array(0., 1., n, n);
    auto out = buffer(n * n);
    auto of = [=](D2 (*f)(D2)) { return [=, f = compile(f)] { return f(a); }; };
    return {"go_fast",
            "2000x2000",
            1e-11,
            {input("a", a)},
            {plain(
                 "c++", [=] { plain_sum(a.data(), out->data()); }, out),
             form("diagonal", of(by_diagonal)), form("backpermute", of(by_backpermute)), form("loop", of(by_loop)),
             form("mask", of(by_mask))}};
}

}  // namespace bench::npb
