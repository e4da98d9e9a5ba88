// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layer by layer. A *state* is what was kept of what later layers may read. To keep something is decided in the layer that
// computes it first; what the layer costs then follows from the state (layer_costs.hpp). Of two states the one that costs
// more goes if all that it alone has kept can be computed again in every later layer for no more than the difference. What
// later layers need only for operations that the other state has kept does not count: they may read those instead. This
// leaves few states, and the shortest path through them is the cheapest choice: a dynamic program like that of Wagner and
// Whitin (1958), where what is stored for later has to be paid for once.
#include "fuse/copies/storage.hpp"

#include "fuse/copies/layer_costs.hpp"
#include "fuse/solve/problem/deadline.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace sinter::fuse {

namespace {

using Kept = std::vector<Operation>;  // increasing

struct State {
    Kept kept;
    double cost;
    std::size_t before;  ///< which of the states of the layer before
    Kept chosen;         ///< what this layer keeps
};

bool holds(const Kept& kept, Operation op) { return std::binary_search(kept.begin(), kept.end(), op); }

class Planner {
  public:
    Planner(const DepGraph& graph, const LayerCosts& costs, const solve::Deadline& end)
        : graph_(graph), costs_(costs), end_(end), uses_(graph.roles.size()) {
        for (std::size_t t = 0; t < costs.count(); ++t)
            for (Operation op : costs.optional_reads(t)) uses_[op.index].push_back(t);
    }

    /// False where there are too many states, or no time left.
    bool run() {
        std::vector<State> states{{{}, 0, 0, {}}};
        for (std::size_t t = 0; t < costs_.count(); ++t) {
            states = step(t, states);
            if (states.empty()) return false;
            path_.push_back(states);
        }
        return true;
    }

    double cost() const { return path_.back()[0].cost; }

    std::vector<bool> kept() const {
        std::vector<bool> result(uses_.size(), false);
        std::size_t state = 0;
        for (std::size_t t = path_.size(); t-- > 0; state = path_[t][state].before)
            for (Operation op : path_[t][state].chosen) result[op.index] = true;
        return result;
    }

  private:
    bool is_used_after(Operation op, std::size_t layer) const {
        return !uses_[op.index].empty() && uses_[op.index].back() > layer;
    }

    std::vector<State> step(std::size_t t, const std::vector<State>& before) const {
        std::vector<Operation> choice;
        for (Operation op : graph_.vertices)
            if (costs_.layer(op) == t && is_used_after(op, t)) choice.push_back(op);
        if (choice.size() > tuning::most_kept_at_once) return {};
        std::map<Kept, State> best;  // by what later layers see of it
        for (std::size_t s = 0; s < before.size(); ++s) {
            const double own = costs_.cost(t, [&](Operation op) { return holds(before[s].kept, op); });
            if (own >= MinimalCut::never) continue;
            for (std::size_t bits = 0; bits < std::size_t{1} << choice.size(); ++bits) {
                if (end_.passed()) return {};
                add(best, extended(before[s], s, t, own, choice, bits));
            }
        }
        return undominated(t, best);
    }

    State extended(const State& from, std::size_t s, std::size_t t, double own, const std::vector<Operation>& choice,
                   std::size_t bits) const {
        State state{{}, from.cost + own, s, {}};
        for (std::size_t k = 0; k < choice.size(); ++k)
            if (bits >> k & 1) {
                state.chosen.push_back(choice[k]);
                state.cost += costs_.price_of_keeping(choice[k]);
            }
        std::merge(from.kept.begin(), from.kept.end(), state.chosen.begin(), state.chosen.end(),
                   std::back_inserter(state.kept));
        std::erase_if(state.kept, [&](Operation op) { return !is_used_after(op, t); });
        drop_hidden(t, state.kept);
        return state;
    }

    static void add(std::map<Kept, State>& best, State state) {
        auto [at, is_new] = best.try_emplace(state.kept, state);
        if (!is_new && state.cost < at->second.cost) at->second = std::move(state);
    }

    std::vector<State> undominated(std::size_t t, const std::map<Kept, State>& best) const {
        std::vector<State> all, result;
        for (const auto& [kept, state] : best) all.push_back(state);
        std::stable_sort(all.begin(), all.end(), [](const State& a, const State& b) { return a.cost < b.cost; });
        for (State& state : all) {
            auto is_better = [&](const State& other) {
                return loses_at_most(state.cost - other.cost, t, other.kept, state.kept);
            };
            if (result.size() > tuning::most_states || end_.passed()) return {};
            if (std::none_of(result.begin(), result.end(), is_better)) result.push_back(std::move(state));
        }
        return result;
    }

