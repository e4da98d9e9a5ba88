// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three layers of a network: products with weights, a bias, max(x, 0); softmax at the end.
#include "suite.hpp"

#include <algorithm>

namespace bench::npb {
namespace {

using namespace sinter;

constexpr index batch = 32, inputs = 64, wide = 2000, middle = 500, classes = 500;

using M = Delayed<float, 2>;
using V = Delayed<float>;

/// out = x w + b. Blocks of columns, and of rows of w: what a block of w holds is used by all rows of x.
void layer(const float* x, const float* w, const float* b, float* out, index k, index n, bool cut) {
    constexpr index block = 256;
#pragma omp for schedule(static)
    for (index j0 = 0; j0 < n; j0 += block) {
        const index end = std::min(j0 + block, n);
        for (index i = 0; i < batch; ++i) std::copy(b + j0, b + end, out + i * n + j0);
        for (index p0 = 0; p0 < k; p0 += 32)
            for (index i = 0; i < batch; ++i)
                for (index p = p0; p < std::min(p0 + 32, k); ++p) {
                    const float factor = x[i * k + p];
                    for (index j = j0; j < end; ++j) out[i * n + j] += factor * w[p * n + j];
                }
        if (cut)
            for (index i = 0; i < batch; ++i)
                for (index j = j0; j < end; ++j) out[i * n + j] = std::max(out[i * n + j], 0.f);
    }
}

struct Weights {
    Array<float, 2> w1, w2, w3;
    Array<float> b1, b2, b3;
};

void plain_mlp(const float* x, const Weights& w, float* h1, float* h2, float* out) {
#pragma omp parallel
    {
        layer(x, w.w1.data(), w.b1.data(), h1, inputs, wide, true);
        layer(h1, w.w2.data(), w.b2.data(), h2, wide, middle, true);
        layer(h2, w.w3.data(), w.b3.data(), out, middle, classes, false);
#pragma omp for
        for (index i = 0; i < batch; ++i) {
            float *row = out + i * classes, top = row[0], total = 0;
#pragma omp simd reduction(max : top)
            for (index j = 0; j < classes; ++j) top = std::max(top, row[j]);
#pragma omp simd reduction(+ : total)
            for (index j = 0; j < classes; ++j) total += row[j] = std::exp(row[j] - top);
            for (index j = 0; j < classes; ++j) row[j] /= total;
        }
    }
}

V softmax_of(V row) {
    auto e = exp(row - max(row));
    return e / sum(e);
}

M relu(M x) {
    return map([](Exp<float> v) { return max(v, 0.f); }, x);
}

/// Rows with columns; the bias is added to each row.
M nested(M x, M w, V b) {
    return vmap([=](V row) { return vmap([=](V column, Exp<float> c) { return sum(row * column) + c; }, transpose(w), b); },
                x);
}

/// Both factors repeated to a cube, which is folded.
M by_axes(M x, M w, V b) {
    auto n = extent(x, 0), k = extent(w, 0), m = extent(w, 1);
    return sum(broadcast(x, shape(n, m, k), axes(0, 2)) * replicate(n, transpose(w))) + replicate(n, b);
}

M by_index(M x, M w, V b) {
    return generate(shape(extent(x, 0), extent(w, 1)), [=](I i, I j) {
        return for_loop(extent(w, 0), [=](I k, Exp<float> t) { return t + x(i, k) * w(k, j); }, b(j));
    });
}

/// Sums of rows of w, each with a factor.
M by_rows(M x, M w, V b) {
    return vmap(
        [=](V row) { return b + sum(vmap([](Exp<float> factor, V line) { return factor * line; }, row, w), axis(0)); }, x);
}

template <class Product>
auto network(Product product, Options options = {}) {
    return compile(
        [=](M x, M w1, M w2, M w3, V b1, V b2, V b3) {
            M h1 = relu(product(x, w1, b1)), h2 = relu(product(h1, w2, b2));
            return vmap(softmax_of, product(h2, w3, b3));
        },
        options);
}

}  // namespace

Kernel mlp() {
    Array<float, 2> x = random_array(-1.f, 1.f, batch, inputs);
    const Weights w{random_array(-.1f, .1f, inputs, wide),    random_array(-.1f, .1f, wide, middle),
                    random_array(-.1f, .1f, middle, classes), random_array(-.1f, .1f, wide),
                    random_array(-.1f, .1f, middle),          random_array(-.1f, .1f, classes)};
    auto h1 = buffer<float>(batch * wide), h2 = buffer<float>(batch * middle), out = buffer<float>(batch * classes);
    auto of = [=](auto f) { return [=] { return f(x, w.w1, w.w2, w.w3, w.b1, w.b2, w.b3); }; };
    return {"mlp",
            "32x64, 2000, 500, 500 float",
            1e-4,
            {input("x", x), input("w1", w.w1), input("b1", w.b1), input("w2", w.w2), input("b2", w.b2), input("w3", w.w3),
             input("b3", w.b3)},
            {plain(
                 "c++", [=] { plain_mlp(x.data(), w, h1->data(), h2->data(), out->data()); }, out),
             form("nested", of(network(nested))), form("nested, contracted", of(network(nested, {.contract = true}))),
             form("axes", of(network(by_axes))), form("index loops", of(network(by_index))),
             form("rows, vmap", of(network(by_rows)))}};
}

}  // namespace bench::npb
