// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stencils of stencils that are one kernel: rows that reach a border beside those that do not.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

namespace {

struct Extents {
    std::int64_t planes, rows, columns;
};
/// Fewer rows than the stencils reach, as many, and more; columns around vectors.
const std::vector<Extents> extents = {{1, 1, 1},  {2, 3, 5}, {5, 1, 17}, {1, 5, 33}, {4, 4, 8},
                                      {7, 9, 16}, {3, 0, 4}, {0, 3, 4},  {9, 8, 0},  {12, 11, 40}};

template <class T, class Border>
auto mean(const Delayed<T, 3>& a, Border border) {
    return stencil(
        [](auto s) {
            return s(0, 0, 0) * T(3) - s(1, 0, 0) + s(-1, 0, 0) * T(2) - s(0, 1, 0) - s(0, -1, 0) * T(5) + s(0, 0, 1);
        },
        border, a);
}

template <class T, class Border>
void check_chains(Border border) {
    for (const Extents& e : extents) {
        CAPTURE(e.planes, e.rows, e.columns);
        const Array<T, 3> a = from(numbers<T>(e.planes * e.rows * e.columns), shape(e.planes, e.rows, e.columns));
        compiled_everywhere([=](Delayed<T, 3> x) { return mean<T>(mean<T>(x, border), border); }, a);
        compiled_everywhere(
            [=](Delayed<T, 3> x) {
                const Delayed<T, 3> once = mean<T>(x, border), twice = mean<T>(once * x, border);
                return select(twice > T(0), once, twice) + x;
            },
            a);
        if (e.planes < 4 || e.rows < 4) continue;
        compiled_everywhere(  // no row reaches a border, or few do
            [=](Delayed<T, 3> x) {
                const Delayed<T, 3> all = mean<T>(mean<T>(x, border), border);
                return slice(all, range(2, extent(x, 0) - 2), range(1, extent(x, 1)), sinter::all);
            },
            a);
    }
}

}  // namespace

TEMPLATE_TEST_CASE("stencils of stencils", "[inner_rows][stencil]", std::int32_t, float, double) {
    check_chains<TestType>(boundary::clamp);
    check_chains<TestType>(boundary::wrap);
    if constexpr (std::is_same_v<TestType, double>) {
        check_chains<TestType>(boundary::symmetric);
        check_chains<TestType>(boundary::reflect);
        check_chains<TestType>(boundary::keep);
    }
}

TEST_CASE("stencils of stencils in loops, tile by tile", "[inner_rows][stencil]") {
    for (auto [n, m] : {std::pair<std::int64_t, std::int64_t>{1, 9}, {7, 40}, {33, 5}}) {
        CAPTURE(n, m);
        const Array<double, 2> a = from(numbers<double>(n * m), shape(n, m));
        compiled_everywhere(
            [](Delayed<double, 2> x) {
                auto step = [](Exp<std::int64_t>, Delayed<double, 2> u) {
                    const auto mean = [](auto s) { return (s(-1, 0) + s(1, 0) + s(0, -1) + s(0, 1)) * 0.25; };
                    return Delayed<double, 2>(stencil(mean, boundary::clamp, stencil(mean, boundary::clamp, u)));
                };
                return for_loop(4, step, x);
            },
            a);
    }
}
