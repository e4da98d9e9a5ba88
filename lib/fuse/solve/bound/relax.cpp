// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Let t vertices f follow h, each in an order of its own, and let a *reference* (perhaps h itself) read in yet another
// order. If w is the price of a read, and [f with h] is 1 where f and h share a cluster and 0 elsewhere, then the cluster of
// h pays for its orders at least
//
//     w (t + [reference with h] - 1)  =  sum over f of  w - w [f not with h],  less  w [reference not with h]
//
// (Any of the f will do as the reference, too.) What stands in brackets is already paid for by the terms of which both
// vertices are members. So the constant grows by w, and the weights of these terms shrink by the same amount; both change by
// less if the terms do not weigh as much.
//
// Some of this is known already: a vertex that was merged with its leader follows it, and one that is apart from its leader
// does not.
#include "fuse/solve/bound/relax.hpp"

#include <algorithm>
#include <map>

namespace sinter::fuse::solve {

namespace {

class Relaxation {
  public:
    Relaxation(Problem& problem, const Relations& relations) : p_(problem), r_(relations), terms_(problem.count) {
        for (std::uint32_t t = 0; t < p_.terms.size(); ++t)
            for (Vertex v : p_.terms[t].members) terms_[v].push_back(t);
    }

    void charge(const ReadOrders& orders) {
        weight_ = orders.weight;
        known_.clear(), open_.clear(), counted_.clear(), references_.clear();
        for (const Read& read : orders.reads) sort_in(read);
        for (auto& [vertex, all] : known_) charge_known(vertex, all);
        for (auto& [leader, followers] : open_) charge_open(leader, followers);
    }

  private:
    using Orders = std::vector<std::uint32_t>;
    /// A vertex that follows another if they are together, in one of these orders.
    struct Follower {
        Vertex vertex;
        Orders orders;
    };
    /// An order in which the cluster of a vertex reads.
    struct Use {
        std::uint32_t order;
        Vertex vertex;
    };

    void sort_in(const Read& read) {
        std::uint32_t order = read.own;
        Follower open{read.reader, {}};
        Vertex leader = read.reader;
        for (const Following& f : read.following) {
            if (holds(r_.apart[read.reader], f.leader)) continue;
            if (f.leader == read.reader) {
                order = f.order;
                continue;
            }
            if (open.orders.empty()) leader = f.leader;
            open.orders.push_back(f.order);
        }
        if (std::all_of(open.orders.begin(), open.orders.end(), [&](std::uint32_t o) { return o == order; }))
            known_[read.reader].push_back(order);
        else
            open_[leader].push_back(std::move(open));
    }

    bool may_meet(Vertex a, Vertex b) const { return a == b || !holds(r_.apart[a], b); }

    /// True if a cluster that holds `vertex` may have the order for another reason.
    bool is_among(const std::vector<Use>& uses, std::uint32_t order, Vertex vertex) const {
        return std::any_of(uses.begin(), uses.end(),
                           [&](const Use& use) { return use.order == order && may_meet(use.vertex, vertex); });
    }
    bool is_new(std::uint32_t order, Vertex vertex) const {
        return !is_among(counted_, order, vertex) && !is_among(references_, order, vertex);
    }
    bool are_new(const Orders& orders, Vertex vertex) const {
        return std::all_of(orders.begin(), orders.end(), [&](std::uint32_t order) { return is_new(order, vertex); });
    }
    void count(const Orders& orders, Vertex vertex) {
        for (std::uint32_t order : orders) counted_.push_back({order, vertex});
    }

    /// Charges all orders but one, which is the reference for others.
    void charge_known(Vertex vertex, Orders& orders) {
        std::sort(orders.begin(), orders.end());
        orders.erase(std::unique(orders.begin(), orders.end()), orders.end());
        auto reference = std::find_if(orders.begin(), orders.end(),
                                      [&](std::uint32_t order) { return !is_among(counted_, order, vertex); });
        if (reference == orders.end()) return;
        references_.push_back({*reference, vertex});
        for (std::uint32_t order : orders) {
            if (!is_new(order, vertex)) continue;
            p_.constant += weight_;
            counted_.push_back({order, vertex});
        }
    }

    void charge_open(Vertex leader, std::vector<Follower>& followers) {
        std::erase_if(followers, [&](const Follower& f) { return !are_new(f.orders, leader); });
        if (followers.empty()) return;
        const double most = has_reference(leader) ? weight_ : take_reference(leader, followers);
        for (const Follower& f : followers) {
            if (!are_new(f.orders, leader)) continue;
            const double paid = std::min(most, weight(f.vertex, leader));
            take(f.vertex, leader, paid);
            p_.constant += paid;
            count(f.orders, leader);
        }
    }

    /// Takes the heaviest reference there is; returns how much was taken. It may be one of the followers, which then no
    /// longer counts.
    double take_reference(Vertex leader, std::vector<Follower>& followers) {
        auto lighter = [&](const Follower& a, const Follower& b) {
            return weight(a.vertex, leader) < weight(b.vertex, leader);
        };
        const auto follower = std::max_element(followers.begin(), followers.end(), lighter);
        auto [reference, most] = best_reference(leader);
        if (const double own = std::min(weight_, weight(follower->vertex, leader)); own > most) {
            reference = follower->vertex, most = own;
            count(follower->orders, leader);
            followers.erase(follower);
        }
        if (!followers.empty()) take(reference, leader, most);
        return most;
    }

    bool has_reference(Vertex leader) const {
        return std::any_of(references_.begin(), references_.end(), [&](const Use& use) { return use.vertex == leader; });
    }

    std::pair<Vertex, double> best_reference(Vertex leader) const {
        std::pair<Vertex, double> best(leader, 0.0);
        for (const Use& use : references_) {
            const double value = std::min(weight_, weight(use.vertex, leader));
            if (value > best.second) best = {use.vertex, value};
        }
        return best;
    }

    /// The least that is paid if the two are not together.
    double weight(Vertex a, Vertex b) const {
        double total = 0;
        for (std::uint32_t t : terms_[a])
            if (has(p_.terms[t], b)) total += p_.terms[t].weight;
        return total;
    }
    static bool has(const Term& term, Vertex v) { return std::binary_search(term.members.begin(), term.members.end(), v); }

    /// Takes weight from terms that nothing else shares first.
    void take(Vertex a, Vertex b, double weight) {
        for (bool of_others : {false, true})
            for (std::uint32_t t : terms_[a]) {
                Term& term = p_.terms[t];
                const bool is_shared = term.kind == Term::Kind::spread && term.members.size() > 2;
                if (is_shared != of_others || !has(term, b)) continue;
                const double part = std::min(weight, term.weight);
                term.weight -= part, weight -= part;
            }
    }

    Problem& p_;
    const Relations& r_;
    std::vector<std::vector<std::uint32_t>> terms_;  ///< by vertex
    double weight_ = 0;
    std::map<Vertex, Orders> known_;                ///< by reader
    std::map<Vertex, std::vector<Follower>> open_;  ///< by leader
    std::vector<Use> counted_, references_;         ///< for each cluster, at least one reference is not counted
};

}  // namespace

Problem relax(Problem problem, const Relations& relations) {
    if (problem.read_orders.empty()) return problem;
    Relaxation relaxation(problem, relations);
    for (const ReadOrders& orders : problem.read_orders) relaxation.charge(orders);
    problem.read_orders.clear();
    return problem;
}

}  // namespace sinter::fuse::solve
