// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of one axis or several, of single values and pairs, from literals and computed values.
#include "random/functions.hpp"
#include "random/kinds.hpp"

namespace random_programs {

namespace {

class Folds : public Kind {
  public:
    void grow(Pool& pool) const override {
        switch (pool.pick(7)) {
            case 0:
            case 1:
                line(pool);
                break;
            case 2:
                pool.vectors().push_back(reduced(pool, pool.matrix(), pool.matrix(), axis(1)));
                break;
            case 3:
                pool.rows().push_back(reduced(pool, pool.matrix(), pool.matrix(), axis(0)));
                break;
            case 4:
                pool.matrices.push_back(reduced(pool, pool.cube(), pool.cube(), axis(0)));
                break;
            case 5:
                from_cube(pool);
                break;
            default:
                pool.scalars.push_back(fold_all(any_monoid(pool).op, pool.between(-2, 2), pool.matrix()));
                break;
        }
    }

  private:
    static void line(Pool& pool) {
        const auto& lines = pool.groups[pool.any_group()].arrays;
        auto x = pool.any_of(lines), y = pool.any_of(lines);
        pool.scalars.push_back(reduced(pool, x, y, axis(0)));
    }

    static void from_cube(Pool& pool) {
        switch (pool.pick(3)) {
            case 0:
                pool.vectors().push_back(reduced(pool, pool.cube(), pool.cube(), axes(0, 2)));
                break;
            case 1:
                pool.rows().push_back(reduced(pool, pool.cube(), pool.cube(), axes(0, 1)));
                break;
            default:
                pool.scalars.push_back(reduced(pool, pool.cube(), pool.cube(), axes(0, 1, 2)));
                break;
        }
    }

    template <class A, int K>
    static Delayed<Int, rank_v<A> - K> reduced(Pool& pool, const A& x, const A& y, const Axes<K>& axes) {
        switch (pool.pick(6)) {
            case 0:
                return sum(x, axes);
            case 1: {
                auto monoid = any_pair_monoid(pool);
                auto two = unzip(fold(monoid.op, monoid.init, zip(x, y), axes));
                return pool.chance(50) ? std::get<0>(two) : std::get<1>(two);
            }
            case 2:
                return fold(any_monoid(pool).op, pool.scalar(), x, axes);
            case 3:
                return map([](auto c) { return cast<Int>(c); },
                           count(map([&](auto v) { return predicate(pool, v); }, x), axes));
            default: {
                auto monoid = any_monoid(pool);
                return fold(monoid.op, monoid.init, x, axes);
            }
        }
    }
};

}  // namespace

const Kind& folds() {
    static const Folds kind;
    return kind;
}

}  // namespace random_programs
