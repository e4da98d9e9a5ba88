// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear algebra: products against loops, factorisations by their products.
#include <sinter/linalg.hpp>

#include "conform/support.hpp"

#include <complex>

using namespace sinter;
using namespace conform;

namespace {

using Long = std::int64_t;

template <class T>
Array<T, 2> matrix(Long m, Long n, int seed = 1, T diagonal = 0) {
    std::vector<T> v;
    std::uint64_t state = static_cast<std::uint64_t>(seed) * 0x9e3779b97f4a7c15u + 1;
    for (Long i = 0; i < m * n; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        v.push_back(static_cast<T>(state >> 40) / static_cast<T>(1 << 23) - 1 + (i / n == i % n ? diagonal : 0));
    }
    return from(v, shape(m, n));
}

template <class T>
Array<T, 2> product(const Array<T, 2>& a, const Array<T, 2>& b) {
    std::vector<T> c;
    for (Long i = 0; i < a.shape()[0]; ++i)
        for (Long j = 0; j < b.shape()[1]; ++j) {
            T sum = 0;
            for (Long k = 0; k < a.shape()[1]; ++k) sum += a(i, k) * b(k, j);
            c.push_back(sum);
        }
    return from(c, shape(a.shape()[0], b.shape()[1]));
}

template <class A, class B>
void require_near(const A& a, const B& b, double tolerance) {
    REQUIRE(a.shape() == b.shape());
    const auto x = a.to_vector(), y = b.to_vector();
    for (std::size_t i = 0; i < x.size(); ++i) {
        CAPTURE(i, x[i], y[i]);
        REQUIRE(std::abs(static_cast<double>(x[i]) - static_cast<double>(y[i])) <= tolerance);
    }
}

/// On every target, with the optimal fusion and without any.
template <class E, class F>
void on_targets(const E& expression, F check) {
    check(run(expression, {.target = Target::interpreter()}));
    for (Target target : targets())
        for (Fusion fusion : {Fusion::none, Fusion::optimal}) check(run(expression, {.target = target, .fusion = fusion}));
}

template <class T>
Array<T, 2> turned(const Array<T, 2>& a) {
    return run(transpose(a));
}

}  // namespace

TEST_CASE("products of matrices and vectors", "[linalg]") {
    for (auto [m, k, n] : {std::array<Long, 3>{1, 1, 1}, {3, 5, 4}, {0, 3, 2}, {2, 0, 3}, {17, 33, 9}}) {
        CAPTURE(m, k, n);
        const auto a = from(numbers<double>(m * k), shape(m, k)), b = from(numbers<double>(k * n, 3), shape(k, n));
        const auto x = from(numbers<double>(k, 5)), y = from(numbers<double>(m, 7));
        require_near(run(everywhere(matmul(a, b))), product(a, b), 0);
        require_near(run(everywhere(matmul(transpose(b), transpose(a)))), turned(product(a, b)), 0);
        require_near(run(everywhere(matmul(a, x))), run(slice(matmul(a, transpose(replicate(1, x))), all, 0)), 0);
        require_near(run(everywhere(matmul(y, a))), run(slice(matmul(replicate(1, y), a), 0, all)), 0);
        CHECK(run(everywhere(dot(x, x))).item() == run(sum(x * x)).item());
        require_near(run(everywhere(outer(y, x))), run(matmul(transpose(replicate(1, y)), replicate(1, x))), 0);
    }
    const auto many = from(numbers<float>(2 * 3 * 4), shape(2, 3, 4));
    const auto b = from(numbers<float>(20), shape(4, 5));
    require_near(run(slice(everywhere(matmul(many, b)), 1, all, all)), product(run(slice(many, 1, all, all)), b), 0);
    CHECK_THROWS_AS(run(matmul(b, b)), ShapeError);
}

