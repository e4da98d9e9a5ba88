// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index functions: reversal, transposition, slices, reshaping, copies along a new axis; and force.
#include "random/kinds.hpp"

namespace random_programs {

namespace {

class Views : public Kind {
  public:
    void grow(Pool& pool) const override {
        switch (pool.pick(9)) {
            case 0:
                pool.grow_any_shape([&](auto next) {
                    auto x = next();
                    return reverse(x, axis(static_cast<Long>(pool.pick(static_cast<std::size_t>(rank_v<decltype(x)>)))));
                });
                break;
            case 1:
                pool.matrices.push_back(replicate(pool.n, pool.row()));
                break;
            case 2:
                pool.matrices.push_back(transpose(replicate(pool.m, pool.vector())));
                break;
            case 3:
                pool.cubes.push_back(replicate(pool.k, pool.matrix()));
                break;
            case 4:
                pool.cubes.push_back(broadcast(pool.vector(), shape(pool.k, pool.n, pool.m), axes(1)));
                break;
            case 5:
                pool.cubes.push_back(transpose(
                    reshape(flatten(transpose(pool.cube(), {2, 0, 1})), shape(pool.m, pool.k, pool.n)), {1, 2, 0}));
                break;
            case 6:
                pool.grow_any_shape([&](auto next) { return force(next()); });
                break;
            case 7:
                one_line(pool);
                break;
            default:
                one_plane(pool);
                break;
        }
    }

  private:
    static void one_line(Pool& pool) {
        if (pool.n > 0 && pool.chance(50)) {
            Long i = static_cast<Long>(pool.pick(static_cast<std::size_t>(pool.n)));
            pool.rows().push_back(reshape(slice(pool.matrix(), range(i, i + 1), all), shape(pool.m)));
        } else if (pool.m > 0) {
            Long j = static_cast<Long>(pool.pick(static_cast<std::size_t>(pool.m)));
            pool.vectors().push_back(flatten(slice(pool.matrix(), all, range(j, j + 1))));
        }
    }

    static void one_plane(Pool& pool) {
        if (pool.k == 0) return;
        Long i = static_cast<Long>(pool.pick(static_cast<std::size_t>(pool.k)));
        pool.matrices.push_back(reshape(take(drop(pool.cube(), i), 1), shape(pool.n, pool.m)));
    }
};

}  // namespace

const Kind& views() {
    static const Views kind;
    return kind;
}

}  // namespace random_programs
