// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements and slices are replaced, of arrays that die by that and of arrays that are used again.
#include "random/kinds.hpp"

namespace random_programs {

namespace {

class Updates : public Kind {
  public:
    void grow(Pool& pool) const override {
        if (pool.n == 0) return;
        switch (pool.pick(8)) {
            case 0:
                put(pool, pool.vectors(), update(taken(pool, pool.vectors()), index(place(pool, pool.n)), value(pool)));
                break;
            case 1:
                in_loop(pool);
                break;
            case 2:
                part_of_vector(pool);
                break;
            case 3:
                if (pool.m > 0)
                    put(pool, pool.matrices,
                        update(taken(pool, pool.matrices), index(place(pool, pool.n), place(pool, pool.m)), value(pool)));
                break;
            case 4:
                put(pool, pool.matrices, update(taken(pool, pool.matrices), place(pool, pool.n), all, pool.row()));
                break;
            case 5:
                windows_of_vector(pool);
                break;
            case 6:
                windows_of_matrix(pool);
                break;
            default:
                if (pool.m > 0)
                    put(pool, pool.matrices, update(taken(pool, pool.matrices), all, place(pool, pool.m), pool.vector()));
                break;
        }
    }

  private:
    static Long place(Pool& pool, Long n) { return static_cast<Long>(pool.pick(static_cast<std::size_t>(n))); }
    static Delayed<Int, 0> value(Pool& pool) { return pool.scalar(); }

    /// The last of several arrays is given away; any other is kept.
    template <class A>
    static A taken(Pool& pool, std::vector<A>& all) {
        if (all.size() == 1 || pool.chance(40)) return pool.any_of(all);
        A last = all.back();
        all.pop_back();
        return last;
    }
    template <class A>
    static void put(Pool&, std::vector<A>& all, const A& made) {
        all.push_back(made);
    }

    static void part_of_vector(Pool& pool) {
        const Long n = pool.n, step = pool.between(1, 3), low = place(pool, n);
        auto part = range(low, n, step);
        auto x = taken(pool, pool.vectors());
        auto replaced = pool.chance(50) ? update(std::move(x), part, value(pool))
                                        : update(std::move(x), part, slice(reverse(pool.vector()), part));
        put(pool, pool.vectors(), replaced);
    }

    /// `length` indices of an axis of extent n, from a constant or from an index of a loop on.
    static Range window(Pool& pool, Long n, Long length) {
        const Long places = n - length + 1;
        if (pool.sliced || pool.indices.empty() || pool.chance(50)) {
            const Long low = place(pool, places);
            return range(low, low + length);
        }
        auto low = (pool.any_of(pool.indices) + place(pool, places)) % places;
        return range(low, low + length);
    }

    /// One window of an array after another, made of windows of any of the versions.
    template <class A, class Part>
    static A windows(Pool& pool, const A& first, Part part) {
        std::vector<A> versions{first};
        for (int k = pool.between(1, 3); k > 0; --k) {
            auto values =
                map([](auto a, auto b) { return a * 3 - b; }, part(pool.any_of(versions)), part(pool.any_of(versions)));
            versions.push_back(part(versions.back(), values));
        }
        return pool.chance(70) ? versions.back() : A(versions.back() + pool.any_of(versions));
    }

    static void windows_of_vector(Pool& pool) {
        const Long n = pool.n, length = 1 + place(pool, n);
        std::vector<Range> places;
        for (int k = 0; k < 3; ++k) places.push_back(window(pool, n, length));
        auto part = [&]<class... Values>(const Delayed<Int, 1>& x, const Values&... values) {
            if constexpr (sizeof...(values) == 0)
                return slice(x, pool.any_of(places));
            else
                return update(x, pool.any_of(places), values...);
        };
        put(pool, pool.vectors(), windows(pool, pool.vector(), part));
    }

    static void windows_of_matrix(Pool& pool) {
        const Long n = pool.n, m = pool.m;
        if (m == 0) return;
        const Long height = 1 + place(pool, n), width = 1 + place(pool, m);
        std::vector<Range> rows, columns;
        for (int k = 0; k < 2; ++k) rows.push_back(window(pool, n, height)), columns.push_back(window(pool, m, width));
        auto part = [&]<class... Values>(const Delayed<Int, 2>& a, const Values&... values) {
            const Range row = pool.any_of(rows), column = pool.any_of(columns);
            if constexpr (sizeof...(values) == 0)
                return slice(a, row, column);
            else
                return update(a, row, column, values...);
        };
        put(pool, pool.matrices, windows(pool, pool.matrix(), part));
    }

    /// At the index of a loop around, if there is one that is small enough for that.
    static void in_loop(Pool& pool) {
        if (pool.indices.empty()) return;
        auto i = pool.any_of(pool.indices) % pool.n;
        if (pool.sliced) return;
        if (pool.chance(50))
            put(pool, pool.vectors(), update(taken(pool, pool.vectors()), index(i), value(pool)));
        else
            put(pool, pool.matrices, update(taken(pool, pool.matrices), i, all, pool.row()));
    }
};

}  // namespace

const Kind& updates() {
    static const Updates kind;
    return kind;
}

}  // namespace random_programs
