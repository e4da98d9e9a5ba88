// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps: of one array or several, with indices, with scalars and whole arrays captured; arrays from nothing.
#include "random/functions.hpp"
#include "random/kinds.hpp"

namespace random_programs {

namespace {

class Maps : public Kind {
  public:
    void grow(Pool& pool) const override {
        if (pool.chance(10))
            pool.n > 0 && pool.chance(30) ? product(pool) : generated(pool);
        else if (pool.chance(10))
            scalar(pool);
        else
            pool.grow_any_shape([&](auto next) { return element_wise(pool, next); });
    }

  private:
    template <class Next>
    static auto element_wise(Pool& pool, Next next) {
        auto x = next(), y = next();
        switch (pool.pick(6)) {
            case 0:
                return map([&](Exp<Int> a) { return expression(pool, {a}); }, x);
            case 1:
                return map([&](Exp<Int> a, Exp<Int> b) { return expression(pool, {a, b}); }, x, y);
            case 2: {
                auto s = pool.scalar();
                return map([&](Exp<Int> a) { return expression(pool, {a, s()}); }, x);
            }
            case 3:
                return map([&](Exp<Int> a) { return expression(pool, {a, element(pool, a), index(pool)}); }, x);
            case 4: {
                auto two = unzip(map([](auto a, auto b) { return std::tuple(a + b, a - b); }, x, y));
                return pool.chance(50) ? std::get<0>(two) : std::get<1>(two);
            }
            default:
                return indexed(pool, x, y);
        }
    }

    template <class A>
    static auto indexed(Pool& pool, const A& x, const A& y) {
        return map_indexed(
            [&](const auto&... all) {
                std::vector<Exp<Int>> values{cast<Int>(all)...};
                return expression(pool, values);
            },
            x, y);
    }

    /// An element of a whole array.
    static Exp<Int> element(Pool& pool, Exp<Int> a) {
        auto x = any_line(pool);
        auto n = size(x);
        return cond(n > 0, [=] { return x(position(a, n)); }, [=] { return a; });
    }
    static Delayed<Int, 1> any_line(Pool& pool) { return pool.any_of(pool.groups[pool.any_group()].arrays); }

    static Exp<Int> index(Pool& pool) {
        if (pool.indices.empty()) return pool.between(-5, 5);
        return cast<Int>(pool.any_of(pool.indices));
    }

    static void generated(Pool& pool) {
        if (pool.chance(50))
            pool.vectors().push_back(
                generate(shape(pool.n), [&](Exp<Long> i) { return expression(pool, {cast<Int>(i), index(pool)}); }));
        else
            pool.matrices.push_back(generate(shape(pool.n, pool.m), [&](Exp<Long> i, Exp<Long> j) {
                return expression(pool, {cast<Int>(i), cast<Int>(j)});
            }));
    }

    /// A product of matrices, or what begins like one, as a loop over indices.
    static void product(Pool& pool) {
        auto x = pool.matrix(), y = pool.matrix();
        const Int start = pool.between(-3, 3), factor = pool.chance(70) ? 1 : 3;
        const Long n = pool.n;
        auto element = [=](Exp<Long> i, Exp<Long> j) {
            auto step = [=](Exp<Long> k, Exp<Int> t) { return t * factor + x(i, k) * y(k % n, j); };
            return for_loop(extent(x, 1), step, start);
        };
        pool.matrices.push_back(generate(shape(n, pool.m), element));
    }

    static void scalar(Pool& pool) {
        auto s = pool.scalar(), t = pool.scalar();
        pool.scalars.push_back(
            map([&](Exp<Int> a, Exp<Int> b) { return expression(pool, {a, b, element(pool, a)}); }, s, t));
    }
};

}  // namespace

const Kind& maps() {
    static const Maps kind;
    return kind;
}

}  // namespace random_programs
