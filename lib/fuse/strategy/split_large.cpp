// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/strategy/split_large.hpp"
#include "fuse/tuning.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace sinter::fuse {

namespace {

class Splitter {
  public:
    Splitter(const DepGraph& graph, Legality& legality, std::size_t most)
        : graph_(graph), legality_(legality), most_(most), position_(graph.roles.size()) {}

    /// The parts; just the cluster itself if it is not split.
    Clusters split(Operations cluster) {
        const std::vector<std::size_t> before = instructions_before(cluster);
        if (before.back() <= most_ || cluster.size() < 2) return {std::move(cluster)};
        Clusters parts = parts_of(cluster, cuts(before, crossing(cluster)));
        const bool legal = std::none_of(parts.begin(), parts.end(),
                                        [&](const Operations& part) { return legality_.hindrance(part).has_value(); });
        return legal ? parts : Clusters{std::move(cluster)};
    }

  private:
    /// The number of instructions before each position, and in all.
    std::vector<std::size_t> instructions_before(const Operations& cluster) const {
        std::vector<std::size_t> before{0};
        for (Operation op : cluster) {
            const ir::Fn* fn = ir::function_of(graph_.binding(op).op);
            before.push_back(before.back() + 1 + (fn ? ir::count_instructions(fn->body) : 0));
        }
        return before;
    }

    /// For each position: the number of variables made before it and read at or after it.
    std::vector<std::size_t> crossing(const Operations& cluster) {
        for (std::size_t k = 0; k < cluster.size(); ++k) position_[cluster[k].index] = k;
        std::map<ir::ValueId, std::size_t> last;  // by variable: the position of its last read
        std::vector<std::size_t> begins(cluster.size() + 1, 0), ends(cluster.size() + 1, 0);
        for (std::size_t k = 0; k < cluster.size(); ++k)
            for (const Access& access : graph_.reads(cluster[k]))
                if (is_member(access.producer, cluster)) last[access.variable] = k;
        for (std::size_t k = 0; k < cluster.size(); ++k)
            for (std::size_t result = 0; result < graph_.result_count(cluster[k]); ++result)
                if (auto found = last.find(graph_.result(cluster[k], result)); found != last.end())
                    ++begins[k + 1], ++ends[found->second + 1];
        std::vector<std::size_t> count(cluster.size(), 0);
        for (std::size_t k = 1; k < cluster.size(); ++k) count[k] = count[k - 1] + begins[k] - ends[k];
        return count;
    }

    bool is_member(Operation op, const Operations& cluster) const {
        return op.valid() && position_[op.index] < cluster.size() && cluster[position_[op.index]] == op;
    }

    /// The positions of the first operations of all parts but the first. A part has at least half as many instructions as it
    /// should have, and has more than it should only if there is no narrow place before.
    std::vector<std::size_t> cuts(const std::vector<std::size_t>& before, const std::vector<std::size_t>& crossing) const {
        const std::size_t parts = (before.back() + most_ - 1) / most_, size = (before.back() + parts - 1) / parts;
        std::vector<std::size_t> result;
        std::size_t last = 0, best = 0;  // best is 0 where there is none
        for (std::size_t k = 1; k < crossing.size(); ++k) {
            if (before[k] - before[last] < size / 2 || before.back() - before[k] < size / 2) continue;
            if (crossing[k] <= tuning::most_crossing && (best == 0 || crossing[k] <= crossing[best])) best = k;
            if (best == 0 || before[k + 1] - before[last] <= size) continue;
            result.push_back(best);
            last = std::exchange(best, 0);
        }
        return result;
    }

    static Clusters parts_of(const Operations& cluster, const std::vector<std::size_t>& cuts) {
        Clusters parts;
        auto begin = cluster.begin();
        for (std::size_t cut : cuts) {
            const auto end = cluster.begin() + static_cast<std::ptrdiff_t>(cut);
            parts.emplace_back(begin, end);
            begin = end;
        }
        parts.emplace_back(begin, cluster.end());
        return parts;
    }

    const DepGraph& graph_;
    Legality& legality_;
    const std::size_t most_;
    std::vector<std::size_t> position_;  ///< by operation: its position in the cluster that is being split
};

}  // namespace

Clusters split_large(const DepGraph& graph, Legality& legality, Clusters clusters, std::size_t most) {
    Splitter splitter(graph, legality, most);
    Clusters result;
    for (Operations& cluster : clusters)
        for (Operations& part : splitter.split(std::move(cluster))) result.push_back(std::move(part));
    return result;
}

}  // namespace sinter::fuse
