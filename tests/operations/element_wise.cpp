// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element-wise.
#include "operations/support.hpp"

using namespace operations;

namespace {

const std::vector<int> none;

}  // namespace

OPERATION("Element-wise", "map") {
    auto f = [](auto x) { return x * x - 1; };
    gives(map(f, from({1, 2, 3})), {0, 3, 8});
    gives(map(f, from(none)), {});
    gives(map(f, from({1, 2, 3, 4}, shape(2, 2))), {{0, 3}, {8, 15}});
}

OPERATION("Element-wise", "map of several arrays") {
    Array<int> a = from({1, 2}), b = from({10, 20}), c = from({3, 5});
    gives(map([](auto x, auto y) { return x + y; }, a, b), {11, 22});
    gives(map([](auto x, auto y, auto z) { return (x + y) * z; }, a, b, c), {33, 110});
    gives(map([](auto x, auto y, auto z, auto u, auto v) { return x + y + z + u + v; }, a, b, c, a, b), {25, 49});
    CHECK_THROWS_AS(map([](auto x, auto y) { return x + y; }, a, from(none)), ShapeError);
}

OPERATION("Element-wise", "map with the index") {
    auto f = [](auto i, auto x) { return i * x; };
    gives(map_indexed(f, from(std::vector<std::int64_t>{5, 6, 7})), {0, 6, 14});
    Array<std::int64_t, 2> a = from(std::vector<std::int64_t>{1, 2, 3, 4}, shape(2, 2));
    gives(map_indexed([](auto i, auto j, auto x) { return i * 100 + j * 10 + x; }, a), {{1, 12}, {103, 114}});
}

OPERATION("Element-wise", "map of several arrays with the index") {
    Array<std::int64_t> a = from(std::vector<std::int64_t>{5, 6}), b = from(std::vector<std::int64_t>{7, 8});
    gives(map_indexed([](auto i, auto x, auto y) { return i * 100 + x * y; }, a, b), {35, 148});
}

OPERATION("Element-wise", "elements with their indices") {
    Array<float> a = from({0.5f, 1.5f});
    using Pairs = std::vector<std::tuple<std::int64_t, float>>;
    gives(map_indexed([](auto i, auto x) { return std::tuple(i, x); }, a), Pairs{{0, 0.5f}, {1, 1.5f}});
}

OPERATION("Element-wise", "arrays to an array of tuples") {
    Array<int> a = from({1, 2});
    Array<float> b = from({0.5f, 1.5f});
    using Pairs = std::vector<std::tuple<int, float>>;
    gives(zip(a, b), Pairs{{1, 0.5f}, {2, 1.5f}});
    gives(map([](auto x, auto y, auto z) { return cast<float>(x) + y * z; }, zip(a, b, b)), {1.25f, 4.25f});
    CHECK_THROWS_AS(zip(a, from(none)), ShapeError);
}

OPERATION("Element-wise", "an array of tuples to arrays") {
    Array<std::tuple<int, float, bool>> a =
        from(std::vector<std::tuple<int, float, bool>>{{1, 0.5f, true}, {2, 1.5f, false}});
    auto [x, y, z] = unzip(a);
    gives(x, {1, 2});
    gives(y, {0.5f, 1.5f});
    gives(z, {true, false});
}
