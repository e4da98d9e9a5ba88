// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/copies/body_copies.hpp"

#include "fuse/copies/storage.hpp"
#include "fuse/graph/bodies.hpp"
#include "fuse/strategy/cheaper_parts.hpp"
#include "fuse/strategy/strategies.hpp"
#include "fuse/tuning.hpp"

#include <algorithm>
#include <limits>

namespace sinter::fuse {

namespace {

using Set = std::vector<std::size_t>;  // of candidates, increasing

Set with(Set set, std::size_t k) {
    if (auto at = std::lower_bound(set.begin(), set.end(), k); at == set.end() || *at != k) set.insert(at, k);
    return set;
}

struct Trial {
    Set chosen;
    Groups groups;
    Copies copies;
    Optimum best;
    double arithmetic = 0;  ///< of the copies

    double cost() const { return best.cost + arithmetic; }
    double lower() const { return best.lower + arithmetic; }
};

class Search {
  public:
    Search(const Source& source, std::size_t number, const std::vector<Candidate>& candidates, double least)
        : source_(source), number_(number), candidates_(candidates), least_(least) {}

    BodyCopies run() {
        Set always;
        for (std::size_t k = 0; k < candidates_.size(); ++k) (candidates_[k].always_pays ? always : open_).push_back(k);
        start(always);
        if (is_open()) open_.size() <= tuning::most_candidates ? try_all() : try_many();
        take_back();
        const bool is_least = best_.cost() <= least_;
        const double lower = std::min(lower_, best_.cost());
        return {std::move(best_.chosen), std::move(best_.best),  best_.arithmetic, lower,
                std::move(best_.groups), exhaustive_ || is_least};
    }

  private:
    /// Even copies that always pay can be worse than none if the search for clusters was cut short.
    void start(const Set& always) {
        best_ = try_set(always, default_deadline, std::numeric_limits<double>::infinity());
        lower_ = best_.lower();
        if (always.empty() || best_.best.lower == best_.best.cost) return;
        keep_better(try_set({}));
        exhaustive_ = !best_.chosen.empty();
    }

    bool is_open() const { return !open_.empty() && best_.cost() > least_; }

    bool stop() {
        const bool passed = source_.end.passed();
        exhaustive_ = exhaustive_ && !passed;
        return passed;
    }

    /// Partitions that cost no less than the best so far are of no interest.
    Trial try_set(Set set, std::chrono::milliseconds deadline = default_deadline, Groups groups = {}) const {
        return try_set(std::move(set), deadline, best_.cost(), std::move(groups));
    }

    Trial try_set(Set set, std::chrono::milliseconds deadline, double limit, Groups groups = {}) const {
        Trial trial{std::move(set), std::move(groups), {}, {}};
        const std::set<Place> places = places_of(source_, candidates_, trial.chosen);
        trial.copies = with_copies(source_.program, places, tuning::most_copies, trial.groups);
        if (!trial.copies.complete) {
            trial.best = {{}, std::numeric_limits<double>::infinity(), least_, true};
            return trial;
        }
        trial.arithmetic = arithmetic_of(trial);
        const Prices prices = source_.prices(trial.copies.program);
        with_graph(trial, [&](const DepGraph& graph) {
            const bool is_too_large = deadline == tuning::deadline_of_many && graph.vertices.size() > tuning::most_searched;
            trial.best = is_too_large ? reduced(graph, prices) : optimal(graph, prices, deadline, limit - trial.arithmetic);
        });
        return trial;
    }

    /// Of all copies but the first of each.
    double arithmetic_of(const Trial& trial) const {
        std::map<Place, double> price;
        for (std::size_t k : trial.chosen) price[place(k)] = candidates_[k].arithmetic;
        std::set<Place> seen;
        double total = 0;
        for (Place p : origins(trial))
            if (auto known = price.find(p); known != price.end() && !seen.insert(p).second) total += known->second;
        return total;
    }

    Optimum reduced(const DepGraph& graph, const Prices& prices) const {
        Clusters clusters = t2(graph, tuning::most_examined);
        const double own = cost(graph, clusters, prices);
        return {std::move(clusters), own, least_, true};
    }

    template <class F>
    void with_graph(const Trial& trial, F f) const {
        with_body(trial.copies.program, f);
    }

    template <class F>
    void with_body(const ir::Program& program, F f) const {
        std::size_t next = 0;
        for_each_body(program.body, {}, [&](const ir::Body& body, const std::vector<ir::Type>& outer) {
            if (next++ == number_) f(dep_graph(program, body, outer));
        });
    }

    void keep_better(Trial trial) {
        lower_ = std::min(lower_, trial.lower());
        if (trial.cost() < best_.cost()) best_ = std::move(trial);
    }

