// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatters with and without an operator, histograms, permutations. Without an operator the indices are distinct.
#include "random/functions.hpp"
#include "random/kinds.hpp"

namespace random_programs {

namespace {

class Scatters : public Kind {
  public:
    void grow(Pool& pool) const override {
        switch (pool.pick(6)) {
            case 0:
                pool.vectors().push_back(distinct(pool));
                break;
            case 1:
                pool.vectors().push_back(combined(pool));
                break;
            case 2:
                pool.rows().push_back(binned(pool));
                break;
            case 3:
                pairs(pool);
                break;
            case 4:
                into_matrix(pool);
                break;
            default:
                permuted(pool);
                break;
        }
    }

  private:
    static Delayed<Int, 1> line(Pool& pool, std::size_t group) { return pool.any_of(pool.groups[group].arrays); }

    /// Some elements dropped.
    static Exp<Long> dropped(Pool& pool, Exp<Int> by, Exp<Long> index) {
        return pool.chance(50) ? index : select(by % 4 == 0, Exp<Long>(-1), index);
    }

    static Delayed<Int, 1> distinct(Pool& pool) {
        const Long n = pool.n;
        auto x = pool.vector(), y = pool.vector();
        auto places = pool.chance(50) ? argsort(y) : map([=](Exp<Long> i) { return (i + 1) % n; }, iota(n));
        auto indices = map([&](Exp<Int> v, Exp<Long> place) { return dropped(pool, v, place); }, y, places);
        return scatter(x, indices, pool.vector());
    }

    static Delayed<Int, 1> combined(Pool& pool) {
        const Long n = pool.n;
        const std::size_t group = pool.any_group();
        auto place = [&](Exp<Int> v) { return n > 0 ? dropped(pool, v, position(v, n)) : Exp<Long>(-1); };
        auto indices = map(place, line(pool, group));
        return scatter(commutative_monoid(pool).op, pool.vector(), indices, line(pool, group));
    }

    static Delayed<Int, 1> binned(Pool& pool) {
        const Long m = pool.m;
        const std::size_t group = pool.any_group();
        auto place = [&](Exp<Int> v) { return m > 0 ? cast<Int>(position(v, m)) : Exp<Int>(-1); };
        auto indices = map(place, line(pool, group));
        auto monoid = commutative_monoid(pool);
        if (pool.chance(50)) return histogram(m, monoid.op, pool.scalar(), indices, line(pool, group));
        return histogram(m, monoid.op, monoid.init, indices, line(pool, group));
    }

    static void pairs(Pool& pool) {
        const Long n = pool.n;
        const std::size_t group = pool.any_group();
        auto place = [&](Exp<Int> v) { return n > 0 ? dropped(pool, v, position(v, n)) : Exp<Long>(-1); };
        auto indices = map(place, line(pool, group));
        auto values = zip(line(pool, group), line(pool, group));
        auto [a, b] = unzip(scatter(commutative_pair_monoid(pool).op, zip(pool.vector(), pool.vector()), indices, values));
        if (pool.chance(70)) pool.vectors().push_back(a);
        if (pool.chance(70)) pool.vectors().push_back(b);
    }

    static void into_matrix(Pool& pool) {
        const Long n = pool.n, m = pool.m;
        if (n == 0 || m == 0) return;
        const std::size_t group = pool.any_group();
        auto place = [=](Exp<Int> v, Exp<Int> w) { return std::tuple(position(v, n), position(w, m)); };
        auto indices = map(place, line(pool, group), line(pool, group));
        pool.matrices.push_back(scatter(commutative_monoid(pool).op, pool.matrix(), indices, line(pool, group)));
    }

    static void permuted(Pool& pool) {
        const Long n = pool.n, m = pool.m;
        auto op = commutative_monoid(pool).op;
        switch (pool.pick(3)) {
            case 0:
                pool.vectors().push_back(permute(op, pool.vector(), [](auto i, auto) { return i; }, pool.matrix()));
                break;
            case 1:
                pool.rows().push_back(
                    permute(op, pool.row(), [](auto i, auto j) { return select(i % 3 == 1, -1, j); }, pool.matrix()));
                break;
            default:
                pool.matrices.push_back(permute(
                    op, pool.matrix(), [=](auto i, auto j) { return std::tuple(n - 1 - i, (j + i) % m); }, pool.matrix()));
                break;
        }
    }
};

}  // namespace

const Kind& scatters() {
    static const Scatters kind;
    return kind;
}

}  // namespace random_programs
