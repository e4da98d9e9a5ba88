// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads at distances that conditions on the index keep inside the array, more or less tightly.
#include "random/functions.hpp"
#include "random/kinds.hpp"

namespace random_programs {

namespace {

class GuardedReads : public Kind {
  public:
    void grow(Pool& pool) const override {
        switch (pool.pick(3)) {
            case 0:
                return line(pool);
            case 1:
                return matrix(pool);
            default:
                return loop(pool);
        }
    }

  private:
    /// True where index + distance is inside, and perhaps at fewer places; written in one of several ways.
    static Exp<bool> keeps_inside(Pool& pool, const Exp<Long>& index, Long distance, const Exp<Long>& extent) {
        if (pool.chance(20) && distance == 1) return index != extent - 1;
        if (pool.chance(20) && distance == -1) return index != 0;
        const Long slack = pool.chance(30) ? 1 : 0;
        if (distance >= 0) {
            switch (pool.pick(3)) {
                case 0:
                    return index < extent - (distance + slack);
                case 1:
                    return index + (distance + slack) < extent;
                default:
                    return extent - (distance + slack) > index;
            }
        }
        switch (pool.pick(3)) {
            case 0:
                return index >= slack - distance;
            case 1:
                return index > slack - distance - 1;
            default:
                return Exp<Long>(slack) <= index + distance;
        }
    }

    static void line(Pool& pool) {
        const auto v = pool.vector();
        const Long before = pool.between(0, 3), after = pool.between(0, 3);
        const bool other_way = pool.chance(30), nested = pool.chance(30);
        auto f = [&](Exp<Long> i) {
            const auto n = size(v);
            auto near = [&] { return expression(pool, {v(i - before), v(i), v(i + after)}); };
            auto far = [&] { return v(i) + 3; };
            const auto left = keeps_inside(pool, i, -before, n), right = keeps_inside(pool, i, after, n);
            if (nested) return cond(left, [&] { return cond(right, near, far); }, far);
            if (other_way) return cond(!left || !right, far, near);
            return cond(left && right, near, far);
        };
        pool.vectors().push_back(generate(shape(pool.n), f));
    }

    static void matrix(Pool& pool) {
        const auto x = pool.matrix();
        const Long up = pool.between(-2, 2), across = pool.between(-2, 2);
        auto f = [&](Exp<Long> i, Exp<Long> j, Exp<Int> e) {
            const auto inside = keeps_inside(pool, i, up, extent(x, 0)) && keeps_inside(pool, j, across, extent(x, 1));
            return cond(inside, [&] { return expression(pool, {e, x(i + up, j + across)}); }, [&] { return e - 1; });
        };
        pool.matrices.push_back(map_indexed(f, x));
    }

    /// Steps of a stencil whose states may begin with other extents than they go on with, which the call shows to be equal.
    static void loop(Pool& pool) {
        if (pool.sliced) return;
        const auto v = pool.vector(), u = pool.vector();
        const Long distance = pool.between(1, 2);
        auto step = [=](const Delayed<Int, 1>& a, const Delayed<Int, 1>& b) {
            return generate(shape(size(a)), [=](Exp<Long> i) {
                return cond(
                    i >= distance && i < size(a) - distance, [&] { return a(i - distance) + a(i + distance) - a(i); },
                    [&] { return b(i % max(size(b), 1)); });
            });
        };
        auto both = [=](Exp<Long>, Delayed<Int, 1> a, Delayed<Int, 1> b) {
            const auto c = step(a, b);
            return std::tuple(step(c, a), c);
        };
        pool.vectors().push_back(std::get<0>(for_loop(Long(pool.between(0, 9)), both, v, u)));
    }
};

}  // namespace

const Kind& guarded_reads() {
    static const GuardedReads kind;
    return kind;
}

}  // namespace random_programs
