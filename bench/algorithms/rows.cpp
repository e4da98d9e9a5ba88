// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes over rows: matrices with 2^20 elements, where n is the width, and square matrices.
#include "algorithm.hpp"

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

constexpr index elements = 1 << 20;

template <class T>
void softmax_rows(const T* x, T* out, index rows, index n) {
#pragma omp parallel for
    for (index i = 0; i < rows; ++i) {
        const T* row = x + i * n;
        T* to = out + i * n;
        T top = row[0], sum = 0;
#pragma omp simd reduction(max : top)
        for (index j = 0; j < n; ++j) top = row[j] > top ? row[j] : top;
#pragma omp simd reduction(+ : sum)
        for (index j = 0; j < n; ++j) {
            to[j] = std::exp(row[j] - top);
            sum += to[j];
        }
#pragma omp simd
        for (index j = 0; j < n; ++j) to[j] /= sum;
    }
}

template <class T>
void layer_norm_rows(const T* x, const T* gain, const T* bias, T* out, index rows, index n) {
#pragma omp parallel for
    for (index i = 0; i < rows; ++i) {
        const T* row = x + i * n;
        T* to = out + i * n;
        T sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
        for (index j = 0; j < n; ++j) sum += row[j];
        const T mean = sum / T(n);
#pragma omp simd reduction(+ : squares)
        for (index j = 0; j < n; ++j) squares += (row[j] - mean) * (row[j] - mean);
        const T scale = 1 / std::sqrt(squares / T(n) + T(1e-5));
#pragma omp simd
        for (index j = 0; j < n; ++j) to[j] = (row[j] - mean) * scale * gain[j] + bias[j];
    }
}

template <class T>
void sum_rows(const T* x, T* out, index rows, index n) {
#pragma omp parallel for
    for (index i = 0; i < rows; ++i) {
        T sum = 0;
#pragma omp simd reduction(+ : sum)
        for (index j = 0; j < n; ++j) sum += x[i * n + j];
        out[i] = sum;
    }
}

template <class T>
std::vector<Contender> row_sums(index n) {
    using namespace sinter;
    const index rows = elements / n;
    auto x = random_numbers<T>(rows * n, -4000, 4000, T(1000));
    auto out = zeros<T>(rows);
    auto function = compile([](Delayed<T, 2> m) { return sum(m, axis(1)); });
    return {
        writes("hand", out, [=] { sum_rows(x->data(), out->data(), rows, n); }),
        contender(function, from(*x, shape(rows, n))),
    };
}

template <class T>
std::vector<Contender> softmax_of(index rows, index n) {
    using namespace sinter;
    auto x = random_numbers<T>(rows * n, -4000, 4000, T(1000));
    auto out = zeros<T>(rows * n);
    auto function = compile([](Delayed<T, 2> m) {
        return vmap(
            [](Delayed<T> row) {
                Delayed<T> e = exp(row - max(row));
                return e / sum(e);
            },
            m);
    });
    return {
        writes("hand", out, [=] { softmax_rows(x->data(), out->data(), rows, n); }),
        contender(function, from(*x, shape(rows, n))),
    };
}

template <class T>
std::vector<Contender> softmax(index n) {
    return softmax_of<T>(elements / n, n);
}

template <class T>
std::vector<Contender> layer_norm(index n) {
    using namespace sinter;
    const index rows = elements / n;
    auto x = random_numbers<T>(rows * n, -4000, 4000, T(1000));
    auto gain = random_numbers<T>(n, 500, 1500, T(1000)), bias = random_numbers<T>(n, 1000, 3000, T(1000));
    auto out = zeros<T>(rows * n);
    auto function = compile([](Delayed<T, 2> m, Delayed<T> gain, Delayed<T> bias, Exp<T> count) {
        return vmap(
            [=](Delayed<T> row) {
                auto mean = sum(row)() / count;
                auto squares = sum(map([=](auto v) { return (v - mean) * (v - mean); }, row))();
                auto scale = T(1) / sqrt(squares / count + T(1e-5));
                return map([=](auto v, auto g, auto b) { return (v - mean) * scale * g + b; }, row, gain, bias);
            },
            m);
    });
    return {
        writes("hand", out, [=] { layer_norm_rows(x->data(), gain->data(), bias->data(), out->data(), rows, n); }),
        contender(function, from(*x, shape(rows, n)), from(*gain), from(*bias), T(n)),
    };
}

template <class T>
double bytes(index n) {
    return 2.0 * sizeof(T) * double(elements / n * n);
}

const std::vector<index> widths = {4, 8, 16, 17, 31, 32, 64, 128};

}  // namespace

std::vector<Algorithm> softmaxes() {
    auto square = [](index side) { return softmax_of<float>(side, side); };
    return {{"softmax of rows", {256, 1024, 4096}, [](index n) { return 8.0 * double(n * n); }, "GB/s", square}};
}

std::vector<Algorithm> narrow_rows() {
    return {{"softmax f32", widths, bytes<float>, "GB/s", softmax<float>},
            {"row sums f32", widths, bytes<float>, "GB/s", row_sums<float>},
            {"row sums f64", widths, bytes<double>, "GB/s", row_sums<double>},
            {"softmax f64", widths, bytes<double>, "GB/s", softmax<double>},
            {"layer norm f32", widths, bytes<float>, "GB/s", layer_norm<float>},
            {"layer norm f64", widths, bytes<double>, "GB/s", layer_norm<double>}};
}

}  // namespace bench