    /// True if layers after `t` cost at most so much more with `own` than with `other`.
    bool loses_at_most(double most, std::size_t t, const Kept& own, const Kept& other) const {
        Kept missing;
        for (Operation op : other)
            if (!holds(own, op) && !is_hidden(t, op, own)) missing.push_back(op);
        double total = 0;
        for (std::size_t later = t + 1; later < costs_.count() && !missing.empty() && total <= most; ++later) {
            Kept read;
            std::copy_if(missing.begin(), missing.end(), std::back_inserter(read), [&](Operation op) {
                return std::binary_search(uses_[op.index].begin(), uses_[op.index].end(), later);
            });
            if (!read.empty()) total += loss(own, read);
        }
        return total <= most;
    }

    /// What a layer costs more, at most, if some of `missing`, which are not in `own`, are computed instead of read.
    double loss(const Kept& own, const Kept& missing) const {
        auto [known, is_new] = losses_.try_emplace({own, missing}, 0.0);
        if (!is_new) return known->second;
        auto is_kept = [&](Operation op) { return holds(own, op); };
        double one_by_one = 0, cheapest = std::numeric_limits<double>::infinity();
        for (Operation op : missing) {
            const double read = costs_.item(op).read;
            one_by_one += std::max(0.0, costs_.price_of_computing({op}, is_kept) - read);
            cheapest = std::min(cheapest, read);
        }
        const double together = std::max(0.0, costs_.price_of_computing(missing, is_kept) - cheapest);
        return known->second = std::min(one_by_one, together);
    }

    /// True if layers after `t` need `op` only for some of `kept`, all of which may as well be read: together they take no
    /// more reads than `op` and their arithmetic.
    bool is_hidden(std::size_t t, Operation op, const Kept& kept) const {
        Kept behind;
        std::copy_if(kept.begin(), kept.end(), std::back_inserter(behind), [&](Operation by) { return excess(by) == 0; });
        if (!behind.empty() && !reached_without(t, behind)[op.index]) return true;
        return std::any_of(kept.begin(), kept.end(), [&](Operation by) {
            if (excess(by) == 0 || excess(by) > costs_.item(op).read) return false;
            Kept with = behind;
            with.insert(std::upper_bound(with.begin(), with.end(), by), by);
            return !reached_without(t, with)[op.index];
        });
    }

    /// By how much a read costs more than the arithmetic.
    double excess(Operation op) const { return std::max(0.0, costs_.item(op).read - costs_.item(op).compute); }

    void drop_hidden(std::size_t t, Kept& kept) const {
        for (std::size_t k = 0; k < kept.size();) {
            Kept others = kept;
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
            if (is_hidden(t, kept[k], others))
                kept = std::move(others);
            else
                ++k;
        }
    }

    const std::vector<bool>& reached_without(std::size_t t, const Kept& without) const {
        auto [known, is_new] = reached_.try_emplace({t, without}, std::vector<bool>());
        if (is_new) known->second = costs_.reached(t, without);
        return known->second;
    }

    const DepGraph& graph_;
    const LayerCosts& costs_;
    const solve::Deadline& end_;
    std::vector<std::vector<std::size_t>> uses_;  ///< by operation: the layers that may read it
    std::vector<std::vector<State>> path_;
    mutable std::map<std::pair<Kept, Kept>, double> losses_;
    mutable std::map<std::pair<std::size_t, Kept>, std::vector<bool>> reached_;
};

/// Where each operation is computed first: in its own layer, or in the first that needs it.
std::vector<std::size_t> first_layers(const DepGraph& graph, const LayerCosts& costs, const std::vector<bool>& kept) {
    std::vector<std::size_t> result(graph.roles.size(), 0);
    for (auto op = graph.vertices.rbegin(); op != graph.vertices.rend(); ++op) {
        result[op->index] = costs.layer(*op);
        const auto& uses = graph.uses[op->index];
        if (costs.item(*op).early || kept[op->index] || uses.empty()) continue;
        std::size_t first = costs.count();
        for (std::uint32_t use : uses) first = std::min(first, result[graph.accesses[use].reader.index]);
        result[op->index] = std::max(first, costs.layer(*op));
    }
    return result;
}

}  // namespace

std::optional<Storage> cheapest_storage(const DepGraph& graph, const Prices& prices, const std::vector<double>& again,
                                        std::chrono::duration<double> deadline) {
    if (graph.vertices.size() > tuning::most_vertices) return std::nullopt;
    const solve::Deadline end(deadline);
    const LayerCosts costs(graph, prices, again);
    Planner planner(graph, costs, end);
    if (!planner.run()) return std::nullopt;
    Storage result{costs.constant() + planner.cost(), planner.kept(), {}};
    result.layer = first_layers(graph, costs, result.stored);
    return result;
}

}  // namespace sinter::fuse
