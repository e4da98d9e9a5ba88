// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What else has to share a cluster where terms are satisfied, and what these cost therefore.
#pragma once

#include "fuse/solve/cores.hpp"

namespace sinter::fuse::solve {

class Consequences {
  public:
    /// Keeps references. `known`: by term, how many clusters its members need at least.
    Consequences(const Problem& problem, const Relations& relations, const std::vector<std::size_t>& known,
                 CoreFinder& finder);

    /// Where the hubs in `use` hold no two together that are apart: cores that are not paid for although one of `paid` would
    /// have to be. `paid`: by term, beyond what `known` says.
    std::vector<Core> find(const CoreFinder::Use& use, const std::vector<double>& paid);

    /// After find(): what is together; with what follows, if find() found nothing.
    const Labels& labels() const { return labels_; }

  private:
    using Sources = std::vector<std::uint32_t>;  // terms, and behind them consequences

    void look_at_term(std::uint32_t term, double paid);
    void look_at_condition(const Condition& condition);
    void look_at_results();
    void look_at_results(const Result& stored, const Result& other);
    std::optional<Vertex> stranger(const Result& result) const;
    void add_link(std::vector<Vertex> members, Core claim);
    void unpaid(const Sources& sources);
    std::optional<Core> clique_claim(std::uint32_t term, const std::vector<Vertex>& chosen, Sources& all);
    bool only_meets_one(Vertex place, const std::vector<Vertex>& chosen) const;
    void link_to_clique(Vertex place, const std::vector<Vertex>& chosen, Core claim, Sources sources);
    void append(Core& core, std::uint32_t source, std::size_t times) const;
    Core claim(const Sources& sources) const;
    bool merged_conflicts();
    void relate_clusters();
    bool are_apart(Vertex a, Vertex b) const { return holds(clusters_.apart[at_[a]], at_[b]); }

    const Problem& p_;
    const Relations& r_;
    const std::vector<std::size_t>& known_;
    CoreFinder& finder_;
    CoreFinder::Use use_;       ///< by source
    std::vector<Hub> links_;    ///< the sources of these follow the terms
    std::vector<Core> claims_;  ///< by link: it holds unless this is paid for once more
    std::vector<Hub> fresh_;
    std::vector<Core> fresh_claims_;
    std::vector<Core> cores_;
    Relations clusters_;
    Labels labels_;
    std::vector<Vertex> member_;  ///< by cluster: a member of the term looked at
    Labels at_;                   ///< by vertex: its cluster
};

}  // namespace sinter::fuse::solve
