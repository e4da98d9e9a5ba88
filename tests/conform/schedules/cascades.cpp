// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches that leave arrays to each other and may follow each other in tiles of rows: once as they are, and once with
// SINTER_STEP_TILES, with which small arrays are cut into tiles, too.
#include "conform/support.hpp"

#include <sinter/linalg.hpp>
#include <sinter/profile.hpp>

#include <tuple>
#include <vector>

using namespace sinter;
using namespace conform;

namespace {

using Long = std::int64_t;
using I = Exp<Long>;
template <class T>
using Matrix = Delayed<T, 2>;
template <class T>
using Line = Delayed<T, 1>;

template <class T>
Matrix<T> matrix(Long rows, Long columns, Long factor) {
    std::vector<T> values;
    for (Long k = 0; k < rows * columns; ++k) values.push_back(static_cast<T>((k * factor + k / 5) % 23 - 11));
    return from(values, shape(rows, columns));
}

/// Squared distances of points and centres.
template <class T>
Matrix<T> distances(const Matrix<T>& points, const Matrix<T>& centres) {
    return vmap(
        [=](Line<T> p) {
            return vmap([=](Line<T> c) { return sum(map([](Exp<T> x, Exp<T> y) { return (x - y) * (x - y); }, p, c)); },
                        centres);
        },
        points);
}

const std::vector<std::tuple<Long, Long, Long>> sizes = {{1, 1, 1},   {2, 3, 4},    {7, 9, 5},   {64, 16, 8},
                                                         {65, 17, 3}, {257, 33, 7}, {1000, 5, 2}};

template <class T>
void check_distances() {
    for (auto [n, k, d] : sizes) {
        CAPTURE(n, k, d);
        const Matrix<T> all = distances(matrix<T>(n, d, 7), matrix<T>(k, d, 3));
        const auto least = vmap([](Line<T> row) { return min(row); }, all);
        everywhere(least);
        everywhere(sum(least));
        everywhere(vmap([](Line<T> row) { return argmin(row); }, all));
        everywhere(vmap([](Line<T> row) { return inclusive_scan([](Exp<T> x, Exp<T> y) { return max(x, y); }, row); }, all));
        everywhere(sum(all, axis(0)));
    }
}

}  // namespace

TEST_CASE("a product, and what is made of its rows", "[cascades]") {
    check_distances<double>();
    check_distances<float>();
    check_distances<Long>();
    check_distances<std::int16_t>();
}

TEST_CASE("products of products, and of what is made of their rows", "[cascades]") {
    for (auto [n, k, d] : sizes) {
        CAPTURE(n, k, d);
        const Matrix<double> a = matrix<double>(n, d, 7), b = matrix<double>(d, k, 3), c = matrix<double>(k, d, 5);
        const Matrix<double> scores = matmul(a, b);
        auto positive = [](Line<double> row) { return row - min(row); };
        everywhere(matmul(vmap(positive, scores), c));
        everywhere(matmul(transpose(a), vmap(positive, matmul(scores, c))));
        everywhere(matmul(matmul(scores, c), b));
    }
}

TEST_CASE("batches of products whose rows are the outermost axis", "[cascades]") {
    for (auto [n, k, d] : {std::tuple<Long, Long, Long>{300, 4, 16}, {50, 25, 10}, {65, 3, 33}, {7, 1, 8}}) {
        CAPTURE(n, k, d);
        std::vector<double> values;
        for (Long i = 0; i < k * d * d; ++i) values.push_back(static_cast<double>(i * 5 % 17 - 8));
        const Delayed<double, 3> squares = from(values, shape(k, d, d));
        auto product = [=](Line<double> point) {
            auto of_centre = [=](Matrix<double> square, Line<double> centre) {
                return vmap([=](Line<double> row) { return sum(map(std::multiplies<>(), row, point - centre)); }, square);
            };
            return vmap(of_centre, squares, matrix<double>(k, d, 3));
        };
        const Delayed<double, 3> all = vmap(product, matrix<double>(n, d, 7));
        everywhere(sum(sum(all * all)));
        everywhere(vmap([](Matrix<double> one) { return sum(max(one)); }, all));
    }
}

TEST_CASE("several folds and updates of the same rows", "[cascades]") {
    for (auto [n, k, d] : sizes) {
        CAPTURE(n, k, d);
        const Matrix<double> all = distances(matrix<double>(n, d, 7), matrix<double>(k, d, 3));
        const Line<double> least = vmap([](Line<double> row) { return min(row); }, all);
        const Line<Long> nearest = vmap([](Line<double> row) { return argmin(row); }, all);
        const Line<double> nothing = generate(shape(k), [](I) { return Exp<double>(0); });
        everywhere(histogram(shape(k), std::plus<>(), Long{0}, nearest, map([](I) { return I(1); }, nearest)));
        everywhere(scatter([](Exp<double> x, Exp<double> y) { return x + y; }, nothing, nearest, least));
        // Two results, of which one is needed in memory.
        everywhere(map([=](Exp<double> x, I at) { return x + all(at % n, at); }, least, nearest));
        // An operator that is not commutative.
        auto later = [](Exp<double> x, Exp<double> y) { return select(y < 50, y, x); };
        everywhere(fold(later, 1000.0, least));
        everywhere(inclusive_scan(later, least));
    }
}

