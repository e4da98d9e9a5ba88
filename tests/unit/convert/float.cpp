// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convert/sharing/float.hpp"
#include "tests/unit/convert/graphs.hpp"

#include <catch2/catch.hpp>

using namespace graphs;
using convert::ScopeId;

namespace {

/// Homes by node; scope 0 is the program, others are numbered as the traversal opens them.
struct Homes {
    explicit Homes(const Leaves& roots, const std::vector<NodeRef>& parameters = {})
        : pruned(convert::prune(roots, parameters)),
          sized(convert::size(pruned)),
          live(convert::live(pruned, sized)),
          floated(convert::float_terms(pruned, sized, live)) {}

    std::uint32_t operator()(const Leaf& leaf) const {
        for (std::size_t t = 0; t < pruned.terms.size(); ++t)
            if (pruned.terms[t].node == leaf.node.get()) return floated.home[t].index;
        return 1000;
    }

    convert::Pruned pruned;
    convert::Sized sized;
    convert::Live live;
    convert::Floated floated;
};

Leaf condition() { return input({}, Scalar::boolean); }

}  // namespace

TEST_CASE("float: used in one branch, a term stays there", "[convert]") {
    Leaf x = input({4}), a = negate(x), b = x * x;
    Homes home({cond(condition(), a + a, b)});
    CHECK(home(a) == 1);
    CHECK(home(b) == 2);
    CHECK(home(x) == 0);
}

TEST_CASE("float: used in both branches or outside, it floats out", "[convert]") {
    Leaf x = input({4}), a = negate(x), b = x * x;
    Homes both({cond(condition(), a + x, a + b)});
    CHECK(both(a) == 0);
    CHECK(both(b) == 2);
    Homes outside({cond(condition(), a + x, b), a});
    CHECK(outside(a) == 0);
}

TEST_CASE("float: what a floated term alone uses goes with it", "[convert]") {
    Leaf x = input({4}), deep = x * x, a = negate(deep);
    Homes home({cond(condition(), a, a + x)});
    CHECK(home(a) == 0);
    CHECK(home(deep) == 0);
}

TEST_CASE("float: nested conds: the innermost scope around all uses", "[convert]") {
    Leaf x = input({4}), a = negate(x), b = x * x;
    Leaf inner = cond(condition(), a + b, a);
    Homes home({cond(condition(), inner + x, x)});
    CHECK(home(a) == 1);
    CHECK(home(b) == 3);
    CHECK(home(inner) == 1);
}

TEST_CASE("float: out of a loop goes what does not need its parameters", "[convert]") {
    Leaf x = input({4}), i = parameter(Scalar::i64), s = parameter(Scalar::f32, {4});
    Leaf invariant = x * x, varying = s + invariant;
    Homes home({for_loop(literal(Scalar::i64, 3), x, i, s, varying)});
    CHECK(home(invariant) == 0);
    CHECK(home(varying) == 1);
    CHECK(home(s) == 1);
}

TEST_CASE("float: what may fail stays in a loop, unless it is used outside", "[convert]") {
    Leaf x = input({4}, Scalar::i64), i = parameter(Scalar::i64), s = parameter(Scalar::i64, {4});
    Leaf quotient = divide(x, x), further = map("{x0: i64 -> x1 = negate x0; x1}", {quotient});
    Leaf loop = for_loop(literal(Scalar::i64, 3), x, i, s, divide(s, further));
    CHECK(Homes({loop})(quotient) == 1);
    CHECK(Homes({loop})(further) == 1);
    CHECK(Homes({loop, quotient})(quotient) == 0);
}

TEST_CASE("float: what costs nothing to repeat stays in a loop", "[convert]") {
    Leaf x = input({4}), i = parameter(Scalar::i64), s = parameter(Scalar::f32, {4});
    Leaf costly = negate(x), view = node(front::Reverse{costly, {0}}, Scalar::f32, {4});
    Homes home({for_loop(literal(Scalar::i64, 3), x, i, s, s + view)});
    CHECK(home(view) == 1);
    CHECK(home(costly) == 0);
}

TEST_CASE("float: nested loops: to just outside the outermost it does not depend on", "[convert]") {
    Leaf x = input({4}), i = parameter(Scalar::i64), s = parameter(Scalar::f32, {4});
    Leaf j = parameter(Scalar::i64), t = parameter(Scalar::f32, {4}), three = literal(Scalar::i64, 3);
    Leaf of_outer = negate(s), of_none = negate(x), of_inner = t + (of_outer + of_none);
    Leaf inner = for_loop(three, s, j, t, of_inner);
    Homes home({for_loop(three, x, i, s, inner)});
    CHECK(home(inner) == 1);
    CHECK(home(of_inner) == 2);
    CHECK(home(of_outer) == 1);
    CHECK(home(of_none) == 0);
}

TEST_CASE("float: a branch in a loop keeps its terms", "[convert]") {
    Leaf x = input({4}), i = parameter(Scalar::i64), s = parameter(Scalar::f32, {4});
    Leaf invariant = x * x;
    Homes home({for_loop(literal(Scalar::i64, 3), x, i, s, cond(condition(), s + invariant, s))});
    CHECK(home(invariant) == 2);
}

TEST_CASE("float: a parameter used after its loop is the user's mistake", "[convert]") {
    Leaf x = input({4}), i = parameter(Scalar::i64), s = parameter(Scalar::f32, {4});
    Leaf escaped = negate(s);
    Leaf loop = for_loop(literal(Scalar::i64, 3), x, i, s, escaped);
    CHECK_THROWS_AS(Homes({loop, escaped}), UsageError);
    Leaf tested = parameter(Scalar::f32, {}), state = parameter(Scalar::f32, {}), zero = input({});
    Leaf less = map("{x0: f32, x1: f32 -> x2 = less x0 x1; x2}", {tested, zero});
    CHECK_THROWS_AS(Homes({while_loop(zero, tested, less, state, state + tested)}), UsageError);
    CHECK(Homes({while_loop(zero, tested, less, state, state + zero)})(less) == 1);
}

TEST_CASE("float: an array asked only for its extent is not computed", "[convert]") {
    Leaf x = parameter(Scalar::f32, {front::unknown}), a = negate(x);
    Homes home({iota(extent(a, 0))}, {x.node});
    CHECK_FALSE(home.floated.home.empty());
    for (std::size_t t = 0; t < home.pruned.terms.size(); ++t)
        if (home.pruned.terms[t].node == a.node.get()) CHECK_FALSE(home.live.terms[t]);
}
