// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Beyond both.
#include "operations/support.hpp"

using namespace operations;

OPERATION("Beyond both", "sorting") {
    Array<int> a = from({3, 1, 2});
    gives(sort(a), {1, 2, 3});
    gives(sort(a, descending), {3, 2, 1});
    gives(sort(from(std::vector<int>{})), {});
    auto [keys, values] = sort_by_key(a, from({'a', 'b', 'c'}));
    gives(keys, {1, 2, 3});
    gives(values, {'b', 'c', 'a'});
    gives(argsort(a), {1, 2, 0});
}

OPERATION("Beyond both", "update in place") {
    Array<int> a = run(iota<int>(3));
    Array<int> b = run(update(std::move(a), index(1), 7));
    gives(b, {0, 7, 2});
    Array<int, 2> m = run(fill(shape(2, 2), 0));
    gives(update(m, all, range(1, 2), 5), {{0, 5}, {0, 5}});
}

OPERATION("Beyond both", "padding") {
    gives(pad(from({1, 2}), {{1, 2}}, 0), {0, 1, 2, 0, 0});
    gives(pad(from({1, 2}, shape(1, 2)), {{1, 0}, {0, 1}}, 9), {{9, 9, 9}, {1, 2, 9}});
    gives(pad(from(std::vector<int>{}), {{0, 2}}, 4), {4, 4});
    Array<int> a = from({1, 2, 3});
    gives(pad(a, {{2, 4}}, boundary::clamp), {1, 1, 1, 2, 3, 3, 3, 3, 3});
    gives(pad(a, {{2, 4}}, boundary::symmetric), {2, 1, 1, 2, 3, 3, 2, 1, 1});
    gives(pad(a, {{2, 4}}, boundary::reflect), {3, 2, 1, 2, 3, 2, 1, 2, 3});
    gives(pad(a, {{2, 4}}, boundary::wrap), {2, 3, 1, 2, 3, 1, 2, 3, 1});
}

OPERATION("Beyond both", "nested parallelism") {
    Array<int, 2> a = from({1, 2, 3, 4, 5, 6}, shape(2, 3));
    gives(vmap([](Delayed<int> row) { return sum(row); }, a), {6, 15});
    gives(vmap([](Delayed<int> row, Exp<int> x) { return map([=](auto v) { return v * x; }, row); }, a, from({10, 1})),
          {{10, 20, 30}, {4, 5, 6}});
    gives(vmap([&](auto p) { return vmap([=](auto q) { return sum(p * q); }, a); }, a), {{14, 32}, {32, 77}});
}

TEST_CASE("arguments of a compiled function convert as those of any function") {
    const auto f = compile([](Delayed<float> x, Exp<float> k, Exp<std::int64_t> n) { return x * k + cast<float>(n); });
    const Array<float> a = from(std::vector<float>{1, 2});
    CHECK(f(a, 2.0, 3).to_vector() == std::vector<float>{5, 7});
    CHECK(f(from(std::vector<float>{1}), 2, 3u).to_vector() == std::vector<float>{5});
    const auto g = compile([](Exp<std::tuple<float, float>> pair) {
        auto [p, q] = pair;
        return p - q;
    });
    CHECK(g({3, 1}) == 2);
}
