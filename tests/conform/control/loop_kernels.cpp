// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose steps are so short that the whole loop is one kernel: updates of single elements in place, folds over ranges
// that follow counters, loops and branches inside, errors in the middle.
#include "conform/support.hpp"

#include <functional>
#include <string>
#include <tuple>

using namespace sinter;
using conform::everywhere;
using conform::numbers;

namespace {

using Long = std::int64_t;
using I = Exp<Long>;
using Vector = Delayed<Long>;
using Matrix = Delayed<Long, 2>;

Array<Long> some(Long n, int seed = 1) { return from(numbers<Long>(n, seed)); }
template <class T = Long>
Array<T, 2> square(Long n, int seed = 1) {
    return from(numbers<T>(n * n, seed), shape(n, n));
}

/// The sum of products of the first elements of row i and column j.
template <class T>
Delayed<T, 0> dot(Delayed<T, 2> a, I i, I j, I count) {
    Delayed<T> row = reshape(slice(a, range(i, i + 1), range(0, count)), shape(count));
    Delayed<T> column = reshape(slice(a, range(0, count), range(j, j + 1)), shape(count));
    return sum(row * column);
}

/// Element by element, each from a row and a column of what has been computed: LU factorisation without the division.
template <class T, class N>
Delayed<T, 2> eliminate(Delayed<T, 2> a, N n) {
    auto inner = [](I i) {
        return [=](I j, Delayed<T, 2> a) {
            auto rest = dot<T>(a, i, j, min(i, j));
            return update(a, index(i, j), a(i, j) - rest() * a(j, j));
        };
    };
    return for_loop(n, [=](I i, Delayed<T, 2> a) { return for_loop(extent(a, 1), inner(i), a); }, a);
}

/// The kernels that ran on the host, as a table.
template <class E>
std::string kernels_of(const E& expression) {
    profile::start();
    run(expression, {.target = Target::host(1)});
    return profile::stop();
}

/// The message of the error with which an expression ends everywhere.
template <class E>
std::string error_of(const std::function<E()>& make) {
    std::string expected;
    auto targets = conform::targets();
    targets.insert(targets.begin(), Target::interpreter());
    for (Target target : targets) {
        CAPTURE(target.number);
        std::string message = "no error";
        try {
            run(make(), {.target = target});
        } catch (const Error& error) {
            message = error.what();
        }
        if (expected.empty()) expected = message;
        CHECK(message == expected);
    }
    return expected;
}

}  // namespace

TEST_CASE("elements computed from those before them", "[loop_kernels]") {
    for (Long n : {0, 1, 15, 16, 17, 33, 40}) {
        CAPTURE(n);
        everywhere(eliminate<Long>(square(n), n));
        everywhere(eliminate<std::int32_t>(square<std::int32_t>(n), n));
        everywhere(eliminate<std::int8_t>(square<std::int8_t>(n), n));
        everywhere(eliminate<std::uint16_t>(square<std::uint16_t>(n), n));
    }
}

TEST_CASE("floating-point elements", "[loop_kernels]") {
    auto step = [](auto i, auto x) { return update(x, index(i % size(x)), x((i * 7) % size(x)) * 0.5f + 1.f); };
    for (Long n : {1, 7, 300}) {
        CAPTURE(n);
        everywhere(for_loop(Long{600}, [=](I i, Delayed<float> x) { return step(i, x); }, from(numbers<float>(n))));
        everywhere(for_loop(
            Long{600},
            [](I i, Delayed<double> x) { return update(x, index(i % size(x)), sqrt(abs(x(i % 3 % size(x))) + 2.)); },
            from(numbers<double>(n))));
    }
}

TEST_CASE("booleans, and elements of two components", "[loop_kernels]") {
    const auto flags = from(numbers<bool>(40));
    auto sieve = [](I i, Delayed<bool> x) { return update(x, index((i * 3) % 40), x(i % 40) && !x((i + 1) % 40)); };
    everywhere(for_loop(Long{300}, sieve, flags));
    auto pairs = [](I i, Vector x, Vector y) {
        auto k = i % 20;
        return std::tuple(update(x, index(k), y(k) + i), update(y, index((k + 1) % 20), x(k) - i));
    };
    auto [x, y] = for_loop(Long{300}, pairs, some(20), some(20, 2));
    everywhere(x);
    everywhere(y);
}

