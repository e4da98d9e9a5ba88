// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conform/library/numpy.hpp"

#include <sinter/linalg.hpp>
#include <sinter/numeric.hpp>

using namespace sinter;
using namespace numpy;

namespace {

/// What is computed without reference to the sign of columns.
Array<double, 2> product(const Array<double, 2>& a, const Array<double, 2>& b) { return run(matmul(a, b)); }

}  // namespace

TEST_CASE("NumPy's functions: products", "[numpy][gpu]") {
    const auto x = doubles({1, 2, 3}), y = doubles({4, 5, 7});
    const Array<double, 2> a = from(Doubles{1, 2, 3, 4}, shape(2, 2)), b = from(Doubles{0, 1, 1, 0}, shape(2, 2));
    NUMPY("dot", is(dot(x, y), {35}); is(matmul(a, b), {2, 1, 4, 3}));
    NUMPY("vdot", is(dot(flatten(a), flatten(b)), {5}));
    NUMPY("vecdot", is(sum(a * b), {2, 3}));
    NUMPY("inner", is(dot(x, y), {35}); is(matmul(a, transpose(b)), {2, 1, 4, 3}));
    NUMPY("outer", is(outer(x, doubles({1, 10})), {1, 10, 2, 20, 3, 30}));
    NUMPY("matmul", is(matmul(a, b), {2, 1, 4, 3}));
    NUMPY("matvec", is(matmul(a, doubles({1, 1})), {3, 7}));
    NUMPY("multi_dot", is(matmul(matmul(a, b), a), {5, 8, 13, 20}));
    NUMPY("tensordot", is(einsum("ijk,jkl->il", reshape(a, shape(1, 2, 2)), reshape(a, shape(2, 2, 1))), {30}));
    NUMPY("einsum", is(einsum("ij,jk->ik", a, b), {2, 1, 4, 3}));
    NUMPY("kron", is(reshape(einsum("ij,kl->ikjl", a, b), shape(4, 4)), {0, 1, 0, 2, 1, 0, 2, 0, 0, 3, 0, 4, 3, 0, 4, 0}));
    NUMPY("cross", is(rotate(x, 1) * rotate(y, 2) - rotate(x, 2) * rotate(y, 1), {-1, 5, -3}));
    NUMPY("trace", is(trace(a), {5}));
    NUMPY("diagonal", is(diagonal(a), {1, 4}));
    NUMPY("diag", is(diagonal(a), {1, 4});
          is(generate(shape(2, 2), [=](auto i, auto j) { return select(i == j, x(i), 0.); }), {1, 0, 0, 2}));
    NUMPY("tril", is(map_indexed([](auto i, auto j, auto v) { return select(j <= i, v, 0.); }, a), {1, 0, 3, 4}));
    NUMPY("triu", is(map_indexed([](auto i, auto j, auto v) { return select(i <= j, v, 0.); }, a), {1, 2, 0, 4}));
    NUMPY("linalg.matrix_power", is(for_loop(3, [=](auto, auto p) { return matmul(p, a); }, eye(2)), {37, 54, 81, 118}));
}

TEST_CASE("NumPy's functions: equations and factors", "[numpy][gpu]") {
    const Array<double, 2> a = from(Doubles{4, 2, 2, 3}, shape(2, 2)), tall = from(Doubles{1, 0, 0, 2, 0, 0}, shape(3, 2));
    NUMPY("linalg.norm", is(norm(doubles({3, 4})), {5}));
    NUMPY("linalg.solve", is(solve(a, doubles({8, 7})), {1.25, 1.5}));
    NUMPY("linalg.inv", is(inverse(a), {0.375, -0.25, -0.25, 0.5}));
    NUMPY("linalg.det", is(det(a), {8}));
    NUMPY("linalg.slogdet", is(log(abs(det(a))), {std::log(8)}));
    NUMPY("linalg.cholesky", is(cholesky(a), {2, 0, 1, std::sqrt(2)}));
    NUMPY("linalg.lstsq", is(least_squares(tall, doubles({1, 4, 9})), {1, 2}));
    NUMPY("polyfit", is(least_squares(from(Doubles{1, 0, 1, 1, 1, 2}, shape(3, 2)), doubles({1, 3, 5})), {1, 2}));
    const double root = std::sqrt(17.) / 2;
    NUMPY("linalg.eigh, linalg.eigvalsh", is(std::get<0>(eigh(a)), {3.5 - root, 3.5 + root}));
    const auto [q, r] = run(qr(a));
    NUMPY("linalg.qr", qr(a); is(product(q, r), {4, 2, 2, 3}));
    const auto [u, s, v] = run(svd(tall));
    NUMPY("linalg.svd", svd(tall); is(s, {2, 1}));
    NUMPY("linalg.pinv", svd(tall); is(einsum("ij,j,kj->ik", v, 1. / s, u), {1, 0, 0, 0, 0.5, 0}));
    NUMPY("linalg.cond", svd(tall); is(max(s) / min(s), {2}));
    NUMPY("linalg.matrix_rank", svd(tall); is(count(s > 1e-9), {2}));
}
