// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How an array continues beyond its ends: every boundary, in stencils and in pad, near, far and for few elements.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

namespace {

using Long = std::int64_t;
constexpr Long greatest = std::numeric_limits<Long>::max(), least = std::numeric_limits<Long>::min();

/// The index for which i + offset stands, on an axis of n elements: reflected as often as necessary, with a short cut for
/// far ones.
Long reflected(Long i, Long offset, Long n, Long repeated) {
    if (n + repeated == 1) return 0;
    const Long period = 2 * n - 2 + 2 * repeated;
    Long at = i + offset % period;
    while (at < 0 || at >= n) at = at < 0 ? -repeated - at : 2 * n - 2 + repeated - at;
    return at;
}

struct Clamped {
    static constexpr auto border = boundary::clamp;
    static Long at(Long i, Long offset, Long n) {
        return offset < 0 ? std::max<Long>(i + offset, 0) : offset < n - i ? i + offset : n - 1;
    }
};
struct Wrapped {
    static constexpr auto border = boundary::wrap;
    static Long at(Long i, Long offset, Long n) { return (i + offset % n + n) % n; }
};
struct Symmetric {
    static constexpr auto border = boundary::symmetric;
    static Long at(Long i, Long offset, Long n) { return reflected(i, offset, n, 1); }
};
struct Reflected {
    static constexpr auto border = boundary::reflect;
    static Long at(Long i, Long offset, Long n) { return reflected(i, offset, n, 0); }
};

/// test(boundary) for each, with where it reads.
template <class Test>
void for_all_borders(Test test) {
    test(Clamped());
    test(Wrapped());
    test(Symmetric());
    test(Reflected());
}

/// Elements of x at a distance, as what a stencil that reads one neighbour gives.
template <class Border, class T>
std::vector<T> moved(const Array<T, 1>& x, Long offset) {
    std::vector<T> result;
    const Long n = x.size();
    for (Long i = 0; i < n; ++i) result.push_back(x(Border::at(i, offset, n)));
    return result;
}
template <class Border, class T>
std::vector<T> moved(const Array<T, 2>& x, Long down, Long right) {
    std::vector<T> result;
    const auto [m, n] = x.shape();
    for (Long i = 0; i < m; ++i)
        for (Long j = 0; j < n; ++j) result.push_back(x(Border::at(i, down, m), Border::at(j, right, n)));
    return result;
}
template <class Border, class T>
std::vector<T> moved(const Array<T, 3>& x, Long a, Long b, Long c) {
    std::vector<T> result;
    const auto [m, n, p] = x.shape();
    for (Long i = 0; i < m; ++i)
        for (Long j = 0; j < n; ++j)
            for (Long k = 0; k < p; ++k) result.push_back(x(Border::at(i, a, m), Border::at(j, b, n), Border::at(k, c, p)));
    return result;
}

/// Stencils of one neighbour each, computed together: one loop reads all of them.
template <class Border, class Arrays, class... Offset>
void require_moved(const Arrays& x, Offset... offset) {
    auto results = std::apply(
        [&](auto... at) {
            return stencil([=](auto s) { return std::tuple(std::apply([&](auto... k) { return s(k...); }, at)...); },
                           Border::border, x);
        },
        std::tuple(offset...));
    std::vector<Target> all = targets();
    all.push_back(Target::interpreter());
    for (Target target : all) {
        auto columns = unzip(run(results, {.target = target}));
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (require_same(std::apply([&](auto... k) { return moved<Border>(x, k...); }, std::get<I>(std::tuple(offset...))),
                          run(std::get<I>(columns), {.target = target}).to_vector()),
             ...);
        }(std::index_sequence_for<Offset...>{});
    }
}

}  // namespace

TEMPLATE_TEST_CASE("stencils read beyond arrays of 0 to 9 elements", "[borders]", std::int8_t, std::uint16_t, float, Long,
                   double) {
    for (Long n = 0; n < 10; ++n) {
        CAPTURE(n);
        const Array<TestType> x = from(numbers<TestType>(n));
        for_all_borders([&]<class Border>(Border) {
            require_moved<Border>(x, std::tuple(-1), std::tuple(1), std::tuple(-3), std::tuple(7), std::tuple(-20),
                                  std::tuple(37), std::tuple(greatest), std::tuple(least), std::tuple(greatest / 3 * 2));
        });
    }
}

TEST_CASE("stencils read beyond matrices of few rows and columns", "[borders]") {
    for (Long m : {0, 1, 2, 3, 5})
        for (Long n : {0, 1, 2, 3, 4, 9}) {
            CAPTURE(m, n);
            const Array<int, 2> x = from(numbers<int>(m * n), shape(m, n));
            for_all_borders([&]<class Border>(Border) {
                require_moved<Border>(x, std::tuple(-1, 2), std::tuple(3, -1), std::tuple(-11, 0), std::tuple(0, 13),
                                      std::tuple(greatest, least), std::tuple(6, greatest));
            });
        }
}

