// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays and their shape.
#include "operations/support.hpp"

using namespace operations;

OPERATION("Arrays and their shape", "element of an index") {
    Array<int, 2> a = from({1, 2, 3, 4, 5, 6}, shape(2, 3));
    CHECK(a(1, 2) == 6);
    CHECK_THROWS_AS(a(2, 0), IndexError);
    gives(map([=](auto j) { return a(1, j); }, iota(3)), {4, 5, 6});
    CHECK_THROWS_AS(run(map([=](auto j) { return a(1, j); }, iota(4))), IndexError);
}

OPERATION("Arrays and their shape", "element of a row-major offset") {
    Array<int, 2> a = from({1, 2, 3, 4, 5, 6}, shape(2, 3));
    auto elements = flatten(a);
    gives(map([=](auto i) { return elements(i); }, from({5, 0, 3})), {6, 1, 4});
}

OPERATION("Arrays and their shape", "value of a rank-0 array") {
    Array<int> a = from({1, 2, 3});
    auto s = sum(a);
    CHECK(run(s).item() == 6);
    gives(map([=](auto x) { return x - s(); }, a), {-5, -4, -3});
}

OPERATION("Arrays and their shape", "no element?") {
    auto is_empty = [](const auto& a) { return a.size() == 0; };
    CHECK(is_empty(from(std::vector<int>{})));
    CHECK(is_empty(run(fill(shape(3, 0), 1))));
    CHECK_FALSE(is_empty(from({0})));
}

OPERATION("Arrays and their shape", "number of elements along the outermost axis") {
    Array<int, 2> a = from({1, 2, 3, 4, 5, 6}, shape(2, 3));
    CHECK(a.shape()[0] == 2);
    gives(map([=](auto x) { return x * extent(a, 0); }, iota(3)), {0, 2, 4});
}

OPERATION("Arrays and their shape", "shape") {
    Array<int, 2> a = from({1, 2, 3, 4, 5, 6}, shape(2, 3));
    CHECK(a.shape() == std::array<std::int64_t, 2>{2, 3});
    gives(map([=](auto x) { return x * extent(a, 1); }, iota(3)), {0, 3, 6});
}

OPERATION("Arrays and their shape", "number of elements") {
    Array<int, 2> a = from({1, 2, 3, 4, 5, 6}, shape(2, 3));
    CHECK(a.size() == 6);
    gives(map([=](auto x) { return x * size(a); }, iota(3)), {0, 6, 12});
}

OPERATION("Arrays and their shape", "rank") {
    using A = Array<int, 2>;
    using B = decltype(sum(std::declval<A>()));
    CHECK(rank_v<A> == 2);
    CHECK(rank_v<B> == 1);
}

OPERATION("Arrays and their shape", "indices of an array") {
    Array<float> a = from({2.5f, 3.5f, 4.5f});
    gives(iota(a.shape()[0]), {0, 1, 2});
    gives(iota(from(std::vector<float>{}).size()), {});
}

OPERATION("Arrays and their shape", "index of rank 0, 1, 2, 3; its parts") {
    gives(generate(shape(2, 3), [](auto i, auto j) { return i * 10 + j; }), {{0, 1, 2}, {10, 11, 12}});
    gives(generate(shape(1, 2, 2), [](auto i, auto j, auto k) { return i + j * 10 + k; }), {{{0, 1}, {10, 11}}});
}

OPERATION("Arrays and their shape", "offset of an index, and back") {
    const std::int64_t columns = 3;
    gives(generate(shape(2, columns), [=](auto i, auto j) { return i * columns + j; }), {{0, 1, 2}, {3, 4, 5}});
    auto [i, j] = unzip(map([=](auto offset) { return std::tuple(offset / columns, offset % columns); }, iota(6)));
    gives(i, {0, 0, 0, 1, 1, 1});
    gives(j, {0, 1, 2, 0, 1, 2});
}

OPERATION("Arrays and their shape", "least common extents of two shapes") {
    const std::int64_t m = 3, n = 2, p = 1, q = 4;
    gives(fill(shape(std::min(m, n), std::min(p, q)), 7), {{7}, {7}});
}

OPERATION("Arrays and their shape", "a fixed size") {
    auto a = map([](auto x) { return x + 1; }, iota(3));
    gives(reshape(a, shape(3)), {1, 2, 3});
    CHECK_THROWS_AS(run(reshape(a, shape(4))), ShapeError);
}
