// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "place/share.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace sinter::place;
using sinter::schedule::PartFacts;
using sinter::schedule::Reach;

namespace {

Layout blocks(std::int64_t rows, std::int64_t row) { return {true, rows, row}; }

/// A launch of n points along the outermost axis, each of which writes a row of `row` elements.
struct Example {
    PartFacts points, reduced;
    LaunchFacts launch;

    Example(std::int64_t n, std::int64_t row) {
        points.possible = true;
        points.extent = n;
        launch.work = 1e9;
        launch.points = &points;
        launch.outputs = {{blocks(n, row), 4}};
        points.reach = {{Reach::Kind::near, row, 0, row - 1}};
    }
    Example(const Example&) = delete;

    /// An input in blocks of which point i reads rows i + low to i + high.
    void reads(std::int64_t n, std::int64_t row, std::int64_t low, std::int64_t high) {
        points.reach.insert(points.reach.end() - 1, {Reach::Kind::near, row, low * row, (high + 1) * row - 1});
        launch.inputs.push_back({blocks(n, row), 4});
    }
    /// A reduce of so many elements in chunks, of an input in blocks.
    void reduces(std::int64_t elements, std::int64_t chunk) {
        reduced.possible = true;
        reduced.extent = elements;
        reduced.reach = {{Reach::Kind::near, 1, 0, 0}, {}};
        points.reach.insert(points.reach.begin(), {Reach::Kind::anything});
        launch.reduced = &reduced;
        launch.chunk_length = chunk;
        launch.chunks = (elements + chunk - 1) / chunk;
        launch.inputs.push_back({blocks(elements, 1), 4});
    }
};

bool contains(const Interval& a, const Interval& b) { return b.empty() || (a.begin <= b.begin && b.end <= a.end); }

/// Every part is executed once; what a piece reads is the rank's own or brought together; and what is brought comes from the
/// rank itself or is sent by another.
void check_pieces(const LaunchFacts& launch, const Share& share, int ranks) {
    const PartFacts& facts = share.way == Way::points ? *launch.points : *launch.reduced;
    for (int rank = 0; rank < ranks; ++rank) {
        const std::vector<Piece> all = pieces(launch, share, ranks, rank);
        const std::vector<Transfer> transfers = transfers_to(launch, all, ranks, rank);
        std::int64_t executed = 0;
        for (std::size_t p = 0; p < all.size(); ++p) {
            executed += all[p].part.length();
            REQUIRE(contains(share.parts[static_cast<std::size_t>(rank)], all[p].part));
            REQUIRE((share.way == Way::chunks || all[p].part.length() >= launch.least_points));
            Interval indices = all[p].part;
            if (share.way == Way::chunks)
                indices = {indices.begin * launch.chunk_length, std::min(facts.extent, indices.end * launch.chunk_length)};
            for (std::size_t k = 0; k < launch.inputs.size(); ++k) {
                if (share.gathered[k]) continue;
                const Layout& layout = launch.inputs[k].layout;
                const Interval own = layout.own(ranks, rank);
                const std::vector<Interval>& brought = all[p].brought[k];
                const std::vector<Interval> need = facts.reach[k].parts_of(indices, layout.elements());
                std::int64_t there = 0, length = 0;
                for (const Interval& n : need) length += n.length();
                if (brought.empty()) {
                    REQUIRE(missing(need, own) == 0);
                    continue;
                }
                REQUIRE(brought == need);
                there = length - missing(need, own);
                for (const Transfer& t : transfers)
                    if (t.piece == p && t.input == k) {
                        REQUIRE(contains(layout.own(ranks, t.from), t.elements));
                        there += t.elements.length();
                    }
                REQUIRE(there == length);
            }
        }
        REQUIRE(executed == share.parts[static_cast<std::size_t>(rank)].length());
    }
}

}  // namespace

TEST_CASE("a rank without points does not keep the others from what they read", "[place]") {
    Example example(2, 1);  // on three ranks
    example.points.reach.insert(example.points.reach.begin(), {Reach::Kind::anything});
    example.launch.inputs.push_back({blocks(2, 1), 4});
    check_pieces(example.launch, share(example.launch, 3, {0}), 3);
}

