// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Irregular nesting: folds and scans of segments, expansion.
#include "random/functions.hpp"
#include "random/kinds.hpp"

namespace random_programs {

namespace {

class Segments : public Kind {
  public:
    void grow(Pool& pool) const override {
        if (pool.sliced) return;
        switch (pool.pick(4)) {
            case 0:
                if (auto lengths = some_lengths(pool); !lengths.empty())
                    pool.rows().push_back(fold_segments(any_monoid(pool).op, 3, pool.vector(), lengths[0]));
                break;
            case 1:
                if (auto lengths = some_lengths(pool); !lengths.empty())
                    pool.vectors().push_back(inclusive_scan_segments(any_monoid(pool).op, pool.vector(), lengths[0]));
                break;
            default:
                pool.add_group(expanded(pool));
                break;
        }
    }

  private:
    /// m lengths that add up to n, if there are any: of n elements in m bins.
    static std::vector<Delayed<Int, 1>> some_lengths(Pool& pool) {
        const Long n = pool.n, m = pool.m;
        if (m == 0) return {};
        auto bins = map([=](auto v) { return position(v, m); }, pool.vector());
        return {histogram(m, std::plus<>{}, 0, bins, fill(shape(n), 1))};
    }

    static Delayed<Int, 1> expanded(Pool& pool) {
        auto f = [&](Exp<Int> v, Exp<Long> j) { return expression(pool, {v, cast<Int>(j)}); };
        if (pool.chance(30)) return expand(pool.between(0, 3), f, pool.vector());
        const Int most = pool.between(1, 4);
        return expand([=](Exp<Int> v) { return position(v, most); }, f, pool.vector());
    }
};

}  // namespace

const Kind& segments() {
    static const Segments kind;
    return kind;
}

}  // namespace random_programs
