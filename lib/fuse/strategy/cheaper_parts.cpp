// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/strategy/cheaper_parts.hpp"

namespace sinter::fuse {

namespace {

/// Sets of places that are merged step by step.
class Parts {
  public:
    Place find(Place place) {
        auto [at, is_new] = parent_.try_emplace(place, place);
        if (at->second == place) return place;
        const Place root = find(at->second);
        return parent_[place] = root;
    }
    void join(Place a, Place b) { parent_[find(a)] = find(b); }
    const std::map<Place, Place>& all() const { return parent_; }

  private:
    std::map<Place, Place> parent_;
};

Place place_of(const CopiedClusters& of, Operation op) { return (*of.origins)[op.index]; }

void join_clusters(const CopiedClusters& of, Parts& parts) {
    for (const Operations& cluster : *of.clusters)
        for (Operation op : cluster) parts.join(place_of(of, op), place_of(of, cluster[0]));
}

void add_costs(const CopiedClusters& of, double sign, Parts& parts, std::map<Place, double>& costs) {
    for (std::size_t k = 0; k < of.clusters->size(); ++k)
        costs[parts.find(place_of(of, (*of.clusters)[k][0]))] += sign * of.costs[k];
}

}  // namespace

std::set<Place> cheaper_parts(const CopiedClusters& a, const CopiedClusters& b) {
    Parts parts;
    join_clusters(a, parts), join_clusters(b, parts);
    std::map<Place, double> costs;
    add_costs(a, -1, parts, costs), add_costs(b, 1, parts, costs);
    std::set<Place> result;
    for (auto [place, parent] : std::map(parts.all()))
        if (costs[parts.find(place)] < 0) result.insert(place);
    return result;
}

}  // namespace sinter::fuse