TEST_CASE("triangles of loops", "[loop_kernels]") {
    for (Long n : {0, 1, 16, 31}) {
        CAPTURE(n);
        auto row = [](I i) {
            return [=](I j, Matrix a) { return update(a, index(i, j), a(i, j) * 3 + a(j, i) - a(j, j)); };
        };
        auto lower = [=](I i, Matrix a) { return for_loop(i + 1, row(i), a); };
        everywhere(for_loop(n, lower, square(n)));
        auto upper = [=](I i, Matrix a) { return for_loop(extent(a, 0) - 1 - i, row(i), a); };
        everywhere(for_loop(n, upper, square(n)));
        auto three = [=](I i, Matrix a) {
            auto middle = [=](I j, Matrix a) { return for_loop(j, row(j), update(a, index(i, j), a(j, i) + 1)); };
            return for_loop(i, middle, a);
        };
        everywhere(for_loop(n, three, square(n)));
    }
}

TEST_CASE("reads of what the same step has written", "[loop_kernels]") {
    auto step = [](I i, Vector x) {
        auto k = i % size(x);
        Vector y = update(x, index(k), x(k) * 5 + i);
        Vector z = update(y, index((k + 1) % size(x)), y(k) + y((k + 1) % size(x)));
        return Vector(update(z, index((k + 2) % size(x)), sum(take(z, k))()));
    };
    for (Long n : {1, 2, 3, 50}) everywhere(for_loop(Long{300}, step, some(n)));
}

TEST_CASE("whole arrays that each step changes element by element", "[loop_kernels]") {
    for (Long n : {1, 8, 33}) {
        CAPTURE(n);
        const auto w = some(n, 3);
        auto step = [=](I i, Vector x) { return x * 3 + w + i; };
        auto with_sum = [=](I i, Vector x) {
            auto total = sum(x);
            return Vector(map([=](I v) { return v + total() - i; }, x));
        };
        everywhere(for_loop(Long{300}, step, some(n)));
        everywhere(for_loop(Long{300}, with_sum, some(n)));
        auto both = [=](I i, Vector x, Vector y) {
            return std::tuple(Vector(x + y), Vector(update(y, index(i % n), sum(x)())));
        };
        auto [x, y] = for_loop(Long{300}, both, some(n), some(n, 2));
        everywhere(x);
        everywhere(y);
    }
}

TEST_CASE("scalar states, conditions and branches", "[loop_kernels]") {
    for (Long n : {2, 17, 60}) {
        CAPTURE(n);
        auto holds = [](I k, Vector x) { return k < 400 && x(k % size(x)) < 1000000; };
        auto step = [](I k, Vector x) {
            auto i = k % size(x);
            auto next = cond(
                x(i) % 2 == 0, [&] { return Vector(update(x, index(i), x(i) + k)); },
                [&] { return Vector(update(x, index((i + 1) % size(x)), x(i) - 1)); });
            return std::tuple(k + 1, next);
        };
        auto [k, x] = while_loop(holds, step, Long{0}, some(n));
        everywhere(k);
        everywhere(x);
        auto sums = [](I i, I s, Exp<bool> odd, Vector x) {
            auto v = x(i % size(x));
            return std::tuple(s * 31 + v, !odd, Vector(update(x, index(i % size(x)), select(odd, s, v))));
        };
        auto [s, odd, y] = for_loop(Long{300}, sums, Long{1}, false, some(n));
        everywhere(s);
        everywhere(odd);
        everywhere(y);
    }
}

