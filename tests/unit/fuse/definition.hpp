// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// All clusterings of small problems.
#pragma once

#include "fuse/solve/problem/problem.hpp"

#include <limits>

namespace sinter::fuse::test {

/// What feasible means, from the definition in problem.hpp alone.
class Definition {
  public:
    Definition(const solve::Problem& problem, const solve::Allowed& allowed)
        : p_(problem), allowed_(allowed), reach_(matrix()) {
        for (auto [a, b] : p_.arcs) reach_[a][b] = true;
        close(reach_);
        for (solve::Vertex a = 0; a < p_.count; ++a)
            for (solve::Vertex b = 0; b < p_.count; ++b) apart_[a][b] = are_apart(a, b);
    }

    bool is_feasible(const solve::Labels& labels) const {
        for (solve::Vertex a = 0; a < p_.count; ++a)
            for (solve::Vertex b = 0; b < a; ++b)
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

    bool are_apart(solve::Vertex a, solve::Vertex b) const {
        for (auto [x, y] : p_.separations)
            if ((x == a && y == b) || (x == b && y == a)) return true;
        if (a == b || p_.patterns[a] == 0 || p_.patterns[b] == 0) return false;
        return p_.patterns[a] != p_.patterns[b] || reach_[a][b] || reach_[b][a];
    }

    bool can_run(const solve::Labels& labels) const {
        Matrix m = matrix();
        for (auto [a, b] : p_.arcs)
            if (labels[a] != labels[b]) m[labels[a]][labels[b]] = true;
        close(m);
        for (std::size_t k = 0; k < m.size(); ++k)
            if (m[k][k]) return false;
        return true;
    }

    bool is_connected(const solve::Labels& labels) const {
        Matrix m = matrix();
        for (const solve::Term& term : p_.terms)
            for (solve::Vertex a : term.members)
                for (solve::Vertex b : term.members)
                    if (term.connects && labels[a] == labels[b]) m[a][b] = true;
        close(m);
        for (solve::Vertex a = 0; a < p_.count; ++a)
            for (solve::Vertex b = 0; b < p_.count; ++b)
                if (a != b && labels[a] == labels[b] && !m[a][b]) return false;
        return true;
    }

    bool is_allowed(const solve::Labels& labels) const {
        if (!allowed_) return true;
        for (const auto& cluster : solve::clusters(labels))
            if (allowed_(cluster)) return false;
        return true;
    }

    const solve::Problem& p_;
    const solve::Allowed& allowed_;
    Matrix reach_, apart_ = matrix();
};

/// Calls `f` for every feasible clustering.
template <class F>
void for_each_feasible(const solve::Problem& p, const solve::Allowed& allowed, F f) {
    Definition definition(p, allowed);
    solve::Labels labels(p.count, 0);
    auto visit = [&](auto& self, solve::Vertex v, solve::Vertex used) -> void {
        if (v == p.count) {
            if (definition.is_feasible(labels)) f(labels);
            return;
        }
        for (solve::Vertex label = 0; label <= used && label < p.count; ++label) {
            labels[v] = label;
            self(self, v + 1, std::max(used, label + 1));
        }
    };
    visit(visit, 0, 0);
}

/// The least cost of all feasible clusterings.
inline double least_cost(const solve::Problem& p, const solve::Allowed& allowed) {
    double least = std::numeric_limits<double>::infinity();
    for_each_feasible(p, allowed, [&](const solve::Labels& labels) { least = std::min(least, cost(p, labels)); });
    return least;
}

}  // namespace sinter::fuse::test
