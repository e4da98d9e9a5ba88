// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Making arrays.
#include "operations/support.hpp"

using namespace operations;

OPERATION("Making arrays", "from memory") {
    const std::vector<int> range = {1, 2, 3, 4};
    gives(from(range), {1, 2, 3, 4});
    gives(from(range, shape(2, 2)), {{1, 2}, {3, 4}});
    gives(from({5, 6}), {5, 6});
    gives(from(std::vector<int>{}), {});
    CHECK_THROWS_AS(from(range, shape(2, 3)), ShapeError);
    Array<int> borrowed = borrow(range);
    CHECK(borrowed.data() == range.data());
    gives(borrowed * 2, {2, 4, 6, 8});
}

OPERATION("Making arrays", "back to memory") {
    Array<int, 2> a = from({1, 2, 3, 4}, shape(2, 2));
    CHECK(a.to_vector() == std::vector<int>{1, 2, 3, 4});
    CHECK(a.data()[3] == 4);
    CHECK(from(std::vector<int>{}).to_vector().empty());
}

OPERATION("Making arrays", "from a function on the host") {
    std::vector<double> vector;
    for (int k = 0; k < 6; ++k) vector.push_back(k * 0.5);
    gives(from(vector, shape(2, 3)), {{0, 0.5, 1}, {1.5, 2, 2.5}});
}

OPERATION("Making arrays", "one value") {
    gives(fill(shape(), 2.5), 2.5);
    gives(map([](auto x) { return x + 3; }, from({1, 2})), {4, 5});
}

OPERATION("Making arrays", "from a function") {
    auto f = [](auto i, auto j) { return i * 10 + j; };
    gives(generate(shape(3), [](auto i) { return i * i; }), {0, 1, 4});
    gives(generate(shape(2, 3), f), {{0, 1, 2}, {10, 11, 12}});
    gives(generate(shape(0, 3), f), {});
    gives(generate(shape(1, 1, 2), [](auto, auto, auto k) { return k; }), {{{0, 1}}});
}

OPERATION("Making arrays", "one value everywhere") {
    gives(fill(shape(3), 2.5f), {2.5f, 2.5f, 2.5f});
    gives(fill(shape(2, 2), true), {{true, true}, {true, true}});
    gives(fill(shape(0), 1), {});
}

OPERATION("Making arrays", "0, 1, ..., n - 1") {
    gives(iota(4), {0, 1, 2, 3});
    gives(iota(0), {});
    gives(iota<float>(3), {0, 1, 2});
    const std::int64_t x = 5;
    gives(map([=](auto i) { return x + i; }, iota(3)), {5, 6, 7});
}

OPERATION("Making arrays", "with a step") {
    const std::int64_t x = 7, step = -2;
    gives(map([=](auto i) { return x + step * i; }, iota(4)), {7, 5, 3, 1});
}

OPERATION("Making arrays", "concatenation") {
    Array<int> a = from({1, 2}), none = from(std::vector<int>{});
    gives(concat(a, from({3})), {1, 2, 3});
    gives(concat(none, a), {1, 2});
    Array<int, 2> m = from({1, 2, 3, 4}, shape(2, 2)), column = from({5, 6}, shape(2, 1));
    gives(concat(m, m), {{1, 2}, {3, 4}, {1, 2}, {3, 4}});
    gives(concat(m, column, axis(1)), {{1, 2, 5}, {3, 4, 6}});
    CHECK_THROWS_AS(concat(m, column), ShapeError);
}

OPERATION("Making arrays", "as many results an element as it asks for") {
    Array<int> a = from({10, 20, 30});
    auto f = [](auto x, auto j) { return cast<std::int64_t>(x) + j; };
    gives(expand(from({2, 0, 3}), f, a), {10, 11, 30, 31, 32});
    gives(expand(2, f, a), {10, 11, 20, 21, 30, 31});
    gives(expand(0, f, a), {});
}

OPERATION("Making arrays", "a copy") {
    Array<int> a = from({1, 2}), b = a;
    b = run(update(std::move(b), index(0), 7));
    gives(a, {1, 2});
    gives(b, {7, 2});
}

OPERATION("Making arrays", "made manifest") {
    auto doubled = force(iota(3) * 2);
    gives(doubled + 1, {1, 3, 5});
    CHECK(explain(force(iota(3) * 2) + 1).clusters().size() > explain(iota(3) * 2 + 1).clusters().size());
}
