// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch.hpp>

#include "tests/unit/front/build.hpp"

using namespace sinter;

namespace {

using Extents = std::vector<std::int64_t>;
Array<float, 2> matrix() { return from(std::vector<float>(12), shape(3, 4)); }

/// The literal sizes of a slice.
Extents literals(const std::vector<front::SizeOperand>& sizes) {
    Extents result;
    for (auto& size : sizes) result.push_back(std::get<std::int64_t>(size));
    return result;
}

}  // namespace

TEST_CASE("transpose") {
    Array<float, 3> c = from(std::vector<float>(24), shape(2, 3, 4));
    CHECK(shape_of(transpose(c)) == Extents{4, 3, 2});
    auto t = transpose(c, {2, 0, 1});
    CHECK(shape_of(t) == Extents{4, 2, 3});
    CHECK(op_of<front::Transpose>(t).axes == std::vector<std::size_t>{2, 0, 1});
    CHECK(shape_of(transpose(c, {-1, 0, 1})) == Extents{4, 2, 3});
    CHECK(catch_error([&] { transpose(c, {0, 0, 1}); }).contains("axis 0 is named twice"));
    CHECK(catch_error([&] { transpose(c, {0, 3, 1}); }).kind == ErrorKind::usage);
}

TEST_CASE("slice") {
    auto m = matrix();
    auto s = slice(m, all, range(1, 4, 2));
    CHECK(shape_of(s) == Extents{3, 2});
    CHECK(literals(op_of<front::Slice>(s).start) == Extents{0, 1});
    CHECK(op_of<front::Slice>(s).step == Extents{1, 2});
    CHECK(shape_of(slice(m, range(0, 3), range(3, -1, -1))) == Extents{3, 4});
    CHECK(shape_of(slice(m, range(2, 2), range(0, 4, 3))) == Extents{0, 2});
    CHECK(shape_of(slice(m, range(1, 2), range(3, 0, -2))) == Extents{1, 2});
    for (auto error :
         {catch_error([&] { slice(m, all, range(0, 5)); }), catch_error([&] { slice(m, range(-1, 2), all); }),
          catch_error([&] { slice(m, range(2, 1), all); }), catch_error([&] { slice(m, range(3, -2, -1), all); })})
        CHECK(error.kind == ErrorKind::shape);
    CHECK(catch_error([&] { slice(m, all, range(0, 1, 0)); }).kind == ErrorKind::usage);
}

TEST_CASE("take, drop, reverse") {
    auto m = matrix();
    CHECK(shape_of(take(m, 2)) == Extents{2, 4});
    CHECK(shape_of(take(m, 0, axis(1))) == Extents{3, 0});
    CHECK(shape_of(drop(m, 1)) == Extents{2, 4});
    CHECK(literals(op_of<front::Slice>(drop(m, 3, axis(-1))).start) == Extents{0, 3});
    CHECK(shape_of(reverse(m, 0)) == Extents{3, 4});
    CHECK(op_of<front::Reverse>(reverse(m)).axes == std::vector<std::size_t>{1});
    CHECK(catch_error([&] { take(m, 4); }).kind == ErrorKind::shape);
    CHECK(catch_error([&] { drop(m, -1); }).kind == ErrorKind::shape);
    CHECK(catch_error([&] { reverse(m, 2); }).kind == ErrorKind::usage);
}

TEST_CASE("reshape, flatten, replicate, broadcast") {
    auto m = matrix();
    CHECK(shape_of(reshape(m, shape(2, 3, 2))) == Extents{2, 3, 2});
    CHECK(shape_of(flatten(m)) == Extents{12});
    CHECK(shape_of(replicate(5, m)) == Extents{5, 3, 4});
    auto b = broadcast(m, shape(3, 7, 4), axes(0, 2));
    CHECK(shape_of(b) == Extents{3, 7, 4});
    CHECK(literals(op_of<front::Broadcast>(b).new_extents) == Extents{7});
    CHECK(catch_error([&] { reshape(m, shape(5)); }).contains("12 elements"));
    CHECK(catch_error([&] { reshape(m, shape(-1)); }).kind == ErrorKind::shape);
    CHECK(catch_error([&] { broadcast(m, shape(2, 7, 4), axes(0, 2)); }).kind == ErrorKind::shape);
    CHECK(catch_error([&] { broadcast(m, shape(4, 7, 3), axes(2, 0)); }).kind == ErrorKind::usage);
    CHECK(catch_error([&] { replicate(std::int64_t{1} << 62, m); }).kind == ErrorKind::shape);
}

TEST_CASE("gather") {
    auto m = matrix();
    auto g = gather(zip(iota(2), iota(2)), m);
    CHECK(op_of<front::Gather>(g).indices.size() == 2);
    CHECK(shape_of(g) == Extents{2});
    auto narrow = gather(iota<std::int16_t>(5), flatten(m));
    CHECK(std::holds_alternative<front::Map>(op_of<front::Gather>(narrow).indices[0].node->op));
    auto p = backpermute(shape(2, 2), [](auto i, auto j) { return std::tuple(j, i); }, m);
    CHECK(shape_of(p) == Extents{2, 2});
    auto pairs = gather(iota(3), zip(flatten(m), flatten(m)));
    CHECK(op_of<front::Gather>(pairs).sources.size() == 2);
}
