// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations until a point leaves a circle, and where it is then.
#include "suite.hpp"

#include <sinter/complex.hpp>

#include <algorithm>
#include <complex>

namespace bench::npb {
namespace {

using namespace sinter;

constexpr index width = 500, height = 400;
constexpr std::int32_t limit = 100;
constexpr double left = -2.25, right = 0.75, low = -1.25, high = 1.25, horizon = 2;

/// NPBench's numbers: the index of the last iteration that began inside the circle, 0 for those that never leave it.
void plain_set(double* re, double* im, std::int32_t* count) {
#pragma omp parallel for schedule(dynamic, 4)
    for (index i = 0; i < height; ++i)
        for (index j = 0; j < width; ++j) {
            const double cr = left + static_cast<double>(j) * ((right - left) / (width - 1));
            const double ci = low + static_cast<double>(i) * ((high - low) / (height - 1));
            double x = 0, y = 0;
            std::int32_t n = 0;
            while (n < limit && x * x + y * y < horizon * horizon) {
                const double next = x * x - y * y + cr;
                y = 2 * x * y + ci;
                x = next;
                ++n;
            }
            re[i * width + j] = x;
            im[i * width + j] = y;
            count[i * width + j] = n == limit ? 0 : n - 1;
        }
}

/// A vector of eight points, until all have left.
void vector_set(double* re, double* im, std::int32_t* count) {
    constexpr index w = 8;
    using vec = double __attribute__((vector_size(64)));
    using mask = std::int64_t __attribute__((vector_size(64)));
#pragma omp parallel for schedule(dynamic, 4)
    for (index i = 0; i < height; ++i)
        for (index j = 0; j < width; j += w) {
            vec cr = {}, x = {}, y = {};
            mask n = {};
            for (index l = 0; l < w; ++l) cr[l] = left + static_cast<double>(j + l) * ((right - left) / (width - 1));
            const double ci = low + static_cast<double>(i) * ((high - low) / (height - 1));
            for (std::int32_t k = 0; k < limit; ++k) {
                const mask inside = x * x + y * y < horizon * horizon;
                std::int64_t some = 0;
                for (index l = 0; l < w; ++l) some |= inside[l];
                if (!some) break;
                const vec next = x * x - y * y + cr;
                y = inside ? 2 * x * y + ci : y;
                x = inside ? next : x;
                n -= inside;
            }
            for (index l = 0; l < std::min(w, width - j); ++l) {
                re[i * width + j + l] = x[l];
                im[i * width + j + l] = y[l];
                count[i * width + j + l] = static_cast<std::int32_t>(n[l] == limit ? 0 : n[l] - 1);
            }
        }
}

using N = Exp<std::int32_t>;
using Counts = Delayed<std::int32_t, 2>;
using Set = std::tuple<D2, D2, Counts>;

R real_part(I j) { return left + cast<double>(j) * ((right - left) / (width - 1)); }
R imaginary_part(I i) { return low + cast<double>(i) * ((high - low) / (height - 1)); }

Set point_by_point() {
    auto points = generate(shape(height, width), [](I i, I j) {
        auto cr = real_part(j), ci = imaginary_part(i);
        auto [n, x, y] =
            while_loop([](N n, R x, R y) { return n < limit && x * x + y * y < horizon * horizon; },
                       [=](N n, R x, R y) { return std::tuple(n + 1, x * x - y * y + cr, 2. * x * y + ci); }, 0, 0., 0.);
        return std::tuple(x, y, select(n == limit, 0, n - 1));
    });
    return {get<0>(points), get<1>(points), get<2>(points)};
}

Set by_complex_numbers() {
    using C = Exp<std::complex<double>>;
    auto points = generate(shape(height, width), [](I i, I j) {
        C c = record<std::complex<double>>(real_part(j), imaginary_part(i));
        auto [n, z] = while_loop([](N n, C z) { return n < limit && norm(z) < horizon * horizon; },
                                 [=](N n, C z) { return std::tuple(n + 1, z * z + c); }, 0, std::complex<double>());
        return std::tuple(real(z), imag(z), select(n == limit, 0, n - 1));
    });
    return {get<0>(points), get<1>(points), get<2>(points)};
}

/// As in NumPy: all points at once, with a mask.
Set whole_arrays() {
    D2 cr = generate(shape(height, width), [](I, I j) { return real_part(j); });
    D2 ci = generate(shape(height, width), [](I i, I) { return imaginary_part(i); });
    auto step = [=](I k, D2 x, D2 y, Counts n) {
        auto inside = x * x + y * y < horizon * horizon;
        D2 next = x * x - y * y + cr;
        return std::tuple(select(inside, next, x), select(inside, 2. * x * y + ci, y),
                          map([=](Exp<bool> in, N n) { return select(in, cast<std::int32_t>(k), n); }, inside, n));
    };
    auto zero = fill(shape(height, width), 0.);
    auto [x, y, n] = for_loop(limit, step, zero, zero, fill(shape(height, width), 0));
    return {x, y, map([](N n) { return select(n == limit - 1, 0, n); }, n)};
}

}  // namespace

Kernel mandelbrot() {
    auto re = buffer(width * height), im = buffer(width * height);
    auto count = buffer<std::int32_t>(width * height);
    auto of = [=](Set (*f)()) { return [f = compile([=](Exp<bool>) { return f(); })] { return f(true); }; };
    return {"mandelbrot",
            "500x400, 100 iterations",
            1e-9,
            {number("width", width), number("height", height), number("limit", limit)},
            {plain(
                 "c++", [=] { plain_set(re->data(), im->data(), count->data()); }, re, im, count),
             plain(
                 "c++ vectors", [=] { vector_set(re->data(), im->data(), count->data()); }, re, im, count),
             form("while loop", of(point_by_point)), form("complex", of(by_complex_numbers)),
             form("whole arrays", of(whole_arrays))}};
}

}  // namespace bench::npb
