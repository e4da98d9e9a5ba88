// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A term that is no more there is satisfied: its members were merged. What has been paid for since does not count any more.
#include "fuse/solve/known_cores.hpp"

#include <algorithm>

namespace sinter::fuse::solve {

std::optional<std::vector<Core>> inherited(const Node& node, const Problem& problem,
                                           const std::vector<std::size_t>& clusters) {
    constexpr auto none = static_cast<std::uint32_t>(-1);
    std::vector<std::uint32_t> here(node.lost.size(), none);
    for (std::uint32_t t = 0; t < node.problem.terms.size(); ++t) here[problem.terms[t].name] = t;
    std::vector<Core> result;
    for (const Core& core : node.cores->cores) {
        Core own{{}, core.demand};
        std::size_t paid = 0;
        for (std::uint32_t name : core.terms) {
            if (node.lost[name]) paid = core.demand;
            if (here[name] == none) continue;
            own.terms.push_back(here[name]);
            paid += clusters[here[name]] - std::min(clusters[here[name]], node.cores->clusters[name]);
        }
        if (paid >= core.demand) continue;
        if (own.terms.empty()) return std::nullopt;
        own.demand -= paid;
        std::sort(own.terms.begin(), own.terms.end());
        result.push_back(std::move(own));
    }
    return result;
}

std::shared_ptr<const KnownCores> heritable(const KnownCores& known, const Node& node) {
    auto result = std::make_shared<KnownCores>(known);
    std::erase_if(result->cores,
                  [&](const Core& core) { return !core.terms.empty() && core.terms.back() >= node.problem.terms.size(); });
    return result;
}

}  // namespace sinter::fuse::solve