TEST_CASE("arrays that a step makes", "[loop_kernels]") {
    for (Long n : {1, 2, 7, 16, 33}) {
        CAPTURE(n);
        const Vector x = some(n), y = some(n, 4);
        everywhere(for_loop(n, [=](I k, Vector v) { return reverse(v) * 3 - v + k; }, x));
        // as many elements as the counter says, and as many as are left
        everywhere(for_loop(
            n - 1,
            [=](I k, Vector v) {
                const auto head = take(v, k + 1);
                const Vector mixed = (head * 2 - reverse(head)) % 100;
                return update(update(v, range(0, k + 1), mixed), index(k + 1), sum(mixed)() % 50);
            },
            x));
        everywhere(for_loop(
            n,
            [=](I k, Vector v) {
                const Vector rest = reverse(drop(v, k));
                return update(v, range(k, n), (rest + drop(y, k) * sum(rest)()) % 100);
            },
            x));
        everywhere(for_loop(n, [=](I k, Vector v) { return concat(drop(v, 1), fill(shape(1), v(0) * 3 % 101 + k)); }, x));
    }
    const Matrix a = square(9), b = square(9, 3);
    everywhere(for_loop(5, [=](I k, Matrix m) { return (transpose(m) * 2 + m + b * k) % 1000; }, a));
}

TEST_CASE("states that are other arrays in each step", "[loop_kernels]") {
    const Vector x = some(20), y = some(20, 3);
    auto both = [](auto f) {
        return [=](I k, Vector a, Vector b) {
            auto [c, d] = f(k, a, b);
            return std::tuple(Vector(c), Vector(d));
        };
    };
    auto all = [&](auto f) {
        for (Long steps : {0, 1, 2, 5}) {
            auto [a, b] = for_loop(steps, both(f), x, y);
            everywhere(map([](auto v, auto w) { return v * 1000 + w; }, a, b));
        }
    };
    all([](I, Vector a, Vector b) { return std::tuple(b, a); });
    all([](I k, Vector a, Vector b) { return std::tuple(reverse(a) + b, reverse(b) - a * k); });
    all([](I, Vector a, Vector b) { return std::tuple(b, (reverse(a) + b) % 100); });
    all([](I, Vector a, Vector b) {
        const Vector c = reverse(a) - b;
        return std::tuple(c, c);
    });
    all([=](I k, Vector a, Vector b) { return std::tuple(x, update(b, index(k), a(k) + 1)); });
    // what a step reads after it has changed it, and a loop inside that begins with what is needed afterwards
    all([](I k, Vector a, Vector b) {
        const Vector changed = update(a, index(k), b(k) * 2);
        return std::tuple(reverse(changed) + a, b + sum(a)() - sum(changed)());
    });
    all([](I k, Vector a, Vector b) {
        const auto inner = for_loop(k + 2, [](I j, Vector v) { return update(v, index(j), v(j + 1) + v(j)); }, a);
        return std::tuple((inner + reverse(a)) % 100, b - inner);
    });
}

TEST_CASE("loops of no steps", "[loop_kernels]") {
    const auto x = some(10);
    auto step = compile(
        [](I n, I m, Vector x) {
            auto inner = [](I j, Vector x) { return update(x, index(j % 10), x(j % 10) + 1); };
            return for_loop(n, [=](I i, Vector x) { return for_loop(m - i, inner, x); }, x);
        },
        {.target = Target::host(1)});
    CHECK(step(Long{0}, Long{500}, x).to_vector() == numbers<Long>(10));
    CHECK(step(Long{-3}, Long{500}, x).to_vector() == numbers<Long>(10));
    CHECK(step(Long{500}, Long{0}, x).to_vector() == numbers<Long>(10));
    CHECK(step(Long{500}, Long{-7}, x).to_vector() == numbers<Long>(10));
}

