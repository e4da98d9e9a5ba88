// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices whose rows have a few elements, a number that the program knows or not; folded, scanned, shifted and taken apart.
#include "random/functions.hpp"
#include "random/kinds.hpp"

namespace random_programs {

namespace {

class ShortRows : public Kind {
  public:
    void grow(Pool& pool) const override {
        if (pool.n == 0 || pool.m == 0) return;
        const Long width = pool.any_of(std::vector<Long>{1, 2, 3, 4, 5, 8});
        Delayed<Int, 2> a = made(pool, width);
        for (int steps = pool.between(1, 3); steps > 0; --steps) a = next(pool, a, width);
        used(pool, a, width);
    }

  private:
    static Delayed<Int, 2> made(Pool& pool, Long width) {
        const auto v = pool.vector();
        if (pool.chance(30)) {
            const auto x = pool.matrix();
            auto f = [=](Exp<Long> i, Exp<Long> j) { return x(i, (i + j) % extent(x, 1)); };
            return generate(shape(pool.n, width), f);
        }
        auto f = [&](Exp<Long> i, Exp<Long> j) { return expression(pool, {v(i), cast<Int>(j), cast<Int>(i + j)}); };
        return generate(shape(pool.n, width), f);
    }

    static Delayed<Int, 2> next(Pool& pool, const Delayed<Int, 2>& a, Long width) {
        const auto monoid = any_monoid(pool);
        switch (pool.pick(8)) {
            case 0:
                return map([&](Exp<Int> e) { return expression(pool, {e}); }, a);
            case 1:
                return vmap([&](Delayed<Int, 1> r) { return inclusive_scan(monoid.op, r); }, a);
            case 2:
                return vmap([&](Delayed<Int, 1> r) { return exclusive_scan(monoid.op, monoid.init, r); }, a);
            case 3:
                return vmap([&](Delayed<Int, 1> r) { return reverse(r); }, a);
            case 4:
                return vmap([&](Delayed<Int, 1> r) { return r + fold(monoid.op, monoid.init, r)(); }, a);
            case 5:
                return vmap([&](Delayed<Int, 1> r) { return sort(r); }, a);
            case 6: {
                const auto b = replicate(pool.n, generate(shape(width), [](Exp<Long> j) { return cast<Int>(j * j + 1); }));
                return map([&](Exp<Int> e, Exp<Int> w) { return expression(pool, {e, w}); }, a, b);
            }
            default: {
                auto f = [&](Exp<Long> i, Exp<Long> j, Exp<Int> e) {
                    return expression(pool, {e, a(i, (j + 1) % width), cast<Int>(j)});
                };
                return map_indexed(f, a);
            }
        }
    }

    static void used(Pool& pool, const Delayed<Int, 2>& a, Long width) {
        const auto monoid = any_monoid(pool);
        switch (pool.pick(4)) {
            case 0:
                return pool.vectors().push_back(
                    vmap([&](Delayed<Int, 1> r) { return fold(monoid.op, monoid.init, r)(); }, a));
            case 1: {
                const Long j = static_cast<Long>(pool.pick(static_cast<std::size_t>(width)));
                return pool.vectors().push_back(flatten(slice(a, all, range(j, j + 1))));
            }
            case 2:
                return pool.add_group(flatten(a));
            default:
                return pool.vectors().push_back(take(flatten(transpose(a)), pool.n));
        }
    }
};

}  // namespace

const Kind& short_rows() {
    static const ShortRows kind;
    return kind;
}

}  // namespace random_programs
