// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Factorisations by LAPACK give back their matrix, solutions solve their equations, and wrong matrices are errors.
#include <sinter/lapack.hpp>
#include <sinter/linalg.hpp>
#include <sinter/sinter.hpp>

#include <catch2/catch.hpp>

#include <limits>
#include <random>

using namespace sinter;

namespace {

template <class T>
Array<T, 2> random_matrix(std::int64_t rows, std::int64_t columns, unsigned seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<T> normal;
    std::vector<T> values(static_cast<std::size_t>(rows * columns));
    for (T& value : values) value = normal(generator);
    return from(values, shape(rows, columns));
}

template <class T>
Array<T, 2> positive_matrix(std::int64_t n, unsigned seed) {
    Array<T, 2> a = random_matrix<T>(n, n, seed);
    return run(matmul(a, transpose(a)) + eye<T>(n) * static_cast<T>(n));
}

/// The largest absolute difference, relative to the largest element.
template <class A, class B>
double distance(const A& a, const B& b) {
    if (run(a).size() == 0) return 0;
    const double scale = run(max(flatten(cast<double>(abs(b))))).item();
    return run(max(flatten(cast<double>(abs(a - b))))).item() / (scale > 0 ? scale : 1);
}

template <class T>
double tolerance(std::int64_t n) {
    return 50 * static_cast<double>(n + 1) * static_cast<double>(std::numeric_limits<T>::epsilon());
}

const std::int64_t sizes[] = {1, 2, 3, 17, 64, 201};

template <class E, class F>
void refuses(F action, unsigned line, const char* words) {
    try {
        action();
        FAIL("no error");
    } catch (const E& error) {
        CHECK(error.where().line() == line);
        CHECK(std::string(error.what()).find(words) != std::string::npos);
    }
}

}  // namespace

TEMPLATE_TEST_CASE("solutions of equations", "[lapack]", float, double) {
    for (std::int64_t n : sizes) {
        Array<TestType, 2> a = positive_matrix<TestType>(n, 1), b = random_matrix<TestType>(n, 3, 2);
        Array<TestType, 2> x = run(lapack::solve(a, b));
        CHECK(distance(matmul(a, x), b) < tolerance<TestType>(n));
        Array<TestType> y = run(lapack::solve(a, column(b, 1)));
        CHECK(distance(y, column(x, 1)) < tolerance<TestType>(n));
        Array<TestType, 2> uneven = random_matrix<TestType>(n, n, 3);
        CHECK(distance(matmul(uneven, lapack::solve(uneven, b)), b) < 1000 * tolerance<TestType>(n));
    }
}

TEMPLATE_TEST_CASE("triangular factors", "[lapack]", float, double) {
    for (std::int64_t n : sizes) {
        Array<TestType, 2> a = positive_matrix<TestType>(n, 4), b = random_matrix<TestType>(n, n, 5);
        Array<TestType, 2> l = run(lapack::cholesky(a));
        CHECK(distance(matmul(l, transpose(l)), a) < tolerance<TestType>(n));
        for (std::int64_t j = 1; j < n; ++j) REQUIRE(l(0, j) == 0);
        auto [lower, upper, order] = run(lapack::lu(b));
        const Array<std::int64_t>& rows = order;
        CHECK(distance(matmul(lower, upper), generate(shape(n, n), [&](auto i, auto j) { return b(rows(i), j); })) <
              tolerance<TestType>(n));
        for (std::int64_t j = 1; j < n; ++j) REQUIRE((lower(0, j) == 0 && upper(j, 0) == 0 && lower(j, j) == 1));
    }
}

TEMPLATE_TEST_CASE("orthogonal factors", "[lapack]", float, double) {
    for (std::int64_t n : sizes) {
        for (std::int64_t m : {n, 2 * n + 5}) {
            Array<TestType, 2> a = random_matrix<TestType>(m, n, 6);
            auto [q, r] = run(lapack::qr(a));
            CHECK(distance(matmul(q, r), a) < tolerance<TestType>(m));
            CHECK(distance(matmul(transpose(q), q), eye<TestType>(n)) < tolerance<TestType>(m));
            auto [u, s, v] = run(lapack::svd(a));
            const Array<TestType>& values = s;
            auto scaled = map([](auto x, auto y) { return x * y; }, u, broadcast(values, shape(m, n), axes(1)));
            CHECK(distance(matmul(scaled, transpose(v)), a) < tolerance<TestType>(m));
            for (std::int64_t k = 1; k < n; ++k) REQUIRE(values(k - 1) >= values(k));
        }
        Array<TestType, 2> a = positive_matrix<TestType>(n, 7);
        auto [values, vectors] = run(lapack::eigh(a));
        CHECK(distance(matmul(a, vectors), vectors * broadcast(values, shape(n, n), axes(1))) < tolerance<TestType>(n));
        for (std::int64_t k = 1; k < n; ++k) REQUIRE(values(k - 1) <= values(k));
    }
}

