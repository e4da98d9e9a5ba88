// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix with two outer products added, then its transpose and itself times vectors.
#include "suite.hpp"

#include <algorithm>

namespace bench::npb {
namespace {

using namespace sinter;

constexpr index n = 2000;
constexpr double alpha = 1.5, beta = 1.2;

/// The vectors as a program has them: u1, v1, u2, v2, y, z.
using Vectors = std::vector<A1>;

void plain_gemver(const double* a0, const Vectors& v, double* a, double* x, double* w) {
    const double *u1 = v[0].data(), *v1 = v[1].data(), *u2 = v[2].data(), *v2 = v[3].data(), *y = v[4].data();
    std::copy_n(v[5].data(), n, x);
#pragma omp parallel
    {
#pragma omp for reduction(+ : x[ : n])
        for (index i = 0; i < n; ++i) {
            const double *from = a0 + i * n, s1 = u1[i], s2 = u2[i], factor = beta * y[i];
            double* to = a + i * n;
#pragma omp simd
            for (index j = 0; j < n; ++j) {
                to[j] = from[j] + s1 * v1[j] + s2 * v2[j];
                x[j] += factor * to[j];
            }
        }
#pragma omp for
        for (index i = 0; i < n; ++i) {
            const double* row = a + i * n;
            double t = 0;
#pragma omp simd reduction(+ : t)
            for (index j = 0; j < n; ++j) t += row[j] * x[j];
            w[i] = alpha * t;
        }
    }
}

using Results = std::tuple<D2, D1, D1>;

Results nested(D2 a, D1 u1, D1 v1, D1 u2, D1 v2, D1 y, D1 z) {
    D2 sum_of_outer = vmap([=](D1 row, R s1, R s2) { return row + s1 * v1 + s2 * v2; }, a, u1, u2);
    auto times = [](D2 rows, D1 v) { return vmap([=](D1 row) { return sum(row * v); }, rows); };
    D1 x = z + beta * times(transpose(sum_of_outer), y);
    return {sum_of_outer, x, alpha * times(sum_of_outer, x)};
}

Results by_axes(D2 a, D1 u1, D1 v1, D1 u2, D1 v2, D1 y, D1 z) {
    auto n = size(u1);
    auto columns = [=](D1 v) { return transpose(replicate(n, v)); };
    D2 b = a + columns(u1) * replicate(n, v1) + columns(u2) * replicate(n, v2);
    D1 x = z + beta * sum(b * columns(y), axis(0));
    return {b, x, alpha * sum(b * replicate(n, x))};
}

Results by_index(D2 a, D1 u1, D1 v1, D1 u2, D1 v2, D1 y, D1 z) {
    D2 b = map_indexed([=](I i, I j, R e) { return e + u1(i) * v1(j) + u2(i) * v2(j); }, a);
    D2 scaled = map_indexed([=](I i, I, R e) { return beta * y(i) * e; }, b);
    D1 x = z + sum(scaled, axis(0));
    D2 products = map_indexed([=](I, I j, R e) { return alpha * e * x(j); }, b);
    return {b, x, sum(products)};
}

}  // namespace

Kernel gemver() {
    A2 a = random_array(0., 1., n, n);
    Vectors v;
    for (int k = 0; k < 6; ++k) v.push_back(random_array(0., 1., n));
    auto b = buffer(n * n), x = buffer(n), w = buffer(n);
    auto of = [=](Results (*f)(D2, D1, D1, D1, D1, D1, D1)) {
        return [=, f = compile(f)] { return f(a, v[0], v[1], v[2], v[3], v[4], v[5]); };
    };
    return {"gemver",
            "2000x2000",
            1e-11,
            {input("A", a), input("u1", v[0]), input("v1", v[1]), input("u2", v[2]), input("v2", v[3]), input("y", v[4]),
             input("z", v[5]), number("alpha", alpha), number("beta", beta)},
            {plain(
                 "c++", [=] { plain_gemver(a.data(), v, b->data(), x->data(), w->data()); }, b, x, w),
             form("nested", of(nested)), form("axes", of(by_axes)), form("index", of(by_index))}};
}

}  // namespace bench::npb
