// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For every variable: keeping its producer and all its readers together saves the write. For each order in which the
// variable is read, the producer and these readers cost one read for each cluster beyond the first that holds any of them;
// readers that are never fused with the producer share reads among themselves.
#include "fuse/strategy/encode.hpp"

#include "fuse/graph/order_conflicts.hpp"
#include "fuse/graph/read_orders.hpp"
#include "fuse/rules/results.hpp"
#include "fuse/solve/problem/bits.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace sinter::fuse {

using solve::Pair;
using solve::Term;
using solve::Vertex;

namespace {

constexpr double joined = -1;  ///< weight of a term that has become part of another

/// Accesses of one variable that could share a read.
struct Group {
    LabelSet courses;
    bool whole;
    std::vector<std::pair<Vertex, double>> readers;  ///< each with the price of the read
    std::vector<const Access*> accesses;
};

void make_unique(std::vector<Pair>& pairs) {
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

/// Merges terms with the same members: a stencil reads what it reads in many orders.
void join_equal(std::vector<Term>& terms) {
    std::vector<std::uint32_t> order(terms.size());
    std::iota(order.begin(), order.end(), 0);
    auto key = [&](std::uint32_t t) { return std::tie(terms[t].kind, terms[t].connects, terms[t].members); };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
    std::uint32_t first = 0;
    for (std::size_t k = 1; k < order.size(); ++k) {
        if (key(order[first]) != key(order[k])) {
            first = static_cast<std::uint32_t>(k);
            continue;
        }
        terms[order[first]].weight += terms[order[k]].weight;
        terms[order[k]].weight = joined;
    }
    std::erase_if(terms, [](const Term& term) { return term.weight == joined; });
}

class Encoder {
  public:
    Encoder(const DepGraph& graph, const Prices& prices)
        : g_(graph), prices_(prices), orders_(graph), vertex_(graph.roles.size()) {
        for (Vertex v = 0; v < g_.vertices.size(); ++v) vertex_[g_.vertices[v].index] = v;
    }

    solve::Problem encode() {
        p_.count = g_.vertices.size();
        p_.launch = prices_.launch();
        add_vertices();
        add_arcs();
        separate_folds();
        for (const auto& accesses : by_variable())
            if (!accesses.empty()) add_variable(accesses);
        add_read_orders(g_, orders_, in_orders_, p_);
        join_equal(p_.terms);
        make_unique(p_.arcs), make_unique(p_.separations);
        add_results(g_, p_);
        add_order_conflicts(g_, orders_, p_);
        return std::move(p_);
    }

  private:
    Vertex vertex(Operation op) const { return vertex_[op.index]; }

    void add_vertices() {
        std::vector<std::pair<Operation, std::uint32_t>> kinds;  // one operation of each pattern so far
        for (Operation op : g_.vertices) {
            p_.patterns.push_back(pattern(op, kinds));
            p_.movable.push_back(g_.roles[op.index] == Role::compute && orders_.is_rigid(op) && !meets_row(op) &&
                                 !reads_in_other_orders(op));
            add_own_price(op);
        }
    }

    /// True if the operation may repeat the value of a row for its elements, or if its own result may be repeated like that.
    bool meets_row(Operation op) const {
        auto by_row = [&](const Access& access) { return orders_.may_be_row_read(access); };
        auto used_by_row = [&](std::uint32_t use) { return by_row(g_.accesses[use]); };
        return std::any_of(g_.reads(op).begin(), g_.reads(op).end(), by_row) ||
               std::any_of(g_.uses[op.index].begin(), g_.uses[op.index].end(), used_by_row);
    }

    /// True if, were the operation in another cluster, what it reads would have to be in memory and could not be evaluated
    /// in the order it wants.
    bool reads_in_other_orders(Operation op) const {
        auto bends = [&](const Access& access) { return access.producer.valid() && !orders_.is_rigid(access.producer); };
        return std::any_of(g_.reads(op).begin(), g_.reads(op).end(), bends);
    }

    /// Operations with the same number may share a cluster if neither needs the other.
    std::uint32_t pattern(Operation op, std::vector<std::pair<Operation, std::uint32_t>>& kinds) const {
        if (g_.pattern(op) == Pattern::map) return 0;
        for (const auto& [other, number] : kinds)
            if (alike(op, other)) return number;
        const bool has_rows = g_.fold(op) && g_.points(op).size() > 0;
        kinds.emplace_back(op, (static_cast<std::uint32_t>(kinds.size()) + 1) | (has_rows ? solve::repeatable : 0));
        return kinds.back().second;
    }

    bool alike(Operation a, Operation b) const {
        if (g_.pattern(a) != g_.pattern(b)) return false;
        if (g_.fold(a)) return !fold_mismatch(g_, a, b);
        return g_.scan(a) && !scan_mismatch(g_, a, b);
    }

    /// What is written whatever the partition.
    void add_own_price(Operation op) {
        if (g_.roles[op.index] == Role::barrier) return;
        for (std::size_t k = 0; k < g_.result_count(op); ++k)
            if (g_.stored[g_.result(op, k).index]) p_.constant += prices_.written(g_.binding(op).types[k]);
    }

    void add_arcs() {
        for (const Access& access : g_.accesses) {
            if (!access.producer.valid()) continue;
            Pair arc(vertex(access.producer), vertex(access.reader));
            p_.arcs.push_back(arc);
            if (!orders_.can_fuse(access)) p_.separations.push_back(arc);
            if (prices_.edge() > 0 && access.obstacle == Obstacle::none)
                p_.terms.push_back({Term::Kind::together, false, prices_.edge(), {arc.first, arc.second}});
        }
    }

    /// A fold that needs another one, except for the elements of its row, cannot be in its cluster, even if both are of one
    /// kind.
    void separate_folds() {
        std::vector<Vertex> folds;
        for (Vertex v = 0; v < p_.count; ++v)
            if (g_.fold(g_.vertices[v])) folds.push_back(v);
        solve::Bits needs(p_.count);  // by vertex: the vertices that it needs other than through a row
        for (Vertex v = 0; v < p_.count; ++v)
            for (const Access& access : g_.reads(g_.vertices[v])) {
                if (!access.producer.valid() || orders_.may_be_row_read(access)) continue;
                solve::put(needs[v], vertex(access.producer)), solve::unite(needs[v], needs[vertex(access.producer)]);
            }
        std::vector<std::uint64_t> further(needs.words());  // needed by folds of the same kind that v needs: these follow
        for (Vertex v : folds) {
            auto is_alike = [&](std::size_t x) { return p_.patterns[v] == p_.patterns[x]; };
            std::fill(further.begin(), further.end(), 0);
            solve::for_each(solve::ConstRow(needs[v]), [&](std::size_t x) {
                if (is_alike(x)) solve::unite(further, needs[x]);
            });
            solve::for_each(solve::ConstRow(needs[v]), [&](std::size_t x) {
                if (is_alike(x) && !solve::holds(further, x)) p_.separations.emplace_back(static_cast<Vertex>(x), v);
            });
        }
    }

    std::vector<std::vector<const Access*>> by_variable() const {
        std::vector<std::vector<const Access*>> result(g_.types.size());
        for (const Access& access : g_.accesses) result[access.variable.index].push_back(&access);
        return result;
    }

    void add_variable(const std::vector<const Access*>& accesses) {
        separate_updates(accesses);
        const Access& any = *accesses[0];
        std::optional<Vertex> producer;
        if (any.producer.valid()) producer = vertex(any.producer);
        if (producer && !g_.stored[any.variable.index]) add_write(*producer, accesses);
        for (Group& group : groups(accesses)) {
            add_reads(group.whole ? std::nullopt : producer, group);
            const double least = group.readers.back().second;
            if (group.accesses.size() > 1 && !group.whole && least > 0)
                in_orders_.push_back({least, std::move(group.accesses)});
        }
    }

    /// Only the scatter itself may access what it updates.
    void separate_updates(const std::vector<const Access*>& accesses) {
        for (const Access* update : accesses)
            for (const Access* other : accesses)
                if (update->updated && update->reader != other->reader)
                    p_.separations.emplace_back(vertex(update->reader), vertex(other->reader));
    }

    void add_write(Vertex producer, const std::vector<const Access*>& accesses) {
        Term term{Term::Kind::together, false, prices_.written(g_.types[accesses[0]->variable.index]), {producer}};
        for (const Access* access : accesses) term.members.push_back(vertex(access->reader));
        if (term.weight > 0) add(std::move(term));
    }

    std::vector<Group> groups(const std::vector<const Access*>& accesses) {
        std::vector<Group> groups;
        for (const Access* access : accesses) {
            if (access->label == scalar_read || g_.roles[access->reader.index] == Role::barrier) continue;
            Group group{access->whole ? LabelSet() : orders_.courses_of(*access), access->whole, {}, {access}};
            group.readers.emplace_back(vertex(access->reader), prices_.read(g_, *access));
            absorb(groups, group);
            groups.push_back(std::move(group));
        }
        return groups;
    }

    /// Moves the groups that might share a read with `group` into it.
    static void absorb(std::vector<Group>& groups, Group& group) {
        std::erase_if(groups, [&](Group& other) {
            if (other.whole != group.whole || !(group.whole || meet(other.courses, group.courses))) return false;
            group.courses.all = group.courses.all || other.courses.all;
            auto& labels = group.courses.labels;
            labels.insert(labels.end(), other.courses.labels.begin(), other.courses.labels.end());
            std::sort(labels.begin(), labels.end());
            labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
            other.readers.insert(other.readers.end(), group.readers.begin(), group.readers.end());
            group.readers.swap(other.readers);
            other.accesses.insert(other.accesses.end(), group.accesses.begin(), group.accesses.end());
            group.accesses.swap(other.accesses);
            return true;
        });
    }

    /// A cluster pays the highest price of its readers: the readers that pay the next higher price are the members of one
    /// term.
    void add_reads(std::optional<Vertex> producer, Group& group) {
        auto& readers = group.readers;
        std::sort(readers.begin(), readers.end(), [](auto& a, auto& b) { return a.second > b.second; });
        for (std::size_t end = readers.size(); end > 0;) {
            double price = readers[end - 1].second;
            bool is_base = end == readers.size();
            std::size_t dearer = end;
            while (dearer > 0 && readers[dearer - 1].second == price) --dearer;
            double paid = is_base ? 0 : readers[end].second;
            Term term{Term::Kind::spread, is_base && !group.whole, price - paid, {}};
            for (std::size_t k = 0; k < end; ++k) term.members.push_back(readers[k].first);
            if (producer)
                term.members.push_back(*producer);
            else
                p_.constant += term.weight;
            add(std::move(term));
            end = dearer;
        }
    }

    void add(Term term) {
        std::sort(term.members.begin(), term.members.end());
        term.members.erase(std::unique(term.members.begin(), term.members.end()), term.members.end());
        if (term.members.size() > 1) p_.terms.push_back(std::move(term));
    }

    const DepGraph& g_;
    const Prices& prices_;
    PossibleOrders orders_;
    std::vector<SharedRead> in_orders_;  ///< reads that may be in several orders
    std::vector<Vertex> vertex_;         ///< by operation
    solve::Problem p_;
};

}  // namespace

solve::Problem encode(const DepGraph& graph, const Prices& prices) { return Encoder(graph, prices).encode(); }

solve::Labels to_labels(const DepGraph& graph, const Clusters& clusters) {
    std::vector<Vertex> vertex(graph.roles.size());
    for (Vertex v = 0; v < graph.vertices.size(); ++v) vertex[graph.vertices[v].index] = v;
    solve::Labels labels(graph.vertices.size());
    for (const Operations& operations : clusters)
        for (Operation op : operations) labels[vertex[op.index]] = vertex[operations.front().index];
    return labels;
}

Clusters to_clusters(const DepGraph& graph, const solve::Labels& labels) {
    Clusters result;
    for (const auto& cluster : solve::clusters(labels)) {
        result.emplace_back();
        for (Vertex v : cluster) result.back().push_back(graph.vertices[v]);
    }
    return result;
}

}  // namespace sinter::fuse
