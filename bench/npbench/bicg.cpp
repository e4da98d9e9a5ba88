// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix times one vector and its transpose times another, as in the method of biconjugate gradients.
#include "suite.hpp"

#include <algorithm>

namespace bench::npb {
namespace {

using namespace sinter;

constexpr index m = 2100, n = 1900;

void plain_products(const double* a, const double* p, const double* r, double* q, double* s) {
    std::fill_n(s, n, 0.);
#pragma omp parallel for reduction(+ : s[ : n])
    for (index i = 0; i < m; ++i) {
        const double *row = a + i * n, factor = r[i];
        double t = 0;
#pragma omp simd reduction(+ : t)
        for (index j = 0; j < n; ++j) {
            s[j] += factor * row[j];
            t += row[j] * p[j];
        }
        q[i] = t;
    }
}

using Pair = std::tuple<D1, D1>;

Pair nested(D2 a, D1 p, D1 r) {
    auto times = [](D2 rows, D1 v) { return vmap([=](D1 row) { return sum(row * v); }, rows); };
    return {times(transpose(a), r), times(a, p)};
}

Pair by_axes(D2 a, D1 p, D1 r) {
    auto m = extent(a, 0), n = extent(a, 1);
    return {sum(a * broadcast(r, shape(m, n), axes(0)), axis(0)), sum(a * replicate(m, p))};
}

Pair scaled_rows(D2 a, D1 p, D1 r) {
    return {sum(vmap([](D1 row, R factor) { return factor * row; }, a, r), axis(0)),
            vmap([=](D1 row) { return sum(row * p); }, a)};
}

Pair by_index(D2 a, D1 p, D1 r) {
    auto m = extent(a, 0), n = extent(a, 1);
    auto q = map([=](I i) { return for_loop(n, [=](I j, R t) { return t + a(i, j) * p(j); }, R(0.)); }, iota(m));
    auto s = map([=](I j) { return for_loop(m, [=](I i, R t) { return t + a(i, j) * r(i); }, R(0.)); }, iota(n));
    return {s, q};
}

}  // namespace

Kernel bicg() {
    A2 a = random_array(0., 1., m, n);
    A1 p = random_array(0., 1., n), r = random_array(0., 1., m);
    auto q = buffer(m), s = buffer(n);
    auto of = [=](Pair (*f)(D2, D1, D1)) { return [=, f = compile(f)] { return f(a, p, r); }; };
    return {"bicg",
            "2100x1900",
            1e-11,
            {input("A", a), input("p", p), input("r", r)},
            {plain(
                 "c++", [=] { plain_products(a.data(), p.data(), r.data(), q->data(), s->data()); }, s, q),
             form("nested", of(nested)), form("axes", of(by_axes)), form("scaled rows", of(scaled_rows)),
             form("index loops", of(by_index))}};
}

}  // namespace bench::npb
