// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long sides of branches that lanes take apart are functions: equal sides share one, whatever they read from outside.
#include "conform/support.hpp"

#include <limits>

using namespace sinter;
using conform::everywhere;
using conform::few_sizes;
using conform::numbers;

namespace {

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

/// The number of functions of sides in the only kernel of `expression`.
std::size_t shared_sides(const auto& expression) {
    const auto kernels = explain(expression, {.target = Target::host()}).kernels();
    REQUIRE(kernels.size() == 1);
    return count(kernels[0].llvm_ir, "define internal");
}

/// Angles of which some are so large that they are reduced by the rare path.
template <class T>
Array<T> angles(std::int64_t n) {
    std::vector<T> v;
    for (std::int64_t i = 0; i < n; ++i) {
        const double x = double(i % 41 - 20) * 0.37;
        v.push_back(T(float(i % 11 == 3 ? x * 1e7 : i % 29 == 5 ? x * 1e30 : x)));
    }
    if (n > 20) v[7] = std::numeric_limits<T>::infinity(), v[20] = std::numeric_limits<T>::quiet_NaN();
    return from(v);
}

/// A polynomial of more instructions than a side that is not shared may have.
template <class E, class F>
auto long_polynomial(E x, F y) {
    E result = x;
    for (int k = 1; k < 60; ++k) result = result * y + E(k);
    return result;
}

}  // namespace

TEMPLATE_TEST_CASE("large angles in several calls of one kernel", "[shared_sides]", float, double) {
    for (auto n : few_sizes) {
        CAPTURE(n);
        const Array<TestType> x = angles<TestType>(n), y = run(reverse(x));
        everywhere(sin(x) * cos(y) + tan(x + y));
        everywhere(map(
            [](auto a, auto b) {
                return cond(a > b, [=] { return sin(a) - cos(b); }, [=] { return sin(b) * sin(a * TestType(3)); });
            },
            x, y));
        everywhere(map([](auto a) { return sin(cast<double>(a)) + cast<double>(cos(cast<float>(a))); }, x));
        if (n > 0) everywhere(max(map([](auto a) { return sin(a) * cos(a); }, x)));
        everywhere(map([](auto a) { return for_loop(3, [](auto, auto s) { return sin(s) * TestType(1e6); }, a); }, x));
    }
    Delayed<TestType> chain = angles<TestType>(100);
    for (int k = 0; k < 8; ++k) chain = sin(chain) * TestType(1e9);
    if (std::is_same_v<TestType, double>) CHECK(shared_sides(chain) == 1);  // that of floats is short
    everywhere(chain);
}

TEST_CASE("long sides with numbers from outside", "[shared_sides]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        const Array<std::int32_t> a = from(numbers<std::int32_t>(n)), b = run(reverse(a));
        const Array<std::int64_t> scale = from(std::vector<std::int64_t>{3});
        Delayed<std::int32_t, 0> number = max(concat(a, fill(shape(1), 5)));
        auto two = map(
            [=](auto x, auto y) {
                auto s = number();
                auto first = cond(x > y, [=] { return long_polynomial(x, y) + s; }, [=] { return y; });
                auto second = cond(x < 3, [=] { return long_polynomial(y, x) + s; }, [=] { return first; });
                return cond(y != 2, [=] { return long_polynomial(first, second); }, [=] { return x - second; });
            },
            a, b);
        everywhere(two);
        everywhere(map(
            [=](auto x, auto y) {
                auto index = cast<std::int64_t>(y) * scale(0);
                return cond(x > y, [=] { return long_polynomial(cast<std::int64_t>(x), index); }, [=] { return index; });
            },
            a, b));
        everywhere(map_indexed(
            [](auto i, auto x) { return cond(x > 0, [=] { return long_polynomial(i, i + 1); }, [=] { return i; }); }, a));
    }
}

TEST_CASE("long sides that are not functions", "[shared_sides]") {
    const auto n = 1000;
    const Array<std::int32_t> a = from(numbers<std::int32_t>(n)), b = run(reverse(a));
    auto divides = map(  // by zero in lanes that do not take the side
        [](auto x, auto y) { return cond(y != 0, [=] { return long_polynomial(x, y) / y % y; }, [=] { return x; }); }, a, b);
    auto reads = map_indexed(  // beyond the array in other lanes
        [=](auto i, auto x) { return cond(i + 2 < n, [=] { return long_polynomial(x, a(i + 2)); }, [=] { return x; }); }, a);
    auto with_condition = map(  // which is no number, and is needed outside, too
        [](auto x, auto y) {
            auto less = x < y;
            auto side = cond(x > 1, [=] { return select(less, long_polynomial(x, y), x); }, [=] { return y; });
            return select(less, side, side + 1);
        },
        a, b);
    auto is_short = map(
        [](auto x, auto y) {
            return cond(x > y, [=] { return cast<float>(x * y) + sqrt(cast<float>(x)); }, [=] { return cast<float>(y); });
        },
        a, b);
    for (const auto& e : {divides, reads, with_condition}) {
        CHECK(shared_sides(e) == 0);
        everywhere(e);
    }
    CHECK(shared_sides(is_short) == 0);
    everywhere(is_short);
}
