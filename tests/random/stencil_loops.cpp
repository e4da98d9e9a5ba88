// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose steps are stencils: of any boundary, of points that an index tells from the border, of a part that is updated
// in place. The host may execute several of their steps at a time, tile by tile; with SINTER_STEP_TILES it does.
#include "random/functions.hpp"
#include "random/kinds.hpp"

namespace random_programs {

namespace {

class StencilLoops : public Kind {
  public:
    void grow(Pool& pool) const override {
        if (pool.chance(60))
            grow_list(pool, pool.vectors());
        else
            grow_list(pool, pool.matrices);
    }

  private:
    template <class A>
    static void grow_list(Pool& pool, std::vector<A>& list) {
        const A x = pool.any_of(list), y = pool.any_of(list);
        const auto count = static_cast<Long>(pool.between(2, 9));
        if (pool.chance(40)) {
            auto body = [&](Exp<Long>, const A& a) { return step(pool, a, pool.chance(50) ? a : y); };
            list.push_back(for_loop(count, body, x));
            return;
        }
        auto body = [&](Exp<Long> i, const A& a, const A& b) {
            const A next = step(pool, a, b), other = pool.chance(50) ? step(pool, next, a) : a;
            return std::tuple(pool.chance(20) ? A(next + cast<Int>(i)) : next, other);
        };
        auto [a, b] = for_loop(count, body, x, y);
        list.push_back(a);
        list.push_back(b);
    }

    /// Of what is near in `a`; at the border, or beside a part, what is in `b`.
    template <class A>
    static A step(Pool& pool, const A& a, const A& b) {
        switch (pool.pick(4)) {
            case 0:
                return with_border(pool, a);
            case 1:
                return where_inside(pool, with_border(pool, a), b);
            case 2:
                return pool.n < 4 || pool.m < 4 ? b : part_of(pool, a, b);
            default:
                return with_border(pool, a) + b;
        }
    }

    template <class A>
    static A with_border(Pool& pool, const A& a) {
        auto of = [&](auto border) -> A {
            return stencil([&](const auto& s) { return expression(pool, neighbours<rank_v<A>>(pool, s)); }, border, a);
        };
        switch (pool.pick(6)) {
            case 0:
                return of(boundary::wrap);
            case 1:
                return of(boundary::reflect);
            case 2:
                return of(boundary::constant(pool.between(-9, 9)));
            case 3:
                return of(boundary::clamp);
            default:
                return of(boundary::keep);
        }
    }

    template <int Rank, class S>
    static std::vector<Exp<Int>> neighbours(Pool& pool, const S& s) {
        const int by = pool.between(-2, 2), across = pool.between(-1, 1);
        if constexpr (Rank == 2)
            return {s(0, 0), s(by, 0), s(0, across)};
        else
            return {s(0), s(by), s(across)};
    }

    static Delayed<Int, 1> where_inside(Pool& pool, const Delayed<Int, 1>& x, const Delayed<Int, 1>& old) {
        const auto low = Long{pool.between(0, 2)}, high = Long{pool.between(0, 2)};
        return map_indexed([&](auto i, auto v, auto w) { return select(i >= low && i < size(x) - high, v, w); }, x, old);
    }
    static Delayed<Int, 2> where_inside(Pool& pool, const Delayed<Int, 2>& x, const Delayed<Int, 2>& old) {
        const auto low = Long{pool.between(0, 2)}, high = Long{pool.between(0, 2)};
        return map_indexed(
            [&](auto i, auto j, auto v, auto w) {
                const auto rows = i > low && extent(x, 0) - high > i, columns = j != low && extent(x, 1) - high >= j;
                return select(rows && columns, v, w);
            },
            x, old);
    }

    static Delayed<Int, 1> part_of(Pool& pool, const Delayed<Int, 1>& a, const Delayed<Int, 1>& b) {
        const auto from = Long{pool.between(0, 2)};
        const auto values = slice(a, range(0, size(a) - 2)) * 3 - slice(a, range(from, size(a) - 2 + from));
        return update(b, range(1, size(b) - 1), values);
    }
    static Delayed<Int, 2> part_of(Pool& pool, const Delayed<Int, 2>& a, const Delayed<Int, 2>& b) {
        const auto from = Long{pool.between(0, 2)};
        const auto n = extent(a, 0), m = extent(a, 1);
        const auto values =
            slice(a, range(0, n - 2), range(1, m - 1)) - slice(a, range(from, n - 2 + from), range(0, m - 2));
        return update(b, range(1, n - 1), range(1, m - 1), values);
    }
};

}  // namespace

const Kind& stencil_loops() {
    static const StencilLoops kind;
    return kind;
}

}  // namespace random_programs