    void try_all() {
        const Set always = best_.chosen;
        for (std::size_t bits = 1; bits < std::size_t{1} << open_.size(); ++bits) {
            Set set = always;
            for (std::size_t k = 0; k < open_.size(); ++k)
                if (bits >> k & 1) set = with(std::move(set), open_[k]);
            if (changes_nothing(set)) continue;
            if (stop()) return;
            keep_better(try_set(std::move(set)));
        }
    }

    /// True if something with a single reader is copied but its reader is not.
    bool changes_nothing(const Set& set) const {
        auto is_copied = [&](Operation op) {
            return std::any_of(set.begin(), set.end(), [&](std::size_t k) { return candidates_[k].operation == op; });
        };
        return std::any_of(set.begin(), set.end(), [&](std::size_t k) {
            const Candidate& c = candidates_[k];
            return c.reader.valid() && !c.always_pays && !is_copied(c.reader);
        });
    }

    /// Operations that the best clusters do not keep in memory are not copied: that would only help to keep their readers
    /// apart.
    void try_many() {
        if (!stop() && try_storage()) return;
        exhaustive_ = false;
        const Set stored = stored_candidates();
        if (!stored.empty() && !stop()) try_together(stored);
    }

    /// Layer by layer (storage.hpp): copies of what the cheapest choice does not keep. True if nothing is cheaper.
    bool try_storage() {
        const std::optional<Storage> storage = cheapest();
        if (!storage) return false;
        Set set;
        for (std::size_t k = 0; k < candidates_.size(); ++k)
            if (!storage->stored[candidates_[k].operation.index]) set.push_back(k);
        const bool has_views =
            std::any_of(set.begin(), set.end(), [&](std::size_t k) { return !candidates_[k].views.empty(); });
        Trial trial = try_set(std::move(set), default_deadline, has_views ? Groups() : groups_of(storage->layer));
        const bool is_cheapest = std::min(trial.cost(), best_.cost()) <= storage->lower * (1 + tuning::rounding);
        keep_better(std::move(trial));
        if (is_cheapest) lower_ = best_.cost();
        return is_cheapest;
    }

    /// For the body without copies.
    std::optional<Storage> cheapest() const {
        std::optional<Storage> result;
        with_body(source_.program, [&](const DepGraph& graph) {
            std::vector<double> again(graph.roles.size(), std::numeric_limits<double>::infinity());
            for (const Candidate& c : candidates_) again[c.operation.index] = c.arithmetic;
            result = cheapest_storage(graph, source_.prices(source_.program), again);
        });
        return result;
    }

    Groups groups_of(const std::vector<std::size_t>& layer) const {
        Groups result;
        with_body(source_.program, [&](const DepGraph& graph) {
            for (Operation op : graph.vertices) result[source_.places.at(&graph.binding(op))] = layer[op.index];
        });
        return result;
    }

    /// Tries all of `stored` together, and then those of them that pay.
    void try_together(const Set& stored) {
        auto set_with = [&](auto pays) {
            Set set = best_.chosen;
            for (std::size_t k : stored)
                if (pays(k)) set = with(std::move(set), k);
            return set;
        };
        Trial all = try_set(set_with([](std::size_t) { return true; }), tuning::deadline_of_many);
        if (!all.copies.complete) return;
        const std::set<Place> cheaper = cheaper_parts(costs_of(best_), costs_of(all));
        Set some = set_with([&](std::size_t k) { return cheaper.count(place(k)) > 0; });
        const bool differs = some != all.chosen && some != best_.chosen;
        keep_better(std::move(all));
        if (differs && !stop()) keep_better(try_set(std::move(some), tuning::deadline_of_many));
    }

    Place place(std::size_t k) const { return source_.places.at(candidates_[k].binding); }
    const std::vector<Place>& origins(const Trial& trial) const { return trial.copies.origins[number_]; }

    CopiedClusters costs_of(const Trial& trial) const {
        const Prices prices = source_.prices(trial.copies.program);
        CopiedClusters result{&trial.best.clusters, {}, &origins(trial)};
        with_graph(trial, [&](const DepGraph& graph) { result.costs = costs(graph, trial.best.clusters, prices); });
        for (double& cost : result.costs) cost += prices.launch();
        return result;
    }

    static constexpr auto nowhere = static_cast<std::size_t>(-1);

    /// For each operation of the best clustering: its cluster.
    std::vector<std::size_t> cluster_of() const {
        std::vector<std::size_t> result(origins(best_).size(), nowhere);
        for (std::size_t c = 0; c < best_.best.clusters.size(); ++c)
            for (Operation op : best_.best.clusters[c]) result[op.index] = c;
        return result;
    }

