// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recurrences: of any function, along any axis, from both ends, of one state or two, all states or the last.
#include "random/functions.hpp"
#include "random/kinds.hpp"

namespace random_programs {

namespace {

class Recurrences : public Kind {
  public:
    void grow(Pool& pool) const override {
        switch (pool.pick(5)) {
            case 0:
                matrix(pool);
                break;
            case 1: {
                const int along = pool.between(0, 2);
                pool.cubes.push_back(all_states(pool, pool.cube(), pool.cube(), pool.scalar(), along));
                if (along == 0) pool.matrices.push_back(last_state(pool, pool.cube(), pool.matrix(), along));
                break;
            }
            default:
                line(pool);
                break;
        }
    }

  private:
    static void line(Pool& pool) {
        auto& arrays = pool.groups[pool.any_group()].arrays;
        auto x = pool.any_of(arrays), y = pool.any_of(arrays);
        if (pool.chance(30))
            pool.scalars.push_back(last_state(pool, x, pool.scalar(), 0));
        else
            arrays.push_back(all_states(pool, x, y, pool.scalar(), 0));
    }

    static void matrix(Pool& pool) {
        const int along = pool.between(0, 1);
        auto& lines = along == 0 ? pool.rows() : pool.vectors();
        const auto init = pool.any_of(lines);  // one per line
        if (pool.chance(40))
            lines.push_back(last_state(pool, pool.matrix(), init, along));
        else if (pool.chance(50))
            pool.matrices.push_back(all_states(pool, pool.matrix(), pool.matrix(), init, along));
        else
            pool.matrices.push_back(all_states(pool, pool.matrix(), pool.matrix(), pool.scalar(), along));
    }

    template <class A, class Init>
    static A all_states(Pool& pool, const A& x, const A& y, const Init& init, int along) {
        if (pool.chance(30)) return of_pairs(pool, x, y, along);
        const auto f = [&](Exp<Int> s, Exp<Int> a, Exp<Int> b) {
            auto next = [&] { return expression(pool, {s, a, b}); };
            if (pool.chance(40)) return cond(predicate(pool, a), next, next);
            return next();
        };
        if (pool.chance(50)) return recur(f, init, x, y, axis(along));
        return recur(f, init, x, y, axis(along), from_right);
    }

    template <class A>
    static A of_pairs(Pool& pool, const A& x, const A& y, int along) {
        const auto f = [&](Exp<Pair> s, Exp<Pair> e) {
            std::vector<Exp<Int>> values{get<0>(s), get<1>(s), get<0>(e), get<1>(e)};
            const auto first = expression(pool, values);
            return std::tuple(first, expression(pool, values));
        };
        const auto states = recur(f, Pair(3, -2), zip(x, y), axis(along));
        return pool.chance(50) ? get<0>(states) : get<1>(states);
    }

    template <class A, class Init>
    static Delayed<Int, rank_v<A> - 1> last_state(Pool& pool, const A& x, const Init& init, int along) {
        const auto f = [&](Exp<Int> s, Exp<Int> a) { return expression(pool, {s, a}); };
        if (pool.chance(50)) return fold_left(f, init, x, axis(along));
        return fold_left(f, init, x, axis(along), from_right);
    }
};

}  // namespace

const Kind& recurrences() {
    static const Recurrences kind;
    return kind;
}

}  // namespace random_programs
