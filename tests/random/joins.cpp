// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rotation, padding, concatenation, splitting.
#include "random/kinds.hpp"

namespace random_programs {

namespace {

class Joins : public Kind {
  public:
    void grow(Pool& pool) const override {
        switch (pool.pick(6)) {
            case 0:
                pool.grow_any_shape([&](auto next) { return turned(pool, next()); });
                break;
            case 1:
                pool.grow_any_shape([&](auto next) { return swapped(pool, next(), next()); });
                break;
            case 2:
                pool.grow_any_shape([&](auto next) { return padded(pool, next()); });
                break;
            case 3:
                pool.vectors().push_back(interleaved(pool));
                break;
            case 4:
                pool.add_group(pool.chance(50) ? longer(pool) : concatenated(pool));
                break;
            default:
                loop_rotation(pool);
                break;
        }
    }

  private:
    template <class A>
    static Long any_axis(Pool& pool, const A&) {
        return static_cast<Long>(pool.pick(static_cast<std::size_t>(rank_v<A>)));
    }

    template <class A>
    static auto turned(Pool& pool, const A& x) {
        return rotate(x, pool.between(-20, 20), any_axis(pool, x));
    }

    /// The first rows of x behind as many of y as are missing.
    template <class A>
    static A swapped(Pool& pool, const A& x, const A& y) {
        if constexpr (rank_v<A> == 1) {
            return rotate(x, pool.between(-3, 3));
        } else {
            const Long all = rank_v<A> == 2 ? pool.n : pool.k;
            const Long at = static_cast<Long>(pool.pick(static_cast<std::size_t>(all + 1)));
            return concat(std::get<0>(split(y, all - at)), std::get<0>(split(x, at)));
        }
    }

    /// One more around it, and one less of what that gives.
    template <class A>
    static auto padded(Pool& pool, const A& x) {
        auto s = pool.scalar();
        auto inside = [&](auto y, int low) {
            return [&]<int... K>(std::integer_sequence<int, K...>) {
                for (int k : {K...}) y = drop(y, low, axis(k));
                return y;
            }(std::make_integer_sequence<int, rank_v<A>>{});
        };
        const Long before = pool.between(0, 3);
        std::array<std::pair<Long, Long>, static_cast<std::size_t>(rank_v<A>)> widths;
        for (auto& width : widths) width = {before, 2};
        auto more = pool.chance(50) ? pad(x, widths, s) : pad(x, widths, 9);
        return inside(reverse(inside(reverse_all(more), 2)), static_cast<int>(before));
    }
    template <class A>
    static A reverse_all(A x) {
        for (int k = 0; k < rank_v<A>; ++k) x = reverse(x, k);
        return x;
    }

    static Delayed<Int, 1> interleaved(Pool& pool) {
        auto x = pool.vector();
        auto even = slice(x, range(0, pool.n, 2));
        if (pool.n == 0) return x;
        return concat(slice(pool.vector(), range(pool.n - 1, 0, -2)), even);
    }

    static Delayed<Int, 1> longer(Pool& pool) {
        const auto widths = std::array{std::pair(pool.between(0, 2), pool.between(0, 2))};
        switch (pool.n > 0 ? pool.pick(6) : 4) {
            case 0:
                return pad(pool.vector(), widths, boundary::clamp);
            case 1:
                return pad(pool.vector(), widths, boundary::wrap);
            case 2:
                return pad(pool.vector(), widths, boundary::symmetric);
            case 3:
                return pad(pool.vector(), widths, boundary::reflect);
            default:
                return pad(pool.vector(), widths, pool.scalar());
        }
    }
    static Delayed<Int, 1> concatenated(Pool& pool) {
        auto x = pool.any_of(pool.groups[pool.any_group()].arrays);
        return concat(x, pool.any_of(pool.groups.back().arrays), pool.row());
    }

    static void loop_rotation(Pool& pool) {
        if (pool.indices.empty()) return;
        auto i = pool.any_of(pool.indices);
        pool.vectors().push_back(rotate(pool.vector(), i + pool.between(-2, 2)));
    }
};

}  // namespace

const Kind& joins() {
    static const Joins kind;
    return kind;
}

}  // namespace random_programs
