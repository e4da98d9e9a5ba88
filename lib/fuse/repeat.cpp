// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/repeat.hpp"

#include "fuse/bodies.hpp"
#include "fuse/optimal.hpp"
#include "fuse/solve/deadline.hpp"
#include "fuse/transparent.hpp"
#include "ir/rebuild.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace sinter::fuse {

using ir::ValueId;

namespace {

/// A binding's place in the program, those of nested bodies counted where they stand.
using Place = std::size_t;

void number(const ir::Body& body, std::map<const ir::Binding*, Place>& places) {
    for (const ir::Binding& binding : body.bindings) {
        places.emplace(&binding, places.size());
        if (const auto* bodies = ir::bodies_of(binding.op))
            for (const ir::Body& nested : *bodies) number(nested, places);
    }
}

/// What may be copied, and the transparent operations through which it is read, which are copied with it.
struct Candidate {
    const ir::Binding* binding;
    std::vector<const ir::Binding*> views;
};

class CandidateFinder {
  public:
    CandidateFinder(const DepGraph& graph, const Extents& extents)
        : g_(graph), extents_(extents), is_candidate_(graph.roles.size(), false) {}

    /// Those with several readers, and what only these read.
    std::vector<Candidate> find() {
        std::vector<Candidate> result;
        for (auto op = g_.vertices.rbegin(); op != g_.vertices.rend(); ++op) {
            if (!is_candidate(*op)) continue;
            is_candidate_[op->index] = true;
            result.push_back({&g_.binding(*op), views_of(*op)});
        }
        return result;
    }

  private:
    bool is_candidate(Operation op) const {
        const auto* map = std::get_if<ir::Map>(&g_.binding(op).op);
        if (!map || g_.points(op).empty() || g_.any_stored(op) || !is_cheap_to_repeat(*map)) return false;
        const auto& uses = g_.uses[op.index];
        auto by_candidate = [&](auto use) { return is_candidate_[g_.accesses[use].reader.index]; };
        return (uses.size() > 1 || std::all_of(uses.begin(), uses.end(), by_candidate)) &&
               std::all_of(uses.begin(), uses.end(), [&](auto use) { return may_repeat(op, g_.accesses[use]); });
    }

    bool may_repeat(Operation op, const Access& access) const {
        return access.obstacle == Obstacle::none && !access.whole &&
               extents_.elements(g_.space(access.reader)) <= extents_.elements(g_.points(op));
    }

    std::vector<const ir::Binding*> views_of(Operation op) const {
        std::vector<const ir::Binding*> views;
        std::vector<bool> reads(g_.types.size(), false);
        for (std::size_t k = 0; k < g_.result_count(op); ++k) reads[g_.result(op, k).index] = true;
        for (std::size_t i = op.index + 1; i < g_.roles.size(); ++i) {
            if (g_.roles[i] != Role::transparent) continue;
            const ir::Binding& binding = g_.binding(Operation(i));
            const auto operands = ir::operands(binding.op);
            if (std::none_of(operands.begin(), operands.end(), [&](ValueId id) { return reads[id.index]; })) continue;
            views.push_back(&binding);
            for (std::size_t k = 0; k < binding.types.size(); ++k) reads[g_.result(Operation(i), k).index] = true;
        }
        return views;
    }

    const DepGraph& g_;
    const Extents& extents_;
    std::vector<bool> is_candidate_;  ///< by operation
};

/// Gives every reader of some bindings one of its own.
class Copier : public ir::Rebuilder {
  public:
    explicit Copier(std::set<Place> chosen) : chosen_(std::move(chosen)) {}

    std::map<Place, std::size_t> take_times() { return std::move(times_); }

  private:
    struct Original {
        std::size_t level;  ///< of its first result
        ir::Binding binding;
        Place place;
        bool taken = false;  ///< a reader has it
    };

    void binding(ir::Binding&& binding) override {
        const Place place = next_++;
        if (!originals_.empty()) give_copies(binding.op);
        if (chosen_.count(place) > 0) originals_.push_back({level(), binding, place}), ++times_[place];
        keep(std::move(binding));
    }

    void close() override {
        while (!originals_.empty() && originals_.back().level >= level()) originals_.pop_back();
    }

    /// One reader has one copy, however often it reads it.
    void give_copies(ir::ArrayOp& op) {
        std::map<ValueId, ValueId> own;
        ir::for_each_operand(op, [&](ValueId& id) {
            auto [known, is_new] = own.try_emplace(id);
            if (is_new) known->second = copy_of(id, own);
            id = known->second;
        });
    }

    ValueId copy_of(ValueId id, std::map<ValueId, ValueId>& own) {
        auto holds = [&](const Original& o) { return o.level <= id.index && id.index < o.level + o.binding.types.size(); };
        auto original = std::find_if(originals_.begin(), originals_.end(), holds);
        if (original == originals_.end()) return id;
        const std::size_t k = id.index - original->level, results = original->binding.types.size();
        ValueId first(original->level);
        if (std::exchange(original->taken, true)) {
            ir::Binding copy = original->binding;
            ++times_[original->place];
            give_copies(copy.op);
            first = append(std::move(copy));
        }
        for (std::size_t r = 0; r < results; ++r) own.insert_or_assign(ValueId(id.index - k + r), ValueId(first.index + r));
        return ValueId(first.index + k);
    }