TEST_CASE("sums of products by subscripts", "[linalg]") {
    const auto a = from(numbers<Long>(12), shape(3, 4)), b = from(numbers<Long>(20, 2), shape(4, 5));
    const auto c = from(numbers<Long>(10, 3), shape(5, 2)), s = from(numbers<Long>(9, 4), shape(3, 3));
    require_near(run(everywhere(einsum("ij,jk->ik", a, b))), product(a, b), 0);
    require_near(run(everywhere(einsum("ij,jk->ki", a, b))), turned(product(a, b)), 0);
    require_near(run(everywhere(einsum("ij,jk,kl->il", a, b, c))), product(product(a, b), c), 0);
    require_near(run(everywhere(einsum("ij->ji", a))), turned(a), 0);
    require_near(run(everywhere(einsum("ij->i", a))), run(sum(a)), 0);
    require_near(run(everywhere(einsum("ij,ij->ij", a, a))), run(a * a), 0);
    CHECK(run(everywhere(einsum("ij,ij->", a, a))).item() == run(sum(flatten(a * a))).item());
    CHECK(run(everywhere(trace(s))).item() == s(0, 0) + s(1, 1) + s(2, 2));
    CHECK(run(everywhere(diagonal(s))).to_vector() == std::vector<Long>{s(0, 0), s(1, 1), s(2, 2)});
    CHECK_THROWS_AS(einsum("ij,jk->iz", a, b), UsageError);
    CHECK_THROWS_AS(einsum("ij,kj->ik", a, b), ShapeError);
    CHECK_THROWS_AS(einsum("i1,1k->ik", a, b), UsageError);
    const auto f = compile([](Delayed<float, 2> p, Delayed<float, 2> q) { return einsum("ij,jk->ik", p, q); });
    const auto p = from(numbers<float>(6), shape(2, 3)), q = from(numbers<float>(3), shape(3, 1));
    require_near(f(p, q), product(p, q), 0);
}

TEST_CASE("products of complex numbers", "[linalg]") {
    using C = std::complex<double>;
    const auto complex_matrix = [](Long m, Long n, int seed) {
        std::vector<C> values;
        for (int k : numbers<int>(2 * m * n, seed)) {
            if (values.size() < static_cast<std::size_t>(m * n)) values.emplace_back(k, (k * 7 + seed) % 5 - 2);
        }
        return Array<C, 2>(from(values, shape(m, n)));
    };
    for (Long n : {1, 2, 9, 33}) {
        CAPTURE(n);
        const auto a = complex_matrix(n, 7, 1), b = complex_matrix(7, 5, 2);
        const auto expected = product(a, b), found = everywhere(matmul(a, b));
        REQUIRE(expected.to_vector() == found.to_vector());
        REQUIRE(product(found, complex_matrix(5, 3, 3)).to_vector() ==
                everywhere(einsum("ij,jk,kl->il", a, b, complex_matrix(5, 3, 3))).to_vector());
    }
    const Array<C> x = from({C(1, 2), C(3, -1)}), y = from({C(0, 1), C(2, 2)});
    CHECK(run(dot(x, y)).item() == C(1, 2) * C(0, 1) + C(3, -1) * C(2, 2));
    CHECK(run(outer(x, y))(1, 0) == C(3, -1) * C(0, 1));
    CHECK(run(einsum("i->", x)).item() == C(4, 1));
    CHECK(run(einsum("i,i,i,i->", x, x, x, y)).item() ==
          C(1, 2) * C(1, 2) * C(1, 2) * C(0, 1) + C(3, -1) * C(3, -1) * C(3, -1) * C(2, 2));
    CHECK(run(trace(matmul(complex_matrix(4, 7, 1), complex_matrix(7, 4, 2)))).item() ==
          run(einsum("ij,ji->", complex_matrix(4, 7, 1), complex_matrix(7, 4, 2))).item());
}

TEST_CASE("norms", "[linalg]") {
    const auto x = from(std::vector<double>{3, -4, 0});
    CHECK(run(norm(x)).item() == 5);
    CHECK(run(norm(x, Norm::one)).item() == 7);
    CHECK(run(norm(x, Norm::infinity)).item() == 4);
    CHECK(run(norm(from(std::vector<double>{1, 1, 1, 1}, shape(2, 2)))).item() == 2);
}

