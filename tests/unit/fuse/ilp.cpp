// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search against Cbc on the integer program of van Balen 2024, figure 4, without gathers: random data dependence graphs
// with one array per vertex, and its five cost functions.
#include "fuse/solve/search.hpp"
#include "random_program.hpp"

#include <catch2/catch.hpp>

#ifdef SINTER_HAVE_CBC
#include <coin/Cbc_C_Interface.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace sinter::fuse::solve;
using sinter::fuse::test::from_environment;

namespace {

struct Edge {
    Vertex from, to;
    bool fusible;
};

/// An array for each vertex; arrays behind those come from outside and only have readers.
struct Graph {
    std::size_t count;
    std::vector<Edge> edges;
    std::vector<bool> returned;
    std::vector<std::vector<Vertex>> inputs;  ///< readers of each

    std::vector<Edge> edges_of(Vertex v, bool fusible_only) const {
        std::vector<Edge> result;
        for (const Edge& e : edges)
            if (e.from == v && (e.fusible || !fusible_only)) result.push_back(e);
        return result;
    }
    bool is_stored(Vertex v) const {
        auto own = edges_of(v, false);
        return returned[v] || std::any_of(own.begin(), own.end(), [](const Edge& e) { return !e.fusible; });
    }
};

Graph random_graph(std::uint64_t seed, std::size_t count) {
    std::mt19937_64 random(seed);
    auto pick = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
    Graph g{count, {}, {}, {}};
    for (Vertex v = 0; v < count; ++v) {
        g.returned.push_back(pick(6) == 0);
        for (std::size_t k = 1 + pick(3); k > 0 && v > 0; --k) {
            auto from = static_cast<Vertex>(v - 1 - pick(std::min<std::size_t>(v, 6)));
            auto known = [&](const Edge& e) { return e.from == from && e.to == v; };
            if (std::none_of(g.edges.begin(), g.edges.end(), known)) g.edges.push_back({from, v, pick(4) != 0});
        }
    }
    for (std::size_t k = 0; k < 1 + count / 6; ++k) {
        std::vector<Vertex> readers;
        for (Vertex v = 0; v < count; ++v)
            if (pick(5) == 0) readers.push_back(v);
        if (readers.size() > 1) g.inputs.push_back(std::move(readers));
    }
    return g;
}

/// Weights of the five cost functions' parts.
struct Weights {
    const char* name;
    double cluster, edge, array, read;
};
constexpr Weights functions[] = {{"clusters", 1, 0, 0, 0},
                                 {"edges", 0, 1, 0, 0},
                                 {"arrays", 0, 0, 1, 0},
                                 {"reads", 0, 0, 0, 1},
                                 {"reads and writes", 0, 0, 1, 1}};

Problem problem_of(const Graph& g, const Weights& weights) {
    Problem p;
    p.count = g.count;
    p.launch = weights.cluster;
    p.patterns.assign(g.count, 0);
    p.movable.assign(g.count, true);
    auto spread = [&](std::vector<Vertex> members) {
        std::sort(members.begin(), members.end());
        p.terms.push_back({Term::Kind::spread, true, weights.read, std::move(members)});
    };
    for (const Edge& e : g.edges) {
        p.arcs.emplace_back(e.from, e.to);
        if (!e.fusible) p.separations.emplace_back(e.from, e.to);
        if (e.fusible) p.terms.push_back({Term::Kind::together, false, weights.edge, {e.from, e.to}});
    }
    for (Vertex v = 0; v < g.count; ++v) {
        std::vector<Vertex> all{v};
        for (const Edge& e : g.edges_of(v, true)) all.push_back(e.to);
        if (all.size() > 1) spread(all);
        if (g.is_stored(v))
            p.constant += weights.array;
        else if (all.size() > 1)
            p.terms.push_back({Term::Kind::together, false, weights.array, all});
        else
            p.constant += weights.array;
    }
    for (const auto& readers : g.inputs) spread(readers), p.constant += weights.read;
    if (weights.cluster > 0) {  // the paper's clusters need nothing in common
        std::vector<Vertex> everything(g.count);
        std::iota(everything.begin(), everything.end(), 0);
        p.terms.push_back({Term::Kind::spread, true, 0, std::move(everything)});
    }
    return p;
}

class IntegerProgram {
  public:
    IntegerProgram(const Graph& g, const Weights& w) : g_(g), w_(w), n_(static_cast<double>(g.count)) {
        Cbc_setParameter(model_, "log", "0");
        Cbc_setParameter(model_, "sec", "20");
        for (Vertex v = 0; v < g.count; ++v) pi_.push_back(column(0, n_, 0));
        for (const Edge& e : g.edges) add_edge(e);
        for (Vertex v = 0; v < g.count; ++v) add_array(v);
        if (w.read > 0)
            for (const auto& readers : g.inputs) add_reads(readers, std::vector<int>(readers.size(), -1));
        if (w.cluster > 0) add_cluster_count();
    }
    ~IntegerProgram() { Cbc_deleteModel(model_); }

