// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// If two operations are in one cluster, so are all operations between them. Each of these is evaluated in one order, which
// all its readers in the cluster want; if that is not its own order, all its readers have to be in the cluster. If the
// cluster holds the value of a row that is read for the elements of the row, it also holds a fold of such rows.
#include "fuse/graph/order_conflicts.hpp"

#include "fuse/solve/problem/relations.hpp"
#include "fuse/tuning.hpp"

#include <algorithm>

namespace sinter::fuse {

using solve::ConstRow;
using solve::Pair;
using solve::Vertex;

namespace {

using Set = std::vector<std::uint64_t>;

class Conflicts {
  public:
    Conflicts(const DepGraph& graph, PossibleOrders& orders, solve::Problem& problem)
        : g_(graph),
          orders_(orders),
          p_(problem),
          vertex_(graph.roles.size()),
          found_(problem.count),
          tried_(problem.count) {
        for (Vertex v = 0; v < p_.count; ++v) vertex_[g_.vertices[v].index] = v;
    }

    void add() {
        std::vector<Pair> open = pairs();
        if (open.empty()) return;
        solve::Problem known = p_;
        solve::separate_patterns(known);
        r_ = solve::relate(known);
        std::erase_if(open, [&](Pair pair) {  // a second sweep, which knows what the first found, finds next to nothing
            if (may_share(pair)) return false;
            p_.separations.push_back(pair);
            return true;
        });
        for (Pair pair : open) add_condition(pair);
        for (const Access& access : g_.accesses)
            if (is_repetition(access)) add_row_condition(access);
    }

  private:
    Vertex vertex(Operation op) const { return vertex_[op.index]; }

    bool is_repetition(const Access& access) const {
        return access.obstacle == Obstacle::repetition && orders_.may_be_row_read(access);
    }

    /// Pairs of an operation and one that it reads in another order than its own, directly or through operations that follow
    /// any order; and pairs of the value of a row and its elements.
    std::vector<Pair> pairs() const {
        std::vector<Pair> result;
        for (Vertex v = 0; v < p_.count; ++v) {
            std::vector<Vertex> path{v}, seen{v};
            while (!path.empty()) {
                Vertex x = path.back();
                path.pop_back();
                for (const Access& access : g_.reads(g_.vertices[x])) {
                    if (!access.producer.valid()) continue;
                    Vertex u = vertex(access.producer);
                    bool follows = !orders_.is_rigid(access.producer);
                    if (x != v || follows || is_repetition(access)) result.emplace_back(u, v);
                    if (!follows || std::find(seen.begin(), seen.end(), u) != seen.end()) continue;
                    path.push_back(u);
                    seen.push_back(u);
                }
            }
        }
        std::sort(result.begin(), result.end());
        result.erase(std::unique(result.begin(), result.end()), result.end());
        return result;
    }

    Set set_of(Pair pair) const {
        Set set(r_.apart.words(), 0);
        solve::put(set, pair.first), solve::put(set, pair.second);
        return set;
    }

    bool may_share(Pair pair) { return has_orders(set_of(pair)); }

    /// True if a cluster that holds `set` can give each of its operations one order. Where their readers leave several
    /// orders, these are tried, beginning with the last operation, because its order leaves fewer choices for what it reads.
    bool has_orders(Set set) {
        if (!complete(set)) return false;
        std::optional<Vertex> undecided;
        solve::for_each(ConstRow(set), [&](std::size_t v) {
            if (!found_[v].all && found_[v].labels.size() > 1) undecided = static_cast<Vertex>(v);
        });
        if (!undecided || work_ >= tuning::most_work) return true;
        std::optional<Label>& tried = tried_[*undecided];
        const std::vector<Label> labels = found_[*undecided].labels;
        const bool any = std::any_of(labels.begin(), labels.end(), [&](Label label) {
            tried = label;
            return has_orders(set);
        });
        tried.reset();
        return any;
    }

    /// Adds everything else that a cluster with `set` has to hold. Returns false if there is no such cluster; otherwise each
    /// operation has an order that some order of its readers fits.
    bool complete(Set& set) {
        for (Set before; before != set && work_ < tuning::most_work;) {
            solve::close_convexly(r_, set);
            if (solve::holds_apart(r_, ConstRow(set))) return false;
            before = set;
            if (!find_orders(set)) return false;
        }
        return true;
    }

    /// Finds orders, from the readers to what they read.
    bool find_orders(Set& set) {
        std::vector<Vertex> members;
        solve::for_each(ConstRow(set), [&](std::size_t v) { members.push_back(static_cast<Vertex>(v)); });
        work_ += members.size();
        return std::all_of(members.rbegin(), members.rend(), [&](Vertex v) { return find_order(v, set); });
    }

    bool find_order(Vertex v, Set& set) {
        Operation op = g_.vertices[v];
        LabelSet& own = found_[v];
        own = tried_[v] ? LabelSet{{*tried_[v]}, false} : orders_.of(op);
        const auto& uses = g_.uses[op.index];
        for (std::uint32_t use : uses)
            if (holds(set, g_.accesses[use])) own = intersection(std::move(own), wanted(g_.accesses[use]));
        if (!own.all && own.labels.empty()) return false;
        if (!own.holds(identity))
            for (std::uint32_t use : uses) solve::put(set, vertex(g_.accesses[use].reader));
        return true;
    }

    bool holds(const Set& set, const Access& access) const { return solve::holds(set, vertex(access.reader)); }

    LabelSet wanted(const Access& access) {
        if (access.obstacle == Obstacle::repetition) return {{identity}, false};
        return orders_.of(access, found_[vertex(access.reader)]);
    }

    void add_condition(Pair pair) {
        Set set = set_of(pair);
        solve::close_convexly(r_, set);
        Set asked = set;
        if (!complete(asked)) return;
        solve::Condition condition{pair, true, {}};
        solve::for_each(ConstRow(asked), [&](std::size_t v) {
            if (!solve::holds(set, v)) condition.others.push_back(static_cast<Vertex>(v));
        });
        add(std::move(condition));
    }

    void add_row_condition(const Access& access) {
        solve::Condition condition{{vertex(access.producer), vertex(access.reader)}, false, {}};
        for (Operation fold : orders_.row_folds(access)) {
            if (fold == access.producer || fold == access.reader) return;
            condition.others.push_back(vertex(fold));
        }
        add(std::move(condition));
    }

    void add(solve::Condition condition) {
        if (condition.others.empty()) return;
        p_.movable[condition.pair.first] = p_.movable[condition.pair.second] = false;
        for (Vertex v : condition.others) p_.movable[v] = p_.movable[v] && !condition.all;
        p_.conditions.push_back(std::move(condition));
    }

    const DepGraph& g_;
    PossibleOrders& orders_;
    solve::Problem& p_;
    std::vector<Vertex> vertex_;  ///< by operation
    solve::Relations r_;
    std::vector<LabelSet> found_;  ///< by vertex: the orders in which it could be evaluated beside the set in question
    std::vector<std::optional<Label>> tried_;  ///< by vertex
    std::size_t work_ = 0;
};

}  // namespace

void add_order_conflicts(const DepGraph& graph, PossibleOrders& orders, solve::Problem& problem) {
    if (problem.count <= tuning::most_vertices) Conflicts(graph, orders, problem).add();
}

}  // namespace sinter::fuse
