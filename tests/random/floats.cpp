// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same operations on floats, as far as their order does not matter for the bits: NaNs, infinities and zeros of both
// signs among them.
#include "random/functions.hpp"
#include "random/kinds.hpp"

namespace random_programs {

namespace {

class Floats : public Kind {
  public:
    void grow(Pool& pool) const override {
        pool.grow_any_shape([&](auto next) { return integers(computed(pool, fractions(pool, next()))); });
    }

  private:
    template <class A>
    static auto fractions(Pool& pool, const A& x) {
        switch (pool.pick(3)) {
            case 0:
                return map([](auto v) { return cast<float>(v) * 0.375f; }, x);
            case 1:
                return map([](auto v) { return 1.f / cast<float>(v % 4); }, x);
            default:
                return map([](auto v) { return sqrt(cast<float>(v % 100)); }, x);
        }
    }

    template <class A>
    static A computed(Pool& pool, const A& x) {
        switch (pool.pick(7)) {
            case 0:
                return sort(x);
            case 1:
                return inclusive_scan([](auto l, auto r) { return max(l, r); }, x);
            case 2:
                return exclusive_scan([](auto l, auto r) { return min(l, r); }, 0.5f, x, axis(0), from_right);
            case 3:
                return stencil([](const auto& s) { return twice(s) * 0.25f; }, boundary::constant(-0.f), x);
            case 4:
                return rotate(-x, 3);
            case 5:
                return map([](auto v) { return exp(v * 0.01f) - floor(v); }, x);
            default:
                return sort(x, descending);
        }
    }

    template <int Rank>
    static Exp<float> twice(const Neighbourhood<float, Rank>& s) {
        if constexpr (Rank == 1)
            return s(-1) + s(1);
        else if constexpr (Rank == 2)
            return s(-1, 0) + s(0, 1);
        else
            return s(-1, 0, 0) + s(0, 0, 1);
    }

    /// What tells all floats but NaNs apart.
    template <class A>
    static auto integers(const A& x) {
        return map([](Exp<float> v) { return select(isnan(v), 77, bit_cast<Int>(v) >> 8); }, x);
    }
};

}  // namespace

const Kind& floats() {
    static const Floats kind;
    return kind;
}

}  // namespace random_programs