    std::set<Place> chosen_;
    Place next_ = 0;
    std::vector<Original> originals_;  ///< in scope
    std::map<Place, std::size_t> times_;
};

}  // namespace

Copies with_copies(ir::Program program, const std::set<std::size_t>& bindings) {
    Copier pass(bindings);
    ir::Program copied = pass.run(std::move(program));
    return {std::move(copied), pass.take_times()};
}

namespace {

class Search {
  public:
    Search(const ir::Program& program, const ExtentsOf& extents, CostFunction function,
           std::chrono::duration<double> deadline)
        : program_(program), extents_(extents), function_(function), end_(deadline) {
        number(program_.body, places_);
    }

    Repetition run() {
        find_candidates();
        result_.program = program_;
        if (candidates_.empty()) return std::move(result_);
        result_.candidates = candidates_.size();
        best_ = try_set({});
        lower_ = best_.lower;
        const double least = least_possible();
        if (best_.cost > least) candidates_.size() <= most_candidates ? try_all() : try_one_by_one();
        if (best_.cost <= least) result_.exhaustive = true;
        if (!best_.chosen.empty()) apply(best_.chosen);
        result_.cost = best_.cost, result_.lower = std::min(lower_, best_.cost);
        return std::move(result_);
    }

  private:
    using Set = std::vector<std::size_t>;  // of candidates
    struct Trial {
        Set chosen;
        double cost = 0, lower = 0;
    };

    void find_candidates() {
        const Extents extents = extents_(program_);
        for_each_body(program_.body, {}, [&](const ir::Body& body, const std::vector<ir::Type>& outer) {
            const DepGraph graph = dep_graph(program_, body, outer);
            for (Candidate& candidate : CandidateFinder(graph, extents).find()) candidates_.push_back(std::move(candidate));
        });
    }

    /// Each body is one cluster that reads what it has to and writes what it has to.
    double least_possible() const {
        const Prices prices(function_, extents_(program_));
        double total = 0;
        for_each_body(program_.body, {}, [&](const ir::Body& body, const std::vector<ir::Type>& outer) {
            const DepGraph graph = dep_graph(program_, body, outer);
            if (graph.vertices.empty()) return;
            total += prices.launch();
            std::map<ValueId, double> reads;
            for (const Access& access : graph.accesses)
                if (!access.producer.valid() && graph.roles[access.reader.index] != Role::barrier)
                    reads[access.variable] = std::max(reads[access.variable], prices.read(graph, access));
            for (const auto& [variable, price] : reads) total += price;
            for (std::size_t level = graph.base; level < graph.stored.size(); ++level)
                if (graph.stored[level]) total += prices.written(graph.types[level]);
        });
        return total;
    }

    Copies copies(const Set& set) const {
        std::set<Place> chosen;
        for (std::size_t k : set) {
            chosen.insert(places_.at(candidates_[k].binding));
            for (const ir::Binding* view : candidates_[k].views) chosen.insert(places_.at(view));
        }
        return with_copies(program_, chosen);
    }

    Trial try_set(Set set) {
        Trial trial{std::move(set), 0, 0};
        const ir::Program program = trial.chosen.empty() ? program_ : copies(trial.chosen).program;
        const Prices prices(function_, extents_(program));
        for_each_body(program.body, {}, [&](const ir::Body& body, const std::vector<ir::Type>& outer) {
            const Optimum best = optimal(dep_graph(program, body, outer), prices);
            trial.cost += best.cost, trial.lower += best.lower;
        });
        return trial;
    }

    bool keep_better(Trial trial) {
        lower_ = std::min(lower_, trial.lower);
        if (trial.cost >= best_.cost) return false;
        best_ = std::move(trial);
        return true;
    }

    void try_all() {
        for (std::size_t bits = 1; bits < std::size_t{1} << candidates_.size(); ++bits) {
            if (end_.passed()) return void(result_.exhaustive = false);
            Set set;
            for (std::size_t k = 0; k < candidates_.size(); ++k)
                if (bits >> k & 1) set.push_back(k);
            keep_better(try_set(std::move(set)));
        }
    }

    void try_one_by_one() {
        result_.exhaustive = false;
        for (std::size_t k = 0; k < candidates_.size() && !end_.passed(); ++k) {
            Set set = best_.chosen;
            set.push_back(k);
            keep_better(try_set(std::move(set)));
        }
    }

    void apply(const Set& set) {
        Copies made = copies(set);
        result_.program = std::move(made.program);
        for (std::size_t k : set) {
            const ir::Binding& binding = *candidates_[k].binding;
            result_.repeated.push_back({binding.site, ir::name_of(binding.op), made.times.at(places_.at(&binding))});
        }
    }

    const ir::Program& program_;
    const ExtentsOf& extents_;
    CostFunction function_;
    solve::Deadline end_;
    std::map<const ir::Binding*, Place> places_;
    std::vector<Candidate> candidates_;
    Trial best_;
    double lower_ = 0;
    Repetition result_;
};

}  // namespace

Repetition repeat(const ir::Program& program, const ExtentsOf& extents, CostFunction function,
                  std::chrono::duration<double> deadline) {
    return Search(program, extents, function, deadline).run();
}

}  // namespace sinter::fuse
