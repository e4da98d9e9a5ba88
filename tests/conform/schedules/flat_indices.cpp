// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two or three axes counted as one, taken apart by division: what kernels may count as several axes again
// (lib/lower/index/axis_splits.hpp), and what they may not.
#include "tests/conform/support.hpp"

using namespace sinter;
using namespace conform;

namespace {

using Number = Exp<std::int64_t>;

const std::vector<std::int64_t> lengths = {0, 1, 3, 17, 64, 130};

template <class T>
T element(std::int64_t i, int seed) {
    return numbers<T>(i + 1, seed).back();
}

}  // namespace

TEMPLATE_TEST_CASE("an outer product by a flat index", "[flat_indices]", std::int32_t, float, double, std::uint8_t) {
    using T = TestType;
    using Line = Delayed<T>;
    for (std::int64_t n : lengths) {
        for (std::int64_t m : lengths) {
            CAPTURE(n, m);
            Array<T> x = from(numbers<T>(n, 1)), y = from(numbers<T>(m, 2));
            const auto product = compiled_everywhere(
                [](Line x, Line y) {
                    auto columns = size(y);
                    return generate(shape(size(x) * columns), [=](Number k) { return x(k / columns) * y(k % columns); });
                },
                x, y);
            const auto turned = compiled_everywhere(
                [](Line x, Line y) {
                    return map([=](Number k) { return x(k % size(x)) - y(k / size(x)); }, iota(size(x) * size(y)));
                },
                x, y);
            for (std::int64_t k = 0; k < n * m; ++k) {
                const auto i = static_cast<std::size_t>(k);
                REQUIRE(product[i] == static_cast<T>(element<T>(k / m, 1) * element<T>(k % m, 2)));
                REQUIRE(turned[i] == static_cast<T>(element<T>(k % n, 1) - element<T>(k / n, 2)));
            }
        }
    }
}

TEST_CASE("folds, scans and scatters over flat indices keep their order", "[flat_indices]") {
    using Line = Delayed<std::int32_t>;
    const auto pairs = [](Line x, Line y) {
        auto columns = size(y);
        return generate(shape(size(x) * columns), [=](Number k) {
            return std::tuple(x(k / columns) * 2 + 1, y(k % columns) + cast<std::int32_t>(k));
        });
    };
    for (std::int64_t n : lengths) {
        for (std::int64_t m : {1, 3, 70}) {
            CAPTURE(n, m);
            Array<std::int32_t> x = from(numbers<std::int32_t>(n, 1)), y = from(numbers<std::int32_t>(m, 2));
            compiled_everywhere(
                [=](Line x, Line y) {
                    return get<1>(fold(composition, std::tuple<std::int32_t, std::int32_t>{1, 0}, pairs(x, y)));
                },
                x, y);
            compiled_everywhere([=](Line x, Line y) { return get<1>(inclusive_scan(composition, pairs(x, y))); }, x, y);
            compiled_everywhere(
                [](Line x, Line y) {
                    auto columns = size(y);
                    auto count = shape(size(x) * columns);
                    return scatter(fill(count, 0),
                                   generate(count, [=](Number k) { return k % columns * size(x) + k / columns; }),
                                   generate(count, [=](Number k) { return x(k / columns) + y(k % columns); }));
                },
                x, y);
        }
    }
}

TEST_CASE("three axes counted as one, and one of them divided further", "[flat_indices]") {
    using Cube = Delayed<std::int32_t, 3>;
    for (std::int64_t n : {0, 1, 5, 40}) {
        for (std::int64_t w : {1, 9, 66}) {
            CAPTURE(n, w);
            const std::vector<std::int32_t> values = numbers<std::int32_t>(n * 7 * w);
            Array<std::int32_t, 3> a = from(values, shape(n, 7, w));
            const auto copy = compiled_everywhere(
                [](Cube a) {
                    auto rows = extent(a, 1), columns = extent(a, 2);
                    return generate(shape(extent(a, 0) * rows * columns), [=](Number k) {
                        return a(k / (rows * columns), k / columns % rows, k % columns) + cast<std::int32_t>(k);
                    });
                },
                a);
            for (std::size_t k = 0; k < values.size(); ++k) REQUIRE(copy[k] == values[k] + static_cast<std::int32_t>(k));
            compiled_everywhere(
                [](Cube a) {
                    auto rows = extent(a, 1), columns = extent(a, 2);
                    return vmap(
                        [=](Number i) {
                            return sum(map(
                                [=](Number e) { return a(i, e / columns, e % columns) * cast<std::int32_t>(e % 7 + e / 7); },
                                iota(rows * columns)));
                        },
                        iota(extent(a, 0)));
                },
                a);
        }
    }
}

