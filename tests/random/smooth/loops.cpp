// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in functions and over arrays, and branches.
#include "random/smooth/smooth.hpp"

namespace random_programs {

namespace {

/// Other elements at each point, in more iterations than are executed at a time.
void loops_that_read(Smooth& p, const D1& y, Long count) {
    const Long step = p.between(0, 2), most = 14 + 4 * count;
    auto next = [&](auto i, auto k, D0 s, D0 t) {
        const auto place = (i * step + k) % size(y);
        const auto found = while_loop([](auto at) { return at % 3 != 0; }, [](auto at) { return at + 1; }, place);
        return std::tuple(p.unary(s * 0.5) * y(place), t * 0.6 + s * y(found % size(y)));
    };
    p.add(map_indexed(
        [&](auto i, D0 a) {
            auto [s, t] = for_loop(most + i % (step + 1), [&](auto k, D0 s, D0 t) { return next(i, k, s, t); }, a, 0.1);
            return sin(s + t);
        },
        p.vector()));
}

void loops_with_conditions(Smooth& p, const D1& y) {
    auto below = [](I k, D0 s) { return s < 2.0 && k < 40; };
    if (p.chance(50))
        p.add(map(
            [&](D0 a, D0 b) {
                auto [k, s] = while_loop(
                    below, [&](I k, D0 s) { return std::tuple(k + 1, s * 1.4 + 0.2 + 0.1 * sin(a)); }, Long{0}, 1.0 + b * b);
                return s * 0.4 + 0.01 * cast<double>(k) * b;
            },
            p.vector(), y));
    else  // of elements of an array
        p.add(map(
            [&](D0 a) {
                auto [k, s] = while_loop(
                    below, [&](I k, D0 s) { return std::tuple(k + 1, s * 1.3 + 0.1 * p.unary(y(k % size(y))) + 0.3); },
                    Long{0}, a);
                return s * 0.4;
            },
            p.vector()));
}

/// Numbers, and two elements.
void loops_of_two(Smooth& p, const D1& y, Long count) {
    const D0 first = p.number(), second = p.number();
    p.add(map_indexed(
        [&](auto i, D0 a, D0 b) {
            auto step = [&](auto k, D0 s, D0 t) {
                return std::tuple(p.binary(s * 0.7, first), p.unary(t + b) * second + 0.1 * cast<double>(k));
            };
            auto [s, t] = for_loop(i % 3 + count, step, a, 0.2);
            return p.binary(s, t);
        },
        p.vector(), y));
}

I place(Smooth& p, const I& i) {
    const Long a = p.between(0, 3), b = p.between(0, 9);
    return (i * a + b) % p.extent;
}

D0 element(Smooth& p, const I& i, const D1& x) {
    if (p.chance(60)) return x(place(p, i));
    return sum(slice(x, range(place(p, i), p.extent)))() * (1.0 / static_cast<double>(p.extent));
}

D1 changed(Smooth& p, const I& i, const D1& x, const D1& y, const Number& s) {
    const I at = place(p, i);
    auto other = [&] { return D1(update(x, index(at), tanh(element(p, i, x) * 0.7 - p.unary(element(p, i, y))))); };
    if (p.chance(25)) return cond(element(p, i, y) < 0.1, other, [&] { return x; });
    if (p.chance(25)) return update(x, index(at), tanh(element(p, i, y) + s()));
    if (p.chance(20))
        return update(x, range(at, p.extent), map([](D0 a) { return 0.8 * a; }, slice(y, range(at, p.extent))));
    return other();
}

/// How often: a literal, or a number that is computed.
template <class Body, class... State>
auto repeated(Smooth& p, const Body& body, const State&... state) {
    const Long most = p.between(0, 8);
    if (p.chance(60)) return for_loop(most, body, state...);
    const D0 s = p.number();
    return for_loop(cast<Long>(abs(s) * 10.0) % (most + 1), body, state...);
}

/// States whose extents change, and sides of branches with extents of their own.
void loops_of_extents(Smooth& p) {
    const D1 other = p.vector();
    auto changed = [&](I i, const D1& s) -> D1 {
        switch (p.pick(4)) {
            case 0:
                return take(concat(map([](D0 a) { return a * 0.6; }, s), other),
                            min(size(s) + p.between(0, 3), size(s) + size(other)));
            case 1: {
                const D0 limit = p.number();
                return filter([=](D0 a) { return a < limit + 0.3; }, s);
            }
            case 2:
                return slice(s, range(size(s) / 3, size(s)));
            default:
                return map_indexed([&](auto j, D0 a) { return p.binary(a * 0.7, other((i + j) % size(other))); }, s);
        }
    };
    auto body = [&](I i, const D1& s, const Number& total) {
        const D1 next = p.chance(70)
                            ? changed(i, s)
                            : D1(cond(i % 2 == 0, [&] { return changed(i, s); }, [&] { return changed(i, other); }));
        return std::tuple(next, Number(map([](D0 a, D0 b) { return tanh(a + 0.3 * b); }, total, sum(next))));
    };
    auto [s, total] = repeated(p, body, p.vector(), Number(fill(shape(), p.number())));
    p.add_scalar(total);
    p.add(bounded(take(concat(s, other), p.extent)));
}

void loops_while(Smooth& p, int steps) {
    auto small = [](I k, const D1& s) { return k < 6 && sum(map([](D0 a) { return a * a; }, s))() < 20.0; };
    auto next = [&](I k, const D1& s) {
        return std::tuple(k + 1, p.chance(50) ? D1(map([](D0 a) { return a * 1.5 + 0.3; }, s)) : p.inside(s, steps));
    };
    auto [k, x] = while_loop(small, next, Long{0}, p.vector());
    p.add(x);
    p.add_scalar(Number(map([](I n) { return 0.1 * cast<double>(n); }, k)));
}

}  // namespace

void loops_in_functions(Smooth& p) {
    const Long count = p.between(0, 3);
    const D1 y = p.vector();
    switch (p.pick(6)) {
        case 0:  // elements of an array go into it
            p.add(map(
                [&](D0 a) {
                    return for_loop(count, [&](auto i, D0 s) { return p.unary(s) * 0.8 + a * y(i % size(y)); }, a);
                },
                p.vector()));
            return;
        case 1:
            return loops_with_conditions(p, y);
        case 2:
            return loops_of_two(p, y, count);
        case 3:
            return loops_that_read(p, y, count);
        case 4: {  // of linear steps
            const D0 s = p.number();
            p.add(map_indexed(
                [&](auto i, D0 a) {
                    return sin(
                        for_loop(20 + count, [&](auto k, D0 t) { return t * 0.5 * sin(a) + y((i + k) % size(y)); }, s));
                },
                p.vector()));
            return;
        }
        default: {  // in one side of a branch; a loop in a loop
            const D0 limit = p.number();
            auto inner = [&](D0 s, D0 a) { return for_loop(2, [&](auto, D0 t) { return p.binary(t * 0.6, a); }, s); };
            auto outer = [&](D0 a) { return for_loop(count, [&](auto, D0 s) { return inner(s, a) + 0.1 * limit; }, a); };
            p.add(map([&](D0 a) { return cond(a < limit, [&] { return outer(a); }, [&] { return p.unary(a); }); }, y));
        }
    }
}

void loops(Smooth& p) {
    const int steps = p.few();
    switch (p.pick(5)) {
        case 0:
            return loops_while(p, steps);
        case 1: {  // several states, and the counter
            auto body = [&](I i, const D1& x, const D2& m, const Number& s, I last) {
                return p.inside(x, steps, [&](Smooth& inner) {
                    inner.add(m);
                    inner.add(s);
                    inner.counters.push_back(i);
                    inner.grow(1);
                    const D1 next = map([&](D0 a) { return a + 0.01 * cast<double>(i + last); }, inner.vector());
                    return std::tuple(bounded(next), bounded(inner.matrix()),
                                      Number(map([](D0 a) { return tanh(a); }, inner.any_of(inner.scalars))), i);
                });
            };
            auto [x, m, s, last] = repeated(p, body, p.vector(), p.matrix(), Number(fill(shape(), p.number())), Long{0});
            p.add(x);
            p.add(m);
            p.add_scalar(s);
            return;
        }
        case 2: {  // the same work in each iteration, long enough for several segments
            const D1 y = p.vector();
            auto body = [&](I i, const D1& x) {
                return map_indexed([&](auto j, D0 a) { return p.binary(a * 0.7, y((i + j) % size(y))) - 0.3 * x(j / 2); },
                                   x);
            };
            p.add(bounded(for_loop(p.between(9, 40), body, p.vector())));
            return;
        }
        case 3:
            return loops_of_extents(p);
        default:
            p.add(repeated(
                p,
                [&](I i, const D1& x) {
                    Smooth copy = p;
                    copy.counters.push_back(i);
                    return copy.inside(x, steps);
                },
                p.vector()));
    }
}

/// Rows, columns and parts of columns of a matrix, at places that the number of the iteration decides or not.
void loops_of_rows(Smooth& p, const D1& other) {
    const int kind = p.pick(4);
    const Long last = p.extent - 1;
    auto body = [&](I i, const D2& m, I at) {
        const I r = i % p.extent, c = i % Smooth::columns, from = kind == 3 ? at : r;
        const D1 before = row(m, from), column_before = column(m, (i + 1) % Smooth::columns);
        const D1 next = map([&](D0 a) { return tanh(a * 0.6 + other(from)); }, before);
        const D1 down = map([](D0 a, D0 b) { return sin(a) - 0.3 * b; }, column_before, other);
        const D2 made = kind == 0   ? D2(update(m, all, c, down))
                        : kind == 1 ? D2(update(update(m, r, all, next), last, all, row(m, r)))
                        : kind == 2 ? D2(update(m, range(0, last), c, slice(down, range(1, p.extent))))
                                    : D2(update(m, (at + 1) % p.extent, all, next));
        return std::tuple(made, (at + i) % p.extent);
    };
    p.add(std::get<0>(for_loop(p.between(0, 9), body, p.matrix(), Long{0})));
}

void loops_of_elements(Smooth& p) {
    const D1 other = p.vector();
    if (p.chance(30)) {
        if (Smooth(p).pick(2) == 0) return loops_of_rows(p, other);  // a copy: the numbers that follow stay as they are
        auto body = [&](I i, const D2& m) {
            auto in_row = [&](I j, const D2& b) {
                const I r = i % p.extent, c = j % Smooth::columns;
                return D2(
                    update(b, index(r, c), tanh(b(r, c) * 0.5 + b(place(p, j), (i + j) % Smooth::columns) * other(r))));
            };
            return for_loop(p.chance(50) ? I(Smooth::columns) : i, in_row, m);
        };
        p.add(for_loop(p.between(0, 6), body, p.matrix()));
        return;
    }
    auto body = [&](I i, const D1& x, const D1& y, const Number& s) {
        const D1 next = changed(p, i, x, p.chance(50) ? y : other, s);
        const D1 second = p.chance(30)   ? D1(map([](D0 a) { return 0.9 * a; }, y))
                          : p.chance(50) ? changed(p, i, y, next, s)
                                         : y;
        return std::tuple(next, second, Number(fill(shape(), sin(s() + element(p, i, next)))));
    };
    auto [x, y, s] = for_loop(p.between(0, 12), body, p.vector(), p.vector(), Number(fill(shape(), p.number())));
    p.add(x);
    p.add(y);
    p.add_scalar(s);
}

void branches(Smooth& p) {
    const D1 x = p.vector(), y = p.vector();
    const int steps = p.few();
    auto side = [&] {
        return p.inside(y, steps,
                        [](Smooth& inner) { return std::tuple(bounded(inner.vector()), bounded(inner.matrix())); });
    };
    if (p.chance(50)) {
        auto [v, m] = cond(sum(x)() < 0.3, side, side);
        p.add(v);
        p.add(m);
    } else {
        p.add(cond(sum(x)() < 0.3, [&] { return p.inside(y, steps); }, [&] { return map([](D0 a) { return cos(a); }, y); }));
    }
}

}  // namespace random_programs
