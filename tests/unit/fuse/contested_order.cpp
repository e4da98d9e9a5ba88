// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/solve/search/contested_order.hpp"

#include <catch2/catch.hpp>

using namespace sinter::fuse::solve;

namespace {

/// Two readers of one array, of which the first goes in the order of vertex 2, a consumer of its, if that is in its cluster.
Problem two_readers(double weight) {
    Problem p;
    p.count = 4;
    p.arcs = {{0, 2}, {1, 3}};
    p.patterns.assign(p.count, 0);
    p.movable.assign(p.count, false);
    p.terms = {{Term::Kind::spread, true, 1, {0, 1}}, {Term::Kind::together, true, 1, {0, 2}}};
    p.read_orders = {{weight, {{0, 7, {{2, 8}}}, {1, 7, {}}}}};
    return p;
}

std::optional<Pair> contested(const Problem& p, const Labels& labels) { return contested_order(p, relate(p), labels); }

}  // namespace

TEST_CASE("An order is contested where a reader's leader has it read what is read in another order") {
    const Problem p = two_readers(10);
    CHECK(contested(p, {0, 0, 0, 3}) == Pair(0, 2));
    CHECK(contested(p, {0, 0, 2, 3}) == std::nullopt);  // the leader is elsewhere
    CHECK(contested(p, {0, 1, 0, 3}) == std::nullopt);  // the other reader is
    CHECK(contested(p, {0, 1, 2, 3}) == std::nullopt);
}

TEST_CASE("Of contested orders the heaviest array's is decided first") {
    Problem p = two_readers(10);
    p.read_orders.push_back({20, {{0, 7, {}}, {1, 7, {{3, 9}}}}});
    CHECK(contested(p, {0, 0, 0, 0}) == Pair(1, 3));
    p.read_orders.back().weight = 5;
    CHECK(contested(p, {0, 0, 0, 0}) == Pair(0, 2));
    CHECK(contested(p, {0, 0, 2, 0}) == Pair(1, 3));
}

TEST_CASE("A reader that follows what it does not reach is no contest: no term connects the two") {
    Problem p = two_readers(10);
    p.read_orders = {{10, {{0, 7, {{3, 8}}}, {1, 7, {}}}}};
    CHECK(contested(p, {0, 0, 2, 0}) == std::nullopt);
}