TEST_CASE("factorisations", "[linalg]") {
    for (Long n : {1, 2, 5, 20}) {
        CAPTURE(n);
        const auto a = matrix<double>(n, n);
        auto [l, u, rows] = lu(a);
        const auto order = run(rows);
        on_targets(matmul(l, u), [&](const auto& made) {
            for (Long i = 0; i < n; ++i)
                for (Long j = 0; j < n; ++j) REQUIRE(made(i, j) == Approx(a(order(i), j)).margin(1e-13));
        });
        const auto positive = run(matmul(a, transpose(a)) + eye(n));
        const auto root = cholesky(positive);
        on_targets(matmul(root, transpose(root)), [&](const auto& made) { require_near(made, positive, 1e-12); });
        const auto tall = matrix<double>(n + 3, n, 2);
        auto [q, r] = qr(tall);
        on_targets(matmul(q, r), [&](const auto& made) { require_near(made, tall, 1e-13); });
        on_targets(matmul(transpose(q), q), [&](const auto& made) { require_near(made, run(eye(n + 3)), 1e-13); });
    }
}

TEST_CASE("solutions of equations", "[linalg]") {
    for (Long n : {1, 2, 7, 30}) {
        CAPTURE(n);
        const auto a = matrix<double>(n, n, 3, 2.0);
        const auto b = matrix<double>(n, 3, 4);
        const auto x = run(column(b, 1));
        on_targets(matmul(a, solve(a, b)), [&](const auto& made) { require_near(made, b, 1e-11); });
        on_targets(matmul(a, solve(a, x)), [&](const auto& made) { require_near(made, x, 1e-11); });
        on_targets(matmul(a, inverse(a)), [&](const auto& made) { require_near(made, run(eye(n)), 1e-11); });
    }
    const auto m = from(std::vector<double>{0, 2, 1, 3}, shape(2, 2));
    CHECK(run(det(m)).item() == Approx(-2));
    CHECK(run(det(from(std::vector<double>{2, 0, 0, 0, 0, 3, 0, 1, 0}, shape(3, 3)))).item() == Approx(-6));
    const auto many = from(std::vector<double>{2, 0, 0, 4, 0, 1, 1, 0}, shape(2, 2, 2));
    const auto sides = from(std::vector<double>{2, 4, 5, 6}, shape(2, 2));
    const auto each = vmap([](Delayed<double, 2> a, Delayed<double> b) { return solve(a, b); }, many, sides);
    on_targets(each, [](const auto& made) { CHECK(made.to_vector() == std::vector<double>{1, 1, 6, 5}); });
    const auto tall = matrix<double>(9, 3, 5);
    const auto right = run(column(matrix<double>(9, 1, 6), 0));
    const auto normal = run(matmul(transpose(tall), tall));
    const auto projected = run(matmul(transpose(tall), right));
    on_targets(least_squares(tall, right),
               [&](const auto& made) { require_near(run(matmul(normal, made)), projected, 1e-12); });
    CHECK_THROWS_AS(run(solve(tall, right)), ShapeError);
    CHECK_THROWS_WITH(run(inverse(tall)), Catch::Contains("inverse: the matrix is not square"));
    CHECK_THROWS_WITH(run(det(tall)), Catch::Contains("det: the matrix is not square"));
    const auto inverse_of = compile([](Delayed<double, 2> a) { return inverse(a); });
    CHECK_THROWS_AS(inverse_of(run(tall)), ShapeError);
    CHECK_THROWS_WITH(inverse_of(run(tall)), Catch::Contains("square matrix") && !Catch::Contains("factor.hpp"));
}