    /// Nothing if Cbc cannot prove it in time.
    std::optional<double> solve() {
        Cbc_solve(model_);
        if (!Cbc_isProvenOptimal(model_)) return std::nullopt;
        return Cbc_getObjValue(model_) + constant_;
    }

  private:
    int column(double lower, double upper, double cost) {
        Cbc_addCol(model_, "", lower, upper, cost, 1, 0, nullptr, nullptr);
        return columns_++;
    }
    void row(std::vector<int> columns, std::vector<double> factors, char sense, double right) {
        Cbc_addRow(model_, "", static_cast<int>(columns.size()), columns.data(), factors.data(), sense, right);
    }

    /// Constraints (2) to (5).
    void add_edge(const Edge& e) {
        int a = pi_[e.from], b = pi_[e.to];
        if (!e.fusible) {
            row({b, a}, {1, -1}, 'G', 1);
            x_.push_back(-1);
            return;
        }
        int x = column(0, 1, w_.edge);
        row({b, a, x}, {1, -1, -1}, 'G', 0);
        row({b, a, x}, {1, -1, -n_}, 'L', 0);
        x_.push_back(x);
    }

    /// Constraints (6) and (7), with 1 for manifest; and the reads.
    void add_array(Vertex v) {
        std::vector<Vertex> readers;
        std::vector<int> unfused;
        for (std::size_t k = 0; k < g_.edges.size(); ++k) {
            if (g_.edges[k].from != v || !g_.edges[k].fusible) continue;
            readers.push_back(g_.edges[k].to);
            unfused.push_back(x_[k]);
        }
        if (g_.is_stored(v) || readers.empty()) {
            constant_ += w_.array;
        } else if (w_.array > 0) {
            int manifest = column(0, 1, w_.array);
            for (int x : unfused) row({manifest, x}, {1, -1}, 'G', 0);
        }
        if (w_.read > 0) add_reads(readers, unfused);
    }

    /// A reader pays unless it is fused with the producer (its x is 0) or shares its cluster with an earlier reader.
    void add_reads(const std::vector<Vertex>& readers, const std::vector<int>& unfused) {
        for (std::size_t i = 0; i < readers.size(); ++i) {
            std::vector<int> columns{column(0, 1, w_.read)};
            std::vector<double> factors{1};
            for (std::size_t j = 0; j < i; ++j) {
                int same = column(0, 1, 0), a = pi_[readers[i]], b = pi_[readers[j]];
                row({a, b, same}, {1, -1, n_}, 'L', n_);
                row({b, a, same}, {1, -1, n_}, 'L', n_);
                columns.push_back(same);
                factors.push_back(1);
            }
            bool has_producer = unfused[i] >= 0;
            if (has_producer) columns.push_back(unfused[i]), factors.push_back(-1);
            row(columns, factors, 'G', has_producer ? 0 : 1);
        }
    }

    /// Constraint (10).
    void add_cluster_count() {
        int most = column(0, n_, w_.cluster);
        for (int pi : pi_) row({most, pi}, {1, -1}, 'G', 0);
        constant_ += w_.cluster;
    }

    const Graph& g_;
    const Weights& w_;
    double n_;
    Cbc_Model* model_ = Cbc_newModel();
    int columns_ = 0;
    std::vector<int> pi_, x_;  ///< by vertex, by edge (-1: infusible)
    double constant_ = 0;
};

void compare(std::uint64_t seed, std::size_t count) {
    Graph g = random_graph(seed, count);
    for (const Weights& w : functions) {
        INFO("seed " << seed << ", " << count << " vertices, cost function: " << w.name);
        auto best = IntegerProgram(g, w).solve();
        if (!best) continue;
        Problem p = problem_of(g, w);
        Labels alone(count);
        std::iota(alone.begin(), alone.end(), 0);
        Solution s = solve(p, {}, alone, Deadline(std::chrono::seconds(60)));
        CHECK(s.cost == Approx(*best));
        CHECK(s.lower == s.cost);
    }
}

}  // namespace

TEST_CASE("The search finds what Cbc finds") {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) compare(seed, 4 + 2 * seed);
}

TEST_CASE("The search finds what Cbc finds for up to forty vertices", "[.][long]") {
    std::uint64_t count = from_environment("SINTER_RANDOM_COUNT", 30);
    for (std::uint64_t seed = 1; seed <= count; ++seed) compare(100 + seed, 8 + seed % 33);
}

#else

TEST_CASE("The search finds what Cbc finds") { WARN("skipped: this build found no Cbc (coinor-libcbc-dev)"); }

#endif
