// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/graph/label.hpp"

#include <catch2/catch.hpp>

using namespace sinter;
using namespace sinter::fuse;

TEST_CASE("Labels are chains of index functions") {
    ir::SizeTable sizes;
    auto n = sizes.input_extent(0, 0), m = sizes.input_extent(0, 1), k = sizes.input_extent(0, 2);
    ir::Type nm{ir::Scalar::f32, {n, m}}, mn{ir::Scalar::f32, {m, n}}, row{ir::Scalar::f32, {m}},
        scalar{ir::Scalar::f32, {}};
    LabelTable t;
    auto view = [&](ir::IndexFunction function, const ir::Type& arg, const ir::Type& result) {
        return t.view(sizes, {ir::ValueId(std::size_t{0}), std::move(function)}, arg, result);
    };
    Label swap = view(ir::Transpose{{1, 0}}, nm, mn);
    Label reverse = view(ir::Slice{{sizes.sub(n, sizes.constant(1)), sizes.constant(0)}, {-1, 1}}, nm, nm);
    Label repeat = view(ir::Broadcast{{1}}, row, nm);

    SECTION("equal chains are equal, identities vanish") {
        CHECK(t.compose(swap, reverse) == t.compose(swap, reverse));
        CHECK(t.compose(swap, reverse) != t.compose(reverse, swap));
        CHECK(t.compose(identity, swap) == swap);
        CHECK(t.compose(swap, identity) == swap);
        CHECK(view(ir::Transpose{{0, 1}}, nm, nm) == identity);
        CHECK(view(ir::Reshape{}, nm, nm) == identity);
        CHECK(view(ir::Slice{{sizes.constant(0), sizes.constant(0)}, {1, 1}}, nm, nm) == identity);
        CHECK(view(ir::Slice{{sizes.constant(0)}, {1}}, row, {ir::Scalar::f32, {n}}) != identity);
    }
    SECTION("adjacent transposes are one") {
        CHECK(t.compose(swap, swap) == identity);
        CHECK(t.compose(t.compose(reverse, swap), swap) == reverse);
        ir::Type a{ir::Scalar::f32, {n, m, k}}, b{ir::Scalar::f32, {m, k, n}}, c{ir::Scalar::f32, {k, n, m}};
        Label inner = view(ir::Transpose{{1, 2, 0}}, a, b), outer = view(ir::Transpose{{1, 2, 0}}, b, c);
        CHECK(t.compose(outer, inner) == view(ir::Transpose{{2, 0, 1}}, a, c));
    }
    SECTION("a scalar has no index, whatever the reader's") {
        CHECK(t.compose(swap, scalar_read) == scalar_read);
        CHECK(t.compose(reverse, view(ir::Broadcast{{}}, scalar, nm)) == scalar_read);
    }
    SECTION("repetition is remembered") {
        CHECK_FALSE(t.repeats(t.compose(swap, reverse)));
        CHECK(t.repeats(t.compose(swap, repeat)));
        CHECK(t.repeats(scalar_read));
    }
    SECTION("every gather has an order of its own") {
        CHECK(t.gather(Operation(std::size_t{3})) == t.gather(Operation(std::size_t{3})));
        CHECK(t.gather(Operation(std::size_t{3})) != t.gather(Operation(std::size_t{4})));
    }
}
