// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons of an index that tell the border of an array from its interior: in the interior their results are known, and
// at the border everything is as the interpreter does it.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

namespace {

using I = Exp<std::int64_t>;
using F = Exp<float>;

/// Around those of vectors, alone and side by side.
const std::int64_t lengths[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 66, 100, 1001};

/// Of an index and the length of its axis: those of every kind, on every side of a turning point, both ways round.
template <class Visit>
void every_comparison(Visit visit) {
    visit([](I i, I) { return i > 0; });
    visit([](I i, I) { return 2 <= i; });
    visit([](I i, I n) { return i < n - 1; });
    visit([](I i, I n) { return n - 3 >= i; });
    visit([](I i, I) { return i == 1; });
    visit([](I i, I n) { return i != n - 1; });
    visit([](I i, I) { return I(3) == i; });
    visit([](I i, I n) { return i + 2 > n; });
    visit([](I i, I n) { return i >= n; });
    visit([](I i, I) { return i + 1 < 0; });
    visit([](I i, I n) { return i > 1 && i + 1 < n; });
    visit([](I i, I n) { return i < 2 || i > n - 4 || i == 5; });
    visit([](I i, I n) { return i < n / 2; });
    visit([](I i, I n) { return i > 1 && i < n / 3; });
    visit([](I i, I) { return i < 40; });
    visit([](I i, I n) { return i * 2 < n; });
    visit([](I i, I n) { return n - i > 2; });
}

}  // namespace

TEST_CASE("comparisons at the ends of a line", "[sides]") {
    every_comparison([](auto compare) {
        for (std::int64_t n : lengths) {
            CAPTURE(n);
            const Array<float> x = from(numbers<float>(n)), y = from(numbers<float>(n, 3));
            auto near = stencil([](auto s) { return s(-1) + s(1) * 0.5f; }, boundary::clamp, x);
            everywhere(map_indexed([=](I i, F a, F b) { return select(compare(i, size(near)), a, b); }, near, y));
            everywhere(map_indexed(
                [=](I i, F a, F b) {
                    return cond(compare(i, size(near)), [&] { return sqrt(abs(a)) / b; }, [&] { return b - a; });
                },
                near, y));
            // Of arrays that are read where the comparison allows it only.
            everywhere(map_indexed(
                [=](I i, F b) { return cond(i > 0 && compare(i, size(near)), [&] { return b; }, [&] { return b * 2.f; }); },
                y));
        }
    });
}

TEST_CASE("comparisons at the ends of rows and columns", "[sides]") {
    every_comparison([](auto compare) {
        for (std::int64_t n : {1, 2, 5})
            for (std::int64_t m : {1, 3, 4, 16, 17, 33, 70}) {
                CAPTURE(n, m);
                const Array<float, 2> x = from(numbers<float>(n * m), shape(n, m)),
                                      y = from(numbers<float>(n * m, 3), shape(n, m));
                auto near = stencil([](auto s) { return s(-1, 0) + s(0, 1) * 0.5f; }, boundary::reflect, x);
                everywhere(map_indexed(
                    [=](I i, I j, F a, F b) {
                        return select(compare(i, extent(near, 0)) && compare(j, extent(near, 1)), a, b);
                    },
                    near, y));
                everywhere(map_indexed(
                    [=](I i, I j, F a, F b) { return select(compare(j, extent(near, 1)) || i > j, a, b); }, near, y));
            }
    });
}

TEST_CASE("pieces that are joined at the ends", "[sides]") {
    for (std::int64_t n : {2, 3, 4, 9, 33, 64, 65, 1001}) {
        CAPTURE(n);
        const Array<double> x = from(numbers<double>(n)), y = from(numbers<double>(n, 3));
        using V = Delayed<double>;
        auto joined = [=](V a, V b) {
            V middle = slice(a, range(0, n - 2)) + slice(a, range(1, n - 1)) + slice(a, range(2, n));
            return concat(concat(take(b, 1), middle), drop(b, n - 1));
        };
        everywhere(joined(x, y));
        everywhere(joined(joined(x, y), x));
        everywhere(concat(take(V(y), 2), concat(V(x), concat(take(V(y), 1), V(x)))));
        everywhere(for_loop(3, [=](I, V a) { return joined(a, y); }, x));
    }
}
