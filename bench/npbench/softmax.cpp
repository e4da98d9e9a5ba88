// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Softmax along the last axis of an array of rank 4, as in attention.
#include "suite.hpp"

#include <algorithm>

namespace bench::npb {
namespace {

using namespace sinter;

constexpr index batch = 8, heads = 8, width = 256, rows = batch * heads * width;

using F4 = Delayed<float, 4>;
using Row = Delayed<float>;

void plain_softmax(const float* x, float* out) {
#pragma omp parallel for
    for (index r = 0; r < rows; ++r) {
        const float* row = x + r * width;
        float *to = out + r * width, top = row[0], total = 0;
#pragma omp simd reduction(max : top)
        for (index k = 0; k < width; ++k) top = std::max(top, row[k]);
#pragma omp simd reduction(+ : total)
        for (index k = 0; k < width; ++k) total += to[k] = std::exp(row[k] - top);
        for (index k = 0; k < width; ++k) to[k] /= total;
    }
}

Row of_row(Row x) {
    auto e = exp(x - max(x));
    return e / sum(e);
}

F4 nested(F4 x) {
    return vmap([](Delayed<float, 3> a) { return vmap([](Delayed<float, 2> b) { return vmap(of_row, b); }, a); }, x);
}

F4 by_reshape(F4 x) {
    auto n = extent(x, 0), h = extent(x, 1), m = extent(x, 2), w = extent(x, 3);
    Delayed<float, 2> flat = reshape(x, shape(n * h * m, w));
    return reshape(vmap(of_row, flat), shape(n, h, m, w));
}

/// As in NumPy: reductions that are repeated to the whole shape.
F4 by_axes(F4 x) {
    auto all = shape(extent(x, 0), extent(x, 1), extent(x, 2), extent(x, 3));
    F4 e = exp(x - broadcast(max(x), all, axes(0, 1, 2)));
    return e / broadcast(sum(e), all, axes(0, 1, 2));
}

F4 by_index(F4 x) {
    Delayed<float, 3> top = max(x);
    F4 e = map_indexed([=](I i, I j, I k, I, Exp<float> v) { return exp(v - top(i, j, k)); }, x);
    Delayed<float, 3> total = sum(e);
    return map_indexed([=](I i, I j, I k, I, Exp<float> v) { return v / total(i, j, k); }, e);
}

}  // namespace

Kernel softmax() {
    Array<float, 4> x = random_array(-4.f, 4.f, batch, heads, width, width);
    auto out = buffer<float>(rows * width);
    auto of = [=](F4 (*f)(F4)) { return [=, f = compile(f)] { return f(x); }; };
    return {"softmax",
            "8x8x256x256 float",
            1e-5,
            {input("x", x)},
            {plain(
                 "c++", [=] { plain_softmax(x.data(), out->data()); }, out),
             form("nested", of(nested)), form("reshape", of(by_reshape)), form("axes", of(by_axes)),
             form("index", of(by_index))}};
}

}  // namespace bench::npb
