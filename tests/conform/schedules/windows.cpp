// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of windows: what clamps the indices of all steps in the interior of a lane loop does nothing, and does what the
// interpreter does at its ends, however much of it they are.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

namespace {

using I = Exp<std::int64_t>;
using F = Exp<float>;

const std::int64_t lengths[] = {1, 2, 3, 15, 16, 17, 33, 100, 301};
const std::int64_t widths[] = {1, 5, 40};

/// Associative, but not commutative.
auto first_above_zero() {
    return [](F a, F b) { return select(a > 0.f, a, b); };
}

}  // namespace

TEST_CASE("windows inside an array", "[windows]") {
    for (std::int64_t n : lengths)
        for (std::int64_t w : widths) {
            if (w > n) continue;
            CAPTURE(n, w);
            const Array<float> x = from(numbers<float>(n));
            everywhere(vmap([=](I i) { return max(slice(x, range(i, i + w))); }, iota(n - w + 1)));
            everywhere(vmap([=](I i) { return sum(slice(x, range(n - w - i, n - i))); }, iota(n - w + 1)));
        }
}

TEST_CASE("windows that reach beyond the ends", "[windows]") {
    for (std::int64_t n : lengths)
        for (std::int64_t w : widths) {
            CAPTURE(n, w);
            const Array<float> x = from(numbers<float>(n));
            auto clamped = [=](I i) { return x(clamp(i, I(0), I(n - 1))); };
            everywhere(vmap(
                [=](I i) {
                    return fold(first_above_zero(), 0.f, map([=](I j) { return clamped(i + j - w / 2); }, iota(w)))();
                },
                iota(n)));
            everywhere(vmap([=](I i) { return sum(map([=](I j) { return clamped(i - j) * 0.5f; }, iota(w)))(); }, iota(n)));
            everywhere(
                vmap([=](I i) { return sum(map([=](I j) { return clamped(2 * j + i - 3) - clamped(j - i); }, iota(w)))(); },
                     iota(n)));
            everywhere(
                map([=](I i) { return for_loop(w, [=](auto j, F s) { return s * 0.5f + x(min(i + j, I(n - 1))); }, 1.f); },
                    iota(n)));
            auto padded = pad(x, {{w / 2, w}}, 7.f);
            everywhere(vmap([=](I i) { return sum(slice(padded, range(i, i + w))); }, iota(n)));
        }
}

TEST_CASE("windows of two axes", "[windows]") {
    for (std::int64_t n : {1, 3, 17, 40})
        for (std::int64_t w : {1, 3, 6}) {
            CAPTURE(n, w);
            const Array<float, 2> x = from(numbers<float>(n * (n + 5)), shape(n, n + 5));
            everywhere(generate(shape(n, n + 5), [=](I i, I j) {
                return for_loop(
                    w,
                    [=](auto p, F s) {
                        return for_loop(
                                   w, [=](auto q, F t) { return t + x(min(i + p, I(n - 1)), min(j + q, I(n + 4))); }, s) *
                               0.5f;
                    },
                    0.f);
            }));
            auto windows = generate(shape(n, n + 5, w, w),
                                    [=](I i, I j, I p, I q) { return x(max(i - p, I(0)), min(j + q, I(n + 4))); });
            everywhere(sum(windows, axes(2, 3)));
        }
}

TEST_CASE("an index out of range in a step of a window", "[windows]") {
    const std::int64_t n = 100, w = 5;
    const Array<float> x = from(numbers<float>(n));
    // The last index is n.
    auto windows = vmap([=](I i) { return sum(map([=](I j) { return x(i + j); }, iota(w)))(); }, iota(n - w + 2));
    for (Target target : targets()) CHECK_THROWS_AS(run(windows, {.target = target}), IndexError);
}