TEMPLATE_TEST_CASE("eigenvalues of any square matrix", "[lapack]", float, double) {
    using Complex = std::complex<TestType>;
    const Array<TestType, 2> turn = from(std::vector<TestType>{0, -2, 0, 2, 0, 0, 0, 0, 3}, shape(3, 3));
    // NUMPY("linalg.eig, linalg.eigvals", ...)
    std::vector<Complex> found = std::get<0>(run(lapack::eig(turn))).to_vector();
    for (const Complex expected : {Complex(0, 2), Complex(0, -2), Complex(3, 0)})
        CHECK(std::any_of(found.begin(), found.end(), [&](Complex z) { return std::abs(z - expected) < TestType(1e-5); }));
    const Array<TestType> p = from(std::vector<TestType>{2, 0, -8});
    const auto companion = generate(shape(2, 2), [=](auto i, auto j) {
        return select(i == 0, -p(j + 1) / p(0), select(j == i - 1, TestType(1), TestType(0)));
    });
    // NUMPY("roots", ...)
    std::vector<Complex> roots = std::get<0>(run(lapack::eig(companion))).to_vector();
    CHECK(std::abs(roots[0] * roots[1] + TestType(4)) < TestType(1e-5));
    CHECK(std::abs(roots[0] + roots[1]) < TestType(1e-5));
    for (std::int64_t n : {1, 2, 7, 20}) {
        const Array<TestType, 2> a = random_matrix<TestType>(n, n, 30 + static_cast<unsigned>(n));
        const auto [values, vectors] = run(lapack::eig(a));
        for (std::int64_t k = 0; k < n; ++k)
            for (std::int64_t i = 0; i < n; ++i) {
                Complex product = 0;
                for (std::int64_t j = 0; j < n; ++j) product += a(i, j) * Complex(vectors(j, k));
                CHECK(std::abs(product - Complex(values(k)) * Complex(vectors(i, k))) < tolerance<TestType>(n));
            }
    }
    CHECK(std::get<0>(run(lapack::eig(from(std::vector<TestType>{}, shape(0, 0))))).size() == 0);
}

TEST_CASE("as linalg, of small matrices", "[lapack]") {
    Array<double, 2> a = positive_matrix<double>(6, 8);
    auto [values, vectors] = run(lapack::eigh(a));
    CHECK(distance(std::get<0>(run(eigh(a))), values) < 1e-12);
    CHECK(distance(cholesky(a), lapack::cholesky(a)) < 1e-12);
    auto [u, s, v] = run(svd(a));
    CHECK(distance(std::get<1>(run(lapack::svd(a))), s) < 1e-12);
    Array<double, 2> b = random_matrix<double>(6, 6, 9);
    CHECK(run(all(std::get<2>(run(lu(b))) == std::get<2>(run(lapack::lu(b))))).item());
}

TEST_CASE("in programs, fused with what is around, on every target", "[lapack]") {
    Array<double, 2> a = positive_matrix<double>(5, 10), b = random_matrix<double>(5, 2, 11);
    for (Target target : {Target::host(), Target::interpreter()}) {
        auto norm_of = compile(
            [](Delayed<double, 2> m, Delayed<double, 2> right) {
                return sum(flatten(abs(matmul(m, lapack::solve(m, 2. * right)) - 2. * right)));
            },
            {.target = target});
        CHECK(norm_of(a, b).item() < 1e-10);
    }
}

TEST_CASE("empty matrices, and those that do not fit", "[lapack]") {
    Array<double, 2> none = from(std::vector<double>{}, shape(0, 0)), wide = random_matrix<double>(2, 3, 12);
    CHECK(run(lapack::solve(none, from(std::vector<double>{}))).size() == 0);
    CHECK(std::get<0>(run(lapack::eigh(none))).size() == 0);
    CHECK(std::get<1>(run(lapack::svd(from(std::vector<double>{}, shape(3, 0))))).size() == 0);
    Array<double, 2> singular = from({1., 2., 2., 4.}, shape(2, 2)), indefinite = from({1., 2., 2., 1.}, shape(2, 2));
    refuses<ShapeError>([&] { run(lapack::solve(wide, wide)); }, __LINE__, "is not square");
    refuses<ShapeError>([&] { run(lapack::eig(wide)); }, __LINE__, "is not square");
    refuses<ShapeError>([&] { run(lapack::solve(singular, from({1., 2., 3.}))); }, __LINE__, "the right-hand side 3");
    refuses<ShapeError>([&] { run(lapack::qr(wide)); }, __LINE__, "fewer rows than columns");
    refuses<DomainError>([&] { run(lapack::solve(singular, from({1., 2.}))); }, __LINE__, "singular: pivot 1");
    refuses<DomainError>([&] { run(lapack::cholesky(indefinite)); }, __LINE__, "not positive definite");
    const double nan = std::numeric_limits<double>::quiet_NaN();
    refuses<DomainError>([&] { run(lapack::svd(from({1., nan}, shape(2, 1)))); }, __LINE__, "NaN");
}
