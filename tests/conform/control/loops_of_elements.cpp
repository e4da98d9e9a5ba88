// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that write one element, or one row, after another, of which none is made of others that were written: they are maps,
// and products of matrices; beside loops that look like such and are not.
#include "conform/support.hpp"

#include <sinter/linalg.hpp>

using namespace sinter;
using namespace conform;

namespace {

using Long = std::int64_t;
using I = Exp<Long>;
using X1 = Delayed<Long>;
using X2 = Delayed<Long, 2>;

const std::vector<Long> lengths = {0, 1, 2, 7, 33, 100};
const std::vector<std::pair<Long, Long>> shapes = {{0, 3}, {3, 0}, {1, 1}, {2, 5}, {7, 7}, {9, 4}, {33, 17}};

/// The array after `steps` steps of an array, each of which writes the element that `f` makes at the place `at`.
template <class At, class F>
void each_element(At at, F f, Long fewer = 0) {
    for (Long n : lengths) {
        if (n < fewer) continue;
        CAPTURE(n);
        const Array<Long> x = from(numbers<Long>(n, 1)), y = from(numbers<Long>(n, 2));
        compiled_everywhere(
            [=](X1 x, X1 y) {
                const I n = size(x);
                return for_loop(n - fewer, [=](I i, X1 out) { return update(out, index(at(i, n)), f(x, out, i, n)); }, y);
            },
            x, y);
    }
}

template <class F>
void each_matrix(F f) {
    for (const auto& [n, m] : shapes) {
        CAPTURE(n, m);
        const Array<Long, 2> a = from(numbers<Long>(n * m, 1), shape(n, m)), b = from(numbers<Long>(n * m, 2), shape(n, m));
        compiled_everywhere(f, a, b);
    }
}

X1 row(X2 a, I i) { return reshape(slice(a, range(i, i + 1), all), shape(extent(a, 1))); }

}  // namespace

TEST_CASE("loops over elements", "[loops_of_elements]") {
    const auto here = [](I i, I) { return i; };
    const auto from_end = [](I i, I n) { return n - 1 - i; };
    each_element(here, [](X1 x, X1, I i, I) { return x(i) * 3 + i; });
    each_element(here, [](X1 x, X1 out, I i, I) { return x(i) - out(i) * 2; });
    each_element(from_end, [](X1 x, X1, I i, I n) { return x(i) + x(n - 1 - i) * 5; });
    each_element([](I i, I) { return i + 1; }, [](X1 x, X1 out, I i, I) { return x(i + 2) - out(i + 1); }, 2);
    each_element(here, [](X1 x, X1 out, I i, I n) { return x(i) + out(min(i + 1, n - 1)); });  // not yet written
}

TEST_CASE("loops over elements that are made of others", "[loops_of_elements]") {
    const auto here = [](I i, I) { return i; };
    each_element(here, [](X1 x, X1 out, I i, I) { return x(i) + out(max(i - 1, 0)); });
    each_element(here, [](X1 x, X1 out, I i, I n) { return x(i) + out(n - 1 - i); });
    each_element([](I, I) { return I(0); }, [](X1 x, X1 out, I i, I) { return x(i) + out(0); });
    each_element([](I i, I) { return i / 2; }, [](X1 x, X1, I i, I) { return x(i); });
    each_element([](I i, I n) { return i * 2 % n; }, [](X1 x, X1, I i, I) { return x(i); });
}

