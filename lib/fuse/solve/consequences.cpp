// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A *claim* is a sum of terms' prices that is at least its demand, always; what it claims holds unless more is paid. A term
// claims that its members are together, with demand 0. Claims follow from claims:
//   * where members of a spread term are pairwise apart because of others' claims, the term and these are paid for as often
//     as there are members but one. Another member that is apart from all of them but one is with that one: a *link*;
//   * a condition of vertices that are together asks for others: links, too.
// Links merge clusters as terms do, and the sum of the claims on a circle is a claim with a demand of one more.
#include "fuse/solve/consequences.hpp"

#include "fuse/solve/clique.hpp"
#include "fuse/solve/results.hpp"

#include <algorithm>

namespace sinter::fuse::solve {

namespace {

constexpr double tolerance = 1e-6;
/// Steps from one link to the next.
constexpr int most_steps = 8;

using Places = std::vector<std::pair<std::size_t, std::size_t>>;

/// How many of `count` to leave out so that none of the pairs is left; or a few more.
std::size_t cover(Places pairs, std::size_t count) {
    std::size_t result = 0;
    for (std::vector<std::size_t> degree(count); !pairs.empty(); ++result) {
        std::fill(degree.begin(), degree.end(), 0);
        for (auto [i, j] : pairs) ++degree[i], ++degree[j];
        const auto most = static_cast<std::size_t>(std::max_element(degree.begin(), degree.end()) - degree.begin());
        std::erase_if(pairs, [&](auto& pair) { return pair.first == most || pair.second == most; });
    }
    return result;
}

void make_unique(std::vector<std::uint32_t>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

Consequences::Consequences(const Problem& problem, const Relations& relations, const std::vector<std::size_t>& known,
                           CoreFinder& finder)
    : p_(problem), r_(relations), known_(known), finder_(finder), at_(problem.count) {}

std::vector<Core> Consequences::find(const CoreFinder::Use& use, const std::vector<double>& paid) {
    use_ = use;
    labels_ = finder_.labels(use_);
    links_.clear(), claims_.clear(), cores_.clear();
    for (int step = 0; step < most_steps; ++step) {
        relate_clusters();
        for (std::uint32_t t = 0; t < p_.terms.size(); ++t)
            if (p_.terms[t].weight > 0 && p_.terms[t].kind == Term::Kind::spread) look_at_term(t, paid[t]);
        for (const Condition& condition : p_.conditions) look_at_condition(condition);
        look_at_results();
        if (fresh_.empty()) break;
        std::move(fresh_.begin(), fresh_.end(), std::back_inserter(links_));
        std::move(fresh_claims_.begin(), fresh_claims_.end(), std::back_inserter(claims_));
        fresh_.clear(), fresh_claims_.clear();
        use_.resize(p_.terms.size() + links_.size(), 1);
        finder_.set_links(links_);
        if (merged_conflicts()) break;
    }
    fresh_.clear(), fresh_claims_.clear();
    if (cores_.empty()) labels_ = finder_.labels(use_);
    finder_.set_links({});
    return std::move(cores_);
}

bool Consequences::merged_conflicts() {
    finder_.begin_circles(use_);
    for (Vertex v : r_.order)
        if (auto core = finder_.circle(v, use_)) unpaid(core->terms);
    return !cores_.empty();
}

void Consequences::relate_clusters() {
    at_ = finder_.labels(use_);
    Labels number(p_.count, static_cast<Vertex>(p_.count));
    Problem merged;
    for (Vertex v = 0; v < p_.count; ++v) {
        Vertex& n = number[at_[v]];
        if (n == p_.count) n = static_cast<Vertex>(merged.count++), merged.patterns.push_back(0);
        at_[v] = n;
        merged.patterns[n] = std::max(merged.patterns[n], p_.patterns[v]);
    }
    for (auto [from, to] : p_.arcs)
        if (at_[from] != at_[to]) merged.arcs.emplace_back(at_[from], at_[to]);
    for (auto [a, b] : p_.separations) merged.separations.emplace_back(at_[a], at_[b]);
    clusters_ = relate(merged);
}

void Consequences::append(Core& core, std::uint32_t source, std::size_t times) const {
    if (source < p_.terms.size()) {
        core.terms.insert(core.terms.end(), times, source);
        return;
    }
    const Core& claim = claims_[source - p_.terms.size()];
    for (std::size_t k = 0; k < times; ++k) core.terms.insert(core.terms.end(), claim.terms.begin(), claim.terms.end());
    core.demand += times * claim.demand;
}

Core Consequences::claim(const Sources& sources) const {
    Core result{{}, 0};
    for (std::uint32_t source : sources) append(result, source, 1);
    std::sort(result.terms.begin(), result.terms.end());
    return result;
}

/// What the sources claim cannot all be.
void Consequences::unpaid(const Sources& sources) {
    Core core = claim(sources);
    ++core.demand;
    cores_.push_back(std::move(core));
}

void Consequences::add_link(std::vector<Vertex> members, Core claim) {
    std::sort(members.begin(), members.end());
    std::sort(claim.terms.begin(), claim.terms.end());
    fresh_.push_back(
        {static_cast<std::uint32_t>(p_.terms.size() + links_.size() + fresh_.size()), false, std::move(members)});
    fresh_claims_.push_back(std::move(claim));
}

/// Leaving a source out makes some pairs possible; what the others need is a clique that is the smaller by a cover of them.
std::optional<Core> Consequences::clique_claim(std::uint32_t term, const std::vector<Vertex>& chosen, Sources& all) {
    std::vector<std::pair<std::uint32_t, std::pair<std::size_t, std::size_t>>> used;
    for (std::size_t i = 0; i < chosen.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const auto sources = finder_.reason({member_[chosen[i]], member_[chosen[j]]}, use_);
            if (!sources) return std::nullopt;
            for (std::uint32_t source : *sources) used.push_back({source, {i, j}});
        }
    std::sort(used.begin(), used.end());
    Core core{{term}, chosen.size() - known_[term]};
    for (std::size_t k = 0; k < used.size();) {
        Places pairs;
        const std::uint32_t source = used[k].first;
        for (; k < used.size() && used[k].first == source; ++k) pairs.push_back(used[k].second);
        append(core, source, cover(std::move(pairs), chosen.size()));
        all.push_back(source);
    }
    std::sort(core.terms.begin(), core.terms.end());
    return core;
}

void Consequences::look_at_term(std::uint32_t t, double paid) {
    std::vector<Vertex> places;
    member_.resize(p_.count);
    for (Vertex v : p_.terms[t].members) places.push_back(at_[v]), member_[at_[v]] = v;
    make_unique(places);
    if (places.size() < 3) return;
    const std::vector<Vertex> chosen = clique(clusters_, places);
    const double beyond = static_cast<double>(chosen.size()) - static_cast<double>(known_[t]) - paid;
    if (chosen.size() < 2 || beyond < -tolerance) return;
    std::erase_if(places, [&](Vertex place) { return !only_meets_one(place, chosen); });
    if (beyond <= tolerance && places.empty()) return;
    Sources sources;
    auto claim = clique_claim(t, chosen, sources);
    if (!claim) return;
    for (Vertex place : beyond > tolerance ? std::vector<Vertex>() : places) link_to_clique(place, chosen, *claim, sources);
    if (beyond > tolerance) cores_.push_back(std::move(*claim));
}

/// Of a clique of others.
bool Consequences::only_meets_one(Vertex place, const std::vector<Vertex>& chosen) const {
    auto meets = [&](Vertex other) { return other == place || !holds(clusters_.apart[place], other); };
    const bool is_other = std::find(chosen.begin(), chosen.end(), place) == chosen.end();
    return is_other && std::count_if(chosen.begin(), chosen.end(), meets) == 1;
}

/// What is apart from all of a clique but one is with that one, or the term is paid for once more.
void Consequences::link_to_clique(Vertex place, const std::vector<Vertex>& chosen, Core claim, Sources sources) {
    Vertex with = place;
    for (Vertex other : chosen) {
        if (!holds(clusters_.apart[place], other)) {
            with = other;
            continue;
        }
        const auto more = finder_.reason({member_[place], member_[other]}, use_);
        if (!more) return;
        sources.insert(sources.end(), more->begin(), more->end());
    }
    make_unique(sources);
    for (std::uint32_t source : sources) append(claim, source, 1);
    add_link({member_[place], member_[with]}, std::move(claim));
}

void Consequences::look_at_condition(const Condition& c) {
    const auto [a, b] = c.pair;
    if (at_[a] != at_[b]) return;
    auto inside = [&](Vertex v) { return at_[v] == at_[a]; };
    if (c.all ? std::all_of(c.others.begin(), c.others.end(), inside)
              : std::any_of(c.others.begin(), c.others.end(), inside))
        return;
    auto sources = finder_.together({a, b}, use_);
    if (!sources) return;
    std::vector<Vertex> possible;
    for (Vertex v : c.others) {
        if (!are_apart(a, v)) {
            possible.push_back(v);
            continue;
        }
        const auto more = finder_.reason({a, v}, use_);
        if (!more) return;
        if (c.all) {
            sources->insert(sources->end(), more->begin(), more->end());
            make_unique(*sources);
            return unpaid(*sources);
        }
        sources->insert(sources->end(), more->begin(), more->end());
    }
    make_unique(*sources);
    if (possible.empty()) return unpaid(*sources);
    if (!c.all && possible.size() > 1) return;
    possible.push_back(a);
    make_unique(possible);
    add_link(std::move(possible), claim(*sources));
}

/// A reader because of which a result has to be stored; the vertex itself: for another reason. Nothing: it need not be.
std::optional<Vertex> Consequences::stranger(const Result& result) const {
    if (result.stored) return result.vertex;
    const auto found = std::find_if(result.readers.begin(), result.readers.end(),
                                    [&](Vertex reader) { return are_apart(result.vertex, reader); });
    return found == result.readers.end() ? std::nullopt : std::optional(*found);
}

void Consequences::look_at_results() {
    std::vector<std::vector<const Result*>> stored(p_.count);  // by cluster: one of each shape
    for (const Result& result : p_.results) {
        if (!stranger(result)) continue;
        auto& own = stored[at_[result.vertex]];
        const auto same = std::find_if(own.begin(), own.end(), [&](const Result* r) { return r->shape == result.shape; });
        if (same == own.end())
            own.push_back(&result);
        else if (result.stored && !(*same)->stored)
            *same = &result;
    }
    for (const Result& result : p_.results)
        for (const Result* other : stored[at_[result.vertex]])
            if (!go_together(p_, other->shape, result.shape)) {
                look_at_results(*other, result);
                break;
            }
}

/// Of different shapes, in one cluster.
void Consequences::look_at_results(const Result& stored, const Result& other) {
    auto sources = finder_.together({stored.vertex, other.vertex}, use_);
    if (!sources) return;
    auto add_reason = [&](const Result& result, Vertex reader) {
        if (reader == result.vertex) return true;
        const auto more = finder_.reason({result.vertex, reader}, use_);
        if (more) sources->insert(sources->end(), more->begin(), more->end());
        return more.has_value();
    };
    if (!add_reason(stored, *stranger(stored))) return;
    const auto reader = stranger(other);
    if (reader && !add_reason(other, *reader)) return;
    make_unique(*sources);
    if (reader) return unpaid(*sources);
    auto inside = [&](Vertex v) { return at_[v] == at_[other.vertex]; };
    if (std::all_of(other.readers.begin(), other.readers.end(), inside)) return;
    std::vector<Vertex> members = other.readers;
    members.push_back(other.vertex);
    add_link(std::move(members), claim(*sources));
}

}  // namespace sinter::fuse::solve
