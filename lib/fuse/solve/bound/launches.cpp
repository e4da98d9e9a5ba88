// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draw every vertex, and a *hub* for every term that connects, with a line from the hub to each of its members. A cluster is
// connected in this drawing. The blocks of the drawing (its biconnected components) form trees, so that clusters can be
// counted block by block:
//
//     clusters  =  pieces of the drawing  +  sum over blocks of  (clusters that have vertices in the block) - 1
//
// where blocks that have a hub in common count as one. If every line of a hub is a block of its own, what these blocks add
// is what a spread term counts: their launches are paid for with the term. The vertices of any other block become a new
// term.
#include "fuse/solve/bound/launches.hpp"

#include "fuse/solve/bound/blocks.hpp"
#include "fuse/solve/problem/graph.hpp"

#include <algorithm>

namespace sinter::fuse::solve {

namespace {

using Members = std::vector<Vertex>;

class LaunchTerms {
  public:
    explicit LaunchTerms(Problem problem) : p_(std::move(problem)) {
        for (std::uint32_t t = 0; t < p_.terms.size(); ++t)
            if (p_.terms[t].connects) hubs_.push_back(t);
        std::vector<Pair> lines;
        for (Vertex h = 0; h < hubs_.size(); ++h)
            for (Vertex v : term(h).members) lines.emplace_back(v, point(h));
        blocks_ = blocks(p_.count + hubs_.size(), lines);
    }

    Problem run() {
        p_.constant += p_.launch * static_cast<double>(blocks_.pieces);
        const std::vector<std::size_t> alone = lines_alone();
        const Labels group = groups();
        std::vector<Members> members(hubs_.size());  // by group
        for (Vertex h = 0; h < hubs_.size(); ++h) {
            const Members& own = term(h).members;
            if (alone[h] == own.size() && term(h).kind == Term::Kind::spread)
                term(h).weight += p_.launch;
            else
                members[group[h]].insert(members[group[h]].end(), own.begin(), own.end());
        }
        for (Members& all : members)
            if (!all.empty()) add(std::move(all));
        p_.launch = 0;
        return std::move(p_);
    }

  private:
    Vertex point(Vertex hub) const { return static_cast<Vertex>(p_.count + hub); }
    Vertex hub_of(const Pair& line) const { return static_cast<Vertex>(line.second - p_.count); }
    Term& term(Vertex hub) { return p_.terms[hubs_[hub]]; }

    /// For each hub: the number of its lines that are blocks of their own.
    std::vector<std::size_t> lines_alone() const {
        std::vector<std::size_t> result(hubs_.size(), 0);
        for (const auto& block : blocks_.lines)
            if (block.size() == 1) ++result[hub_of(block.front())];
        return result;
    }

    /// For each hub: one of the hubs in blocks that are linked by common hubs.
    Labels groups() const {
        std::vector<Pair> arcs;
        for (const auto& block : blocks_.lines) {
            const Vertex first = hub_of(block.front());
            for (const Pair& line : block) arcs.emplace_back(first, hub_of(line)), arcs.emplace_back(hub_of(line), first);
        }
        return component_labels(Adjacency(hubs_.size(), arcs), hubs_.size());
    }

    void add(Members members) {
        std::sort(members.begin(), members.end());
        members.erase(std::unique(members.begin(), members.end()), members.end());
        p_.terms.push_back({Term::Kind::spread, false, p_.launch, std::move(members)});
    }

    Problem p_;
    std::vector<std::uint32_t> hubs_;  ///< the terms of the hubs
    Blocks blocks_;
};

}  // namespace

Problem with_launches_as_terms(Problem problem) { return LaunchTerms(std::move(problem)).run(); }

}  // namespace sinter::fuse::solve
