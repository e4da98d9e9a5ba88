// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rearranging.
#include "operations/support.hpp"

using namespace operations;

namespace {

const std::vector<int> none;

/// 0 to 5 in two rows of three.
Array<int, 2> matrix() { return from({0, 1, 2, 3, 4, 5}, shape(2, 3)); }

}  // namespace

OPERATION("Rearranging", "new shape") {
    gives(reshape(matrix(), shape(3, 2)), {{0, 1}, {2, 3}, {4, 5}});
    gives(reshape(from(none), shape(0, 7)), {});
    CHECK_THROWS_AS(reshape(matrix(), shape(4, 2)), ShapeError);
}

OPERATION("Rearranging", "all axes to one") {
    gives(flatten(matrix()), {0, 1, 2, 3, 4, 5});
    gives(flatten(transpose(matrix())), {0, 3, 1, 4, 2, 5});
    gives(flatten(fill(shape(3, 0), 1)), {});
}

OPERATION("Rearranging", "copies along a new axis") {
    Array<int> a = from({1, 2});
    gives(replicate(3, a), {{1, 2}, {1, 2}, {1, 2}});
    gives(replicate(0, a), {});
    gives(broadcast(a, shape(3, 2), axes(1)), {{1, 2}, {1, 2}, {1, 2}});
    gives(broadcast(a, shape(2, 3), axes(0)), {{1, 1, 1}, {2, 2, 2}});
}

OPERATION("Rearranging", "a part of fixed indices") {
    gives(slice(matrix(), all, range(0, 3, 2)), {{0, 2}, {3, 5}});
    gives(slice(matrix(), range(1, 2), all), {{3, 4, 5}});
    gives(slice(matrix(), all, range(2, 2)), {{}, {}});
    gives(reshape(slice(matrix(), range(1, 2), all), shape(3)), {3, 4, 5});
    gives(slice(from({1, 2, 3}), range(2, -1, -1)), {3, 2, 1});
    CHECK_THROWS_AS(slice(matrix(), all, range(0, 4)), ShapeError);
}

OPERATION("Rearranging", "first elements") {
    gives(take(matrix(), 1), {{0, 1, 2}});
    gives(take(matrix(), 2, axis(1)), {{0, 1}, {3, 4}});
    gives(take(matrix(), 2, axis(-1)), {{0, 1}, {3, 4}});
    gives(take(matrix(), 0), {});
    CHECK_THROWS_AS(take(matrix(), 3), ShapeError);
}

OPERATION("Rearranging", "all but the first elements") {
    gives(drop(matrix(), 1), {{3, 4, 5}});
    gives(drop(matrix(), 2, axis(1)), {{2}, {5}});
    gives(drop(matrix(), 2), {});
}

OPERATION("Rearranging", "first element") {
    Array<int> a = from({7, 8, 9});
    CHECK(a(0) == 7);
    gives(map([=](auto x) { return x - a(Exp<std::int64_t>(0)); }, a), {0, 1, 2});
}

OPERATION("Rearranging", "last element") {
    Array<int> a = from({7, 8, 9});
    CHECK(a(a.size() - 1) == 9);
    gives(map([=](auto x) { return x - a(size(a) - 1); }, a), {-2, -1, 0});
}

OPERATION("Rearranging", "all but the first") {
    gives(drop(from({7, 8, 9}), 1), {8, 9});
    gives(drop(from({7}), 1), {});
}

OPERATION("Rearranging", "all but the last") {
    Array<int> a = from({7, 8, 9});
    gives(take(a, a.shape()[0] - 1), {7, 8});
}

OPERATION("Rearranging", "a run from the middle") {
    const std::int64_t first = 1, n = 2;
    gives(slice(from({6, 7, 8, 9}), range(first, first + n)), {7, 8});
}

OPERATION("Rearranging", "two parts") {
    auto [low, high] = split(from({6, 7, 8, 9}), 1);
    gives(low, {6});
    gives(high, {7, 8, 9});
    auto [nothing, everything] = split(from({6, 7}), 0);
    gives(nothing, {});
    gives(everything, {6, 7});
}

OPERATION("Rearranging", "opposite order") {
    gives(reverse(from({1, 2, 3})), {3, 2, 1});
    gives(reverse(from(none)), {});
    gives(reverse(matrix()), {{2, 1, 0}, {5, 4, 3}});
    gives(reverse(matrix(), axis(0)), {{3, 4, 5}, {0, 1, 2}});
}

OPERATION("Rearranging", "cyclic shift") {
    gives(rotate(from({1, 2, 3}), 1, axis(0)), {2, 3, 1});
    gives(rotate(from({1, 2, 3}), -1, axis(0)), {3, 1, 2});
    gives(rotate(from(none), 1, axis(0)), {});
    gives(rotate(matrix(), 1, axis(1)), {{1, 2, 0}, {4, 5, 3}});
}

