// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search against all clusterings of small random problems. SINTER_RANDOM_COUNT says how many; the long test takes more.
#include "fuse/solve/search.hpp"

#include "random_problem.hpp"
#include "random_program.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

using namespace sinter::fuse::solve;
using sinter::fuse::test::from_environment;
using sinter::fuse::test::RandomProblem;

namespace {

/// What feasible means, from the definition in problem.hpp alone.
class Definition {
  public:
    Definition(const Problem& problem, const Allowed& allowed) : p_(problem), allowed_(allowed), reach_(matrix()) {
        for (auto [a, b] : p_.arcs) reach_[a][b] = true;
        close(reach_);
        for (Vertex a = 0; a < p_.count; ++a)
            for (Vertex b = 0; b < p_.count; ++b) apart_[a][b] = are_apart(a, b);
    }

    bool is_feasible(const Labels& labels) const {
        for (Vertex a = 0; a < p_.count; ++a)
            for (Vertex b = 0; b < a; ++b)
                if (labels[a] == labels[b] && apart_[a][b]) return false;
        return can_run(labels) && is_connected(labels) && is_allowed(labels);
    }

  private:
    using Matrix = std::vector<std::vector<bool>>;
    Matrix matrix() const { return Matrix(p_.count, std::vector<bool>(p_.count, false)); }

    static void close(Matrix& m) {
        for (std::size_t k = 0; k < m.size(); ++k)
            for (std::size_t a = 0; a < m.size(); ++a)
                for (std::size_t b = 0; b < m.size(); ++b) m[a][b] = m[a][b] || (m[a][k] && m[k][b]);
    }

    bool are_apart(Vertex a, Vertex b) const {
        for (auto [x, y] : p_.separations)
            if ((x == a && y == b) || (x == b && y == a)) return true;
        if (a == b || p_.patterns[a] == 0 || p_.patterns[b] == 0) return false;
        return p_.patterns[a] != p_.patterns[b] || reach_[a][b] || reach_[b][a];
    }

    bool can_run(const Labels& labels) const {
        Matrix m = matrix();
        for (auto [a, b] : p_.arcs)
            if (labels[a] != labels[b]) m[labels[a]][labels[b]] = true;
        close(m);
        for (std::size_t k = 0; k < m.size(); ++k)
            if (m[k][k]) return false;
        return true;
    }

    bool is_connected(const Labels& labels) const {
        Matrix m = matrix();
        for (const Term& term : p_.terms)
            for (Vertex a : term.members)
                for (Vertex b : term.members)
                    if (term.connects && labels[a] == labels[b]) m[a][b] = true;
        close(m);
        for (Vertex a = 0; a < p_.count; ++a)
            for (Vertex b = 0; b < p_.count; ++b)
                if (a != b && labels[a] == labels[b] && !m[a][b]) return false;
        return true;
    }

    bool is_allowed(const Labels& labels) const {
        if (!allowed_) return true;
        for (const auto& cluster : clusters(labels))
            if (allowed_(cluster)) return false;
        return true;
    }

    const Problem& p_;
    const Allowed& allowed_;
    Matrix reach_, apart_ = matrix();
};

/// The least cost of all feasible clusterings.
double least_cost(const Problem& p, const Allowed& allowed) {
    Definition definition(p, allowed);
    double least = std::numeric_limits<double>::infinity();
    Labels labels(p.count, 0);
    auto visit = [&](auto& self, Vertex v, Vertex used) -> void {
        if (v == p.count) {
            double c = cost(p, labels);
            if (c < least && definition.is_feasible(labels)) least = c;
            return;
        }
        for (Vertex label = 0; label <= used && label < p.count; ++label) {
            labels[v] = label;
            self(self, v + 1, std::max(used, label + 1));
        }
    };
    visit(visit, 0, 0);
    return least;
}

Labels alone(std::size_t count) {
    Labels labels(count);
    std::iota(labels.begin(), labels.end(), 0);
    return labels;
}

void compare(std::uint64_t first, std::uint64_t count, std::size_t most) {
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        RandomProblem random(seed, 2 + seed % (most - 1));
        const Problem& p = random.problem();
        INFO("seed " << seed << "\n" << random.text());
        Solution s = solve(p, random.allowed(), alone(p.count), Deadline(std::chrono::seconds(60)));
        double best = least_cost(p, random.allowed());
        REQUIRE(s.cost == best);
        REQUIRE(s.lower == best);
        REQUIRE(cost(p, s.labels) == best);
        Allowed allowed = random.allowed();
        REQUIRE(Definition(p, allowed).is_feasible(s.labels));
    }
}

}  // namespace

TEST_CASE("The search finds the best of all clusterings of small problems") { compare(1, 600, 7); }

TEST_CASE("The search finds the best of all clusterings of up to nine vertices", "[.][long]") {
    compare(from_environment("SINTER_RANDOM_SEED", 1000), from_environment("SINTER_RANDOM_COUNT", 10000), 9);
}

TEST_CASE("At the deadline the search gives what it has, and a bound") {
    for (std::uint64_t seed = 1; seed < 20; ++seed) {
        RandomProblem random(seed, 60);
        const Problem& p = random.problem();
        Allowed allowed = random.allowed();
        Solution s = solve(p, allowed, alone(p.count), Deadline(std::chrono::duration<double>(0)));
        CHECK(s.cost <= cost(p, alone(p.count)));
        CHECK(s.lower <= s.cost);
        CHECK(s.cost == cost(p, s.labels));
        CHECK(Definition(p, allowed).is_feasible(s.labels));
        Solution longer = solve(p, random.allowed(), alone(p.count), Deadline(std::chrono::milliseconds(20)));
        CHECK(longer.cost >= s.lower);
        CHECK(longer.lower <= s.cost);
        CHECK(Definition(p, allowed).is_feasible(longer.labels));
    }
}

TEST_CASE("A long chain is one cluster, found in linear time") {
    constexpr std::size_t n = 100'000;
    Problem p;
    p.count = n;
    p.launch = 1;
    p.patterns.assign(n, 0);
    p.movable.assign(n, true);
    for (Vertex v = 1; v < n; ++v) {
        p.arcs.emplace_back(v - 1, v);
        p.terms.push_back({Term::Kind::together, false, 1, {v - 1, v}});
        p.terms.push_back({Term::Kind::spread, true, 1, {v - 1, v}});
    }
    Solution s = solve(p, {}, alone(n), Deadline(std::chrono::seconds(60)));
    CHECK(s.cost == 1);
    CHECK(s.lower == 1);
}
