// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convert/sharing/prune.hpp"
#include "tests/unit/convert/graphs.hpp"

#include <catch2/catch.hpp>

using namespace graphs;
using convert::Pruned;
using convert::ScopeId;
using convert::TermId;

namespace {

Pruned pruned(const Leaves& roots, const std::vector<NodeRef>& parameters = {}) { return convert::prune(roots, parameters); }

std::uint32_t occurrences(const Pruned& p, const Leaf& leaf) {
    for (const convert::Term& term : p.terms)
        if (term.node == leaf.node.get()) return term.occurrences;
    return 0;
}

}  // namespace

TEST_CASE("prune: a shared node is one term with its occurrences", "[convert]") {
    Leaf x = input({4}), y = x + x, z = y * y;
    Pruned p = pruned({z, y});
    REQUIRE(p.terms.size() == 3);
    CHECK(occurrences(p, x) == 2);
    CHECK(occurrences(p, y) == 3);
    CHECK(occurrences(p, z) == 1);
    CHECK(p.terms[0].node == x.node.get());
    CHECK(p.terms[2].node == z.node.get());
}

TEST_CASE("prune: the first occurrence is the term, the others are references", "[convert]") {
    Leaf x = input({4}), y = x + x, z = y * y;
    Pruned p = pruned({z});
    auto of_z = p.in(p.terms[2].uses);
    CHECK((of_z[0].first && !of_z[1].first));
    CHECK(of_z[0].term == of_z[1].term);
    int first = 0;
    for (const convert::Use& use : p.uses) first += use.first;
    CHECK(first == 3);
}

TEST_CASE("prune: operands stand before users, scopes' parameters before the scopes' terms", "[convert]") {
    Leaf x = input({4}), i = parameter(Scalar::i64), s = parameter(Scalar::f32, {4});
    Leaf loop = for_loop(literal(Scalar::i64, 3), negate(x), i, s, s + x);
    Pruned p = pruned({loop});
    for (std::size_t t = 0; t < p.terms.size(); ++t) {
        for (const convert::Use& use : p.in(p.terms[t].uses)) CHECK(use.term.index < t);
        for (auto k = p.terms[t].scopes.begin; k < p.terms[t].scopes.end; ++k)
            for (const convert::Use& use : p.in(p.scopes[k].results)) CHECK(use.term.index < t);
    }
    REQUIRE(p.scopes.size() == 2);
    CHECK(p.terms[p.scopes[1].owner.index].node == loop.node.get());
    CHECK(p.scopes[1].params.end - p.scopes[1].params.begin == 2);
    CHECK(p.terms[p.scopes[1].params.begin].binder == ScopeId(1));
    CHECK(occurrences(p, i) == 0);
    CHECK(occurrences(p, s) == 1);
}

TEST_CASE("prune: inputs are named by buffer and extents, literals by type and bits", "[convert]") {
    BufferRef b = buffer();
    Leaf x = input({4}, Scalar::f32, b), same = input({4}, Scalar::f32, b), other = input({2, 2}, Scalar::f32, b);
    Leaf one = literal(Scalar::i64, 1), again = literal(Scalar::i64, 1), two = literal(Scalar::i64, 2),
         u = literal(Scalar::u64, 1);
    Pruned p = pruned({x, same, other, one, again, two, u});
    CHECK(p.terms.size() == 5);
    CHECK(p.terms[0].occurrences == 2);
}

TEST_CASE("prune: a parameter outside its scope is the user's mistake", "[convert]") {
    Leaf i = parameter(Scalar::i64), s = parameter(Scalar::f32, {4}), x = input({4});
    Leaf loop = for_loop(literal(Scalar::i64, 3), x, i, s, negate(s));
    CHECK_THROWS_AS(pruned({s + x, loop}), UsageError);
    CHECK_THROWS_AS(pruned({for_loop(literal(Scalar::i64, 3), s, i, s, negate(s))}), UsageError);
    CHECK(pruned({loop}).terms.size() == 6);
    CHECK(pruned({s + x}, {s.node}).terms.size() == 3);
}

TEST_CASE("prune: operands that are sizes are told apart", "[convert]") {
    Leaf n = parameter(Scalar::i64);
    Pruned p = pruned({iota(n), n}, {n.node});
    CHECK(p.in(p.terms[1].uses)[0].as_size);
    CHECK_FALSE(p.in(p.scopes[0].results)[1].as_size);
}
