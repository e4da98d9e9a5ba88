// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vmap: functions of slices of rank 0 to 2, their bodies random programs that see the arrays outside.
#include "random/kinds.hpp"

namespace random_programs {

namespace {

class Slices : public Kind {
  public:
    void grow(Pool& pool) const override {
        switch (pool.pick(4)) {
            case 0:
                of_rows(pool);
                break;
            case 1:
                of_columns(pool);
                break;
            case 2:
                of_planes(pool);
                break;
            default:
                of_elements(pool);
                break;
        }
    }

  private:
    static Pool inside(const Pool& pool) {
        Pool inner = pool;
        ++inner.depth;
        inner.sliced = true;
        return inner;
    }

    static void of_rows(Pool& pool) {
        auto f = [&](const Delayed<Int, 1>& row, Exp<Int> s) {
            Pool inner = inside(pool);
            inner.rows().push_back(row);
            inner.scalars.push_back(fill(shape(), s));
            inner.grow(pool.body_steps());
            return std::tuple(inner.row(), inner.scalar()());
        };
        auto [a, x] = vmap(f, pool.matrix(), pool.vector());
        pool.matrices.push_back(a);
        pool.vectors().push_back(x);
    }

    static void of_columns(Pool& pool) {
        auto f = [&](const Delayed<Int, 1>& column) {
            Pool inner = inside(pool);
            inner.vectors().push_back(column);
            inner.grow(pool.body_steps());
            return inner.vector();
        };
        pool.matrices.push_back(transpose(vmap(f, transpose(pool.matrix()))));
    }

    static void of_planes(Pool& pool) {
        auto f = [&](const Delayed<Int, 2>& plane) {
            Pool inner = inside(pool);
            inner.matrices.push_back(plane);
            inner.grow(pool.body_steps());
            return inner.matrix();
        };
        pool.cubes.push_back(vmap(f, pool.cube()));
    }

    static void of_elements(Pool& pool) {
        const std::size_t group = pool.any_group();
        auto f = [&](Exp<Int> v) {
            Pool inner = inside(pool);
            inner.scalars.push_back(fill(shape(), v));
            inner.grow(pool.body_steps());
            return inner.scalar()();
        };
        pool.groups[group].arrays.push_back(vmap(f, pool.any_of(pool.groups[group].arrays)));
    }
};

}  // namespace

const Kind& slices() {
    static const Slices kind;
    return kind;
}

}  // namespace random_programs