TEST_CASE("launches in chunks follow others in tiles", "[cascades]") {
    constexpr Long n = 66000, k = 17;
    const Matrix<double> all = distances(matrix<double>(n, 3, 7), matrix<double>(k, 3, 3));
    const Line<double> least = vmap([](Line<double> row) { return min(row); }, all);
    const Line<Long> nearest = vmap([](Line<double> row) { return argmin(row); }, all);
    const Line<double> before = generate(shape(k), [](I i) { return cast<double>(i); });
    const auto plus = [](Exp<double> x, Exp<double> y) { return x + y; };
    everywhere(sum(least));
    everywhere(scatter(plus, before, nearest, least));
    everywhere(fold([](Exp<double> x, Exp<double> y) { return select(y < 50, y, x); }, 1000.0, least));
    everywhere(sum(all, axis(0)));
    // A neighbour of what points of a launch in chunks write beside what they update.
    const Line<Long> counts = histogram(shape(k), std::plus<>(), Long{0}, nearest, map([](I) { return I(1); }, nearest));
    const Line<double> beside = force(stencil([](auto at) { return at(-1) + 2 * at(1); }, boundary::clamp, least));
    everywhere(map([=](Exp<double> x, I at) { return x + cast<double>(counts(at)); }, beside, nearest));
}

TEST_CASE("a profile shows launches in tiles", "[cascades]") {
    const char* const chosen = std::getenv("SINTER_TARGET");
    if (!std::getenv("SINTER_STEP_TILES") || (chosen && std::string_view(chosen).starts_with("gpu"))) return;
    const auto largest = [](Line<double> row) { return max(row); };
    const auto of_rows = vmap(largest, distances(matrix<double>(70000, 2, 7), matrix<double>(33, 2, 3)));
    for (bool chunks : {false, true}) {
        profile::start();
        chunks ? (void)run(sum(of_rows)) : (void)run(of_rows);
        REQUIRE_THAT(profile::stop(), Catch::Contains("2 steps of "));
    }
}

TEST_CASE("loops whose steps are launches that follow each other in tiles", "[cascades]") {
    for (auto [n, k, d] : sizes) {
        CAPTURE(n, k, d);
        const Matrix<Long> points = matrix<Long>(n, d, 7);
        auto step = [=](I, Matrix<Long> centres) {
            const Line<Long> nearest = vmap([](Line<Long> row) { return argmin(row); }, distances(points, centres));
            auto larger = [](I x, I y) { return max(x, y); };
            auto places = generate(shape(n, d), [=](I i, I j) { return std::tuple(nearest(i), j); });
            return histogram(shape(k, d), larger, Long{-100}, places, points);
        };
        everywhere(for_loop(3, step, matrix<Long>(k, d, 3)));
    }
}

TEST_CASE("rows that need their neighbours", "[cascades]") {
    for (auto [n, k, d] : sizes) {
        CAPTURE(n, k, d);
        const Matrix<Long> all = distances(matrix<Long>(n, d, 7), matrix<Long>(k, d, 3));
        auto blur = [](auto at) { return at(-1, 0) + 2 * at(0, 0) + at(1, 0); };
        everywhere(vmap([](Line<Long> row) { return max(row); }, stencil(blur, boundary::clamp, all)));
        everywhere(vmap([](Line<Long> row) { return max(row); }, stencil(blur, boundary::wrap, all)));
        everywhere(reverse(vmap([](Line<Long> row) { return max(row); }, all)));
    }
}

TEST_CASE("errors in launches that follow each other in tiles", "[cascades]") {
    const Matrix<Long> all = distances(matrix<Long>(100, 5, 7), matrix<Long>(9, 5, 3));
    const Line<Long> least = vmap([](Line<Long> row) { return min(row); }, all);
    const Line<Long> ten = from(numbers<Long>(10), shape(Long{10}));
    for (const Target& target : targets()) {
        CHECK_THROWS_AS(run(vmap([](Line<Long> row) { return sum(100 / (row - row)); }, all), {.target = target}), Error);
        CHECK_THROWS_AS(run(sum(map([=](I x) { return ten(x); }, least * 1000)), {.target = target}), Error);
    }
    everywhere(least);
}
