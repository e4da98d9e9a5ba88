// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/solve/problem/node.hpp"

#include <algorithm>
#include <tuple>

namespace sinter::fuse::solve {

namespace {

template <class T>
void make_unique(std::vector<T>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

/// Renumbers labels without gaps, in the order of their first vertices.
Labels dense(const Labels& labels, std::size_t& count) {
    Labels number(labels.size(), static_cast<Vertex>(labels.size())), result(labels.size());
    for (std::size_t v = 0; v < labels.size(); ++v) {
        Vertex& n = number[labels[v]];
        if (n == labels.size()) n = static_cast<Vertex>(count++);
        result[v] = n;
    }
    return result;
}

void rename(std::vector<Pair>& pairs, const Labels& to) {
    for (auto& [a, b] : pairs) a = to[a], b = to[b];
    std::erase_if(pairs, [](const Pair& pair) { return pair.first == pair.second; });
    make_unique(pairs);
}

void rename(std::vector<Term>& terms, const Labels& to) {
    for (Term& term : terms) {
        for (Vertex& v : term.members) v = to[v];
        make_unique(term.members);
    }
    std::erase_if(terms, [](const Term& term) { return term.members.size() < 2; });
}

void rename(std::vector<Condition>& conditions, const Labels& to) {
    for (Condition& c : conditions) {
        c.pair = {to[c.pair.first], to[c.pair.second]};
        for (Vertex& v : c.others) v = to[v];
        make_unique(c.others);
        auto is_met = [&](Vertex v) { return v == c.pair.first || v == c.pair.second; };
        if (!c.all && std::any_of(c.others.begin(), c.others.end(), is_met)) c.others.clear();
        std::erase_if(c.others, is_met);
    }
    std::erase_if(conditions, [](const Condition& c) { return c.others.empty(); });
}

/// If a vertex stores any results, it stores those of one shape.
void drop_repeated(std::vector<Result>& results) {
    auto key = [](const Result& r) { return std::tuple(r.vertex, r.shape, !r.stored); };
    std::stable_sort(results.begin(), results.end(), [&](auto& a, auto& b) { return key(a) < key(b); });
    const Result* first = nullptr;
    std::size_t kept = 0;
    for (Result& result : results) {
        const bool repeats = first && first->stored && first->vertex == result.vertex && first->shape == result.shape;
        if (repeats) continue;
        if (&results[kept] != &result) results[kept] = std::move(result);
        first = &results[kept++];
    }
    results.resize(kept);
}

void rename(std::vector<Result>& results, const Labels& to) {
    for (Result& result : results) {
        result.vertex = to[result.vertex];
        for (Vertex& v : result.readers) v = to[v];
        make_unique(result.readers);
        std::erase(result.readers, result.vertex);
    }
    std::erase_if(results, [](const Result& result) { return !result.stored && result.readers.empty(); });
    drop_repeated(results);
}

void rename(std::vector<ReadOrders>& all, const Labels& to) {
    for (ReadOrders& orders : all)
        for (Read& read : orders.reads) {
            read.reader = to[read.reader];
            for (Following& f : read.following) f.leader = to[f.leader];
        }
}

}  // namespace

Node quotient(const Node& node, const Labels& labels) {
    std::size_t count = 0;
    Labels to = dense(labels, count);
    Node result{node.problem, std::vector<std::vector<Vertex>>(count)};
    Problem& p = result.problem;
    p.count = count;
    p.patterns.assign(count, 0);
    p.movable.assign(count, true);
    for (std::size_t v = 0; v < labels.size(); ++v) {
        auto& members = result.members[to[v]];
        members.insert(members.end(), node.members[v].begin(), node.members[v].end());
        p.patterns[to[v]] = std::max(p.patterns[to[v]], node.problem.patterns[v]);
        p.movable[to[v]] = p.movable[to[v]] && node.problem.movable[v];
    }
    for (auto& members : result.members) std::sort(members.begin(), members.end());
    rename(p.arcs, to);
    rename(p.separations, to);
    rename(p.terms, to);
    rename(p.read_orders, to);
    rename(p.conditions, to);
    rename(p.results, to);
    return result;
}

namespace {

bool holds_apart(const Relations& r, const std::vector<Vertex>& members) {
    std::vector<std::uint64_t> set(r.apart.words(), 0);
    for (Vertex v : members) put(set, v);
    return solve::holds_apart(r, ConstRow(set));
}

/// Groups the members of a spread term so that members of different groups can never meet.
std::vector<std::vector<Vertex>> groups(const Relations& r, std::vector<Vertex> members) {
    std::vector<std::vector<Vertex>> result;
    while (!members.empty()) {
        std::vector<Vertex> group{members.back()};
        members.pop_back();
        for (std::size_t k = 0; k < group.size(); ++k) {
            auto meets =
                std::partition(members.begin(), members.end(), [&](Vertex v) { return holds(r.apart[group[k]], v); });
            group.insert(group.end(), meets, members.end());
            members.erase(meets, members.end());
        }
        std::sort(group.begin(), group.end());
        result.push_back(std::move(group));
    }
    return result;
}

void settle_spread(Term& term, const Relations& r, Problem& p, std::vector<Term>& kept) {
    auto parts = groups(r, std::move(term.members));
    p.constant += term.weight * static_cast<double>(parts.size() - 1);
    for (auto& part : parts)
        if (part.size() > 1 && (term.weight > 0 || term.connects))
            kept.push_back({term.kind, term.connects, term.weight, std::move(part)});
}

}  // namespace

void settle(Node& node, const Relations& r) {
    Problem& problem = node.problem;
    std::vector<Term> kept;
    for (Term& term : problem.terms) {
        if (!holds_apart(r, term.members)) {
            kept.push_back(std::move(term));
            continue;
        }
        if (term.kind == Term::Kind::together)
            problem.constant += term.weight;
        else
            settle_spread(term, r, problem, kept);
    }
    problem.terms = std::move(kept);
}

}  // namespace sinter::fuse::solve
