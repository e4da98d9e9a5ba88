// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions with NumPy's names, against loops and what NumPy gives.
#include "conform/support.hpp"

#include <sinter/numeric.hpp>

#include <algorithm>
#include <complex>
#include <limits>

using namespace sinter;
using namespace conform;

namespace {

using Long = std::int64_t;
using Doubles = std::vector<double>;
using Longs = std::vector<Long>;
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

template <class E>
auto values(const E& expression) {
    return everywhere(expression).to_vector();
}

/// On every target, within roundings: targets may associate sums differently.
template <class E>
void nearly(const Doubles& expected, const E& expression) {
    std::vector<Target> all_targets = targets();
    all_targets.push_back(Target::interpreter());
    for (Target target : all_targets) {
        const Doubles actual = run(expression, {.target = target}).to_vector();
        REQUIRE(expected.size() == actual.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            CHECK(actual[i] == Approx(expected[i]).epsilon(1e-12).margin(1e-12));
    }
}

}  // namespace

TEST_CASE("evenly spaced numbers and grids", "[numeric]") {
    require_same({0, 0.25, 0.5, 0.75, 1}, values(linspace(0., 1., 5)));
    require_same({2}, values(linspace(2., 3., 1)));
    require_same({}, values(linspace(2., 3., 0)));
    for (Long n : {2, 7, 50}) CHECK(values(linspace(0.1, 0.7, n)).back() == 0.7);
    require_same<Long>({3, 5, 7}, values(arange<Long>(3, 8, 2)));
    require_same<Long>({3, 1}, values(arange<Long>(3, 0, -2)));
    require_same({1, 1.5, 2}, values(arange(1., 2.1, 0.5)));
    require_same<Long>({}, values(arange<Long>(3, 3)));
    CHECK_THROWS_AS(arange(1, 2, 0), UsageError);
    const auto [x, y] = meshgrid(from({1., 2., 3.}), from({10., 20.}));
    require_same({1, 2, 3, 1, 2, 3}, values(x));
    require_same({10, 10, 10, 20, 20, 20}, values(y));
    CHECK(run(x).shape() == std::array<Long, 2>{2, 3});
    auto in_program =
        compile([](Delayed<double> a) { return std::get<0>(meshgrid(a, a)) + linspace(0., 1., size(a))(reify(Long(1))); });
    require_same({2, 3, 2, 3}, in_program(from({1., 2.})).to_vector());
}

TEST_CASE("choices and bounds", "[numeric]") {
    const Array<double> a = from({-2., 0.5, 7.});
    require_same({0, 0.5, 7}, values(where(a > 0., a, 0.)));
    require_same({-1, 0.5, 1}, values(clip(a, -1., 1.)));
}

TEST_CASE("running sums and differences", "[numeric]") {
    const Array<Long, 2> a = from(Longs{1, 2, 4, 10, 20, 50}, shape(2, 3));
    require_same<Long>({1, 3, 7, 10, 30, 80}, values(cumsum(a)));
    require_same<Long>({1, 2, 4, 11, 22, 54}, values(cumsum(a, axis(0))));
    require_same<Long>({1, 2, 8, 10, 200, 10000}, values(cumprod(a)));
    require_same<Long>({1, 2, 10, 30}, values(diff(a)));
    require_same<Long>({9, 18, 46}, values(diff(a, axis(0))));
    require_same<Long>({}, values(diff(from(Longs{3}))));
    CHECK(explain(diff(from(numbers<float>(1000)))).clusters().size() == 1);
}

TEST_CASE("variances", "[numeric]") {
    nearly({1.25}, var(from({1., 2., 3., 4.})));
    nearly({5. / 3}, var(from({1., 2., 3., 4.}), axis(0), 1));
    nearly({1.25}, var(from(Longs{1, 2, 3, 4})));
    nearly({1.25}, var(from({1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 4})));  // no cancellation
    const Array<double, 2> a = from(Doubles{1, 2, 4, 10, 20, 60}, shape(2, 3));
    nearly({14. / 9, 1400. / 3}, var(a));
    nearly({20.25, 81, 784}, var(a, axis(0)));
    nearly({4.5, 9, 28}, stddev(a, axis(0)));
    nearly({20.25, 81, 784}, var(a, axis(-2)));
    CHECK_THROWS_AS(var(a, axis(2)), UsageError);
}

TEST_CASE("errors name the line that calls", "[numeric]") {
    auto line_of = [](auto f) {
        try {
            f();
        } catch (const Error& error) {
            return error.where().line();
        }
        return decltype(location().line()){};
    };
    const Array<Long> a = from(Longs{7, 1});
    const Array<double> x = from({1., 2.}), longer = from({1., 2., 3.});
    CHECK(line_of([&] { run(bincount(a, 5)); }) == __LINE__);
    CHECK(line_of([&] { run(bincount(a, x, 5)); }) == __LINE__);
    CHECK(line_of([&] { nanmin(x, axis(3)); }) == __LINE__);
    CHECK(line_of([&] { nanmax(x, axis(3)); }) == __LINE__);
    CHECK(line_of([&] { cumsum(x, axis(3)); }) == __LINE__);
    CHECK(line_of([&] { cumprod(x, axis(3)); }) == __LINE__);
    CHECK(line_of([&] { clip(a, 0.5, 7); }) == __LINE__);
    CHECK(line_of([&] { where(a > Long(1), a, 0.5); }) == __LINE__);
    CHECK(line_of([&] { interp(x, longer, x); }) == __LINE__);
}

TEST_CASE("variances along several axes", "[numeric]") {
    const Array<double, 3> a = from(Doubles{1, 2, 3, 4, 0, 0, 5, 0, 3, 3, 3, 9}, shape(2, 3, 2));
    nearly({289. / 48}, var(flatten(a)));
    nearly({289. / 48}, var(a, axes(0, 1, 2)));
    nearly({289. / 44}, var(a, axes(2, 0, 1), 1));
    nearly({3.5, 0.1875, 13.5}, var(a, axes(0, 2)));
    nearly({3.1, 11.2}, var(a, axes(0, 1), 1));
    nearly({std::sqrt(3.5), std::sqrt(0.1875), std::sqrt(13.5)}, stddev(a, axes(-1, 0)));
    nearly({289. / 48}, var(cast<int>(a), axes(0, 1, 2)));
    CHECK_THROWS_AS(var(a, axes(0, 0)), UsageError);
    CHECK_THROWS_AS(stddev(a, axes(0, 3)), UsageError);
    auto program = compile([](Delayed<double, 3> x) { return var(x, axes(0, 2)); });
    for (double difference : run(program(a) - var(a, axes(0, 2))).to_vector()) CHECK(difference == Approx(0).margin(1e-12));
}

TEST_CASE("the squares of halves exceed their range, but not their mean", "[numeric]") {
    const Array<double> wide = run(map([](auto i) { return cast<double>(i % 2) * 200 - 100; }, iota(1000)));
    require_same<float>({10000}, values(cast<float>(var(cast<half>(wide)))));
    require_same<float>({100}, values(cast<float>(stddev(cast<half>(wide)))));
}

TEST_CASE("reductions that leave out NaNs", "[numeric]") {
    const Array<double, 2> a = from(Doubles{1, nan_value, 3, nan_value, nan_value, nan_value}, shape(2, 3));
    require_same({4, 0}, values(nansum(a)));
    require_same({3, 1}, values(nanprod(a)));
    require_same({2, nan_value}, values(nanmean(a)));
    require_same({1, nan_value}, values(nanmin(a)));
    require_same({3, nan_value}, values(nanmax(a)));
    require_same({1, 0, 3}, values(nansum(a, axis(0))));
    require_same({4}, values(nansum(a, axes(0, 1))));
}

TEST_CASE("searches in sorted arrays", "[numeric]") {
    const Doubles sorted = {-1, 0, 0, 0, 2.5, 7, nan_value};
    const Doubles wanted = {-2, -1, 0, 1, 2.5, 8, nan_value};
    const Array<double> a = from(sorted), v = from(wanted);
    require_same<Long>({0, 0, 1, 4, 4, 6, 6}, values(searchsorted(a, v)));
    require_same<Long>({0, 1, 4, 4, 5, 6, 7}, values(searchsorted(a, v, Side::right)));
    require_same<Long>({0, 0}, values(searchsorted(from(Doubles{}), from({1., 2.}))));
    require_same<Long>({0, 1, 1, 3}, values(digitize(from({0., 1., 1.5, 9.}), from({1., 2., 3.}))));
    require_same<Long>({0, 0, 1, 3}, values(digitize(from({0., 1., 1.5, 9.}), from({1., 2., 3.}), Side::left)));
    // Of one element, in a function.
    const auto edges = from({1., 2., 3.}), heights = from({10., 30., 20.});
    require_same<Long>({0, 1, 1, 3}, values(map([=](auto x) { return digitize(x, edges); }, from({0., 1., 1.5, 9.}))));
    require_same<Long>({0, 0, 1, 3}, values(map([=](auto x) { return searchsorted(edges, x); }, from({0., 1., 1.5, 9.}))));
    require_same<double>({10., 10., 20., 20.},
                         values(map([=](auto x) { return interp(x, edges, heights); }, from({0., 1., 1.5, 9.}))));
    const auto middle = [](Delayed<double> w) { return searchsorted(inclusive_scan(std::plus<>{}, w), 0.5 * sum(w)()); };
    CHECK(compile(middle)(from({1., 1., 3., 1.})) == 2);
    for (Long n : few_sizes) {
        auto keys = numbers<std::int32_t>(n);
        std::sort(keys.begin(), keys.end());
        const auto found =
            run(searchsorted(from(keys), from(numbers<std::int32_t>(20))), {.target = targets()[0]}).to_vector();
        for (std::size_t i = 0; i < found.size(); ++i)
            REQUIRE(found[i] == std::lower_bound(keys.begin(), keys.end(), numbers<std::int32_t>(20)[i]) - keys.begin());
    }
    const auto at = from({-1., 1., 1.5, 2., 3., 9.});
    require_same({10, 10, 15, 20, 0, 0}, values(interp(at, from({1., 2., 3.}), from({10., 20., 0.}))));
    require_same({5, 5}, values(interp(from({-1., 4.}), from({1.}), from({5.}))));
}

TEST_CASE("distinct elements and counts", "[numeric]") {
    require_same({1, 2, 7, nan_value}, values(unique(from({7., 2., nan_value, 1., 7., 2., nan_value}))));
    require_same({}, values(unique(from(Doubles{}))));
    for (Long n : few_sizes) {
        auto expected = numbers<Long>(n);
        const auto actual = run(unique(from(expected)), {.target = targets()[0]}).to_vector();
        std::sort(expected.begin(), expected.end());
        expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
        require_same(expected, actual);
    }
    require_same<Long>({1, 3, 0, 1}, values(bincount(from(Longs{1, 3, 1, 0, 1}), 4)));
    require_same({0, 3.5}, values(bincount(from(Longs{1, 1}), from({1.5, 2.}), 2)));
    CHECK_THROWS_AS(run(bincount(from(Longs{4}), 4)), IndexError);
}

TEST_CASE("integrals and convolutions", "[numeric]") {
    require_same({4}, values(trapezoid(from({1., 2., 3.}))));
    require_same({2}, values(trapezoid(from({1., 2., 3.}), 0.5)));
    require_same({8}, values(trapezoid(from({1., 2., 3.}), from({4., 6., 8.}))));
    const Array<Long> v = from(Longs{1, 10, 100});
    require_same<Long>({1, 12, 123, 230, 300}, values(convolve(from(Longs{1, 2, 3}), v)));
    require_same<Long>({321, 432}, values(correlate(from(Longs{1, 2, 3, 4}), v)));
    require_same<Long>({2, 20, 200}, values(convolve(from(Longs{2}), v)));
    CHECK_THROWS_AS(convolve(v, from(Longs{})), ShapeError);
    CHECK_THROWS_AS(run(correlate(from(Longs{1}), v)), ShapeError);
}

TEST_CASE("division that rounds downwards", "[numeric]") {
    const std::vector<int> a = {7, -7, 7, -7, 6, -6, 0, 1}, b = {3, 3, -3, -3, 3, 3, 5, -8};
    std::vector<int> quotients, rests;
    for (std::size_t k = 0; k < a.size(); ++k) {
        quotients.push_back(static_cast<int>(std::floor(static_cast<double>(a[k]) / b[k])));
        rests.push_back(a[k] - quotients.back() * b[k]);
    }
    CHECK(run(everywhere(floor_div(from(a), from(b)))).to_vector() == quotients);
    CHECK(run(everywhere(floor_mod(from(a), from(b)))).to_vector() == rests);
    CHECK(run(everywhere(floor_mod(from(a), 4))).to_vector() == std::vector<int>{3, 1, 3, 1, 2, 2, 0, 1});
    CHECK(run(everywhere(
                  map([](auto x) { return floor_div(x, 2) + floor_mod(-5, x * x + 3); }, from(std::vector<int>{-3, 3}))))
              .to_vector() == std::vector<int>{5, 8});
    CHECK(run(everywhere(floor_mod(from(std::vector<double>{-0.5, 5.5}), 2.0))).to_vector() ==
          std::vector<double>{1.5, 1.5});
    CHECK(run(everywhere(floor_div(from(std::vector<unsigned>{7u}), 2u))).to_vector() == std::vector<unsigned>{3u});
    CHECK_THROWS_AS(run(floor_div(from(a), 0)), DomainError);
}

TEST_CASE("integrals along any axis, and of integers", "[numeric]") {
    Array<int, 2> a = from(std::vector<int>{1, 2, 4, 3, 5, 9}, shape(2, 3));
    require_same(everywhere(trapezoid(a, axis(0))).to_vector(), {2.0, 3.5, 6.5});
    require_same(everywhere(trapezoid(a)).to_vector(), {4.5, 11.0});
    require_same(everywhere(trapezoid(a, 0.5)).to_vector(), {2.25, 5.5});
    Array<int, 2> x = from(std::vector<int>{0, 0, 1, 2, 4, 1}, shape(2, 3));
    require_same(everywhere(trapezoid(a, x, axis(0))).to_vector(), {4.0, 14.0, 0.0});
}

TEST_CASE("distinct products", "[numeric]") {
    using C = std::complex<double>;
    Array<C> z = from(std::vector<C>{{1, 2}, {0, 1}, {1, 2}, {1, -1}, {0, 1}, {1, NAN}, {1, NAN}});
    auto kept = everywhere(real(unique(z))).to_vector();
    require_same(kept, {0, 1, 1, 1});
    require_same(run(imag(unique(z))).to_vector(), {1, -1, 2, NAN});
    require_same(everywhere(unique(from({true, false, true}))).to_vector(), {false, true});
    auto pairs = unique(zip(from({2, 1, 2, 1}), from({true, false, true, true})));
    require_same(everywhere(map([](auto n, auto) { return n; }, pairs)).to_vector(), {1, 1, 2});
}

TEST_CASE("quotients of fractions that are just below a whole number", "[numeric]") {
    const double inf = std::numeric_limits<double>::infinity();
    Array<double> a = from({1., 7., -7., -1e-300, 0.3, 6., 1., -0., 5., -7., inf});
    Array<double> b = from({0.1, 2., 2., 1e300, 0.1, -3., 0., 1., inf, -3., 1.});
    require_same(everywhere(floor_div(a, b)).to_vector(), {9., 3., -4., -1., 2., -2., inf, -0., 0., 2., inf});
    require_same(everywhere(floor_div(from({1.f, -7.f}), 0.1f)).to_vector(), {9.f, -70.f});
    // With the remainder, they give the dividend again.
    auto x = map([](auto i) { return cast<double>(i) / 7. - 9.; }, iota(200));
    REQUIRE(run(all(abs(floor_div(x, 0.1) * 0.1 + floor_mod(x, 0.1) - x) < 1e-13)).item());
}

TEST_CASE("sets, and where distinct elements stand", "[numeric]") {
    const Array<Long> a = from(Longs{5, 2, 7, 2, 2}), b = from(Longs{2, 9, 5}), none = from(Longs{});
    require_same({true, true, false, true, true}, values(isin(a, b)));
    require_same(std::vector<bool>(5, false), values(isin(a, none)));
    CHECK(values(isin(none, a)).empty());
    require_same({false, true}, values(isin(from({nan_value, -0.}), from({nan_value, 0.}))));
    require_same<Long>({2, 5, 7, 9}, values(union1d(a, b)));
    require_same<Long>({2, 5}, values(intersect1d(a, b)));
    require_same<Long>({7}, values(setdiff1d(a, b)));
    require_same<Long>({7, 9}, values(setxor1d(a, b)));
    require_same<Long>({2, 5, 9}, values(setxor1d(none, b)));
    for (const Array<Long>& of : {a, b, none}) {
        const auto [kept, indices, inverse, counts] = unique_all(of);
        require_same(values(unique(of)), values(kept));
        require_same(values(kept), values(gather(indices, of)));
        require_same(of.to_vector(), values(gather(inverse, kept)));
        require_same(values(bincount(inverse, 3)), values(pad(counts, {{0, 3 - run(counts).size()}}, Long(0))));
    }
    require_same<Long>({1, 0, 2}, values(std::get<1>(unique_all(a))));
    require_same<Long>({1, 2, 2}, values(std::get<1>(unique_counts(from({1., nan_value, 1., nan_value, 0.})))));
    require_same<Long>({1, 0, 1}, values(std::get<1>(unique_inverse(zip(from({2, 1, 2}), from({true, false, true}))))));
    auto in_program = compile([](Delayed<Long> x, Delayed<Long> y) { return concat(setdiff1d(x, y), intersect1d(x, y)); });
    require_same<Long>({7, 2, 5}, in_program(a, b).to_vector());
}

TEST_CASE("slopes, angles and convolutions of other lengths", "[numeric]") {
    const Array<double> x = from({1., 2., 4., 7., 11.}), v = from({1., 10., 100.});
    nearly({1, 1.5, 2.5, 3.5, 4}, gradient(x));
    nearly({2, 3, 5, 7, 8}, gradient(x, 0.5));
    nearly({1, 1}, gradient(from(Longs{3, 4})));
    const Array<double, 2> m = from(Doubles{1, 2, 3, 2, 4, 7}, shape(2, 3));
    nearly({1, 1, 1, 2, 2.5, 3}, gradient(m));
    nearly({1, 2, 4, 1, 2, 4}, gradient(m, axis(0)));
    nearly({12, 124, 247, 481, 810}, convolve(x, v, Overlap::same));
    nearly({124, 247, 481}, convolve(x, v, Overlap::valid));
    nearly({1, 12, 24, 47, 81}, convolve(x, from({1., 10.}), Overlap::same));
    nearly({2100, 4210, 7421, 11742, 1174}, correlate(x, from({1., 10., 100., 1000.}), Overlap::same));
    nearly({100, 210, 421, 742, 1174, 117, 11}, correlate(x, v, Overlap::full));
    const double turn = 6.283185307179586;
    nearly({0, 3, 6.5 - turn, -3 + turn, 3, 9 - turn}, unwrap(from({0., 3., 6.5, -3., 3., 9.})));
    nearly({0, 5, 9, 11}, unwrap(from({0., 5., 9., 1.}), 10.));
    nearly({0, 1, -1, 1, -1, 2}, unwrap(from(Doubles{0, 1, 9, 1, 9, 2}, shape(3, 2)), 10., axis(0)));
    nearly({1, 1.2660658777520084, 2815.7166284662544, 7.855647612560129e42}, i0(from({0., -1., 10., 102.})));
    CHECK(std::isnan(values(i0(from({nan_value})))[0]));
}

TEST_CASE("parts and neighbours of numbers", "[numeric]") {
    const double inf = std::numeric_limits<double>::infinity(), least = std::numeric_limits<double>::denorm_min();
    const Doubles numbers = {1, 0.75, -8, 0, -0., inf, -inf, least, 1e-310, 3e300, nan_value, 2.2250738585072014e-308};
    const std::vector<int> powers = {0, 1, -1, 100, -1022, -1074, -1075, 1023, 1024, -2000, 2097, 100000, -100000};
    const auto [fraction, exponent] = frexp(from(numbers));
    const auto fractions = values(fraction);
    const auto exponents = values(exponent);
    require_same(numbers, values(ldexp(fraction, exponent)));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        int expected = 0;
        require_same(Doubles{std::frexp(numbers[i], &expected)}, Doubles{fractions[i]});
        CHECK((!std::isfinite(numbers[i]) || exponents[i] == expected));
        for (double y : {inf, -inf, 0., 1.})
            require_same({std::nextafter(numbers[i], y)}, values(nextafter(from({numbers[i]}), y)));
    }
    for (int power : powers) {
        Doubles expected;
        std::vector<float> narrow, expected_narrow;
        for (double x : numbers) expected.push_back(std::ldexp(x, power)), narrow.push_back(static_cast<float>(x));
        for (float x : narrow) expected_narrow.push_back(std::ldexp(x, power));
        require_same(expected, values(ldexp(from(numbers), power)));
        require_same(expected_narrow, values(ldexp(from(narrow), power)));
    }
    require_same({0.f, -3e-45f}, values(nextafter(from({1e-45f, -1e-45f}), -1.f)));
    const auto near = isclose(from({1., 1., inf, nan_value, 1., inf}), from({1.000001, 1.1, inf, nan_value, inf, 1.}));
    require_same({true, false, true, false, false, false}, values(near));
    require_same({true}, values(allclose(from({1.f, 2.f}), from({1.1f, 2.f}), 0.1)));
    require_same({1, 0, 1.7976931348623157e308, -1.7976931348623157e308},
                 values(nan_to_num(from({1., nan_value, inf, -inf}))));
    require_same({7.f}, values(nan_to_num(from({std::nanf("")}), 7.f)));
}
