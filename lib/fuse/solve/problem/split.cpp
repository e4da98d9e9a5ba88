// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/solve/problem/graph.hpp"
#include "fuse/solve/problem/node.hpp"

#include <algorithm>

namespace sinter::fuse::solve {

namespace {

class Splitter {
  public:
    explicit Splitter(Node node) : node_(std::move(node)), number_(node_.problem.count) {
        const Problem& p = node_.problem;
        std::vector<Pair> arcs = p.arcs;
        for (std::size_t t = 0; t < p.terms.size(); ++t)
            if (p.terms[t].connects) join(arcs, p.terms[t].members, static_cast<Vertex>(p.count + t));
        part_of_ = strong_components(Adjacency(p.count + p.terms.size(), arcs)).of;
    }

    Parts run() {
        place_vertices();
        if (parts_.nodes.size() == 1) return {{std::move(node_)}, 0};
        for (auto [from, to] : node_.problem.arcs)
            if (Node* part = common(from, to)) part->problem.arcs.emplace_back(number_[from], number_[to]);
        for (auto [a, b] : node_.problem.separations)
            if (Node* part = common(a, b)) part->problem.separations.emplace_back(number_[a], number_[b]);
        for (const Term& term : node_.problem.terms) place(term);
        for (const ReadOrders& orders : node_.problem.read_orders) place(orders);
        for (const Condition& condition : node_.problem.conditions) place(condition);
        for (const Result& result : node_.problem.results) place(result);
        parts_.constant += node_.problem.constant;
        return std::move(parts_);
    }

  private:
    Node& part(Vertex v) { return parts_.nodes[part_of_[v]]; }
    Node* common(Vertex a, Vertex b) { return part_of_[a] == part_of_[b] ? &part(a) : nullptr; }

    void place_vertices() {
        constexpr auto none = static_cast<Vertex>(-1);
        std::vector<Vertex> named(part_of_.size(), none);
        for (Vertex v = 0; v < node_.problem.count; ++v) {
            Vertex& name = named[part_of_[v]];
            if (name == none) {
                name = static_cast<Vertex>(parts_.nodes.size());
                Node& part = parts_.nodes.emplace_back();
                part.problem.launch = node_.problem.launch;
                part.problem.joined_shapes = node_.problem.joined_shapes;
            }
            part_of_[v] = name;
            Node& to = part(v);
            number_[v] = static_cast<Vertex>(to.problem.count++);
            to.problem.patterns.push_back(node_.problem.patterns[v]);
            to.problem.movable.push_back(node_.problem.movable[v]);
            to.members.push_back(node_.members[v]);
        }
    }

    void place(const Term& term) {
        std::vector<Vertex> seen;  // parts that hold members
        for (Vertex v : term.members) {
            Problem& p = part(v).problem;
            bool again = !p.terms.empty() && open_[part_of_[v]];
            if (!again) {
                p.terms.push_back({term.kind, term.connects, term.weight, {}});
                open_[part_of_[v]] = true;
                seen.push_back(part_of_[v]);
            }
            p.terms.back().members.push_back(number_[v]);
        }
        for (Vertex name : seen) close(parts_.nodes[name].problem, name, seen.size() > 1);
        auto more = static_cast<double>(seen.size() - 1);
        parts_.constant += term.weight * (term.kind == Term::Kind::together ? std::min(more, 1.0) : more);
    }

    /// A term with one member demands nothing; a `together` term that has members elsewhere cannot be satisfied.
    void close(Problem& p, Vertex name, bool shared) {
        open_[name] = false;
        const Term& term = p.terms.back();
        if (term.members.size() < 2 || (shared && term.kind == Term::Kind::together)) p.terms.pop_back();
    }

    /// If the leader is in another part, the reader never follows it.
    void place(const ReadOrders& orders) {
        std::vector<Vertex> seen;  // parts that hold reads
        for (const Read& read : orders.reads) {
            auto& all = part(read.reader).problem.read_orders;
            const Vertex name = part_of_[read.reader];
            if (std::find(seen.begin(), seen.end(), name) == seen.end()) {
                all.push_back({orders.weight, {}});
                seen.push_back(name);
            }
            Read own{number_[read.reader], read.own, {}};
            for (const Following& f : read.following) {
                if (part_of_[f.leader] != name) continue;
                own.following.push_back({number_[f.leader], f.order});
            }
            all.back().reads.push_back(std::move(own));
        }
        for (Vertex name : seen) {
            auto& all = parts_.nodes[name].problem.read_orders;
            if (!may_differ(all.back())) all.pop_back();
        }
    }

    /// Others that are in other parts are out of reach.
    void place(const Condition& c) {
        Node* to = common(c.pair.first, c.pair.second);
        if (!to) return;
        Condition own{{number_[c.pair.first], number_[c.pair.second]}, c.all, {}};
        for (Vertex v : c.others)
            if (common(c.pair.first, v)) own.others.push_back(number_[v]);
        bool is_possible = !own.others.empty() && (!c.all || own.others.size() == c.others.size());
        if (is_possible)
            to->problem.conditions.push_back(std::move(own));
        else if (own.pair.first != own.pair.second)
            to->problem.separations.push_back(own.pair);
    }

    void place(const Result& result) {
        Result own{number_[result.vertex], result.shape, result.stored, {}};
        for (Vertex v : result.readers) {
            if (common(result.vertex, v))
                own.readers.push_back(number_[v]);
            else
                own.stored = true;
        }
        if (own.stored) own.readers.clear();
        part(result.vertex).problem.results.push_back(std::move(own));
    }

    Node node_;
    Labels number_;   ///< by vertex: its number in its part
    Labels part_of_;  ///< by vertex
    Parts parts_;
    std::vector<bool> open_ = std::vector<bool>(node_.problem.count + 1, false);  ///< by part: its last term is still
                                                                                  ///< growing
};

}  // namespace

Parts split(Node node) { return Splitter(std::move(node)).run(); }

}  // namespace sinter::fuse::solve
