// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting, up and down, by keys of one or two components.
#include "random/kinds.hpp"

namespace random_programs {

namespace {

class Sorts : public Kind {
  public:
    void grow(Pool& pool) const override {
        pool.grow_any_shape([&](auto next) { return sorted(pool, next(), next()); });
    }

  private:
    template <class A>
    static A sorted(Pool& pool, const A& x, const A& y) {
        switch (pool.pick(7)) {
            case 0:
                return sort(x);
            case 1:
                return sort(x, descending);
            case 2:
                return std::get<1>(sort_by_key(map([](auto v) { return v % 3; }, x), y));
            case 3:
                return std::get<0>(sort_by_key(x, y, descending));
            case 4:
                return std::get<1>(sort_by_key(zip(map([](auto v) { return v > 0; }, y), x), y));
            case 5:
                return get<1>(sort(zip(map([](auto v) { return v & 3; }, x), y)));
            default:
                return map([](auto i) { return cast<Int>(i); }, argsort(x));
        }
    }
};

}  // namespace

const Kind& sorts() {
    static const Sorts kind;
    return kind;
}

}  // namespace random_programs