OPERATION("Rearranging", "transposition of a matrix") {
    gives(transpose(matrix()), {{0, 3}, {1, 4}, {2, 5}});
    gives(transpose(from({0, 1, 2, 3, 4, 5}, shape(1, 2, 3))), {{{0}, {3}}, {{1}, {4}}, {{2}, {5}}});
}

OPERATION("Rearranging", "two axes exchanged") {
    Array<int, 3> a = from({0, 1, 2, 3, 4, 5}, shape(1, 2, 3));
    gives(transpose(a, {1, 0, 2}), {{{0, 1, 2}}, {{3, 4, 5}}});
    gives(transpose(a, {0, 2, 1}), {{{0, 3}, {1, 4}, {2, 5}}});
    gives(transpose(a, {2, 0, 1}), {{{0, 3}}, {{1, 4}}, {{2, 5}}});
}

OPERATION("Rearranging", "read at computed indices") {
    Array<int> a = from({10, 20, 30});
    gives(gather(from({2, 0, 2}), a), {30, 10, 30});
    gives(gather(from(none), a), {});
    CHECK_THROWS_AS(run(gather(from({3}), a)), IndexError);
    using Index = std::tuple<int, int>;
    gives(gather(from(std::vector<Index>{{1, 0}, {0, 2}}), matrix()), {3, 2});
}

OPERATION("Rearranging", "read through a function of the index") {
    auto f = [](auto i, auto j) { return std::tuple(j, i); };
    gives(backpermute(shape(3, 2), f, matrix()), {{0, 3}, {1, 4}, {2, 5}});
    gives(backpermute(shape(2), [](auto i) { return 2 - i; }, from({7, 8, 9})), {9, 8});
}

OPERATION("Rearranging", "write through a function of the index") {
    Array<int> dest = from({100, 200}), src = from({1, 2, 3, 4});
    gives(permute(std::plus<>{}, dest, [](auto i) { return i % 2; }, src), {104, 206});
    gives(permute(std::plus<>{}, dest, [](auto i) { return select(i < 3, 0, -1); }, src), {106, 200});
    auto there = [](auto, auto value) { return value; };
    gives(permute(there, dest, [](auto i) { return select(i == 1, 1, -1); }, src), {100, 2});
}

OPERATION("Rearranging", "write at computed indices") {
    Array<int> dest = from({1, 2, 3, 4});
    gives(scatter(dest, from({2, 0}), from({7, 8})), {8, 2, 7, 4});
    gives(scatter(dest, from({-1, 3}), from({7, 8})), {1, 2, 3, 8});
    gives(scatter(dest, from(none), from(none)), {1, 2, 3, 4});
    CHECK_THROWS_AS(run(scatter(dest, from({4}), from({7}))), IndexError);
    using Index = std::tuple<int, int>;
    gives(scatter(matrix(), from(std::vector<Index>{{1, 1}}), from({9})), {{0, 1, 2}, {3, 9, 5}});
}

OPERATION("Rearranging", "combine at computed indices") {
    Array<int> indices = from({0, 2, 0, -1}), values = from({1, 2, 3, 4});
    gives(scatter(std::plus<>{}, from({10, 20, 30}), indices, values), {14, 20, 32});
    gives(histogram(3, std::plus<>{}, 0, indices, values), {4, 0, 2});
    gives(histogram(3, std::plus<>{}, 0, from(none), from(none)), {0, 0, 0});
    using Index = std::tuple<int, int>;
    auto pixels = from(std::vector<Index>{{0, 1}, {1, 0}, {0, 1}});
    gives(histogram(shape(2, 2), std::plus<>{}, 0, pixels, from({1, 2, 3})), {{0, 4}, {2, 0}});
}

OPERATION("Rearranging", "elements that satisfy a predicate") {
    auto odd = [](auto x) { return x % 2 != 0; };
    gives(filter(odd, from({1, 2, 3, 4, 5})), {1, 3, 5});
    gives(filter(odd, from({2, 4})), {});
    gives(filter(odd, from(none)), {});
}

OPERATION("Rearranging", "elements under a mask") {
    gives(compact(from({true, false, true}), from({7, 8, 9})), {7, 9});
    gives(compact(from({false}), from({7})), {});
}

OPERATION("Rearranging", "those that do, and those that do not") {
    auto [odd, even] = partition([](auto x) { return x % 2 != 0; }, from({1, 2, 3, 4, 5}));
    gives(odd, {1, 3, 5});
    gives(even, {2, 4});
}

OPERATION("Rearranging", "three ways") {
    auto [x, rest] = partition([](auto v) { return v < 0; }, from({3, -1, 0, 5, -2}));
    auto [y, z] = partition([](auto v) { return v == 0; }, rest);
    gives(x, {-1, -2});
    gives(y, {0});
    gives(z, {3, 5});
}