TEST_CASE("loops over several arrays that read what a step has just written", "[loops_of_elements]") {
    const auto both = [](const auto& loop) {
        for (Long n : lengths) {
            CAPTURE(n);
            const Array<Long> x = from(numbers<Long>(n, 1)), y = from(numbers<Long>(n, 2));
            compiled_everywhere([=](X1 x, X1 y) { return std::get<1>(loop(x, y)); }, x, y);
            compiled_everywhere(
                [=](X1 x, X1 y) {
                    auto [a, b] = loop(x, y);
                    return X1(a - b * 3);
                },
                x, y);
        }
    };
    both([](X1 x, X1 y) {
        const auto step = [=](I i, X1 a, X1 b) {
            const X1 next = update(a, index(i), x(i) + 1);
            return std::tuple(next, update(b, index(i), next(i) * 2 + a(i) - b(i)));
        };
        return for_loop(size(x), step, y, x);
    });
    both([](X1 x, X1 y) {
        const auto step = [=](I k, X1 a, X1 b) {
            const I i = size(x) - 1 - k;
            const X1 next = update(a, index(i), b(i) - k);
            return std::tuple(next, update(b, index(i), next(i) * x(i)));
        };
        return for_loop(size(x), step, y, x);
    });
    for (const auto& [n, m] : shapes) {
        CAPTURE(n, m);
        const Array<Long, 2> a = from(numbers<Long>(n * m, 1), shape(n, m)), b = from(numbers<Long>(n * m, 2), shape(n, m));
        compiled_everywhere(
            [](X2 a, X2 b) {
                const auto step = [=](I i, X2 u, X2 v) {
                    const X2 next = update(u, i, all, row(a, i) * 2);
                    return std::tuple(next, update(v, i, all, row(next, i) - row(v, i)));
                };
                return std::get<1>(for_loop(extent(a, 0), step, b, a));
            },
            a, b);
    }
}

TEST_CASE("loops of loops over elements", "[loops_of_elements]") {
    const auto rows_first = [](X2 a, X2 start, auto f) {
        return for_loop(
            extent(a, 0),
            [=](I i, X2 out) {
                return for_loop(extent(a, 1), [=](I j, X2 out) { return update(out, index(i, j), f(out, i, j)); }, out);
            },
            start);
    };
    each_matrix([=](X2 a, X2 b) { return rows_first(a, b, [=](X2, I i, I j) { return a(i, j) * 3 - i + j; }); });
    each_matrix([=](X2 a, X2 b) { return rows_first(a, b, [=](X2 out, I i, I j) { return a(i, j) - out(i, j); }); });
    each_matrix([=](X2 a, X2 b) {
        return rows_first(a, b, [=](X2 out, I i, I j) { return a(i, j) + out(max(i - 1, 0), max(j - 1, 0)); });
    });
    each_matrix([](X2 a, X2 b) {  // columns first
        return for_loop(
            extent(a, 1),
            [=](I j, X2 out) {
                return for_loop(
                    extent(a, 0), [=](I i, X2 out) { return update(out, index(i, j), a(i, j) + b(i, j) * j); }, out);
            },
            b);
    });
    each_matrix([](X2 a, X2 b) {  // triangles
        return for_loop(
            min(extent(a, 0), extent(a, 1)),
            [=](I i, X2 out) {
                return for_loop(i, [=](I j, X2 out) { return update(out, index(i, j), a(j, i) * 2); }, out);
            },
            b);
    });
    each_matrix([](X2 a, X2 b) {  // a diagonal, and one row
        const X2 diagonal =
            for_loop(min(extent(a, 0), extent(a, 1)), [=](I k, X2 out) { return update(out, index(k, k), a(k, k) + k); }, b);
        return for_loop(
            min(extent(a, 0), I(1)) * extent(a, 1), [=](I k, X2 out) { return update(out, index(0, k), a(0, k) - k); },
            diagonal);
    });
}

TEST_CASE("loops over rows of products", "[loops_of_elements]") {
    const auto product = [](X1 v, X2 b) { return vmap([=](X1 column) { return sum(v * column); }, transpose(b)); };
    each_matrix([=](X2 a, X2 b) {
        return for_loop(
            extent(a, 0), [=](I i, X2 out) { return update(out, i, all, product(row(a, i), X2(transpose(b) * 3 - 1))); },
            fill(shape(extent(a, 0), extent(a, 0)), Long(0)));
    });
    each_matrix([=](X2 a, X2 b) {  // in place; what was written before is in it, too, in the second
        const X2 square = matmul(a, transpose(b));
        const X2 once =
            for_loop(extent(a, 0), [=](I i, X2 out) { return update(out, i, all, product(row(out, i), square)); }, square);
        return for_loop(
            extent(a, 0),
            [=](I i, X2 out) { return update(out, i, all, product(row(a, i), X2(matmul(transpose(b), out)))); }, once);
    });
    each_matrix([=](X2 a, X2 b) {  // rows of what shrinks
        return for_loop(
            extent(a, 0),
            [=](I i, X2 out) {
                return update(out, i, range(0, extent(a, 1)),
                              vmap([=](X1 u) { return sum(u) * i; }, transpose(slice(b, range(i, extent(a, 0)), all))));
            },
            b);
    });
}

