// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of data-dependent extents, and what depends on them: their extents, arrays of one mask together, filters of them.
#include "random/functions.hpp"
#include "random/kinds.hpp"

namespace random_programs {

namespace {

class Filters : public Kind {
  public:
    void grow(Pool& pool) const override {
        const std::size_t group = pool.any_group();
        auto next = [&] { return pool.any_of(pool.groups[group].arrays); };
        if (pool.sliced) {  // what is kept is folded there
            pool.scalars.push_back(sum(filter([&](Exp<Int> v) { return predicate(pool, v); }, next())));
            return;
        }
        switch (pool.pick(6)) {
            case 0:
                pool.add_group(filter([&](Exp<Int> v) { return predicate(pool, v); }, next()));
                break;
            case 1:
                one_mask(pool, next(), next(), next());
                break;
            case 2: {
                auto [with, without] = partition([&](Exp<Int> v) { return predicate(pool, v); }, next());
                pool.add_group(with);
                pool.add_group(without);
                break;
            }
            case 3: {
                auto pairs =
                    filter([&](Exp<Int> v, Exp<Int> w) { return v < w || predicate(pool, w); }, zip(next(), next()));
                pool.add_group(get<0>(pairs));
                pool.groups.back().arrays.push_back(get<1>(pairs));
                break;
            }
            case 4: {
                auto x = pool.any_of(pool.groups.back().arrays);
                pool.vectors().push_back(
                    map([&](Exp<Int> v) { return expression(pool, {v, cast<Int>(size(x))}); }, pool.vector()));
                break;
            }
            default: {
                auto x = pool.any_of(pool.groups.back().arrays);
                pool.rows().push_back(sum(replicate(pool.m, x)));
                break;
            }
        }
    }

  private:
    static void one_mask(Pool& pool, const Delayed<Int, 1>& m, const Delayed<Int, 1>& x, const Delayed<Int, 1>& y) {
        auto mask = map([&](Exp<Int> v) { return predicate(pool, v); }, m);
        pool.add_group(compact(mask, x));
        pool.groups.back().arrays.push_back(compact(mask, y));
    }
};

}  // namespace

const Kind& filters() {
    static const Filters kind;
    return kind;
}

}  // namespace random_programs
