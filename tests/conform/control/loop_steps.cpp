// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of short steps, whose bodies are made ready once: extents that follow the counter, updates in place, loops and
// branches inside, states that change places, errors in the middle.
#include "conform/support.hpp"

#include <chrono>
#include <string>
#include <tuple>

using namespace sinter;
using conform::everywhere;
using conform::numbers;

namespace {

using Long = std::int64_t;
using Vector = Delayed<Long>;
using Matrix = Delayed<Long, 2>;

Array<Long> some(Long n, int seed = 1) { return from(numbers<Long>(n, seed)); }
Array<Long, 2> square(Long n) { return from(numbers<Long>(n * n), shape(n, n)); }

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("slices that shrink, updated in place", "[loop_steps]") {
    for (Long n : {0, 1, 4, 5, 17, 64, 200}) {
        CAPTURE(n);
        auto below = [](Exp<Long> k, Vector x) {
            return update(x, range(k + 1, size(x)), map([=](Exp<Long> v) { return v * 3 + x(k); }, drop(x, k + 1)));
        };
        auto x = some(n);
        everywhere(for_loop(n, below, x));
        CHECK(run(x).to_vector() == numbers<Long>(n));
        auto with_sum = [](Exp<Long> k, Vector x) {
            auto rest = sum(drop(x, k));
            return update(x, range(k, size(x)), map([=](Exp<Long> v) { return v * 2 + rest(); }, drop(x, k)));
        };
        everywhere(for_loop(n, with_sum, x));
    }
}

TEST_CASE("slices that grow", "[loop_steps]") {
    for (Long n : {4, 9, 33, 130}) {
        CAPTURE(n);
        auto step = [](Exp<Long> k, Vector x) {
            auto before = sum(map([](auto a, auto b) { return a * b; }, take(x, k), drop(take(x, 2 * k), k)));
            return update(x, index(k), x(k) + before());
        };
        everywhere(for_loop(n / 2, step, some(n)));
        auto windows = [](Exp<Long> k, Vector x) { return concat(drop(x, k % 3), take(x * 2, k % 3)); };
        everywhere(for_loop(n, windows, some(n)));
    }
}

TEST_CASE("elimination: a column, then the block behind it", "[loop_steps]") {
    for (Long n : {4, 7, 33}) {
        CAPTURE(n);
        auto step = [=](Exp<Long> k, Matrix a) {
            auto below = range(k + 1, n), here = range(k, k + 1);
            a = update(a, below, here, map([=](Exp<Long> x) { return x * 3 - a(k, k); }, slice(a, below, here)));
            auto block =
                map_indexed([=](Exp<Long> i, Exp<Long> j, Exp<Long> x) { return x - a(k + 1 + i, k) * a(k, k + 1 + j); },
                            slice(a, below, below));
            return update(a, below, below, block);
        };
        everywhere(for_loop(n - 1, step, square(n)));
    }
}

TEST_CASE("loops in loops, whose counts follow the counter", "[loop_steps]") {
    for (Long n : {4, 6, 20}) {
        CAPTURE(n);
        auto step = [](Exp<Long> i, Vector x) {
            auto inner = [=](Exp<Long> j, Vector x) {
                return update(x, range(i, i + 1), map([=](Exp<Long> v) { return v * 3 + x(j); }, slice(x, range(i, i + 1))));
            };
            return for_loop(i, inner, x);
        };
        everywhere(for_loop(n, step, some(n)));
        auto halving = [](Exp<Long> i, Vector x) {
            auto last = while_loop([](Exp<Long> k, Vector) { return k > 0; },
                                   [](Exp<Long> k, Vector y) { return std::tuple(k / 2, y * 3 + sum(y)()); }, i, x);
            return std::get<1>(last) - x;
        };
        everywhere(for_loop(n, halving, some(n)));
    }
}

TEST_CASE("branches inside, which overwrite what dies there", "[loop_steps]") {
    for (Long n : {4, 9, 40}) {
        CAPTURE(n);
        auto step = [](Exp<Long> i, Vector x) {
            auto all = sum(x);
            return cond(
                all() % 3 == 0, [&] { return Vector(update(x, index(i), all())); },
                [&] { return Vector(update(x, range(0, i), take(x, i) * 2 + all())); });
        };
        everywhere(for_loop(n, step, some(n)));
        auto keeps = [](Exp<Long> i, Vector x, Vector y) {
            auto all = sum(y);
            auto next = cond(all() % 2 == 0, [&] { return Vector(update(x, index(i), all())); }, [&] { return x; });
            return std::tuple(next, x + y);
        };
        auto [x, y] = for_loop(n, keeps, some(n), some(n, 2));
        everywhere(x);
        everywhere(y);
    }
}

TEST_CASE("states that change places, are one another, or stay", "[loop_steps]") {
    for (Long n : {5, 33}) {
        CAPTURE(n);
        const auto x = some(n), z = some(n, 3);
        auto swapped = [](Exp<Long> i, Vector a, Vector b) { return std::tuple(b, update(a, index(i % 5), sum(b)())); };
        auto [a, b] = for_loop(7, swapped, x, z);
        everywhere(a);
        everywhere(b);
        auto [c, d] = for_loop(7, swapped, x, x);
        everywhere(c);
        everywhere(d);
        auto outer = [=](Exp<Long> i, Vector a, Vector b) {
            return std::tuple(Vector(z), update(b, index(i % 5), sum(a)() + sum(b)()));
        };
        auto [e, f] = for_loop(6, outer, x, x);
        everywhere(e);
        everywhere(f);
        auto same = [](Exp<Long> i, Vector a, Vector) {
            auto next = update(a, index(i % 5), sum(a)());
            return std::tuple(next, next);
        };
        auto [g, h] = for_loop(6, same, x, z);
        everywhere(g);
        everywhere(h);
    }
}

TEST_CASE("counters as states", "[loop_steps]") {
    for (Long n : {4, 12}) {
        auto step = [](Exp<Long> i, Exp<Long>, Vector x) { return std::tuple(i, update(x, index(i), sum(x)())); };
        auto [last, x] = for_loop(n, step, Long{-1}, some(n));
        CHECK(everywhere(last).item() == n - 1);
        everywhere(x);
        auto nested = [=](Exp<Long> i, Exp<Long> k, Vector x) {
            auto [inner, y] = for_loop(i, step, k, x);
            return std::tuple(inner + i, y);
        };
        auto [sums, y] = for_loop(n, nested, Long{0}, some(n));
        everywhere(sums);
        everywhere(y);
    }
}

TEST_CASE("counters and extents as states of loops of few steps", "[loop_steps]") {
    for (const Target& target : conform::targets())
        for (Long n : {1, 2, 3, 5, 9, 40}) {
            CAPTURE(n);
            auto counters = compile(
                [](Exp<Long> n, Vector x) {
                    return for_loop(
                        n, [](Exp<Long> i, Exp<Long> a, Exp<Long> b, Vector y) { return std::tuple(i, a, y + b); }, Long{-1},
                        Long{-2}, x);
                },
                {.target = target});
            auto [last, before, y] = counters(n, some(3));
            CHECK(last.item() == n - 1);
            CHECK(before.item() == n - 2);
            auto extents = compile(
                [](Exp<Long> n, Vector x) {
                    return for_loop(
                        n, [](Exp<Long>, Exp<Long>, Vector y) { return std::tuple(size(y), concat(y, y)); }, Long{-1}, x);
                },
                {.target = target});
            if (n > 9) continue;
            auto [length, z] = extents(n, some(3));
            CHECK(length.item() == 3 << (n - 1));
            CHECK(z.size() == 3 << n);
        }
}

TEST_CASE("states that grow in loops of loops", "[loop_steps]") {
    auto step = [](Exp<Long> i, Vector x) {
        auto grown = for_loop(i % 3, [](Exp<Long> j, Vector y) { return concat(y, take(y, j + 1) * 2); }, x);
        return take(grown + sum(grown)(), min(size(grown), Exp<Long>(50)));
    };
    for (Long n : {1, 5, 40}) everywhere(for_loop(9, step, some(n)));
}

TEST_CASE("an index out of range in a late step", "[loop_steps]") {
    const auto x = some(20);
    auto targets = conform::targets();
    targets.push_back(Target::interpreter());
    for (Target target : targets) {
        CAPTURE(target.number);
        auto step = [](Exp<Long> i, Vector x) {
            return update(x, range(0, 20 - i), map([=](Exp<Long> v) { return v * 2 + x(i * 3); }, take(x, 20 - i)));
        };
        try {
            run(for_loop(15, step, x), {.target = target});
            FAIL("no error");
        } catch (const IndexError& error) {
            CHECK(contains(error.what(), "index 21"));
        }
        CHECK(x.to_vector() == numbers<Long>(20));
        auto divides = [](Exp<Long> i, Vector x) {
            return update(x, range(0, i + 1), map([=](Exp<Long> v) { return v / (7 - i); }, take(x, i + 1)));
        };
        CHECK_THROWS_AS(run(for_loop(15, divides, x), {.target = target}), DomainError);
        auto negative = [](Exp<Long> i, Vector x) { return update(x, index(0), sum(slice(x, range(i, 10)))()); };
        CHECK_THROWS_AS(run(for_loop(15, negative, x), {.target = target}), Error);
        CHECK(x.to_vector() == numbers<Long>(20));
    }
}

TEST_CASE("sizes of a branch are not those of the body around it", "[loop_steps]") {
    // Variables that a branch defines are numbered like those that the body defines behind it; greedy strategies compute
    // these before the branch.
    const Array<Long> a = some(33);
    auto step = [=](Exp<Long> k, Vector x, Exp<Long> s) {
        auto changed = [&] {
            const auto rest = sum(map([](auto v) { return v * 3; }, drop(x, k * 2 % 33)))();
            return Vector(update(x, index((k * 2 + 5) % 33), rest * 7 - sum(take(a, (k + 1) % 33))()));
        };
        const Vector y = cond(a((k + 6) % 33) % 2 == 0, changed, [&] { return x; });
        const Exp<Long> l = k + 1;
        auto changed_again = [&] {
            return Vector(update(y, index(l * 2 % 33), y((l * 2 + 4) % 33) * 7 - y((l * 2 + 9) % 33)));
        };
        const Vector z = cond(sum(take(y, (l + 8) % 33))() % 2 == 0, changed_again, [&] { return y; });
        return std::tuple(z, z((k * 2 + 9) % 33) + s * 5);
    };
    const auto [x, s] = for_loop(7, step, Vector(a), Long{3});
    everywhere(x);
    everywhere(s);
}

TEST_CASE("loops in loops stop, and report the outer one", "[loop_steps]") {
    auto step = [](Exp<Long> i, Vector x) {
        return for_loop(
            i + 1, [](Exp<Long> j, Vector x) { return update(x, range(0, j % 9), take(x, j % 9) + sum(x)()); }, x);
    };
    for (Target target : conform::targets()) {
        const auto begin = std::chrono::steady_clock::now();
        const Options options{.target = target, .deadline = begin + std::chrono::milliseconds(200)};
        CHECK_THROWS_AS(run(for_loop(Long{1} << 40, step, some(10)), options), Stopped);
        CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
        Long reports = 0;
        const Options watched{.target = target, .progress = [&](const Progress& p) { reports += p.iterations > 0 ? 1 : 0; }};
        run(for_loop(10, step, some(10)), watched);
        CHECK(reports >= 10);
    }
}