TEST_CASE("arguments and captured arrays stay as they are", "[loop_kernels]") {
    const Long n = 30;
    const auto x = some(n), table = some(n, 4);
    auto step = [=](I i, Vector y) { return update(y, index(i % n), y(i % n) + table((i * 7) % n) + x(i % n)); };
    everywhere(for_loop(Long{300}, step, x));  // the initial state is read inside as well
    CHECK(x.to_vector() == numbers<Long>(n));
    CHECK(table.to_vector() == numbers<Long>(n, 4));
    auto twice = for_loop(Long{300}, step, x) + for_loop(Long{301}, step, x) + x;
    everywhere(twice);
    auto two = [](I i, Vector a, Vector b) {
        return std::tuple(Vector(update(a, index(i % 30), b(i % 7) + 1)), Vector(update(b, index(i % 11), a(i % 30) - 1)));
    };
    auto [a, b] = for_loop(Long{300}, two, x, x);  // one array, two states
    everywhere(a);
    everywhere(b);
    CHECK(x.to_vector() == numbers<Long>(n));
}

TEST_CASE("a state that is dropped", "[loop_kernels]") {
    auto step = [](I i, Vector x, I s) { return std::tuple(update(x, index(i % 9), s), s + x((i * 5) % 9)); };
    auto [x, s] = for_loop(Long{300}, step, some(9), Long{1});
    everywhere(s);
    everywhere(x);
}

TEST_CASE("an index out of range in the middle of a loop", "[loop_kernels]") {
    const std::string message = error_of<Vector>([] {
        auto step = [](I i, Vector x) { return update(x, index(i % 50), x(i / 4) + 1); };
        return for_loop(Long{600}, step, some(50));
    });
    CHECK_THAT(message, Catch::Contains("index 50 is out of range for axis 0 of extent 50"));
    const std::string written = error_of<Vector>([] {
        auto step = [](I i, Vector x) { return update(x, index(i / 8), x(i % 50) + 1); };
        return for_loop(Long{600}, step, some(50));
    });
    CHECK_THAT(written, Catch::Contains("index 50 is out of range"));
    const std::string nested = error_of<Matrix>([] {
        auto inner = [](I i) { return [=](I j, Matrix a) { return update(a, index(i, j), a(j, i + j / 20) + 1); }; };
        return for_loop(Long{30}, [=](I i, Matrix a) { return for_loop(Long{30}, inner(i), a); }, square(30));
    });
    CHECK_THAT(nested, Catch::Contains("index 30 is out of range for axis 1 of extent 30"));
}

TEST_CASE("a division by zero, and slices that are not there", "[loop_kernels]") {
    const std::string divided = error_of<Vector>([] {
        auto step = [](I i, Vector x) { return update(x, index(i % 50), 100 / (299 - i) + x(0)); };
        return for_loop(Long{600}, step, some(50));
    });
    CHECK_THAT(divided, Catch::Contains("division by zero"));
    const std::string outside = error_of<Vector>([] {
        auto step = [](I i, Vector x) { return update(x, index(i % 50), sum(take(x, i / 8))()); };
        return for_loop(Long{600}, step, some(50));
    });
    CHECK_THAT(outside, Catch::Contains("51"));
    error_of<Vector>([] {
        auto step = [](I i, Vector x) { return update(x, index(i % 50), sum(slice(x, range(40 - i / 10, 20)))()); };
        return for_loop(Long{600}, step, some(50));
    });
    error_of<Matrix>([] {
        auto step = [](I i, Matrix a) {
            auto block = slice(a, range(0, 20 - i / 20), range(i / 30, 18));
            return update(a, index(i % 20, i % 20), sum(sum(block))());
        };
        return for_loop(Long{800}, step, square(20));
    });
}

TEST_CASE("expectations in loops", "[loop_kernels]") {
    const std::string message = error_of<Vector>([] {
        auto step = [](I i, Vector x) {
            return update(x, index(i % 50), expect(x(i % 50) + i < 400, "small", x(i % 50) + 1));
        };
        return for_loop(Long{600}, step, some(50));
    });
    CHECK_THAT(message, Catch::Contains("small"));
}

TEST_CASE("what a loop inside has counted is not taken for its counter", "[loop_kernels]") {
    const Long count = 10;
    auto step = [=](I k, Vector x) {
        auto counting = [=](I i, I n, Vector y) {
            return std::tuple(n + select(y(i) >= k, I(300), I(310)), Vector(update(y, index(i), y(i) + 1)));
        };
        auto [found, changed] = for_loop(count, counting, I(0), x);
        Vector part = force(take(changed, found()) * 2);
        return Vector(update(changed, index(k % 50), sum(part)() % 1000));
    };
    everywhere(for_loop(Long{300}, step, some(3200)));
}

