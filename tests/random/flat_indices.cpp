// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One axis that means two or three, which quotients and remainders of its index tell apart; in lanes, in folds and in loops,
// with divisors that are numbers, extents, or neither.
#include "random/functions.hpp"
#include "random/kinds.hpp"

namespace random_programs {

namespace {

class FlatIndices : public Kind {
  public:
    void grow(Pool& pool) const override {
        if (pool.n == 0 || pool.m == 0) return;
        switch (pool.pick(5)) {
            case 0:
                return matrix(pool);
            case 1:
                return cube(pool);
            case 2:
                return line(pool);
            case 3:
                return folded(pool);
            default:
                return looped(pool);
        }
    }

  private:
    /// To be called in a function: the number n, as an extent, a literal, or what is computed.
    using Divisor = std::function<Exp<Long>()>;

    static Divisor divisor(Pool& pool, Long n, const Divisor& as_extent) {
        if (pool.chance(40)) return as_extent;
        if (pool.chance(50)) return [=] { return Exp<Long>(n); };
        const Delayed<Int, 0> computed = fill(shape(), Int(n));
        return [=] { return cast<Long>(computed()); };
    }
    template <class A>
    static Divisor extent_of(const A& a, int axis) {
        return [=] { return extent(a, axis); };
    }

    static void matrix(Pool& pool) {
        const auto x = pool.matrix();
        const auto u = pool.vector(), v = pool.row();
        const bool turned = pool.chance(30);
        const Divisor by = turned ? divisor(pool, pool.n, extent_of(x, 0)) : divisor(pool, pool.m, extent_of(x, 1));
        auto f = [&](Exp<Long> q) {
            const auto width = by();
            const auto i = turned ? q % width : q / width, j = turned ? q / width : q % width;
            std::vector<Exp<Int>> values{x(i, j), u(i), v(j), cast<Int>(i), cast<Int>(j)};
            if (pool.chance(30)) values.push_back(cast<Int>(q));
            return expression(pool, values);
        };
        const auto flat = generate(shape(pool.n * pool.m), f);
        if (turned)
            pool.matrices.push_back(transpose(reshape(flat, shape(pool.m, pool.n))));
        else
            pool.matrices.push_back(reshape(flat, shape(pool.n, pool.m)));
    }

    static void cube(Pool& pool) {
        if (pool.k == 0) return;
        const auto x = pool.cube();
        const auto y = pool.matrix();
        const Divisor inner = divisor(pool, pool.n, extent_of(x, 1)), innermost = divisor(pool, pool.m, extent_of(x, 2));
        const bool whole = pool.chance(50);
        auto f = [&](Exp<Long> q) {
            const auto n = inner(), m = innermost();
            const auto i = whole ? q / (n * m) : q / m / n, j = q / m % n, l = q % m;
            return expression(pool, {x(i, j, l), y(j, l), cast<Int>(i - j)});
        };
        pool.cubes.push_back(reshape(generate(shape(pool.k * pool.n * pool.m), f), shape(pool.k, pool.n, pool.m)));
    }

    /// An extent that need not be a multiple of what its index is divided by.
    static void line(Pool& pool) {
        const auto v = pool.vector(), u = pool.row();
        const Long by = pool.any_of(std::vector<Long>{1, 2, 3, 4, 8, 16, pool.m, pool.n});
        const Divisor divides = divisor(pool, by, extent_of(pool.chance(50) ? u : v, 0));
        auto f = [&](Exp<Long> q) {
            const auto width = divides();
            return expression(pool, {v(q), u(q % size(u)), cast<Int>(q / width), cast<Int>(q % width)});
        };
        pool.vectors().push_back(generate(shape(pool.n), f));
    }

    /// For each row, or each column, a fold over a flat axis.
    static void folded(Pool& pool) {
        const auto x = pool.matrix();
        const auto v = pool.row();
        const auto monoid = any_monoid(pool);
        const Divisor divides = divisor(pool, pool.m, extent_of(x, 1));
        const Long rows = pool.chance(50) ? pool.n : pool.any_of(std::vector<Long>{1, 2, 3, 5});
        auto fold_from = [&](Exp<Long> i) {
            const auto m = divides();
            auto f = [&](Exp<Long> q) { return expression(pool, {x((q / m + i) % extent(x, 0), q % m), v(q % m)}); };
            return fold(monoid.op, monoid.init, generate(shape(Exp<Long>(rows) * m), f))();
        };
        pool.vectors().push_back(vmap(fold_from, iota(pool.n)));
    }

    static void looped(Pool& pool) {
        const auto x = pool.matrix();
        const Divisor divides = divisor(pool, pool.m, extent_of(x, 1));
        const Int factor = pool.chance(50) ? 1 : 3;
        const Long steps = pool.any_of(std::vector<Long>{4, 6, 15, 30}), by = pool.any_of(std::vector<Long>{1, 2, 3});
        auto element = [=](Exp<Long> i) {
            const auto m = divides();
            auto step = [=](Exp<Long> q, Exp<Int> t) { return t * factor + x((i + q / by) % extent(x, 0), q % by % m); };
            return for_loop(steps, step, cast<Int>(i));
        };
        pool.vectors().push_back(generate(shape(pool.n), element));
    }
};

}  // namespace

const Kind& flat_indices() {
    static const FlatIndices kind;
    return kind;
}

}  // namespace random_programs
