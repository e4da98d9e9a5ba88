// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Typical kernels on the GPU, one per call: gpu_kernels NAME runs it and compares it with the interpreter; without a name it
// lists them. assemble.py assembles the PTX of each.
#include "named_programs.hpp"

#include <sinter/linalg.hpp>
#include <sinter/sinter.hpp>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace {

using namespace sinter;

template <class T>
Array<T> numbers(std::int64_t n, int modulus = 11) {
    std::vector<T> v(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) v[static_cast<std::size_t>(i)] = static_cast<T>(i * 7 % modulus - modulus / 2);
    return from(v);
}

Array<float, 2> matrix(std::int64_t rows, std::int64_t columns) {
    return run(reshape(numbers<float>(rows * columns), shape(rows, columns)), {.target = Target::interpreter()});
}

/// All rows of a with all rows of b.
auto product(const Array<float, 2>& a, const Array<float, 2>& b) {
    return vmap([&](Delayed<float> row) { return vmap([=](Delayed<float> column) { return sum(row * column); }, b); }, a);
}

/// Equal bits; of sums in another order equal within rounding.
template <class T>
bool agree(const std::vector<T>& expected, const std::vector<T>& actual, double tolerance) {
    if (expected.size() != actual.size()) return false;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (std::memcmp(&expected[i], &actual[i], sizeof expected[i]) == 0) continue;
        const double e = static_cast<double>(expected[i]), a = static_cast<double>(actual[i]);
        if (!(std::abs(e - a) <= tolerance * (1 + std::abs(e)))) return false;
    }
    return true;
}

template <class E>
bool agrees(const E& expression, double tolerance = 0) {
    const auto expected = run(expression, {.target = Target::interpreter()}).to_vector();
    return agree(expected, run(expression, {.target = Target::gpu()}).to_vector(), tolerance);
}

/// Of matrices too large for the interpreter: as C++ computes the product of all rows of a with all rows of b.
bool is_product(const Array<float, 2>& a, const Array<float, 2>& b, bool contract) {
    const std::vector<float> left = a.to_vector(), right = b.to_vector();
    const auto width = static_cast<std::size_t>(a.shape()[1]);
    std::vector<float> expected;
    for (std::size_t i = 0; i < left.size(); i += width)
        for (std::size_t j = 0; j < right.size(); j += width) {
            float total = 0;
            for (std::size_t k = 0; k < width; ++k)
                total = contract ? std::fma(left[i + k], right[j + k], total) : total + left[i + k] * right[j + k];
            expected.push_back(total);
        }
    return agree(expected, run(product(a, b), {.target = Target::gpu(), .contract = contract}).to_vector(), 0);
}

Array<half, 2> halves(std::int64_t rows, std::int64_t columns) {
    return run(reshape(map([](auto x) { return cast<half>(x); }, numbers<float>(rows * columns)), shape(rows, columns)),
               {.target = Target::interpreter()});
}

/// All rows of a with all rows of b, whose numbers are small integers: their sums are exact in any order.
bool is_product_of_halves(const Array<half, 2>& a, const Array<half, 2>& b) {
    auto all = vmap(
        [&](Delayed<half> row) {
            auto widened = [](auto x, auto y) { return cast<float>(x) * cast<float>(y); };
            return vmap([=](Delayed<half> column) { return sum(map(widened, row, column)); }, b);
        },
        a);
    const auto expected = run(all, {.target = Target::host()}).to_vector();
    return agree(expected, run(all, {.target = Target::gpu(), .contract = true}).to_vector(), 0);
}

/// The same, where both matrices are cast.
bool is_product_of_cast_halves(const Array<half, 2>& a, const Array<half, 2>& b) {
    const auto all = matmul(cast<float>(a), transpose(cast<float>(b)));
    const auto expected = run(all, {.target = Target::host()}).to_vector();
    return agree(expected, run(all, {.target = Target::gpu(), .contract = true}).to_vector(), 0);
}

/// The same of floats that are small integers, which TF32 holds exactly.
bool is_product_of_tf32(const Array<float, 2>& a, const Array<float, 2>& b) {
    const auto expected = run(product(a, b), {.target = Target::host()}).to_vector();
    return agree(expected, run(product(a, b), {.target = Target::gpu(), .contract = true, .tf32 = true}).to_vector(), 0);
}

/// As few rows as fill 128 tiles of 128 columns: with 70 columns of the other matrix, little more than half of each tile.
Array<float, 2> few_for_wide_tiles() { return matrix(16300, 17); }

/// The same for tiles of 256 columns.
Array<float, 2> few_for_broad_tiles() { return matrix(32600, 17); }

