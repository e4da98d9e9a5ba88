// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// If k members of a spread term are pairwise apart, it costs its weight k - 1 times. It costs it once more unless every
// other member that is apart from all but one of them is together with that one.
#include "fuse/solve/bound/demands.hpp"

#include "fuse/solve/bound/clique.hpp"

#include <algorithm>

namespace sinter::fuse::solve {

namespace {

/// For each of `apart`: itself and the members of `term` that are apart from all others of `apart`.
std::vector<std::vector<Vertex>> groups(const Term& term, const Relations& r, const std::vector<Vertex>& apart) {
    std::vector<std::vector<Vertex>> result(apart.size());
    for (Vertex v : term.members) {
        auto meets = [&](Vertex a) { return !holds(r.apart[v], a); };
        auto first = std::find_if(apart.begin(), apart.end(), meets);
        if (first != apart.end() && std::none_of(first + 1, apart.end(), meets))
            result[static_cast<std::size_t>(first - apart.begin())].push_back(v);
    }
    return result;
}

}  // namespace

Demands demands(const Problem& problem, const Relations& r) {
    Demands result;
    result.weights.assign(problem.terms.size(), 0);
    for (std::uint32_t t = 0; t < problem.terms.size(); ++t) {
        const Term& term = problem.terms[t];
        if (term.weight <= 0) continue;
        result.weights[t] = term.weight;
        bool spreads = term.kind == Term::Kind::spread;
        std::vector<Vertex> apart = spreads ? clique(r, term.members) : std::vector<Vertex>();
        if (apart.size() < 2) {
            result.hubs.push_back({t, spreads, term.members});
            continue;
        }
        result.lower += term.weight * static_cast<double>(apart.size() - 1);
        for (auto& group : groups(term, r, apart))
            if (group.size() > 1 && clique(r, group).size() < 2) result.hubs.push_back({t, false, std::move(group)});
    }
    return result;
}

}  // namespace sinter::fuse::solve