TEST_CASE("stencils read beyond arrays of rank 3", "[borders]") {
    for (auto [m, n, p] : {std::array<Long, 3>{1, 1, 1}, {2, 1, 3}, {3, 2, 1}, {4, 5, 35}}) {
        CAPTURE(m, n, p);
        const Array<int, 3> x = from(numbers<int>(m * n * p), shape(m, n, p));
        for_all_borders([&]<class Border>(Border) {
            require_moved<Border>(x, std::tuple(-1, 0, 2), std::tuple(5, -7, 0), std::tuple(0, 4, -40));
        });
    }
}

TEMPLATE_TEST_CASE("long rows between borders", "[borders]", std::uint8_t, std::int32_t, double) {
    for (Long n : {31, 64, 100, 4099}) {
        CAPTURE(n);
        const Array<TestType> x = from(numbers<TestType>(n));
        for_all_borders([&]<class Border>(Border) {
            require_moved<Border>(x, std::tuple(-1), std::tuple(2), std::tuple(-17));
            everywhere(stencil([](auto s) { return s(-2) + s(0) * TestType(2) + s(1); }, Border::border, x));
            everywhere(stencil([](auto s) { return s(-1) + s(5); }, Border::border, x * TestType(3)));
        });
    }
}

TEST_CASE("mirror is symmetric", "[borders]") {
    const Array<int> x = from({1, 2, 3});
    auto far = [](auto s) { return s(-2) * 100 + s(1) * 10 + s(4); };
    require_same(run(stencil(far, boundary::symmetric, x)).to_vector(), run(stencil(far, boundary::mirror, x)).to_vector());
    require_same(std::vector<int>{222, 131, 131}, run(stencil(far, boundary::mirror, x)).to_vector());
}

namespace {

template <class Border, class T>
std::vector<T> padded(const Array<T, 1>& x, Long before, Long after) {
    std::vector<T> result;
    for (Long i = -before; i < x.size() + after; ++i) result.push_back(x(Border::at(0, i, x.size())));
    return result;
}

}  // namespace

TEMPLATE_TEST_CASE("pad continues arrays of 1 to 6 elements", "[borders]", std::int16_t, float, bool) {
    for (Long n = 1; n < 7; ++n)
        for (auto [before, after] : {std::pair<Long, Long>{0, 0}, {1, 0}, {0, 2}, {5, 3}, {20, 31}}) {
            CAPTURE(n, before, after);
            const Array<TestType> x = from(numbers<TestType>(n));
            for_all_borders([&, before = before, after = after]<class Border>(Border) {
                auto compiled =
                    compile([](Delayed<TestType> a, Exp<Long> b, Exp<Long> c) { return pad(a, {{b, c}}, Border::border); });
                require_same(padded<Border>(x, before, after), compiled(x, before, after).to_vector());
                require_same(padded<Border>(x, before, after),
                             everywhere(pad(x, {{before, after}}, Border::border)).to_vector());
            });
        }
}

TEST_CASE("pad continues matrices, products, and what is not yet computed", "[borders]") {
    for (auto [m, n] : {std::pair<Long, Long>{1, 1}, {2, 3}, {4, 1}, {3, 40}}) {
        CAPTURE(m, n);
        const Array<int, 2> x = from(numbers<int>(m * n), shape(m, n));
        const std::array<std::pair<int, int>, 2> widths{std::pair(4, 1), std::pair(0, 3)};
        for_all_borders([&, m = m, n = n]<class Border>(Border) {
            std::vector<int> expected;
            for (Long i = -4; i < m + 1; ++i)
                for (Long j = 0; j < n + 3; ++j) expected.push_back(x(Border::at(0, i, m), Border::at(0, j, n)));
            require_same(expected, everywhere(pad(x, widths, Border::border)).to_vector());
            everywhere(get<1>(pad(zip(x, x * 3), widths, Border::border)));
            everywhere(sum(pad(x + 1, {{1, 1}, {2, 2}}, Border::border)));
            everywhere(stencil([](auto s) { return s(-1, 0) - s(0, 1); }, boundary::wrap, pad(x, widths, Border::border)));
        });
    }
    const Array<int> y = from({1, 2, 3});
    require_same(run(pad(y, {{1, 2}}, 9)).to_vector(), run(pad(y, {{1, 2}}, boundary::constant(9))).to_vector());
}

TEST_CASE("what pad cannot do", "[borders]") {
    const Array<int> empty = from(std::vector<int>()), x = from({1, 2, 3});
    for_all_borders([&]<class Border>(Border) {
        CHECK(run(pad(empty, {{0, 0}}, Border::border)).size() == 0);
        for (Target target : {Target::interpreter(), Target::host(1)})
            CHECK_THROWS_AS(run(pad(empty, {{0, 2}}, Border::border), {.target = target}), IndexError);
        CHECK_THROWS_AS(pad(x, {{0, -1}}, Border::border), ShapeError);
        auto compiled = compile([](Delayed<int> a, Exp<Long> b, Exp<Long> c) { return pad(a, {{b, c}}, Border::border); });
        CHECK_THROWS_AS(compiled(x, -1, 2), ShapeError);
        CHECK_THROWS_AS(compiled(x, 2, -1), ShapeError);
    });
}