    /// For each place: the clusters of its copies, in the order of the text.
    std::map<Place, std::vector<std::size_t>> clusters_of_places() const {
        const std::vector<std::size_t> cluster = cluster_of();
        std::map<Place, std::vector<std::size_t>> result;
        for (std::size_t op = 0; op < cluster.size(); ++op) result[origins(best_)[op]].push_back(cluster[op]);
        return result;
    }

    static bool are_equal(const std::vector<std::size_t>& list) {
        return std::all_of(list.begin(), list.end(), [&](std::size_t x) { return x == list[0]; });
    }

    /// The open candidates that the best clusters store in memory.
    Set stored_candidates() const {
        const std::vector<std::size_t> cluster = cluster_of();
        std::set<Place> stored;
        with_graph(best_, [&](const DepGraph& graph) {
            for (const Access& access : graph.accesses)
                if (access.producer.valid() && cluster[access.producer.index] != cluster[access.reader.index])
                    stored.insert(origins(best_)[access.producer.index]);
        });
        Set result;
        std::copy_if(open_.begin(), open_.end(), std::back_inserter(result),
                     [&](std::size_t k) { return stored.count(place(k)) > 0; });
        return result;
    }

    /// Removes copies that are all in one cluster and in one order, where a single operation does the same.
    void take_back() {
        const auto clusters = clusters_of_places();
        Set needed;
        std::copy_if(best_.chosen.begin(), best_.chosen.end(), std::back_inserter(needed),
                     [&](std::size_t k) { return !candidates_[k].one_order || !are_equal(clusters.at(place(k))); });
        if (needed == best_.chosen) return;
        Trial trial{std::move(needed), best_.groups, {}, {}};
        trial.copies = with_copies(source_.program, places_of(source_, candidates_, trial.chosen), no_limit, trial.groups);
        trial.arithmetic = arithmetic_of(trial);
        trial.best = best_.best;
        trial.best.clusters = same_clusters(origins(trial));
        if (!is_equally_cheap(trial)) trial = try_set(std::move(trial.chosen), default_deadline, std::move(trial.groups));
        if (trial.cost() <= best_.cost()) best_ = std::move(trial);
    }

    /// The best clusters as clusters of a program with fewer copies.
    Clusters same_clusters(const std::vector<Place>& fewer) const {
        const auto clusters = clusters_of_places();
        std::map<Place, std::size_t> count, next;
        for (Place place : fewer) ++count[place];
        Clusters result(best_.best.clusters.size());
        for (std::size_t op = 0; op < fewer.size(); ++op) {
            const auto& of_place = clusters.at(fewer[op]);
            const bool is_one = are_equal(of_place);
            if (!is_one && count[fewer[op]] != of_place.size()) return {};  // something that has fewer copies reads it
            const std::size_t cluster = is_one ? of_place[0] : of_place[next[fewer[op]]++];
            if (cluster != nowhere) result[cluster].emplace_back(op);
        }
        std::erase_if(result, [](const Operations& cluster) { return cluster.empty(); });
        return result;
    }

    /// True if the clusters are legal and cost what the best ones do. They can be executed in the same order.
    bool is_equally_cheap(const Trial& trial) const {
        const Prices prices = source_.prices(trial.copies.program);
        bool result = false;
        with_graph(trial, [&](const DepGraph& graph) {
            Legality legality(graph);
            Operations all;
            for (const Operations& cluster : trial.best.clusters) {
                if (legality.hindrance(cluster)) return;
                all.insert(all.end(), cluster.begin(), cluster.end());
            }
            std::sort(all.begin(), all.end());
            result = all == graph.vertices && cost(graph, trial.best.clusters, prices) == best_.best.cost;
        });
        return result;
    }

    const Source& source_;
    std::size_t number_;
    const std::vector<Candidate>& candidates_;
    double least_;
    Set open_;  ///< candidates that may or may not pay
    Trial best_;
    double lower_ = 0;
    bool exhaustive_ = true;
};

}  // namespace

BodyCopies choose_copies(const Source& source, std::size_t number, const std::vector<Candidate>& candidates, double least) {
    return Search(source, number, candidates, least).run();
}

std::set<Place> places_of(const Source& source, const std::vector<Candidate>& candidates,
                          const std::vector<std::size_t>& chosen) {
    std::set<Place> result;
    for (std::size_t k : chosen) {
        result.insert(source.places.at(candidates[k].binding));
        for (const ir::Binding* view : candidates[k].views) result.insert(source.places.at(view));
    }
    return result;
}

}  // namespace sinter::fuse
