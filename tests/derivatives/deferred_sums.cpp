// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of loops of matrices times vectors: the outer products that the iterations add to the matrices' adjoints are
// added after the loop.
#include "derivatives/support.hpp"

using namespace derivatives;

namespace {

D1 times(D2 m, D1 v) {
    return vmap([=](D1 row) { return sum(row * v)(); }, m);
}

D2 square(D1 x, Long n) { return reshape(take(x, n * n), shape(n, n)); }

/// A recurrent network: a matrix for its states, one for what comes in, and a bias.
D1 network(D1 x, Long n, Long steps) {
    const D2 states = square(x, n), in = square(drop(x, n * n), n);
    const D1 bias = take(drop(x, 2 * n * n), n);
    const D2 sequence =
        generate(shape(steps, n), [](auto t, auto i) { return cast<double>((t * 3 + i * 5) % 7) * 0.1 - 0.3; });
    auto step = [=](auto t, D1 s) {
        return map([](D0 a, D0 b, D0 c) { return tanh(a + b + c); }, times(states, s), times(in, row(sequence, t)), bias);
    };
    return for_loop(steps, step, bias);
}

}  // namespace

TEST_CASE("derivatives of loops of matrices times vectors", "[derivatives][loops]") {
    for (Long steps : {0, 1, 2, 9}) {
        CAPTURE(steps);
        check([=](D1 x) { return network(x, 3, steps); }, {.n = 21});
    }
    check([](D1 x) { return network(x, 1, 4); }, {.n = 3});
    check([](D1 x) { return grad([](D1 y) { return weighted(network(y, 2, 3)); })(x); }, {.n = 10, .tolerance = 1e-11});
    check([](D1 x) { return vmap([](D1 row) { return sum(network(row, 2, 3))(); }, reshape(x, shape(2, 10))); }, {.n = 20});
}

TEST_CASE("derivatives of loops that add products to adjoints in other ways", "[derivatives][loops]") {
    check(
        [](D1 x) {  // the matrix is used twice, and once as a whole
            const D2 m = square(x, 3);
            auto step = [=](auto, D1 s) { return sin(times(m, sin(times(m, s)))) * 0.5 + sum(flatten(m * m))() * 0.1; };
            return for_loop(5, step, take(x, 3));
        },
        {.n = 9});
    check(
        [](D1 x) {  // by columns, and a loop in a loop
            const D2 m = square(x, 3);
            auto inner = [=](auto, D1 s) { return tanh(times(transpose(m), s)); };
            return for_loop(3, [=](auto i, D1 s) { return for_loop(i + 1, inner, s) * 1.1; }, drop(x, 6));
        },
        {.n = 9});
    check(
        [](D1 x) {  // what is multiplied is larger than every state
            const D1 wide = take(x, 9);
            const D2 m = reshape(drop(x, 9), shape(1, 9));
            auto step = [=](auto, D0 s) { return tanh(sum(times(m, wide * s))() + 0.3); };
            return for_loop(4, step, D0(0.2));
        },
        {.n = 18});
    check(
        [](D1 x) {  // until it is small
            const D2 m = square(x, 3) * 0.2;
            auto going = [](D1 s) { return sum(s * s)() > 0.05; };
            return while_loop(going, [=](D1 s) { return times(m, s) + s * 0.3; }, take(x, 3));
        },
        {.n = 9});
}

TEST_CASE("vectors that are larger than all states are not kept for each iteration", "[derivatives][loops]") {
    const Long n = 200;
    auto end = [=](D2 m, D1 wide, D1 window) {  // states are numbers
        auto step = [=](auto i, D0 s) {
            const D1 in = sin(times(m, wide * s + slice(window, range(i, i + n))));
            return tanh(sum(in)() * 0.01 + 0.3);
        };
        return for_loop(2000, step, D0(0.2));
    };
    const Array<double> x = from(scattered(n * n + n, -1, 1)), window = from(scattered(n + 2000, -1, 1));
    auto matrix = [=](D1 y) { return reshape(take(y, n * n), shape(n, n)); };
    const double arrays = static_cast<double>(n * n) * 8e-6;
    CHECK(megabytes([=](D1 y) { return grad([=](D1 z) { return end(matrix(z), drop(z, n * n), window); })(y); }, x) <
          6 * arrays);
    CHECK(megabytes([=](D1 y) { return grad([=](D1 z) { return end(matrix(z), drop(x, n * n), window); })(y); }, x) <
          6 * arrays);
    auto again = [=](D2 m) {  // a few long rows, again and again, beside two states
        const D2 rows = reshape(Array<double>(window), shape(2, 1100));
        auto step = [=](auto i, D1 s) { return tanh(s + times(m, row(rows, i % 2)) * 0.01); };
        return sum(for_loop(3000, step, fill(shape(2), 0.1)))();
    };
    const Array<double> y = from(scattered(2 * 1100, -1, 1));
    CHECK(megabytes([=](D1 z) { return grad([=](D1 u) { return again(reshape(u, shape(2, 1100))); })(z); }, y) < 1);
}