TEST_CASE("eigenvalues and singular values", "[linalg]") {
    for (Long n : {1, 2, 3, 8, 13}) {
        CAPTURE(n);
        const auto a = matrix<double>(n, n, 7);
        const auto symmetric = run(a + transpose(a));
        auto [values, vectors] = eigh(symmetric);
        const auto v = run(vectors);
        on_targets(values, [&](const auto& made) {
            for (Long j = 0; j < n; ++j) {
                if (j > 0) REQUIRE(made(j - 1) <= made(j));
                require_near(run(matmul(symmetric, column(v, j))), run(column(v, j) * made(j)), 1e-12);
            }
        });
        require_near(run(matmul(transpose(v), v)), run(eye(n)), 1e-12);
        const auto tall = matrix<double>(n + 2, n, 8);
        auto [u, s, w] = svd(tall);
        const auto scaled = vmap([](Delayed<double> row, Delayed<double> s) { return row * s; }, u, replicate(n + 2, s));
        on_targets(matmul(scaled, transpose(w)), [&](const auto& made) { require_near(made, tall, 1e-12); });
        on_targets(matmul(transpose(u), u), [&](const auto& made) { require_near(made, run(eye(n)), 1e-12); });
    }
}

TEST_CASE("arrays of matrices", "[linalg]") {
    const Long count = 17, n = 3;
    const auto flat = matrix<double>(count * n, n, 11);
    const auto a = run(reshape(flat, shape(count, n, n)));
    const auto positive = run(matmul(a, transpose(a, {0, 2, 1})) + replicate(count, eye(n)));
    const auto sides = matrix<double>(count, n, 12);
    const auto near_unit = [&](const auto& made) { require_near(made, run(replicate(count, eye(n))), 1e-11); };
    on_targets(matmul(positive, inverse(positive)), near_unit);
    on_targets(solve(positive, positive), near_unit);
    on_targets(einsum("nij,nj->ni", positive, solve(positive, sides)),
               [&](const auto& made) { require_near(made, sides, 1e-11); });
    on_targets(least_squares(positive, sides),
               [&](const auto& made) { require_near(made, run(solve(positive, sides)), 1e-10); });
    on_targets(det(positive), [&](const auto& made) {
        for (Long k = 0; k < count; ++k) CHECK(made(k) == Approx(run(det(slice(positive, k, all, all))).item()));
    });
    const auto root = cholesky(positive);
    on_targets(matmul(root, transpose(root, {0, 2, 1})), [&](const auto& made) { require_near(made, positive, 1e-12); });
    auto [q, r] = qr(a);
    on_targets(matmul(q, r), [&](const auto& made) { require_near(made, a, 1e-12); });
    auto [l, u, rows] = lu(positive);
    const auto order = run(rows);
    on_targets(matmul(l, u), [&](const auto& made) {
        for (Long k = 0; k < count; ++k)
            for (Long i = 0; i < n; ++i) CHECK(made(k, i, 1) == Approx(positive(k, order(k, i), 1)).margin(1e-12));
    });
    auto [values, vectors] = eigh(positive);
    on_targets(matmul(positive, vectors) - matmul(vectors, vmap(
                                                               [](Delayed<double> w) {
                                                                   return generate(shape(3, 3), [=](auto i, auto j) {
                                                                       return select(i == j, w(i), 0.0);
                                                                   });
                                                               },
                                                               values)),
               [&](const auto& made) { require_near(made, run(fill(shape(count, n, n), 0.0)), 1e-11); });
    auto [left, singular, right] = svd(a);
    on_targets(singular, [&](const auto& made) { CHECK(made.shape() == std::array<Long, 2>{count, n}); });
    // Of higher rank, and with shapes that do not fit.
    const auto deep = run(reshape(positive, shape(1, count, n, n)));
    CHECK(run(det(deep)).shape() == std::array<Long, 2>{1, count});
    CHECK_THROWS_AS(run(solve(positive, matrix<double>(count + 1, n))), ShapeError);
    CHECK_THROWS_AS(run(inverse(reshape(flat, shape(1, count * n, n)))), ShapeError);
    (void)left;
    (void)right;
}
