// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control and functions.
#include "operations/support.hpp"

using namespace operations;

OPERATION("Control and functions", "choice between values") {
    Array<int> a = from({1, 2, 3}), b = from({10, 20, 30});
    gives(map([](auto x, auto y) { return select(x > 1, x, y); }, a, b), {10, 2, 3});
    gives(select(a > 1, a, b), {10, 2, 3});
}

OPERATION("Control and functions", "choice, one side evaluated") {
    Array<int> a = from({0, 2, 3});
    auto f = [](auto x) { return cond(x != 0, [&] { return 6 / x; }, [&] { return Exp<int>(-1); }); };
    gives(map(f, a), {-1, 3, 2});
}

OPERATION("Control and functions", "choice between arrays") {
    auto program =
        compile([](Delayed<int> a, Exp<bool> c) { return cond(c, [=] { return a + 1; }, [=] { return a * 2; }); });
    Array<int> a = from({1, 2, 3});
    CHECK(program(a, true).to_vector() == std::vector<int>{2, 3, 4});
    CHECK(program(a, false).to_vector() == std::vector<int>{2, 4, 6});
    auto shrunk = cond(any(a > 2), [=] { return a - 1; }, [=] { return a + 0; });
    gives(shrunk, {0, 1, 2});
}

OPERATION("Control and functions", "while loop") {
    auto halvings = [](auto x) {
        auto [rest, n] =
            while_loop([](auto v, auto) { return v > 1; }, [](auto v, auto k) { return std::tuple(v / 2, k + 1); }, x, 0);
        return n + rest * 0;
    };
    gives(map(halvings, from({1, 2, 9})), {0, 1, 3});
    Array<int> a = from({1, 2, 3});
    gives(while_loop([](auto s) { return sum(s) < 20; }, [](auto s) { return s * 2; }, a), {4, 8, 12});
}

OPERATION("Control and functions", "counted loop") {
    auto power = [](auto x) { return for_loop(3, [=](auto, auto p) { return p * x; }, Exp<int>(1)); };
    gives(map(power, from({2, 3})), {8, 27});
    Array<std::int64_t> a = from(std::vector<std::int64_t>{1, 2, 3});
    gives(for_loop(3, [](auto i, auto s) { return map([=](auto v) { return v + i; }, s); }, a), {4, 5, 6});
    gives(for_loop(0, [](auto, auto s) { return s * 2; }, a), {1, 2, 3});
}

OPERATION("Control and functions", "composition without fusion across") {
    auto f = [](const auto& a) { return a * 2; };
    auto g = [](const auto& a) { return a + 1; };
    Array<int> a = from({1, 2, 3});
    gives(g(force(f(a))), {3, 5, 7});
    CHECK(explain(g(force(f(a)))).clusters().size() > explain(g(f(a))).clusters().size());
}

OPERATION("Control and functions", "application, composition, constants") {
    auto f = [](auto x) { return x * 2; };
    auto g = [](auto x) { return x + 1; };
    gives(map([=](auto x) { return g(f(x)); }, from({1, 2})), {3, 5});
    gives(map([](auto x, auto y) { return x - y; }, zip(from({5, 6}), from({1, 2}))), {4, 4});
    gives(map([](auto) { return 7; }, from({1, 2})), {7, 7});
}

OPERATION("Control and functions", "foreign code, arrays") {
    auto f = [](const Array<int>& a) {
        auto v = a.to_vector();
        std::reverse(v.begin(), v.end());
        return from(v);
    };
    gives(foreign("reversed", f, from({1, 2, 3})) + 1, {4, 3, 2});
    gives(foreign("reversed", f, from(std::vector<int>{})), {});
}

OPERATION("Control and functions", "derivatives") {
    Array<double> x = from({1., 2., 3.});
    auto squares = [](Delayed<double> a) { return map([](auto e) { return e * e; }, a); };
    auto total = [=](Delayed<double> a) { return sum(squares(a)); };
    gives(grad(total)(x), {2., 4., 6.});
    gives(jvp(squares, primals(x), tangents(x)).second, {2., 8., 18.});
    gives(std::get<0>(vjp(squares, x).second(x)), {2., 8., 18.});
    gives(jacobian(squares)(x), {{2., 0., 0.}, {0., 4., 0.}, {0., 0., 6.}});
}
