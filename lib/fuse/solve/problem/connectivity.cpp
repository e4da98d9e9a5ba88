// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/solve/problem/connectivity.hpp"

#include <algorithm>

namespace sinter::fuse::solve {

Connectivity::Connectivity(const Problem& problem)
    : problem_(problem),
      terms_(problem.count),
      member_(problem.count, 0),
      reached_(problem.count, 0),
      passed_(problem.terms.size(), 0) {
    for (std::uint32_t t = 0; t < problem.terms.size(); ++t)
        if (problem.terms[t].connects)
            for (Vertex v : problem.terms[t].members) terms_[v].push_back(t);
}

std::optional<Vertex> Connectivity::stranger(std::span<const Vertex> cluster) {
    ++question_;
    for (Vertex v : cluster) member_[v] = question_;
    std::vector<Vertex> stack{cluster[0]};
    reached_[cluster[0]] = question_;
    while (!stack.empty()) {
        Vertex v = stack.back();
        stack.pop_back();
        for (std::uint32_t t : terms_[v]) {
            if (passed_[t] == question_) continue;
            passed_[t] = question_;
            for (Vertex other : problem_.terms[t].members) {
                if (member_[other] != question_ || reached_[other] == question_) continue;
                reached_[other] = question_;
                stack.push_back(other);
            }
        }
    }
    auto far = std::find_if(cluster.begin(), cluster.end(), [&](Vertex v) { return reached_[v] != question_; });
    return far == cluster.end() ? std::nullopt : std::optional(*far);
}

}  // namespace sinter::fuse::solve
