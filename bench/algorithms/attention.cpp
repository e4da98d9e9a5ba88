// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "algorithm.hpp"
#include "hand/product.hpp"
#include "hand/vector.hpp"

#include <programs/flash_attention.hpp>

#include <algorithm>

namespace bench {
namespace {

constexpr index width = 64;

/// exp of each row less its maximum; the rows' sums.
void exponentials(float* x, float* sums, index rows, index columns) {
#pragma omp parallel for
    for (index i = 0; i < rows; ++i) {
        float* row = x + i * columns;
        simd::vec<float> top = simd::load(row), sum{};
        for (index j = 0; j < columns; j += simd::lanes<float>) top = simd::max(top, simd::load(row + j));
        float highest = top[0];
        for (int k = 1; k < simd::lanes<float>; ++k) highest = std::max(highest, top[k]);
        for (index j = 0; j < columns; j += simd::lanes<float>) {
            const simd::vec<float> e = simd::exp(simd::load(row + j) - highest);
            simd::store(row + j, e);
            sum += e;
        }
        sums[i] = simd::sum<float>(sum);
    }
}

std::vector<Contender> contenders(index n) {
    using namespace sinter;
    auto q = random_numbers<float>(n * width, -100, 100, 100.f), k = random_numbers<float>(n * width, -99, 100, 100.f);
    auto v = random_numbers<float>(n * width, 0, 100, 100.f);
    auto turned = zeros<float>(n * width), scores = zeros<float>(n * n), sums = zeros<float>(n),
         out = zeros<float>(n * width);
    auto hand = [=] {
        for (index i = 0; i < n; ++i)
            for (index j = 0; j < width; ++j)
                (*turned)[static_cast<std::size_t>(j * n + i)] = (*k)[static_cast<std::size_t>(i * width + j)];
        product::multiply(q->data(), turned->data(), scores->data(), n, width, n);
        exponentials(scores->data(), sums->data(), n, n);
        product::multiply(scores->data(), v->data(), out->data(), n, n, width);
        for (index i = 0; i < n; ++i)
            for (index j = 0; j < width; ++j)
                (*out)[static_cast<std::size_t>(i * width + j)] /= (*sums)[static_cast<std::size_t>(i)];
    };
    using Matrix = Delayed<float, 2>;
    auto plain = compile([](Matrix a, Matrix b, Matrix c) { return programs::attention_nested<float>(a, b, c); });
    auto matrix = [=](const Shared<float>& values) { return from(*values, shape(n, width)); };
    return {writes("hand", out, hand), contender(plain, matrix(q), matrix(k), matrix(v))};
}

}  // namespace

std::vector<Algorithm> attentions() {
    auto work = [](index n) { return 4.0 * double(n) * double(n) * double(width); };
    return {{"attention", {512, 2048}, work, "GFLOP/s", contenders}};
}

}  // namespace bench
