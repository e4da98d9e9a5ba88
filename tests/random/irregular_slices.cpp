// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vmap whose slices have lengths of their own, and are filtered, scanned, sorted and rearranged. The same function is
// applied to one slice after another by a loop, and has to give the same.
#include "random/functions.hpp"
#include "random/kinds.hpp"

#include <sinter/debug.hpp>
#include <sinter/ragged.hpp>

namespace random_programs {

namespace {

class IrregularSlices : public Kind {
  public:
    void grow(Pool& pool) const override {
        if (pool.sliced || pool.depth > 0) return;
        const Int most = pool.any_of(std::vector<Int>{1, 4, 9, 20});
        auto lengths = map([=](Exp<Int> v) { return position(v, most + 1); }, pool.vector());
        const auto values = pool.vector();
        const auto seed = static_cast<std::uint64_t>(pool.between(0, 1 << 20));
        auto row = [&](const Exp<Int>& v, const Exp<Long>& n) {
            Pool inner = pool;
            inner.reseed(seed);
            ++inner.depth;
            inner.sliced = true;
            return grown(inner, v, n);
        };
        const std::size_t way = pool.pick(6);
        auto reduced = [&](const Exp<Int>& v, const Exp<Long>& n) {
            const auto made = row(v, n);
            if (way == 0) return max(concat(made, fill(shape(1), v)))();
            if (way == 1) return cond(size(made) > 0, [&] { return min(made)(); }, [&] { return v; });
            const auto monoid = any_monoid(pool);
            return fold(monoid.op, monoid.init, made)();
        };
        if (pool.chance(30)) {
            const auto rows = vmap(ragged, row, values, lengths);
            pool.add_group(rows.values());
        } else {
            const auto all = vmap(reduced, values, lengths);
            auto place = [&](const Exp<Long>& i, const Delayed<Int, 1>& filled) {
                return update(filled, index(i), reduced(values(i), lengths(i)));
            };
            const auto one_by_one = for_loop(pool.n, place, fill(shape(pool.n), Int(0)));
            auto same = [](Exp<Int> a, Exp<Int> b) { return expect(a == b, "slices one by one give the same", a); };
            pool.vectors().push_back(map(same, all, one_by_one));
        }
        pool.reseed(seed + 1);
    }

  private:
    static Delayed<Int, 1> grown(Pool& pool, const Exp<Int>& v, const Exp<Long>& n) {
        Delayed<Int, 1> a = map([&](Exp<Long> i) { return expression(pool, {v, cast<Int>(i)}); }, iota(n));
        for (int step = pool.between(1, 4); step > 0; --step) a = next(pool, a, v);
        return a;
    }

    static Delayed<Int, 1> next(Pool& pool, const Delayed<Int, 1>& a, const Exp<Int>& v) {
        const auto monoid = any_monoid(pool);
        switch (pool.pick(14)) {
            case 0:
                return map([&](Exp<Int> x) { return expression(pool, {x, v}); }, a);
            case 1:
                return inclusive_scan(monoid.op, reverse(a));
            case 2:
                return exclusive_scan(monoid.op, v, a, from_right);
            case 3:
                return pool.chance(50) ? sort(a) : sort(a, descending);
            case 4:
                return filter([&](Exp<Int> x) { return predicate(pool, x); }, a);
            case 5:
                return concat(a, fill(shape(2), v), reverse(a));
            case 6:
                return map([&](Exp<Int> x) { return a(position(x, size(a))); }, a);
            case 7:
                return stencil([](auto f) { return f(-1) - f(2); }, boundary::reflect, a);
            case 8:
                return scatter(std::plus<>{}, fill(shape(5), v), map([](Exp<Int> x) { return position(x, 5); }, a), a);
            case 9:
                return vmap([&](Exp<Long> i) { return sum(take(a, i))(); }, iota(size(a)));
            case 10:
                return recur([&](Exp<Int> state, Exp<Int> x) { return expression(pool, {state, x}); }, v, a);
            case 11:
                return cond(
                    size(a) % 3 == cast<Long>(v) % 2, [&] { return next(pool, a, v); }, [&] { return next(pool, a, v); });
            case 12: {
                const Exp<Int> unit = v + cast<Int>(size(a));
                auto product = [=](Exp<Int> x, Exp<Int> y) { return (x + unit) * (y + unit) - unit; };
                return pool.chance(50) ? inclusive_scan(product, a) : exclusive_scan(product, v, a, from_right);
            }
            default:
                return filter([&](Exp<Int> x) { return x != v; },
                              inclusive_scan(monoid.op, filter([](Exp<Int> x) { return x > 0; }, a)));
        }
    }
};

}  // namespace

const Kind& irregular_slices() {
    static const IrregularSlices kind;
    return kind;
}

}  // namespace random_programs