auto mandelbrot(std::int64_t size) {
    return generate(shape(size, size), [=](Exp<std::int64_t> row, Exp<std::int64_t> column) {
        auto x = cast<float>(column) * (3.f / static_cast<float>(size)) - 2.f;
        auto y = cast<float>(row) * (2.f / static_cast<float>(size)) - 1.f;
        auto [a, b, steps] =
            while_loop([](auto p, auto q, auto n) { return p * p + q * q < 4.f && n < 50; },
                       [=](auto p, auto q, auto n) { return std::tuple(p * p - q * q + x, 2.f * p * q + y, n + 1); }, x, y,
                       Exp<int>(0));
        return steps;
    });
}

constexpr std::int64_t n = 20000;

const NamedProgram kernels[] = {
    {"saxpy", [] { return agrees(2.5f * numbers<float>(n) + numbers<float>(n, 7)); }},
    {"exponential", [] { return agrees(exp(numbers<float>(n) * 0.3f)); }},
    {"dot", [] { return agrees(sum(numbers<float>(n) * numbers<float>(n, 7)), 1e-5); }},
    {"sum", [] { return agrees(sum(numbers<float>(n)), 1e-5); }},
    {"maximum", [] { return agrees(max(numbers<double>(n, 1009))); }},
    {"row_sums", [] { return agrees(sum(matrix(50, 300), axis(1)), 1e-5); }},
    {"column_sums", [] { return agrees(sum(matrix(50, 300), axis(0)), 1e-5); }},
    {"row_softmax",
     [] {
         auto softmax = [](Delayed<float> row) {
             auto e = exp(row - max(row));
             return e / sum(e);
         };
         return agrees(vmap(softmax, matrix(60, 3000)), 1e-5);
     }},
    {"transposition", [] { return agrees(transpose(matrix(300, 210)) + 1.f); }},
    {"transposition_3d",
     [] { return agrees(transpose(run(reshape(numbers<int>(6 * 100 * 130), shape(6, 100, 130))), {2, 0, 1}) + 1); }},
    {"prefix_sums", [] { return agrees(inclusive_scan(std::plus<>{}, numbers<int>(n))); }},
    {"filter", [] { return agrees(filter([](auto x) { return x > 0; }, numbers<float>(n))); }},
    {"histogram",
     [] {
         auto bins = map([](auto x) { return cast<std::int64_t>(x) + 50; }, numbers<int>(n, 101));
         return agrees(histogram(101, std::plus<>{}, 0, bins, numbers<int>(n)));
     }},
    {"float_histogram",
     [] {
         auto bins = map([](auto x) { return cast<std::int64_t>(x) + 50; }, numbers<int>(n, 101));
         return agrees(histogram(101, std::plus<>{}, 0.f, bins, numbers<float>(n, 13)));
     }},
    {"wide_histogram",
     [] {
         auto bins = map([](auto i) { return i * 7919 % 6007; }, iota(n));
         return agrees(histogram(6007, std::plus<>{}, 0.f, bins, numbers<float>(n, 13)));
     }},
    {"byte_histogram",
     [] {
         auto bins = map([](auto x) { return cast<std::int64_t>(x) + 50; }, numbers<int>(n, 101));
         return agrees(histogram(3000, std::plus<>{}, std::int8_t(0), bins, numbers<std::int8_t>(n, 13)));
     }},
    {"sort", [] { return agrees(sort(numbers<float>(n, 1009))); }},
    {"argsort", [] { return agrees(argsort(numbers<std::int64_t>(n, 1009))); }},
    {"gather",
     [] {
         auto at = map([](auto x) { return cast<std::int64_t>(x) + 5; }, numbers<int>(n));
         return agrees(gather(at, numbers<float>(100)));
     }},
    {"matrix_product", [] { return is_product(matrix(390, 50), matrix(450, 50), false); }},
    {"wide_matrix_product", [] { return is_product(matrix(70, 17), few_for_wide_tiles(), false); }},
    {"contracted_product", [] { return is_product(matrix(70, 17), few_for_wide_tiles(), true); }},
    {"product_of_halves", [] { return is_product_of_halves(halves(390, 50), halves(450, 50)); }},
    {"wide_product_of_halves", [] { return is_product_of_cast_halves(halves(70, 33), halves(16300, 33)); }},
    {"product_of_tf32", [] { return is_product_of_tf32(matrix(390, 50), matrix(450, 50)); }},
    {"wide_product_of_tf32", [] { return is_product_of_tf32(matrix(70, 17), few_for_wide_tiles()); }},
    {"broad_product_of_halves", [] { return is_product_of_cast_halves(halves(70, 33), halves(32600, 33)); }},
    {"broad_product_of_tf32", [] { return is_product_of_tf32(matrix(70, 17), few_for_broad_tiles()); }},
    {"product_of_few", [] { return agrees(product(matrix(40, 50), matrix(30, 50)), 1e-5); }},
    {"mandelbrot", [] { return agrees(mandelbrot(64)); }},
    {"remainder", [] { return agrees(map([](auto x) { return (x + 0.25f) % 0.7f; }, numbers<float>(n, 1009))); }},
};

}  // namespace

int main(int count, char** arguments) { return run_named(kernels, count, arguments); }