TEST_CASE("windows of constant extents by a flat index", "[flat_indices]") {
    using Matrix = Delayed<std::int32_t, 2>;
    using Cube = Delayed<std::int32_t, 3>;
    for (std::int64_t n : {5, 6, 33}) {
        CAPTURE(n);
        const auto values = numbers<std::int32_t>(n * n * 3), weights = numbers<std::int32_t>(75 * 16, 3);
        Array<std::int32_t, 3> image = from(values, shape(n, n, 3));
        Array<std::int32_t, 2> filters = from(weights, shape(75, 16));
        const auto sums = compiled_everywhere(
            [](Cube image, Matrix filters) {
                auto out = extent(image, 0) - 4;
                auto at = [=](Number i, Number j, Number o) {
                    return sum(
                        map([=](Number e) { return image(i + e / 15, j + e / 3 % 5, e % 3) * filters(e, o); }, iota(75)));
                };
                return vmap(
                    [=](Number i) {
                        return vmap([=](Number j) { return vmap([=](Number o) { return at(i, j, o); }, iota(16)); },
                                    iota(out));
                    },
                    iota(out));
            },
            image, filters);
        std::int32_t expected = 0;
        for (std::int64_t e = 0; e < 75; ++e) {
            const std::int64_t row = n - 5 + e / 15, column = n - 5 + e / 3 % 5;
            expected += values[static_cast<std::size_t>((row * n + column) * 3 + e % 3)] *
                        weights[static_cast<std::size_t>(e * 16 + 15)];
        }
        REQUIRE(sums.back() == expected);
        compiled_everywhere(
            [](Cube image, Matrix filters) {
                return generate(shape(extent(image, 0) - 4, 16), [=](Number i, Number o) {
                    return for_loop(
                        75,
                        [=](Number e, Exp<std::int32_t> s) {
                            return s * 3 + image(i + e / 15, e / 3 % 5, e % 3) * filters(e, o);
                        },
                        Exp<std::int32_t>(1));
                });
            },
            image, filters);
    }
}

TEST_CASE("rows whose length is a number, with and without a rest", "[flat_indices]") {
    using Line = Delayed<float>;
    for (std::int64_t n : {0, 1, 99, 100, 1000, 1001, 12000}) {
        CAPTURE(n);
        const auto values = numbers<float>(n);
        Array<float> a = from(values);
        const auto mirrored = compiled_everywhere(
            [](Line a) {
                return generate(shape(size(a)),
                                [=](Number k) { return a(min(k / 100 * 100 + (99 - k % 100), size(a) - 1)); });
            },
            a);
        for (std::int64_t k = 0; k < n; ++k) {
            const std::int64_t from = std::min<std::int64_t>(k / 100 * 100 + (99 - k % 100), n - 1);
            REQUIRE(mirrored[static_cast<std::size_t>(k)] == values[static_cast<std::size_t>(from)]);
        }
        compiled_everywhere(
            [](Line a) {
                return sum(generate(shape(size(a)), [=](Number k) {
                    return cast<std::int32_t>(a(k)) * cast<std::int32_t>(k / 100 - k % 100);
                }));
            },
            a);
        compiled_everywhere(
            [](Line a) {
                return generate(shape(size(a)), [=](Number k) { return a(k) * cast<float>(k % 3 + k / 128 % 2); });
            },
            a);
    }
}

TEST_CASE("factors of an extent that are negative together", "[flat_indices]") {
    for (std::int64_t n : {1, 2, 3, 6, 30}) {
        CAPTURE(n);
        Array<std::int32_t> a = from(numbers<std::int32_t>(n));
        const auto result = compiled_everywhere(
            [](Delayed<std::int32_t> a) {
                auto part = size(a) - 4;
                return generate(shape(part * part), [=](Number k) { return k / part * 5 + k % part; });
            },
            a);
        const std::int64_t p = n - 4;
        for (std::int64_t k = 0; k < p * p; ++k) REQUIRE(result[static_cast<std::size_t>(k)] == k / p * 5 + k % p);
    }
}

TEST_CASE("an index that leaves an array names itself, however axes are counted", "[flat_indices]") {
    Array<float> x = from(numbers<float>(8)), y = from(numbers<float>(100));
    const auto shifted = [](std::int64_t by) {
        return [=](Delayed<float> x, Delayed<float> y) {
            return generate(shape(size(x) * size(y)), [=](Number k) { return x(k / size(y) + by) * y(k % size(y)); });
        };
    };
    std::vector<Target> all = targets();
    all.push_back(Target::interpreter());
    for (Target target : all) {
        REQUIRE_NOTHROW(compile(shifted(0), {.target = target})(x, y));
        REQUIRE_THROWS_AS(compile(shifted(1), {.target = target})(x, y), IndexError);
    }
}

TEST_CASE("flat indices in the steps of a loop whose extents follow the counter, with and without a rest",
          "[flat_indices]") {
    using Line = Delayed<std::int32_t>;
    for (std::int64_t odd : {0, 1}) {
        CAPTURE(odd);
        Array<std::int32_t> a = from(numbers<std::int32_t>(500));
        compiled_everywhere(
            [=](Line a) {
                return for_loop(
                    6,
                    [=](Number k, Line x) {
                        auto count = (k + 1) * 64 + k % 2 * odd;
                        auto step = [=](Number e) { return x(e / 64) * 3 + cast<std::int32_t>(e % 64) - x(e); };
                        return update(x, range(0, count), generate(shape(count), step));
                    },
                    a);
            },
            a);
    }
}

TEST_CASE("branches and loops that are not executed may have extents that cannot be", "[flat_indices]") {
    using Matrix = Delayed<std::int32_t, 2>;
    for (std::int64_t n : {1, 3, 4, 5, 9}) {
        CAPTURE(n);
        Array<std::int32_t, 2> a = from(numbers<std::int32_t>(n * n), shape(n, n));
        compiled_everywhere(
            [](Matrix a) {
                return for_loop(
                    max(extent(a, 0) - 4, 0),
                    [](Number k, Matrix x) {
                        auto m = extent(x, 0) - 4 - k;
                        auto part = range(0, m);
                        Matrix twice = force(slice(x, part, part) * 2);
                        auto sums = force(sum(twice, axis(0)));
                        return update(x, part, part, twice - broadcast(sums, shape(m, m), axes(1)));
                    },
                    a);
            },
            a);
    }
}
