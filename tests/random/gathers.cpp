// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading at computed positions.
#include "random/functions.hpp"
#include "random/kinds.hpp"

namespace random_programs {

namespace {

class Gathers : public Kind {
  public:
    void grow(Pool& pool) const override {
        const Long n = pool.n, m = pool.m;
        switch (pool.pick(4)) {
            case 0:
                if (n > 0) from_vector(pool);
                break;
            case 1:
                if (n > 0 && m > 0) from_matrix(pool);
                break;
            case 2:
                if (m > 0)
                    pool.matrices.push_back(backpermute(
                        shape(n, m), [=](auto i, auto j) { return std::tuple(n - 1 - i, (j + i) % m); }, pool.matrix()));
                break;
            default:
                if (m > 0)
                    pool.vectors().push_back(
                        backpermute(shape(n), [=](auto i) { return std::tuple(i, i * 3 % m); }, pool.matrix()));
                break;
        }
    }

  private:
    static void from_vector(Pool& pool) {
        const Long n = pool.n;
        pool.grow_any_shape([&](auto next) {
            auto indices = map([=](Exp<Int> v) { return position(v, n); }, next());
            return gather(indices, pool.vector());
        });
    }

    static void from_matrix(Pool& pool) {
        const Long n = pool.n, m = pool.m;
        pool.grow_any_shape([&](auto next) {
            auto indices =
                map([=](Exp<Int> v, Exp<Int> w) { return std::tuple(position(v, n), position(w, m)); }, next(), next());
            return gather(indices, pool.matrix());
        });
    }
};

}  // namespace

const Kind& gathers() {
    static const Gathers kind;
    return kind;
}

}  // namespace random_programs