TEST_CASE("slices of loops that begin at literals", "[loops_of_elements]") {
    for (Long n : {4, 5, 9, 40}) {
        CAPTURE(n);
        const Array<Long, 2> a = from(numbers<Long>(n * n, 1), shape(n, n));
        for (Long first : {2, 3})
            for (bool rows : {true, false})
                compiled_everywhere(
                    [=](X2 u) {
                        const I n = extent(u, 0);
                        const auto in = range(1, n - first + 1);
                        return for_loop(
                            n - 2,
                            [=](I k, X2 q) {
                                const X1 next =
                                    rows ? X1(slice(u, k + 1, range(first, n))) : X1(slice(u, range(first, n), k + 1));
                                return update(q, in, k + 1, X1(next - X1(slice(q, in, k)) * 3));
                            },
                            X2(u * 2));
                    },
                    a);
    }
}

TEST_CASE("coefficients that slices share, beside right sides of each", "[loops_of_elements]") {
    each_matrix([](X2 a, X2) {
        return vmap(
            [](X1 d) {
                const I n = size(d);
                const X1 zero = fill(shape(n), Long(0));
                const auto forth = [=](I k, X1 p, X1 q) {
                    const I by = p(k) * 3 + 7;
                    return std::tuple(update(p, index(k + 1), by - k), update(q, index(k + 1), d(k + 1) * by - q(k)));
                };
                auto [p, q] = for_loop(max(n - 1, I(0)), forth, zero, zero);
                const auto back = [=, p = p, q = q](I k, X1 u) {
                    const I j = n - 2 - k;
                    return update(u, index(j), p(j) * u(j + 1) + q(j));
                };
                return for_loop(max(n - 1, I(0)), back, q);
            },
            a);
    });
}

TEST_CASE("numbers that slices share are carried along", "[loops_of_elements]") {
    for (const auto& [n, m] : shapes) {
        CAPTURE(n, m);
        const Array<double, 2> a = from(numbers<double>(n * m, 1), shape(n, m));
        compiled_everywhere(
            [](Delayed<double, 2> a) {
                using R = Exp<double>;
                using D1 = Delayed<double>;
                return vmap(
                    [](D1 d) {
                        const D1 zero = fill(shape(size(d)), 0.);
                        const auto forth = [=](I k, D1 ps, D1 qs, R p, R q) {
                            const R by = p * 0.5 + 3., next = (d(k) - q) / by;
                            return std::tuple(update(ps, index(k), by), update(qs, index(k), next), by, next);
                        };
                        auto [ps, qs, p, q] = for_loop(size(d), forth, zero, zero, 0., 1.);
                        const D1 first = ps, second = qs;
                        const auto back = [=](I r, D1 o, R x) {
                            const I k = size(d) - 1 - r;
                            const R y = first(k) * x + second(k);
                            return std::tuple(update(o, index(k), y), y);
                        };
                        return D1(std::get<0>(for_loop(size(d), back, zero, 1.)) + broadcast(p + q, shape(size(d)), axes()));
                    },
                    a);
            },
            a);
    }
}

TEST_CASE("errors of loops over elements", "[loops_of_elements][errors]") {
    const Array<Long> x = from(numbers<Long>(9, 1)), none = from(std::vector<Long>{});
    const auto ahead = [](X1 x) {
        return for_loop(size(x), [=](I i, X1 out) { return update(out, index(i), x(i + 1)); }, x);
    };
    const auto too_far = [](X1 x) {
        return for_loop(size(x) + 1, [=](I i, X1 out) { return update(out, index(i), i); }, x);
    };
    const auto divided = [](X1 x) {
        return for_loop(size(x), [=](I i, X1 out) { return update(out, index(i), x(i) / (i - 3)); }, x);
    };
    std::vector<Target> all = targets();
    all.push_back(Target::interpreter());
    for (Target target : all) {
        REQUIRE_THROWS_AS(compile(ahead, {.target = target})(x), IndexError);
        REQUIRE_THROWS_AS(compile(too_far, {.target = target})(x), IndexError);
        REQUIRE_THROWS_AS(compile(divided, {.target = target})(x), Error);
        REQUIRE(compile(ahead, {.target = target})(none).size() == 0);
        REQUIRE(compile(divided, {.target = target})(none).size() == 0);
    }
}
