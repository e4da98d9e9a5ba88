// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds along several axes of one array, and folds beside scatters of the same points, of arrays that are large enough to be
// gone over once for all of these.
#include "random/functions.hpp"
#include "random/kinds.hpp"

namespace random_programs {

namespace {

class Passes : public Kind {
  public:
    void grow(Pool& pool) const override {
        if (pool.m == 0 || pool.sliced) return;
        pool.chance(50) ? of_points(pool) : of_matrix(pool);
    }

  private:
    /// Many values that differ, of a row.
    static Delayed<Int, 1> values(Pool& pool, const Delayed<Int, 1>& row, Long count) {
        const Long m = pool.m;
        const Int by = pool.between(1, 9);
        return map([=](Exp<Long> i) { return row(i % m) + cast<Int>(i * by % 13); }, iota(count));
    }

    static Delayed<Int, 1> bins(Pool& pool, const Delayed<Int, 1>& of, const Delayed<Int, 1>& x) {
        const Long m = pool.m;
        const bool drops = pool.chance(50);
        auto place = [=](Exp<Int> v) {
            const Exp<Long> at = position(v, m);
            return drops ? select(v % 4 == 0, Exp<Long>(-1), at) : at;
        };
        const auto monoid = commutative_monoid(pool);
        return scatter(monoid.op, pool.row(), map(place, of), x);
    }

    template <class A>
    static Delayed<Int, 0> total(Pool& pool, const A& x) {
        const auto monoid = any_monoid(pool);
        return fold_all(monoid.op, monoid.init, x);
    }

    static void of_points(Pool& pool) {
        const auto x = values(pool, pool.row(), pool.between(60, 700));
        const auto y = map([&](Exp<Int> v) { return expression(pool, {v}); }, x);
        pool.rows().push_back(bins(pool, y, x));
        pool.scalars.push_back(total(pool, pool.chance(50) ? x : y));
        if (pool.chance(30)) pool.scalars.push_back(total(pool, y));
        if (pool.chance(20)) pool.add_group(y);
    }

    /// Rows are folded, and columns; what is left of rows is folded or scattered.
    static void of_matrix(Pool& pool) {
        const Long rows = pool.between(60, 90), columns = pool.chance(50) ? pool.between(60, 90) : pool.between(1, 9);
        const auto x = reshape(values(pool, pool.row(), rows * columns), shape(rows, columns));
        const auto monoid = any_monoid(pool);
        const auto of_rows = fold(monoid.op, monoid.init, x, axis(1));
        const auto again = pool.chance(50) ? x : x + broadcast(of_rows, shape(rows, columns), axes(0));
        if (pool.chance(60)) {
            const auto other = any_monoid(pool);
            pool.add_group(fold(other.op, other.init, again, axis(0)));
        }
        if (pool.chance(60)) pool.scalars.push_back(total(pool, of_rows));
        if (pool.chance(60)) pool.rows().push_back(bins(pool, of_rows, values(pool, pool.row(), rows)));
        if (pool.chance(20)) pool.add_group(of_rows);
    }
};

}  // namespace

const Kind& passes() {
    static const Passes kind;
    return kind;
}

}  // namespace random_programs
