// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of slices, also of different lengths; rules, checkpoints and derivatives inside.
#include "random/smooth/smooth.hpp"

#include <sinter/ragged.hpp>

namespace random_programs {

namespace {

constexpr auto add_up = [](D0 a, D0 b) { return a + b; };

Smooth for_slices(const Smooth& p) {
    Smooth inner = p;
    ++inner.depth;
    inner.sliced = true;
    return inner;
}

/// A slice of a length of its own.
D1 irregular(Smooth& p, D0 v, I n) {
    D1 a = map([&](I i) { return p.binary(v, cast<double>(i) * 0.3); }, iota(n));
    for (int step = p.few(); step > 0; --step) {
        const auto op = p.monoid();
        switch (p.pick(7)) {
            case 0:
                a = map([&](D0 x) { return p.binary(x, v); }, a);
                break;
            case 1:
                a = bounded(inclusive_scan(op, 0.2, reverse(a)));
                break;
            case 2:
                a = bounded(exclusive_scan(op, v, a, from_right));
                break;
            case 3:
                a = sort(a);
                break;
            case 4:
                a = filter([&](D0 x) { return x > 0.1; }, a);
                break;
            case 5:
                a = concat(a, fill(shape(2), v));
                break;
            default:
                a = stencil([](auto f) { return f(-1) - 0.5 * f(2); }, boundary::reflect, a);
        }
    }
    return a;
}

}  // namespace

void smooth_slices(Smooth& p) {
    const D1 x = p.vector();
    const int steps = p.few();
    switch (p.pick(6)) {
        case 0:
            p.add(vmap([&](D1 row) { return sum(row * sin(sum(row)()))() + x(0); }, p.matrix()));
            return;
        case 1:
            p.add(vmap([&](D1 row, D0 a) { return inclusive_scan(add_up, row) * sin(a); }, p.matrix(), x));
            return;
        case 2:  // columns
            p.add(transpose(vmap([&](D1 column) { return for_slices(p).inside(column, steps); }, transpose(p.matrix()))));
            return;
        case 3:  // elements
            p.add(vmap(
                [&](D0 a) {
                    Smooth inner = for_slices(p);
                    inner.add(Number(fill(shape(), a)));
                    inner.grow(steps);
                    return inner.number();
                },
                x));
            return;
        case 4: {  // rows in rows
            auto of_row = [&](D1 row) {
                return vmap([&](D0 a) { return sum(map([&](D0 b) { return p.binary(a, b); }, row))() * 0.3; }, row);
            };
            p.add(vmap(of_row, p.matrix()));
            return;
        }
        default: {  // a loop in each
            auto of_row = [&](D1 row, D0 a) {
                const D0 total = sum(row)();
                return for_loop(
                    cast<Long>(abs(a) * 5.0) % 4,
                    [&](auto i, D1 r) { return map([&](D0 b) { return p.binary(b * 0.8, total) + 0.1 * x(i); }, r); }, row);
            };
            if (p.extent < 4) return;
            p.add(vmap(of_row, p.matrix(), x));
        }
    }
}

void ragged_slices(Smooth& p) {
    if (p.sliced || p.depth > 0) return;
    const Long most = p.between(1, 9);
    const D1 values = p.vector();
    const auto lengths = map([=](D0 a) { return cast<Long>(abs(a) * 10.0) % (most + 1); }, p.vector());
    auto of = [&](D0 v, I n) { return irregular(p, v, n); };
    if (p.chance(30)) {
        p.add_sum(sum(map([&](D0 a) { return p.unary(a); }, vmap(ragged, of, values, lengths).values())));
    } else {
        const auto op = p.monoid();
        p.add(bounded(vmap([&](D0 v, I n) { return fold(op, 0.3, bounded(irregular(p, v, n)))(); }, values, lengths)));
    }
}

void rules(Smooth& p) {
    switch (p.pick(3)) {
        case 0:
            p.add(custom_vjp([](D1 a, D1 b) { return sin(a) * b; },
                             [](D1, D1 c, D1 a, D1 b) { return std::tuple(cos(a) * b * c, sin(a) * c); })(p.vector(),
                                                                                                          p.vector()));
            return;
        case 1:
            p.add(custom_vjp([](D2 m) { return sum(map([](D0 a) { return a * a; }, m)); },
                             [](D1, D1 c, D2 m) {
                                 return map_indexed([&](auto i, auto, D0 a) { return 2.0 * a * c(i); }, m);
                             })(p.matrix()));
            return;
        default:
            p.add(custom_jvp([](D1 a) { return tanh(a); },
                             [](auto at, auto t) {
                                 const auto r = tanh(std::get<0>(at));
                                 return (1.0 - r * r) * std::get<0>(t);
                             })(p.vector()));
    }
}

void checkpoints(Smooth& p) {
    const int steps = p.few();
    p.add(checkpoint([&](D1 x) { return p.inside(x, steps); })(p.vector()));
}

void inner_derivatives(Smooth& p) {
    const int steps = p.few();
    auto f = [&](D1 x) { return p.inside(x, steps); };
    auto loss = [&](D1 x) { return sum(map([](D0 a) { return a * a; }, f(x))); };
    switch (p.pick(5)) {
        case 0:
            p.add(bounded(jvp(f, primals(p.vector()), tangents(p.vector())).second));
            return;
        case 1:
            p.add(bounded(std::get<0>(vjp(f, p.vector()).second(p.vector()))));
            return;
        case 2:
            if (p.depth > 0 || p.extent > 40) return;
            p.add(bounded(hvp(loss, primals(p.vector()), tangents(p.vector()))));
            return;
        case 3:
            if (p.depth > 0 || p.extent > 9) return;
            p.add(bounded(D1(sum(p.chance(50) ? jacrev(f)(p.vector()) : jacfwd(f)(p.vector())))));
            return;
        default:
            p.add(bounded(grad(loss)(p.vector())));
    }
}

}  // namespace random_programs
