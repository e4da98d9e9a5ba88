// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that repeat along an axis: of a row for all rows, of a position within a period, of one plane for all.
#include "random/functions.hpp"
#include "random/kinds.hpp"

namespace random_programs {

namespace {

class Repeats : public Kind {
  public:
    void grow(Pool& pool) const override {
        if (pool.n == 0 || pool.m == 0) return;
        switch (pool.pick(4)) {
            case 0:
                return rows(pool);
            case 1:
                return columns(pool);
            case 2:
                return periods(pool);
            default:
                return planes(pool);
        }
    }

  private:
    /// Worth computing once.
    static Exp<Int> costly(Pool& pool, const Exp<Int>& a, const Exp<Int>& b) {
        const auto first = expression(pool, {a, b}), second = expression(pool, {a, first});
        return (first * 7 + second) / (abs(second % 11) + 1) + (first / 3) % 5;
    }

    static void rows(Pool& pool) {
        const auto x = pool.matrix();
        const auto v = pool.row();
        auto f = [&](Exp<Long>, Exp<Long> j, Exp<Int> e) { return expression(pool, {e, costly(pool, v(j), cast<Int>(j))}); };
        if (pool.chance(50))
            pool.matrices.push_back(map_indexed(f, x));
        else
            pool.matrices.push_back(map([&](Exp<Int> e, Exp<Int> r) { return expression(pool, {e, r}); }, x,
                                        map([&](Exp<Int> r) { return costly(pool, r, 3); }, replicate(pool.n, v))));
    }

    static void columns(Pool& pool) {
        const auto x = pool.matrix();
        const auto v = pool.vector();
        auto f = [&](Exp<Long> i, Exp<Long>, Exp<Int> e) { return expression(pool, {e, costly(pool, v(i), cast<Int>(i))}); };
        const auto made = map_indexed(f, x);
        if (pool.chance(50)) pool.vectors().push_back(sum(made, axis(1)));
        pool.matrices.push_back(made);
    }

    static void periods(Pool& pool) {
        const auto v = pool.vector(), u = pool.row();
        const Long period = pool.any_of(std::vector<Long>{1, 2, 3, 4, 7, pool.m});
        auto f = [&](Exp<Long> i) {
            const auto place = i % period;
            return expression(pool, {v(i), costly(pool, u(place % size(u)), cast<Int>(place))});
        };
        pool.vectors().push_back(generate(shape(pool.n), f));
    }

    static void planes(Pool& pool) {
        if (pool.k == 0) return;
        const auto x = pool.cube();
        const auto y = pool.matrix();
        auto f = [&](Exp<Long>, Exp<Long> i, Exp<Long> j, Exp<Int> e) {
            return expression(pool, {e, costly(pool, y(i, j), cast<Int>(i * 3 + j))});
        };
        pool.cubes.push_back(map_indexed(f, x));
    }
};

}  // namespace

const Kind& repeats() {
    static const Repeats kind;
    return kind;
}

}  // namespace random_programs
