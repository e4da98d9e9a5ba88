// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Clustering problems as programs give rise to them, from a seed.
#pragma once

#include "fuse/solve/problem/problem.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <sstream>

namespace sinter::fuse::test {

class RandomProblem {
  public:
    RandomProblem(std::uint64_t seed, std::size_t count) : random_(seed) {
        p_.count = count;
        p_.launch = static_cast<double>(pick(4));
        for (std::size_t v = 0; v < count; ++v)
            p_.patterns.push_back(pick(3) == 0 ? 1 + static_cast<std::uint32_t>(pick(2)) : 0);
        p_.movable.assign(count, true);
        for (solve::Vertex v = 0; v < count; ++v)
            for (std::size_t k = pick(3); k > 0; --k) add_array(v);
        for (std::size_t k = 1 + count / 4; k > 0; --k) add_input();
        for (std::size_t k = pick(3); k > 0; --k) p_.separations.push_back(two());
        if (count > 3 && pick(2)) forbid_triples();
        if (count > 3)
            for (std::size_t k = pick(3); k > 0; --k) add_condition();
        for (std::size_t k = pick(3); k > 0; --k) add_read_orders();
        if (pick(2)) add_results();
    }

    const solve::Problem& problem() const { return p_; }
    /// Clusters must not hold all of certain three, and meet the conditions, and keep results of one shape.
    solve::Allowed allowed() const {
        if (triples_.empty() && p_.conditions.empty() && p_.results.empty()) return {};
        return [this](std::span<const solve::Vertex> cluster) -> std::optional<solve::Conflict> {
            auto has = [&](solve::Vertex v) { return std::binary_search(cluster.begin(), cluster.end(), v); };
            for (const solve::Condition& c : p_.conditions) {
                if (!has(c.pair.first) || !has(c.pair.second)) continue;
                const auto& o = c.others;
                if (!(c.all ? std::all_of(o.begin(), o.end(), has) : std::any_of(o.begin(), o.end(), has)))
                    return solve::Conflict{c.pair.first, c.pair.second, false};
            }
            auto is_kept = [&](const solve::Result& r) {
                return has(r.vertex) && (r.stored || !std::all_of(r.readers.begin(), r.readers.end(), has));
            };
            for (const solve::Result& a : p_.results)
                for (const solve::Result& b : p_.results)
                    if (is_kept(a) && is_kept(b) && a.shape < b.shape && !(are_joined_ && a.shape == 0 && b.shape == 1))
                        return solve::Conflict{a.vertex, b.vertex, false};
            for (const auto& t : triples_)
                if (std::includes(cluster.begin(), cluster.end(), t.begin(), t.end()))
                    return solve::Conflict{t[0], t[1], false};
            return std::nullopt;
        };
    }

    std::string text() const {
        std::ostringstream out;
        out << p_.count << " vertices, launch " << p_.launch << "\narcs";
        for (auto [a, b] : p_.arcs) out << ' ' << a << "->" << b;
        out << "\napart";
        for (auto [a, b] : p_.separations) out << ' ' << a << '|' << b;
        out << "\npatterns";
        for (auto pattern : p_.patterns) out << ' ' << pattern;
        for (const solve::Term& term : p_.terms) {
            out << (term.kind == solve::Term::Kind::together ? "\ntogether " : "\nspread ") << term.weight
                << (term.connects ? " connects" : "");
            for (auto v : term.members) out << ' ' << v;
        }
        for (const solve::Condition& c : p_.conditions) {
            out << "\ncondition " << c.pair.first << ' ' << c.pair.second << (c.all ? " all" : " any");
            for (auto v : c.others) out << ' ' << v;
        }
        for (const solve::ReadOrders& orders : p_.read_orders) {
            out << "\nread orders " << orders.weight;
            for (const solve::Read& read : orders.reads) {
                out << ", " << read.reader << " in " << read.own;
                for (const solve::Following& f : read.following) out << ", with " << f.leader << " in " << f.order;
            }
        }
        for (const solve::Result& result : p_.results) {
            out << "\nresult of " << result.vertex << " shape " << result.shape << (result.stored ? " stored" : "");
            for (auto v : result.readers) out << ' ' << v;
        }
        if (are_joined_) out << "\nshapes 0 and 1 are joined";
        for (const auto& t : triples_) out << "\nforbidden " << t[0] << ' ' << t[1] << ' ' << t[2];
        return out.str();
    }