TEST_CASE("rows of ranks differ by one at most and are all rows", "[place]") {
    for (std::int64_t rows : {0, 1, 2, 6, 7, 8, 1000})
        for (int ranks : {1, 2, 3, 7}) {
            std::int64_t next = 0;
            for (int rank = 0; rank < ranks; ++rank) {
                const Interval part = rows_of(rows, ranks, rank);
                CHECK(part.begin == next);
                CHECK((part.length() == rows / ranks || part.length() == rows / ranks + 1));
                next = part.end;
            }
            CHECK(next == rows);
        }
}

TEST_CASE("a map moves nothing, and a stencil moves borders only", "[place]") {
    Example map(100, 8);
    map.reads(100, 8, 0, 0);
    const Share plain = share(map.launch, 4, {0});
    CHECK(plain.way == Way::points);
    for (int rank = 0; rank < 4; ++rank) {
        const auto all = pieces(map.launch, plain, 4, rank);
        CHECK(all.size() == 1);
        CHECK(transfers_to(map.launch, all, 4, rank).empty());
    }
    Example stencil(100, 8);
    stencil.reads(100, 8, -1, 1);
    const Share shared = share(stencil.launch, 4, {0});
    for (int rank = 0; rank < 4; ++rank) {
        const auto all = pieces(stencil.launch, shared, 4, rank);
        const std::size_t neighbours = rank == 0 || rank == 3 ? 1 : 2;
        CHECK(all.size() == 1 + neighbours);
        const auto transfers = transfers_to(stencil.launch, all, 4, rank);
        CHECK(transfers.size() == neighbours);
        for (const Transfer& t : transfers) CHECK(t.elements.length() == 8);
    }
}

TEST_CASE("stencils of any width on any number of ranks", "[place]") {
    std::mt19937 random(7);
    for (int times = 0; times < 500; ++times) {
        auto below = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
        const std::int64_t n = 1 + below(40), row = 1 + below(5);
        const int ranks = 2 + static_cast<int>(below(8));
        Example example(n, row);
        for (std::int64_t k = 1 + below(3); k > 0; --k) {
            const std::int64_t low = below(9) - 6;
            example.reads(n, row, low, low + below(6));
            example.points.reach[example.points.reach.size() - 2].wraps = below(3) == 0;
        }
        if (n >= 3 * ranks) example.launch.least_points = 1 + below(3);
        const Share shared = share(example.launch, ranks, {0});
        REQUIRE(shared.way == Way::points);
        check_pieces(example.launch, shared, ranks);
    }
}

TEST_CASE("elements beyond an end of an array are those at the other", "[place]") {
    for (std::int64_t n : {1, 2, 5, 9})
        for (std::int64_t low = -12; low <= 12; ++low)
            for (std::int64_t high = low; high < low + 4; ++high)
                for (Interval part : {Interval{0, 1}, Interval{0, n}, Interval{n - 1, n}, Interval{n / 2, n}}) {
                    const Reach reach{Reach::Kind::near, 3, low, high, true};
                    const std::vector<Interval> parts = reach.parts_of(part, 3 * n);
                    for (std::size_t k = 0; k < parts.size(); ++k) {
                        REQUIRE(!parts[k].empty());
                        REQUIRE((0 <= parts[k].begin && parts[k].end <= 3 * n));
                        REQUIRE((k == 0 || parts[k - 1].end <= parts[k].begin));
                    }
                    for (std::int64_t e = 3 * part.begin + low; e <= 3 * (part.end - 1) + high; ++e) {
                        const std::int64_t element = ((e % (3 * n)) + 3 * n) % (3 * n);
                        auto has = [&](const Interval& p) { return p.begin <= element && element < p.end; };
                        REQUIRE(std::any_of(parts.begin(), parts.end(), has));
                    }
                }
}

