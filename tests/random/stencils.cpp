// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stencils of ranks 1 to 3 with every boundary, of single values and pairs; and maps that read neighbours by their indices.
#include "random/functions.hpp"
#include "random/kinds.hpp"

namespace random_programs {

namespace {

class Stencils : public Kind {
  public:
    void grow(Pool& pool) const override {
        pool.grow_any_shape([&](auto next) {
            auto x = next();
            if constexpr (rank_v<decltype(x)> < 3)
                if (pool.chance(25)) return by_hand(pool, x, next());
            return any_boundary(pool, x, next());
        });
    }

  private:
    template <class A>
    static A any_boundary(Pool& pool, const A& x, const A& y) {
        switch (pool.pick(10)) {
            case 0:
                return of_pairs(pool, boundary::symmetric, x, y);
            case 1:
                return of_pairs(pool, boundary::reflect, x, y);
            case 2:
                return of_numbers(pool, boundary::clamp, x);
            case 3:
                return of_numbers(pool, boundary::wrap, x);
            case 4:
                return of_numbers(pool, boundary::symmetric, x);
            case 5:
                return of_numbers(pool, boundary::reflect, x);
            case 6:
                return of_numbers(pool, boundary::constant(pool.between(-9, 9)), x);
            case 7:
            case 8:
                return of_numbers(pool, boundary::keep, x);
            default:
                return of_numbers(pool, boundary::constant(pool.scalar()), x);
        }
    }

    template <int Rank, class S>
    static auto neighbour(Pool& pool, const S& s) {
        if constexpr (Rank == 1)
            return s(pool.between(-2, 2));
        else if constexpr (Rank == 2)
            return s(pool.between(-2, 2), pool.between(-1, 1));
        else
            return s(pool.between(-1, 1), pool.between(-2, 2), pool.between(-1, 1));
    }

    /// An index of an axis of `n` elements near `i`.
    static Exp<Long> near(Pool& pool, Exp<Long> i, Exp<Long> n) {
        const Long by = pool.between(0, 2);
        switch (pool.pick(6)) {
            case 0:
                return max(i - by, Exp<Long>(0));
            case 1:
                return min(by + i, n - 1);
            case 2:
                return max(min(i + (by - 1), n - 1), Exp<Long>(0));
            case 3:
                return (i + by) % n;
            case 4:
                return (i + n - 1) % n;
            default:
                return i;
        }
    }

    static Delayed<Int, 1> by_hand(Pool& pool, const Delayed<Int, 1>& x, const Delayed<Int, 1>& y) {
        return map_indexed(
            [&](auto i, auto v) {
                const auto n = size(x);
                return expression(pool, {v, x(near(pool, i, n)), x(near(pool, i, n))});
            },
            y);
    }

    static Delayed<Int, 2> by_hand(Pool& pool, const Delayed<Int, 2>& x, const Delayed<Int, 2>& y) {
        return map_indexed(
            [&](auto i, auto j, auto v) {
                const auto n = extent(x, 0), m = extent(x, 1);
                return expression(pool, {v, x(near(pool, i, n), near(pool, j, m)), x(near(pool, i, n), near(pool, j, m))});
            },
            y);
    }

    template <class B, class A>
    static A of_numbers(Pool& pool, const B& border, const A& x) {
        return stencil(
            [&](const auto& s) {
                std::vector<Exp<Int>> values;
                for (int count = pool.between(1, 3); count > 0; --count) values.push_back(neighbour<rank_v<A>>(pool, s));
                return expression(pool, values);
            },
            border, x);
    }

    template <class B, class A>
    static A of_pairs(Pool& pool, const B& border, const A& x, const A& y) {
        return stencil(
            [&](const auto& s) {
                auto [a, b] = neighbour<rank_v<A>>(pool, s);
                auto [c, d] = neighbour<rank_v<A>>(pool, s);
                return expression(pool, {a, b, c, d});
            },
            border, zip(x, y));
    }
};

}  // namespace

const Kind& stencils() {
    static const Stencils kind;
    return kind;
}

}  // namespace random_programs