  private:
    std::size_t pick(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_); }
    solve::Vertex any() { return static_cast<solve::Vertex>(pick(p_.count)); }
    solve::Pair two() {
        solve::Vertex a = any(), b = any();
        while (a == b) b = any();
        return {std::min(a, b), std::max(a, b)};
    }

    void add(solve::Term::Kind kind, bool connects, std::vector<solve::Vertex> members) {
        std::sort(members.begin(), members.end());
        members.erase(std::unique(members.begin(), members.end()), members.end());
        if (members.size() > 1) p_.terms.push_back({kind, connects, static_cast<double>(pick(6)), members});
    }

    /// What `producer` makes, read by some later vertices in one order, and by some as a whole.
    void add_array(solve::Vertex producer) {
        std::vector<solve::Vertex> ordered{producer}, all{producer};
        for (solve::Vertex v = producer + 1; v < p_.count && all.size() < 5; ++v) {
            if (pick(1 + p_.count / 4) != 0) continue;
            all.push_back(v);
            p_.arcs.emplace_back(producer, v);
            if (pick(4) == 0)
                p_.separations.emplace_back(producer, v);
            else
                ordered.push_back(v);
        }
        if (pick(4) != 0) add(solve::Term::Kind::together, false, all);
        add(solve::Term::Kind::spread, true, std::move(ordered));
    }

    void add_input() {
        std::vector<solve::Vertex> readers;
        for (std::size_t k = 1 + pick(4); k > 0; --k) readers.push_back(any());
        add(solve::Term::Kind::spread, pick(4) != 0, std::move(readers));
    }

    void forbid_triples() {
        for (int k = 0; k < 2; ++k) {
            std::array<solve::Vertex, 3> t{any(), any(), any()};
            std::sort(t.begin(), t.end());
            if (t[0] == t[1] || t[1] == t[2]) continue;
            for (auto v : t) p_.movable[v] = false;
            triples_.push_back(t);
        }
    }

    /// One of `others` has to have a pattern, or all of them not to be movable (problem.hpp).
    void add_condition() {
        solve::Condition c{two(), pick(2) == 0, {}};
        for (solve::Vertex v = 0; v < p_.count; ++v)
            if (v != c.pair.first && v != c.pair.second && (c.all || p_.patterns[v] != 0) && pick(3) == 0)
                c.others.push_back(v);
        if (c.others.empty()) return;
        p_.movable[c.pair.first] = p_.movable[c.pair.second] = false;
        if (c.all)
            for (auto v : c.others) p_.movable[v] = false;
        p_.conditions.push_back(std::move(c));
    }

    /// Leaders are found along the arcs.
    void add_read_orders() {
        solve::ReadOrders orders{static_cast<double>(1 + pick(5)), {}};
        for (std::size_t k = 2 + pick(4); k > 0; --k) {
            solve::Read read{any(), static_cast<std::uint32_t>(pick(4)), {}};
            p_.movable[read.reader] = false;
            for (auto v = next(read.reader); v && pick(4) != 0; v = next(*v)) {
                read.following.push_back({*v, static_cast<std::uint32_t>(pick(6))});
                p_.movable[*v] = false;
            }
            orders.reads.push_back(std::move(read));
        }
        p_.read_orders.push_back(std::move(orders));
    }

    void add_results() {
        for (solve::Vertex v = 0; v < p_.count; ++v) {
            if (pick(3) == 0) continue;
            solve::Result result{v, static_cast<std::uint32_t>(pick(3)), pick(4) == 0, {}};
            for (auto [from, to] : p_.arcs)
                if (from == v) result.readers.push_back(to);
            std::sort(result.readers.begin(), result.readers.end());
            result.readers.erase(std::unique(result.readers.begin(), result.readers.end()), result.readers.end());
            if (!result.stored && result.readers.empty()) continue;
            p_.movable[v] = false;
            for (auto reader : result.readers) p_.movable[reader] = false;
            p_.results.push_back(std::move(result));
        }
        are_joined_ = pick(2) == 0;
        if (are_joined_) p_.joined_shapes.emplace_back(0, 1);
    }

    std::optional<solve::Vertex> next(solve::Vertex v) const {
        auto leaves = [&](const solve::Pair& arc) { return arc.first == v; };
        const auto found = std::find_if(p_.arcs.begin(), p_.arcs.end(), leaves);
        return found == p_.arcs.end() ? std::nullopt : std::optional(found->second);
    }

    std::mt19937_64 random_;
    solve::Problem p_;
    std::vector<std::array<solve::Vertex, 3>> triples_;
    bool are_joined_ = false;
};

}  // namespace sinter::fuse::test