TEST_CASE("chunks go to the rank that has their first element", "[place]") {
    std::mt19937 random(8);
    for (int times = 0; times < 500; ++times) {
        const std::int64_t elements = 2 + static_cast<std::int64_t>(random() % 1000);
        const std::int64_t chunk = 1 + static_cast<std::int64_t>(random() % static_cast<unsigned>(elements - 1));
        const int ranks = 2 + static_cast<int>(random() % 8);
        Example example(1, 1);
        example.launch.outputs[0].layout.blocks = false;
        example.reduces(elements, chunk);
        const Share shared = share(example.launch, ranks, {0});
        REQUIRE(shared.way == Way::chunks);
        std::int64_t next = 0;
        for (const Interval& part : shared.parts) {
            REQUIRE(part.begin == next);
            next = part.end;
        }
        REQUIRE(next == (elements + chunk - 1) / chunk);
        check_pieces(example.launch, shared, ranks);
    }
}

TEST_CASE("what every part reads is gathered, and why a launch is not shared is said", "[place]") {
    Example all(100, 1);
    all.points.reach.insert(all.points.reach.begin(), {Reach::Kind::anything});
    all.launch.inputs.push_back({blocks(50, 2), 4});
    CHECK(share(all.launch, 3, {0}).gathered == std::vector<bool>{true});
    CHECK(share(all.launch, 3, {0}).way == Way::points);
    CHECK(share(all.launch, 3, {2e9}).why == "it is small");
    all.points.possible = false;
    CHECK(share(all.launch, 3, {0}).why == "its points depend on each other");
    CHECK(share(all.launch, 3, {0}).gathered == std::vector<bool>{true});
    Example number(1, 1);
    number.launch.outputs[0].layout.blocks = false;
    CHECK(share(number.launch, 3, {0}).why == "its results are numbers");
    Example two(12, 2);
    two.launch.outputs.push_back({blocks(8, 3), 4});
    two.points.reach.push_back({Reach::Kind::near, 2, 0, 1});
    CHECK(share(two.launch, 3, {0}).way == Way::whole);
}

TEST_CASE("a transpose moves the bands that others have", "[place]") {
    for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{12, 9}, {7, 20}, {1, 5}, {30, 3}})
        for (int ranks : {2, 3, 4, 7}) {
            Example example(columns, rows);  // point i reads column i
            Reach reach{Reach::Kind::near, 1, 0, (rows - 1) * columns};
            reach.bands = {columns, 1, 0, 0};
            example.points.reach.insert(example.points.reach.begin(), reach);
            example.launch.inputs.push_back({blocks(rows, columns), 4});
            const Share shared = share(example.launch, ranks, {});
            CHECK(shared.way == Way::points);
            CHECK(!shared.gathered[0]);
            check_pieces(example.launch, shared, ranks);
            std::int64_t moved = 0, stays = 0;
            for (int rank = 0; rank < ranks; ++rank) {
                for (const Transfer& t :
                     transfers_to(example.launch, pieces(example.launch, shared, ranks, rank), ranks, rank))
                    moved += t.elements.length();
                stays += rows_of(rows, ranks, rank).length() * rows_of(columns, ranks, rank).length();
            }
            CHECK(moved == rows * columns - stays);
            if (rows > 2) CHECK(share(example.launch, ranks, {0, 4 * columns}).gathered[0]);
        }
}

TEST_CASE("rows at numbers that are not gathered are looked up, if they are whole rows", "[place]") {
    for (const auto& [factor, high, expected] : {std::tuple<std::int64_t, std::int64_t, bool>{8, 7, true},
                                                 {8, 0, true},
                                                 {8, 8, false},
                                                 {4, 3, false},
                                                 {16, 7, false}}) {
        Example example(100, 1);
        Reach reach{Reach::Kind::anything};
        reach.lookup = {factor, 1, 0, high};
        example.points.reach.insert(example.points.reach.begin(), reach);
        example.launch.inputs.push_back({blocks(1000, 8), 4});
        example.reads(100, 1, 0, 0);
        const Share shared = share(example.launch, 4, {});
        CHECK(shared.gathered == std::vector<bool>{true, false});
        CHECK(shared.looked_up == std::vector<bool>{expected, false});
    }
    CHECK(is_worth_looking_up(1000, blocks(1000, 8), 4, 4));
    CHECK(!is_worth_looking_up(2000, blocks(1000, 8), 4, 4));
}