TEST_CASE("loops of kinds that no kernel executes", "[loop_kernels]") {
    auto sorts = [](I i, Vector x) { return update(sort(x), index(i % 40), i); };
    everywhere(for_loop(Long{300}, sorts, some(40)));
    auto swaps = [](I i, Vector x, Vector y) { return std::tuple(y, Vector(update(x, index(i % 40), i))); };
    auto [x, y] = for_loop(Long{300}, swaps, some(40), some(40, 2));
    everywhere(x);
    everywhere(y);
    auto neighbours = [](I, Vector x) { return x + rotate(x, 1); };
    everywhere(for_loop(Long{300}, neighbours, some(40)));
}

TEST_CASE("a compiled function launches its loop with any extents", "[loop_kernels]") {
    for (const Target& target : conform::targets()) {
        auto f = compile([](Matrix a) { return eliminate<Long>(a, extent(a, 0)); }, {.target = target});
        for (Long n : {40, 3, 17, 64, 0, 33}) {
            const auto expected = run(eliminate<Long>(square(n), n), {.target = Target::interpreter()});
            conform::require_same(expected.to_vector(), f(square(n)).to_vector());
            auto own = run(square(n) + 0);
            conform::require_same(expected.to_vector(), f(std::move(own)).to_vector());
        }
    }
}

TEST_CASE("loops of many short steps are one kernel, others are not", "[loop_kernels_chosen][one_process]") {
    const auto is_kernel = Catch::Contains("for_loop_");
    CHECK_THAT(kernels_of(eliminate<double>(square<double>(230), 230)), is_kernel);
    auto element = [](I i, Vector x) { return update(x, index(i % 50), x((i * 7) % 50) + sum(take(x, i % 50))()); };
    CHECK_THAT(kernels_of(for_loop(Long{60000}, element, some(50))), is_kernel);
    auto holds = [](I k, Vector) { return k < 50000; };
    auto step = [](I k, Vector x) { return std::tuple(k + 1, Vector(update(x, index(k % 9), k))); };
    const auto f =
        compile([=](Vector x) { return std::get<1>(while_loop(holds, step, Long{0}, x)); }, {.target = Target::host(1)});
    for (int call = 0; call < 60; ++call) f(some(9));
    profile::start();
    f(some(9));
    CHECK_THAT(profile::stop(), Catch::Contains("while_loop_"));
    // Few steps that contain many; and starts of views that are remainders.
    auto sweep = [](I, Delayed<double, 2> a) {
        return for_loop(
            Long{160},
            [](I i, Delayed<double, 2> a) {
                return for_loop(
                    Long{160},
                    [=](I j, Delayed<double, 2> a) {
                        return update(a, index(i, j), (a(i, j) + a(max(i - 1, 0), j) + a(i, max(j - 1, 0))) / 3.);
                    },
                    a);
            },
            a);
    };
    CHECK_THAT(kernels_of(for_loop(Long{2}, sweep, square<double>(160))), is_kernel);
    CHECK_THAT(kernels_of(for_loop(
                   Long{60000}, [m = square(40)](I i, Vector x) { return Vector(x + slice(m, i % 40, all)); }, some(40))),
               is_kernel);
    const std::string said = "the loop is one kernel where its steps are many and short";
    CHECK_THAT(explain(for_loop(Long{300}, element, some(50))).text(), Catch::Contains(said));
    CHECK_THAT(
        explain(for_loop(Long{300}, [](I, Vector x) { return sort(x * 3); }, some(50))).text(), !Catch::Contains(said));
    auto large = [](I i, Vector x) { return update(x, index(i), sum(x)()); };
    CHECK_THAT(kernels_of(for_loop(Long{300}, large, some(100000))), !is_kernel);
    auto few = [=](I i, Vector x) { return element(i + 1, x); };
    CHECK_THAT(kernels_of(for_loop(Long{300}, few, some(50))), !is_kernel);  // not worth compiling it
}

