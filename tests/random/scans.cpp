// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans: inclusive, exclusive, with totals, of any axis, from both ends, of single values and pairs.
#include "random/functions.hpp"
#include "random/kinds.hpp"

namespace random_programs {

namespace {

/// What a scan returns, and its totals if it has them.
template <class A>
struct Scanned {
    A prefixes;
    std::vector<Delayed<element_t<A>, rank_v<A> - 1>> totals;
};

class Scans : public Kind {
  public:
    void grow(Pool& pool) const override {
        switch (pool.pick(5)) {
            case 0:
                matrix(pool);
                break;
            case 1:
                cube(pool);
                break;
            default: {
                std::size_t group = pool.any_group();
                auto x = pool.any_of(pool.groups[group].arrays), y = pool.any_of(pool.groups[group].arrays);
                auto scanned = any_scan(pool, x, y, 0);
                pool.groups[group].arrays.push_back(scanned.prefixes);
                append(pool.scalars, scanned.totals);
                break;
            }
        }
    }

  private:
    template <class T>
    static void append(std::vector<T>& to, const std::vector<T>& from) {
        to.insert(to.end(), from.begin(), from.end());
    }

    static void matrix(Pool& pool) {
        const int along = pool.between(0, 1);
        auto scanned = any_scan(pool, pool.matrix(), pool.matrix(), along);
        pool.matrices.push_back(scanned.prefixes);
        append(along == 0 ? pool.rows() : pool.vectors(), scanned.totals);
    }

    static void cube(Pool& pool) {
        const int along = pool.between(0, 2);
        auto scanned = any_scan(pool, pool.cube(), pool.cube(), along);
        pool.cubes.push_back(scanned.prefixes);
        if (along == 0) append(pool.matrices, scanned.totals);
    }

    template <class A>
    static Scanned<A> any_scan(Pool& pool, const A& x, const A& y, int along) {
        if (pool.chance(70)) {
            auto monoid = any_monoid(pool);
            if (pool.chance(50)) return directed(pool, monoid.op, monoid.init, x, along);
            return directed(pool, monoid.op, pool.scalar(), x, along);
        }
        auto monoid = any_pair_monoid(pool);
        auto pairs = directed(pool, monoid.op, monoid.init, zip(x, y), along);
        Scanned<A> component{pool.chance(50) ? get<0>(pairs.prefixes) : get<1>(pairs.prefixes), {}};
        for (auto& total : pairs.totals) {
            component.totals.push_back(get<0>(total));
            component.totals.push_back(get<1>(total));
        }
        return component;
    }

    template <class Op, class Init, class A>
    static Scanned<A> directed(Pool& pool, const Op& op, const Init& init, const A& x, int along) {
        if (pool.chance(50)) return scan(pool, op, init, x, axis(along));
        return scan(pool, op, init, x, axis(along), from_right);
    }

    template <class Op, class Init, class A, class... Option>
    static Scanned<A> scan(Pool& pool, const Op& op, const Init& init, const A& x, const Option&... option) {
        switch (pool.pick(4)) {
            case 0:
                return {inclusive_scan(op, x, option...), {}};
            case 1:
                return {inclusive_scan(op, init, x, option...), {}};
            case 2:
                return {exclusive_scan(op, init, x, option...), {}};
            default: {
                auto [prefixes, total] = scan_with_total(op, init, x, option...);
                return {prefixes, {total}};
            }
        }
    }
};

}  // namespace

const Kind& scans() {
    static const Scans kind;
    return kind;
}

}  // namespace random_programs
