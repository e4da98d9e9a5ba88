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
        if (pool.chance(50)) return pool.add_group(expanded(pool));
        const auto lengths = some_lengths(pool);
        if (lengths.empty()) return;
        if (pool.chance(50)) return scanned(pool, lengths[0]);
        if (pool.chance(50)) return scanned(pool, lengths[0], from_right);
        pool.rows().push_back(fold_segments(any_monoid(pool).op, 3, pool.vector(), lengths[0]));
    }

  private:
    /// m lengths that add up to n, if there are any: of n elements in m bins.
    static std::vector<Delayed<Int, 1>> some_lengths(Pool& pool) {
        const Long n = pool.n, m = pool.m;
        if (m == 0) return {};
        auto bins = map([=](auto v) { return position(v, m); }, pool.vector());
        return {histogram(m, std::plus<>{}, 0, bins, fill(shape(n), 1))};
    }

    template <class... From>
    static void scanned(Pool& pool, const Delayed<Int, 1>& lengths, From... from_there) {
        const auto op = any_monoid(pool).op;
        const auto x = pool.vector();
        switch (pool.pick(4)) {
            case 0:
                return pool.vectors().push_back(inclusive_scan_segments(op, x, lengths, from_there...));
            case 1:
                return pool.vectors().push_back(inclusive_scan_segments(op, 3, x, lengths, from_there...));
            case 2:
                return pool.vectors().push_back(exclusive_scan_segments(op, pool.scalar(), x, lengths, from_there...));
            default:
                auto [before, totals] = scan_with_total_segments(op, -2, x, lengths, from_there...);
                pool.vectors().push_back(before);
                pool.rows().push_back(totals);
        }
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