TEST_CASE("steps of an elimination by blocks are one kernel for each block, with the same bits", "[loop_kernels_chosen]") {
    using Doubles = Delayed<double, 2>;
    const auto f = compile(
        [](Doubles a) {
            auto n = extent(a, 0);
            auto step = [=](I k, Doubles a) {
                auto below = range(k + 1, n), here = range(k, k + 1);
                auto pivot = reshape(slice(a, here, below), shape(n - k - 1));
                auto factors = reshape(slice(a, below, here), shape(n - k - 1)) / a(k, k);
                Doubles rest = vmap([=](Delayed<double> row, Exp<double> x) { return row - x * pivot; },
                                    slice(a, below, below), factors);
                return update(update(a, below, k, factors), below, below, rest);
            };
            return for_loop(n - 1, step, a);
        },
        {.target = Target::host(2)});
    Array<double, 2> a = run(square<double>(300));
    const std::vector<double> first = f(a).to_vector();
    for (int call = 0; call < 20; ++call) f(a);
    profile::start();
    const std::vector<double> last = f(a).to_vector();
    CHECK_THAT(profile::stop(), Catch::Contains("for_loop_"));
    conform::require_same(first, last);
}

TEST_CASE("loops of short steps among long ones are one kernel each", "[loop_kernels_chosen]") {
    // Until enough launches have been counted, and behind that.
    for (Long rounds : {3, 40}) {
        auto round = [](I, Vector large, Vector small) {
            auto change = [=](I i, Vector s) { return update(s, index((i * 7) % size(s)), s(i % size(s)) + large(i)); };
            small = for_loop(Long{2500}, change, small);
            return std::tuple(Vector(large * 3 + small(5)), small);
        };
        auto [large, small] = for_loop(rounds, round, some(300000), some(37));
        const auto expected = run(std::tuple(sum(large), small), {.target = Target::interpreter()});
        for (const Target& target : conform::targets()) {
            const auto found = run(std::tuple(sum(large), small), {.target = target});
            CHECK(std::get<0>(expected).item() == std::get<0>(found).item());
            conform::require_same(std::get<1>(expected).to_vector(), std::get<1>(found).to_vector());
        }
        // Errors name the same place whichever way the steps are executed.
        auto failing = [=](I, Vector large, Vector small) {
            auto change = [=](I i, Vector s) { return update(s, index(i / 40), s(i % size(s)) + large(i)); };
            return std::tuple(Vector(large + 1), for_loop(Long{2500}, change, small));
        };
        CHECK_THROWS_AS(run(std::get<1>(for_loop(rounds, failing, some(300000), some(37)))), IndexError);
    }
}

TEST_CASE("a loop gives the same bits before and after it is one kernel", "[loop_kernels_chosen]") {
    using Doubles = Delayed<double>;
    // Sums of more than some thousand elements are cut into chunks where they are launches of their own.
    for (Long n : {200, 3000, 20000}) {
        CAPTURE(n);
        const auto begin = [=] { return Doubles(map([](I i) { return sin(cast<double>(i)) * 1e-3; }, iota(n))); };
        const auto sums = [](I i, Doubles x) { return update(x, index(i), sum(take(x, i))() * 1e-3 + x(i)); };
        const auto sums_of_none = [=](I i, Doubles x) {
            return update(x, index(i % 9), sum(map([](I j) { return sin(cast<double>(j)); }, iota(i)))() + x(i % 9));
        };
        const auto runs = [&](const auto& step, Long steps) {
            const auto first = run(for_loop(steps, step, begin()), {.target = Target::host(2)}).to_vector();
            for (Long done = steps; done < 70000; done += steps)
                run(for_loop(steps, step, begin()), {.target = Target::host(2)});
            conform::require_same(first, run(for_loop(steps, step, begin()), {.target = Target::host(2)}).to_vector());
        };
        runs(sums, n);
        if (n == 20000) runs(sums_of_none, n);
    }
}
