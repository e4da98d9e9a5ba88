// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops and branches on arrays, their bodies random programs.
#include "random/functions.hpp"
#include "random/kinds.hpp"

namespace random_programs {

namespace {

class Control : public Kind {
  public:
    void grow(Pool& pool) const override {
        switch (pool.pick(7)) {
            case 0:
                vector_loop(pool);
                break;
            case 1:
                matrix_loop(pool);
                break;
            case 2:
                while_below(pool);
                break;
            case 3:
                data_dependent_state(pool);
                break;
            case 4:
                if (!pool.sliced) changing_state(pool);
                break;
            case 5:
                if (!pool.sliced) branch_of_extents(pool);
                break;
            default:
                branch(pool);
                break;
        }
    }

  private:
    static Pool inside(const Pool& pool) {
        Pool inner = pool;
        ++inner.depth;
        return inner;
    }

    /// How often: a literal or a value.
    template <class Body, class... State>
    static auto repeated(Pool& pool, const Body& body, const State&... state) {
        if (pool.chance(50)) return for_loop(static_cast<Long>(pool.pick(8)), body, state...);
        auto count = map([](auto v) { return position(v, 8); }, pool.scalar());
        return for_loop(count, body, state...);
    }

    /// Two of its states are the counters of the last iterations.
    static void vector_loop(Pool& pool) {
        auto body = [&](Exp<Long> i, const Delayed<Int, 1>& x, const Delayed<Int, 0>& s, Exp<Long> last, Exp<Long>) {
            Pool inner = inside(pool);
            inner.indices.push_back(i);
            inner.vectors().push_back(x);
            inner.scalars.push_back(s);
            inner.grow(pool.body_steps());
            return std::tuple(inner.vector(), inner.scalar(), i, last);
        };
        auto [x, s, last, before] = repeated(pool, body, pool.vector(), pool.scalar(), Long{-1}, Long{-2});
        pool.vectors().push_back(x);
        pool.scalars.push_back(s);
        pool.scalars.push_back(map([](auto a, auto b) { return cast<Int>(a * 3 + b); }, last, before));
    }

    static void matrix_loop(Pool& pool) {
        auto body = [&](Exp<Long> i, const Delayed<Int, 2>& a, const Delayed<Int, 1>& x) {
            Pool inner = inside(pool);
            inner.indices.push_back(i);
            inner.matrices.push_back(a);
            inner.rows().push_back(x);
            inner.grow(pool.body_steps());
            return std::tuple(inner.matrix(), inner.row());
        };
        auto [a, x] = repeated(pool, body, pool.matrix(), pool.row());
        pool.matrices.push_back(a);
        pool.rows().push_back(x);
    }

    static void while_below(Pool& pool) {
        auto condition = [](Exp<Int> rounds, const Delayed<Int, 1>& x) { return rounds < 3 && sum(x)() % 5 != 0; };
        auto body = [&](Exp<Int> rounds, const Delayed<Int, 1>& x) {
            Pool inner = inside(pool);
            inner.vectors().push_back(x);
            inner.grow(pool.body_steps());
            return std::tuple(rounds + 1, inner.vector());
        };
        auto [rounds, x] = while_loop(condition, body, 0, pool.vector());
        pool.scalars.push_back(rounds);
        pool.vectors().push_back(x);
    }

    static void data_dependent_state(Pool& pool) {
        const std::size_t group = pool.groups.size() - 1;
        auto body = [&](Exp<Long> i, const Delayed<Int, 1>& x) {
            Pool inner = inside(pool);
            inner.indices.push_back(i);
            inner.groups[group].arrays.push_back(x);
            inner.grow(pool.body_steps());
            return inner.any_of(inner.groups[group].arrays);
        };
        pool.groups[group].arrays.push_back(repeated(pool, body, pool.any_of(pool.groups[group].arrays)));
    }

    /// A state of any extent after each iteration, but not of too many elements.
    static void changing_state(Pool& pool) {
        auto body = [&](Exp<Long> i, const Delayed<Int, 1>& x, const Delayed<Int, 0>& s) {
            Pool inner = inside(pool);
            inner.indices.push_back(i);
            inner.add_group(x);
            inner.scalars.push_back(s);
            inner.grow(pool.body_steps());
            auto next = inner.any_of(inner.any_of(inner.groups).arrays);
            if (pool.chance(30)) next = concat(next, x);
            return std::tuple(take(next, min(size(next), Exp<Long>(2000))), inner.scalar());
        };
        auto [x, s] = repeated(pool, body, pool.any_of(pool.any_of(pool.groups).arrays), pool.scalar());
        pool.add_group(x);
        pool.scalars.push_back(s);
    }

    /// Sides of any extent.
    static void branch_of_extents(Pool& pool) {
        auto condition = map([&](auto v) { return predicate(pool, v); }, pool.scalar());
        auto side = [&] {
            Pool inner = inside(pool);
            inner.grow(pool.body_steps());
            auto result = inner.any_of(inner.any_of(inner.groups).arrays);
            return std::tuple(pool.chance(50) ? take(result, size(result) / 2) : result, inner.matrix(), inner.scalar());
        };
        auto [x, a, s] = cond(condition, side, side);
        pool.add_group(x);
        pool.matrices.push_back(a);
        pool.scalars.push_back(s);
    }

    static void branch(Pool& pool) {
        auto condition = map([&](auto v) { return predicate(pool, v); }, pool.scalar());
        auto side = [&] {
            Pool inner = inside(pool);
            inner.grow(pool.body_steps());
            return std::tuple(inner.vector(), inner.matrix(), inner.scalar());
        };
        auto [x, a, s] = cond(condition, side, side);
        pool.vectors().push_back(x);
        pool.matrices.push_back(a);
        pool.scalars.push_back(s);
    }
};

}  // namespace

const Kind& control() {
    static const Control kind;
    return kind;
}

}  // namespace random_programs
