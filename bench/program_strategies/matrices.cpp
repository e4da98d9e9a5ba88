// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

#include <programs/flash_attention.hpp>
#include <programs/lu.hpp>
#include <programs/matmul.hpp>
#include <programs/spmv.hpp>
#include <programs/tridiagonal.hpp>

namespace bench {
namespace {

using namespace programs;

/// Queries, keys and values of n vectors of d numbers.
template <class Attention>
Planner attended(std::int64_t n, std::int64_t d, Attention attention) {
    return planner(Matrix(attention(attention_input(81, n, d), attention_input(82, n, d), attention_input(83, n, d))));
}

Planner attended_by_tiles(Division division) {
    return attended(768, 64,
                    [=](auto q, auto k, auto v) { return flash_attention(tiling(768, 64, 16384), q, k, v, division); });
}

Planner tridiagonal_systems() {
    auto side = [](std::int64_t none) {
        return run(generate(shape(100, 8000),
                            [=](Exp<std::int64_t>, Exp<std::int64_t> i) { return select(i == none, Exp<double>(0), -1.); }));
    };
    const Array<double, 2> a = side(0), b = run(fill(shape(100, 8000), 2.5)), c = side(7999),
                           y = make_input<2>({100, 8000}, [](Exp<std::int64_t> i) { return unit64(1, i); });
    return planner(solve_tridiagonal<double, 2>(a, b, c, y));
}

}  // namespace

std::vector<Program> matrices() {
    return {
        {"attention by tiles, divided late", [] { return attended_by_tiles(Division::late); }},
        {"attention by tiles, divided early", [] { return attended_by_tiles(Division::early); }},
        {"attention by tiles, nested",
         [] {
             return attended(768, 64,
                             [](auto q, auto k, auto v) { return flash_attention_nested(tiling(768, 64, 16384), q, k, v); });
         }},
        {"attention, flat",
         [] { return attended(768, 64, [](auto q, auto k, auto v) { return attention<float>(768, 64, q, k, v); }); }},
        {"attention, nested",
         [] { return attended(768, 64, [](auto q, auto k, auto v) { return attention_nested<float>(q, k, v); }); }},
        {"LU", [] { return planner(lu<double>(dominant_matrix<double>(256), 256)); }},
        {"LU, by slices", [] { return planner(lu_by_slices<double>(dominant_matrix<double>(256), 256)); }},
        {"LU, product", [] { return planner(lu_product<double>(dominant_matrix<double>(256), 256)); }},
        {"matrix product",
         [] { return planner(matrix_product<float>(factor(5, 512, 512, 8.f), factor(6, 512, 512, 8.f), 512, 512, 512)); }},
        {"matrix product, nested",
         [] { return planner(matrix_product_nested<float>(factor(5, 512, 512, 8.f), factor(6, 512, 512, 8.f))); }},
        {"sparse product", [] { return planner(product<double>(laplacian(500), laplacian_vector(500 * 500))); }},
        {"sparse product, skewed", [] { return planner(product<double>(skewed_matrix(100'000), skewed_vector(100'000))); }},
        {"power method", [] { return planner(power_method(laplacian(200), 20, laplacian_vector(200 * 200))); }},
        {"tridiagonal systems", tridiagonal_systems},
    };
}

}  // namespace bench
