// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A layer of convolutions with a bias: images of several channels, a square of weights for each pair of channels.
#include "suite.hpp"

#include <algorithm>

namespace bench::npb {
namespace {

using namespace sinter;

constexpr index images = 8, height = 64, width = 64, window = 5, from_channels = 3, to_channels = 16;
constexpr index out_h = height - window + 1, out_w = width - window + 1;

using F1 = Delayed<float>;
using F2 = Delayed<float, 2>;
using F3 = Delayed<float, 3>;
using F4 = Delayed<float, 4>;

void plain_conv(const float* in, const float* weights, const float* bias, float* out) {
#pragma omp parallel for collapse(2)
    for (index n = 0; n < images; ++n)
        for (index i = 0; i < out_h; ++i)
            for (index j = 0; j < out_w; ++j) {
                float sum[to_channels];
                std::copy_n(bias, to_channels, sum);
                for (index p = 0; p < window; ++p)
                    for (index q = 0; q < window; ++q)
                        for (index c = 0; c < from_channels; ++c) {
                            const float x = in[((n * height + i + p) * width + j + q) * from_channels + c];
                            const float* w = weights + ((p * window + q) * from_channels + c) * to_channels;
                            for (index o = 0; o < to_channels; ++o) sum[o] += x * w[o];
                        }
                std::copy_n(sum, to_channels, out + ((n * out_h + i) * out_w + j) * to_channels);
            }
}

/// A window's place after another: a slice of all images times a matrix of weights, added up.
F4 by_shifts(F4 in, F4 weights, F1 bias) {
    auto n = extent(in, 0), h = extent(in, 1) - (window - 1), w = extent(in, 2) - (window - 1), o = size(bias);
    F4 out = broadcast(bias, shape(n, h, w, o), axes(3));
    for (index p = 0; p < window; ++p)
        for (index q = 0; q < window; ++q)
            for (index c = 0; c < from_channels; ++c) {
                F3 x = reshape(slice(in, all, range(p, p + h), range(q, q + w), range(c, c + 1)), shape(n, h, w));
                F1 f = reshape(slice(weights, range(p, p + 1), range(q, q + 1), range(c, c + 1), all), shape(o));
                out = out + broadcast(x, shape(n, h, w, o), axes(0, 1, 2)) * broadcast(f, shape(n, h, w, o), axes(3));
            }
    return out;
}

F4 by_index(F4 in, F4 weights, F1 bias) {
    auto shape_of = shape(extent(in, 0), extent(in, 1) - (window - 1), extent(in, 2) - (window - 1), size(bias));
    using S = Exp<float>;
    return generate(shape_of, [=](I n, I i, I j, I o) {
        return for_loop(
            window,
            [=](I p, S t) {
                return for_loop(
                    window,
                    [=](I q, S t) {
                        return for_loop(
                            from_channels, [=](I c, S t) { return t + in(n, i + p, j + q, c) * weights(p, q, c, o); }, t);
                    },
                    t);
            },
            bias(o));
    });
}

/// The same, with loops that C++ unrolls while the program is traced.
F4 by_index_unrolled(F4 in, F4 weights, F1 bias) {
    auto shape_of = shape(extent(in, 0), extent(in, 1) - (window - 1), extent(in, 2) - (window - 1), size(bias));
    return generate(shape_of, [=](I n, I i, I j, I o) {
        auto t = bias(o);
        for (index p = 0; p < window; ++p)
            for (index q = 0; q < window; ++q)
                for (index c = 0; c < from_channels; ++c) t = t + in(n, i + p, j + q, c) * weights(p, q, c, o);
        return t;
    });
}

/// Windows as rows of a matrix, times the weights as one.
F4 by_windows(F4 in, F4 weights, F1 bias) {
    auto n = extent(in, 0), h = extent(in, 1) - (window - 1), w = extent(in, 2) - (window - 1), o = size(bias);
    constexpr index k = window * window * from_channels;
    F2 rows = generate(shape(n * h * w, k), [=](I r, I e) {
        auto j = r % w, i = r / w % h, image = r / (w * h);
        return in(image, i + e / (window * from_channels), j + e / from_channels % window, e % from_channels);
    });
    F2 matrix = reshape(weights, shape(k, o));
    F2 out = vmap(
        [=](F1 row) {
            return vmap([=](F1 column, Exp<float> b) { return sum(row * column) + b; }, transpose(matrix), bias);
        },
        rows);
    return reshape(out, shape(n, h, w, o));
}

/// Image by image, window by window.
F4 nested(F4 in, F4 weights, F1 bias) {
    auto h = extent(in, 1) - (window - 1), w = extent(in, 2) - (window - 1), o = size(bias);
    constexpr index k = window * window * from_channels;
    F2 filters = transpose(reshape(weights, shape(k, o)));
    return vmap(
        [=](F3 image) {
            auto at = [=](I i, I j) {
                return vmap(
                    [=](F1 filter, Exp<float> b) {
                        auto term = [=](I e) {
                            return image(i + e / (window * from_channels), j + e / from_channels % window,
                                         e % from_channels) *
                                   filter(e);
                        };
                        return sum(map(term, iota(k))) + b;
                    },
                    filters, bias);
            };
            return vmap([=](I i) { return vmap([=](I j) { return at(i, j); }, iota(w)); }, iota(h));
        },
        in);
}

}  // namespace

Kernel conv2d() {
    Array<float, 4> in = random_array(0.f, 1.f, images, height, width, from_channels);
    Array<float, 4> weights = random_array(-1.f, 1.f, window, window, from_channels, to_channels);
    Array<float> bias = random_array(-1.f, 1.f, to_channels);
    auto out = buffer<float>(images * out_h * out_w * to_channels);
    auto of = [=](F4 (*f)(F4, F4, F1), Options options = {}) {
        return [=, f = compile(f, options)] { return f(in, weights, bias); };
    };
    return {"conv2d",
            "8x64x64x3, 5x5x3x16 float",
            1e-5,
            {input("x", in), input("weights", weights), input("bias", bias)},
            {plain(
                 "c++", [=] { plain_conv(in.data(), weights.data(), bias.data(), out->data()); }, out),
             form("shifts", of(by_shifts)), form("index loops", of(by_index)),
             form("index, unrolled", of(by_index_unrolled)), form("windows", of(by_windows)), form("nested", of(nested)),
             form("nested, contracted", of(nested, {.contract = true}))}};
}

}  // namespace bench::npb
