// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recurrences along rows whose elements are made from many others: by stencils, of what rows share, of conditions. What does
// not depend on the steps before may be computed along rows, many steps at a time: lengths around those.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

namespace {

using I = Exp<std::int64_t>;

const std::int64_t some_rows[] = {1, 8, 17, 33}, some_lengths[] = {1, 2, 8, 9, 16, 31, 127, 128, 129, 137, 260};

template <class T, class Border, class... Direction>
void check_stencil(std::int64_t rows, std::int64_t n, Border border, Direction... direction) {
    CAPTURE(rows, n);
    const Array<T, 2> x = from(numbers<T>(rows * n), shape(rows, n));
    const Array<T> of_row = from(numbers<T>(rows, 3)), of_column = from(numbers<T>(n, 5));
    auto cross = stencil([](auto s) { return s(0, -1) * T(3) - s(0, 1) + s(-1, 0) * T(5) + s(1, 0) - s(0, 0); }, border, x);
    auto weighed =
        map_indexed([=](I i, I k, Exp<T> v) { return v * of_column(k) + of_row(i) - of_column(max(k - 2, I(0))); }, cross);
    auto step = [](Exp<T> s, Exp<T> a, Exp<T> b) { return a - s * b; };
    everywhere(recur(step, T(2), weighed, x, axis(1), direction...));
    everywhere(fold_left(step, T(2), weighed, x * x, axis(1), direction...));
}

}  // namespace

TEMPLATE_TEST_CASE("recurrences along rows of stencils", "[recur]", std::int8_t, std::int32_t, std::int64_t, float, double) {
    using T = TestType;
    for (std::int64_t n : some_lengths) {
        check_stencil<T>(17, n, boundary::clamp);
        check_stencil<T>(17, n, boundary::clamp, from_right);
    }
    for (std::int64_t rows : some_rows) {
        check_stencil<T>(rows, 130, boundary::wrap);
        check_stencil<T>(rows, 130, boundary::reflect, from_right);
        check_stencil<T>(rows, 130, boundary::constant(T(4)));
    }
}

TEST_CASE("recurrences along rows of what has other types", "[recur]") {
    for (std::int64_t rows : some_rows)
        for (std::int64_t n : {7, 128, 141}) {
            CAPTURE(rows, n);
            const Array<float, 2> x = from(numbers<float>(rows * n), shape(rows, n));
            const Array<std::uint8_t, 2> keys = from(numbers<std::uint8_t>(rows * n), shape(rows, n));
            auto near = [](auto s) { return s(-1, -1) + s(0, 1) + s(1, 0) + s(0, -1); };
            auto rising = map([](auto a, auto b) { return a > b; }, stencil(near, boundary::clamp, x),
                              stencil([](auto s) { return s(0, 1) + s(-1, 0); }, boundary::clamp, x));
            auto wide = map([](auto a, auto b) { return cast<double>(a) + cast<double>(b); },
                            stencil(near, boundary::clamp, x), keys);
            auto step = [](Exp<std::int64_t> count, Exp<bool> up, Exp<std::uint8_t> key, Exp<double> w) {
                return select(up, count * 3 + cast<std::int64_t>(key), count - cast<std::int64_t>(trunc(w)));
            };
            everywhere(recur(step, std::int64_t(1), rising, keys, wide, axis(1)));
            everywhere(recur(step, std::int64_t(1), rising, keys, wide, axis(1), from_right));
        }
}

TEST_CASE("two recurrences along rows, one back through what the other has left", "[recur]") {
    auto eliminate = [](auto last, auto low, auto diagonal, auto right) {
        auto [pivot, rest] = last;
        auto factor = low / pivot;
        return std::tuple(diagonal - factor * low, right - factor * rest);
    };
    auto back = [](auto next, auto rest, auto pivot) { return (rest - next) / pivot; };
    for (std::int64_t rows : some_rows)
        for (std::int64_t n : {1, 9, 64, 129, 200}) {
            CAPTURE(rows, n);
            const Array<double, 3> x = from(numbers<double>(3 * rows * n), shape(std::int64_t(3), rows, n));
            auto right =
                stencil([](auto s) { return s(0, 0, -1) - 2. * s(0, 0, 0) + s(0, 0, 1) + s(0, 1, 0) - s(-1, 0, 0); },
                        boundary::clamp, x);
            auto diagonal = map([](auto v) { return 3. + v * v; }, x);
            for (int along : {1, 2}) {
                auto [pivot, rest] = unzip(recur(eliminate, std::tuple(1., 0.), 0.5 * x, diagonal, right, axis(along)));
                everywhere(recur(back, 0., rest, pivot, axis(along), from_right));
            }
        }
}
