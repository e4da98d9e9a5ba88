// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "random/functions.hpp"

namespace random_programs {

Exp<Int> expression(Pool& pool, std::vector<Exp<Int>> values) {
    for (int steps = pool.between(1, 4); steps > 0; --steps) {
        Exp<Int> a = values[pool.pick(values.size())], b = values[pool.pick(values.size())];
        switch (pool.pick(11)) {
            case 0:
                values.push_back(a + b);
                break;
            case 1:
                values.push_back(a - b);
                break;
            case 2:
                values.push_back(a * b);
                break;
            case 3:
                values.push_back(min(a, b));
                break;
            case 4:
                values.push_back(select(a < b, a, b + 1));
                break;
            case 5:
                values.push_back(a ^ b);
                break;
            case 6:
                values.push_back(a / (b * b % 7 + 8));
                break;
            case 7:
                values.push_back(cond(a > b, [=] { return a * 3; }, [=] { return b - a; }));
                break;
            case 8:
                values.push_back(for_loop(3, [=](auto i, auto s) { return s + a * cast<Int>(i); }, b));
                break;
            case 9:
                values.push_back(while_loop([=](auto s) { return s > 5; }, [=](auto s) { return s / 3; }, a));
                break;
            default:
                values.push_back((a << 1) + 5);
                break;
        }
    }
    return values.back();
}

Exp<bool> predicate(Pool& pool, Exp<Int> value) {
    switch (pool.pick(5)) {
        case 0:
            return value > pool.between(-3, 3);
        case 1:
            return (value & 1) == 0;
        case 2:
            return value % 3 != 0;
        case 3:
            return value != value;
        default:
            return value * value >= 0 || value < 100;
    }
}

Exp<Long> position(Exp<Int> x, Exp<Long> n) { return abs(cast<Long>(x)) % n; }

namespace {

Exp<Pair> pair(Exp<Int> a, Exp<Int> b) { return record<Pair>(a, b); }

}  // namespace

IntMonoid commutative_monoid(Pool& pool) {
    switch (pool.pick(5)) {
        case 0:
            return {[](auto l, auto r) { return l + r; }, 7};
        case 1:
            return {[](auto l, auto r) { return max(l, r); }, -3};
        case 2:
            return {[](auto l, auto r) { return min(l, r); }, 3};
        case 3:
            return {[](auto l, auto r) { return l ^ r; }, 5};
        default:
            return {[](auto l, auto r) { return l * r; }, 3};
    }
}

IntMonoid any_monoid(Pool& pool) {
    switch (pool.pick(7)) {
        case 0:
            return {[](auto, auto r) { return r; }, 11};
        case 1:
            return {[](auto l, auto) { return l; }, 4};
        case 2:
            return {[](auto l, auto r) { return cond(r != 0, [=] { return r; }, [=] { return l; }); }, 2};
        default:
            return commutative_monoid(pool);
    }
}

PairMonoid commutative_pair_monoid(Pool& pool) {
    if (pool.chance(50))
        return {[](auto x, auto y) {
                    auto [a, b] = x;
                    auto [c, d] = y;
                    return pair(a + c, max(b, d));
                },
                {1, -2}};
    return {[](auto x, auto y) {  // the greatest a, of equal ones with the least b
                auto [a, b] = x;
                auto [c, d] = y;
                auto first = a > c || (a == c && b < d);
                return pair(select(first, a, c), select(first, b, d));
            },
            {-7, 7}};
}

PairMonoid any_pair_monoid(Pool& pool) {
    switch (pool.pick(3)) {
        case 0:
            return {[](auto x, auto y) {  // v -> a v + b, composed
                        auto [a, b] = x;
                        auto [c, d] = y;
                        return pair(c * a, c * b + d);
                    },
                    {3, 1}};
        case 1:
            return {[](auto x, auto y) {  // sums that begin anew where a is odd
                        auto [a, b] = x;
                        auto [c, d] = y;
                        return pair(a | c, select((c & 1) == 1, d, b + d));
                    },
                    {0, 5}};
        default:
            return commutative_pair_monoid(pool);
    }
}

}  // namespace random_programs
