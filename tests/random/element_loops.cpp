// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that change arrays element by element, from elements at computed places and folds over ranges that follow counters;
// loops and branches inside; loops over the columns or rows of a matrix, of which each is made of those before. With
// SINTER_LOOP_KERNELS=always the host compiles each of them as one kernel.
#include "random/kinds.hpp"

namespace random_programs {

namespace {

using Vector = Delayed<Int, 1>;
using Matrix = Delayed<Int, 2>;
using I = Exp<Long>;

class ElementLoops : public Kind {
  public:
    void grow(Pool& pool) const override {
        if (pool.n == 0 || pool.m == 0 || pool.sliced) return;
        if (pool.chance(30)) return pool.matrices.push_back(lines(pool, pool.matrix(), pool.matrix()));
        if (pool.chance(40)) {
            auto body = [&](I i, const Matrix& a) { return row(pool, i, a); };
            pool.matrices.push_back(for_loop(static_cast<Long>(pool.pick(9)), body, pool.matrix()));
            return;
        }
        const Vector other = pool.vector();
        auto body = [&](I i, const Vector& x, const Vector& y, const Delayed<Int, 0>& s) {
            Vector next = element(pool, i, x, pool.chance(50) ? y : other, s);
            if (pool.chance(30)) next = element(pool, i + 1, next, next, s);
            const Vector changed = pool.chance(30) ? Vector(y * 3 + s) : pool.chance(50) ? element(pool, i, y, next, s) : y;
            return std::tuple(next, changed, Delayed<Int, 0>(s * 5 + value(pool, i, pool.chance(50) ? next : y)));
        };
        auto [x, y, s] = for_loop(static_cast<Long>(pool.pick(12)), body, pool.vector(), pool.vector(), pool.scalar());
        pool.vectors().push_back(x);
        pool.vectors().push_back(y);
        pool.scalars.push_back(s);
    }

  private:
    static I place(Pool& pool, const I& i, Long n) {
        const Long a = pool.between(0, 3), b = pool.between(0, 9);
        return (i * a + b) % n;
    }

    /// A number made of an array: an element, or the sum of a part whose length the counter decides.
    static Exp<Int> value(Pool& pool, const I& i, const Vector& x) {
        const Long n = pool.n;
        if (pool.chance(60)) return x(place(pool, i, n));
        const I from = place(pool, i, n);
        if (pool.chance(50)) return sum(slice(x, range(0, from)))();
        return sum(map([=](auto v) { return v * 3; }, slice(x, range(from, n))))();
    }

    static Vector element(Pool& pool, const I& i, const Vector& x, const Vector& y, const Delayed<Int, 0>& s) {
        const I at = place(pool, i, pool.n);
        auto changed = [&] { return Vector(update(x, index(at), value(pool, i, x) * 7 - value(pool, i, y))); };
        if (pool.chance(25)) return cond(value(pool, i, y) % 2 == 0, changed, [&] { return x; });
        if (pool.chance(25)) return update(x, index(at), value(pool, i, y) + s());
        if (pool.chance(20)) return update(x, range(at, pool.n), slice(y, range(at, pool.n)));
        return changed();
    }

    /// Lines of a part of a matrix, one after another from either end, each made of those before, of those that have not
    /// been reached, of one at a fixed place, and of another matrix.
    static Matrix lines(Pool& pool, const Matrix& start, const Matrix& other) {
        const bool columns = pool.chance(50), reverse = pool.chance(50);
        const Long lanes = columns ? pool.n : pool.m, length = columns ? pool.m : pool.n;
        const Long low = pool.pick(2) % lanes, high = lanes - (lanes - low > 1 ? pool.pick(2) : 0);
        const Long back = std::min<Long>(pool.between(1, 3), length - 1), ahead = length - back > 1 ? pool.pick(2) : 0;
        const Long fixed = pool.between(0, static_cast<int>(length) - 1), further = pool.between(1, 3);
        const auto line = [=](const Matrix& x, const I& at) {
            return columns ? Vector(slice(x, range(low, high), at)) : Vector(slice(x, at, range(low, high)));
        };
        const auto body = [&](const I& k, const Matrix& x) {
            const I at = reverse ? I(length - 1 - back - k) : I(back + k);
            const I before = reverse ? I(at + back) : I(at - back), after = reverse ? I(at - ahead) : I(at + ahead);
            Vector next = line(x, before) * 3 - line(other, at);
            if (pool.chance(50)) next = next + line(x, after) * 2;
            if (pool.chance(50) && back > 1) next = next - line(x, reverse ? I(at + 1) : I(at - 1));
            if (pool.chance(30)) next = next + line(x, I(fixed)) * 5;
            if (pool.chance(30))
                next = next - line(x, reverse ? I(min(at + further, fixed)) : I(max(at - further, fixed))) * 7;
            if (pool.chance(20) && back > 0) next = next + line(x, reverse ? I(max(at + 1, fixed)) : I(min(at - 1, fixed)));
            return columns ? Matrix(update(x, range(low, high), at, next)) : Matrix(update(x, at, range(low, high), next));
        };
        return for_loop(std::max<Long>(length - back - ahead, 0), body, start);
    }

    /// Changes elements of a row, up to a place that follows the counter.
    static Matrix row(Pool& pool, const I& i, const Matrix& a) {
        const Long n = pool.n, m = pool.m;
        auto body = [&](I j, const Matrix& b) {
            const I r = i % n, c = j % m;
            auto rest = sum(reshape(slice(b, range(r, r + 1), range(0, c)), shape(c)));
            auto next = b(r, c) * 3 + b(place(pool, j, n), place(pool, i, m)) + (pool.chance(50) ? rest() : Exp<Int>(1));
            return Matrix(update(b, index(r, c), next));
        };
        return for_loop(pool.chance(50) ? I(m) : i, body, a);
    }
};

}  // namespace

const Kind& element_loops() {
    static const ElementLoops kind;
    return kind;
}

}  // namespace random_programs
