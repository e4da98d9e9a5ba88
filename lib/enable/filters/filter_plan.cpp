// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/filters/filter_plan.hpp"

#include "ir/neutral.hpp"
#include "ir/walk.hpp"
#include "opt/cost.hpp"
#include "support/match.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace sinter::enable {

using namespace ir;

namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

bool has_math_or_loop(const Block& block) {
    return any_inst(block, [](const Inst& inst) {
        return inst.op == Op::while_loop || inst.op == Op::for_loop || info(inst.op).traits == Traits::math;
    });
}

bool may_meet_dropped(const Fn& fn) { return fn.arrays.empty() && opt::is_speculative(fn.body); }

/// Sweeps once over the uses in every body; the compacts of a body are decided at its end.
class Planner {
  public:
    Planner(const Program& program, bool of_slices) : of_slices_(of_slices) { body(program.body); }

    FilterPlan take() { return std::move(plan_); }

  private:
    struct Variable {
        std::size_t filter = none;  ///< the filter from which it is derived
        std::size_t counts = none;  ///< the filter of which it is the count
        std::size_t passes = 0;     ///< number of folds on the longest path to it
        bool stored = false;        ///< something needs it in memory
        bool streamed = false;      ///< something that stays in place reads it, element by element
        bool movable = true;        ///< it can be computed before the compact
        bool feeds = false;         ///< a map that moves reads it
        bool needed() const { return stored || streamed; }
    };
    struct Filter {
        const Binding* compact;
        std::size_t level, body;
        bool escapes = false;                     ///< some of its uses cannot go over full arrays
        std::vector<FilterDecision::Moved> maps;  ///< maps whose results are derived
        std::vector<const Binding*> readers;      ///< folds and compacts of derived variables
        std::size_t first_pass = none, last_pass = 0;
    };
    enum class Use : std::uint8_t { streamed, stored };

    bool goes_over_full(const Fn& fn) const { return may_meet_dropped(fn) && (of_slices_ || !has_math_or_loop(fn.body)); }

    void body(const Body& body) {
        const std::size_t outer = std::exchange(body_, ++bodies_), level = variables_.size(), filters = filters_.size();
        variables_.resize(level + body.params.size());
        for (const Binding& each : body.bindings) binding(each);
        use(body.results, Use::stored);
        for (; filters_.size() > filters; filters_.pop_back()) decide(filters_.back());
        variables_.resize(level);
        body_ = outer;
    }

    void binding(const Binding& binding) {
        std::size_t passes = 0;
        for (ValueId id : operands(binding.op)) {
            const Variable& variable = variables_[id.index];
            passes = std::max(passes, variable.passes);
            if (variable.counts != none) note_pass(variable.counts, variable.passes);
        }
        if (std::holds_alternative<Fold>(binding.op)) ++passes;
        const std::size_t filter = filter_of_results(binding, passes), level = variables_.size();
        Variable result;
        result.filter = filter, result.passes = passes;
        variables_.resize(level + binding.types.size(), result);
        if (!std::holds_alternative<Compact>(binding.op)) return;
        Variable& count = variables_[level];
        count.filter = none, count.counts = filter, count.passes = passes + 1;
    }

    /// A fold of something derived from the filter needs a pass over the filter's arrays, after `passes` others.
    void note_pass(std::size_t filter, std::size_t passes) {
        filters_[filter].first_pass = std::min(filters_[filter].first_pass, passes);
        filters_[filter].last_pass = std::max(filters_[filter].last_pass, passes);
    }

    /// Notes the uses of the binding's operands.
    std::size_t filter_of_results(const Binding& binding, std::size_t passes) {
        return match(
            binding.op, [&](const Map& map) { return this->map(binding, map); },
            [&](const Fold& fold) {
                const std::size_t filter = goes_over_full(fold.op) ? common_filter(fold.args) : none;
                if (filter != none) note_pass(filter, passes);
                read(filter, binding, fold.args);
                use(fold.inits, Use::streamed), use(fold.captures.scalars, Use::streamed);  // perhaps one per result
                use(fold.captures.arrays, Use::stored);
                return none;
            },
            [&](const Compact&) {
                std::vector<ValueId> elements = operands(binding.op);
                read(common_filter(elements), binding, elements);
                filters_.push_back({&binding, variables_.size(), body_, false, {}, {}});
                return filters_.size() - 1;
            },
            [&](const auto&) {
                other(binding);
                return none;
            });
    }

    std::size_t map(const Binding& binding, const Map& map) {
        const bool simple = !map.indexed && goes_over_full(map.fn);
        const std::size_t filter = simple ? common_filter(map.args) : none;
        if (filter != none) {
            filters_[filter].maps.push_back({&binding, variables_.size()});
        } else {
            use(map.args, Use::streamed);
            use(map.captures.arrays, Use::stored);
        }
        return filter;
    }

    void other(const Binding& binding) {
        match(
            binding.op, [&](const View& view) { use({view.arg}, Use::streamed); },
            [&](const Gather& gather) {
                use(gather.indices, Use::streamed);
                use(gather.sources, Use::stored);
            },
            [&](const Scan& scan) {
                use(scan.args, Use::streamed);
                use(scan.inits, Use::streamed), use(scan.captures.scalars, Use::streamed);
                use(scan.captures.arrays, Use::stored);
            },
            [&](const Scatter& scatter) {
                use(scatter.dests, Use::stored);
                use(scatter.indices, Use::streamed), use(scatter.values, Use::streamed);
                use(scatter.captures.arrays, Use::stored);
            },
            [&](const auto&) { use(operands(binding.op), Use::stored); });
        const bool slices = std::holds_alternative<Vmap>(binding.op);
        if (slices) ++slices_;
        if (const auto* bodies = bodies_of(binding.op))
            for (const Body& nested : *bodies) body(nested);
        if (slices) --slices_;
    }

    /// The filter of this body from which all of them are derived.
    std::size_t common_filter(const std::vector<ValueId>& ids) const {
        const std::size_t filter = ids.empty() ? none : variables_[ids[0].index].filter;
        if (filter == none || filters_[filter].body != body_) return none;
        const bool all =
            std::all_of(ids.begin(), ids.end(), [&](ValueId id) { return variables_[id.index].filter == filter; });
        return all ? filter : none;
    }

    /// Notes a fold or compact of variables derived from `filter`, if there is one.
    void read(std::size_t filter, const Binding& binding, const std::vector<ValueId>& elements) {
        if (filter == none) return use(elements, Use::streamed);
        filters_[filter].readers.push_back(&binding);
        for (ValueId id : elements) variables_[id.index].streamed = true;
    }

    /// Notes uses that need the elements that are kept, next to each other.
    void use(const std::vector<ValueId>& ids, Use how) {
        for (ValueId id : ids) {
            Variable& variable = variables_[id.index];
            if (variable.filter == none) continue;
            Filter& filter = filters_[variable.filter];
            filter.escapes = true;
            (how == Use::stored || filter.body != body_ ? variable.stored : variable.streamed) = true;
        }
    }

    void decide(const Filter& filter) {
        if (of_slices_ && (filter.escapes || slices_ == 0)) return;
        const bool several_passes = !of_slices_ && filter.first_pass < filter.last_pass;
        if (filter.escapes || several_passes) return move(filter);
        plan_[filter.compact].dissolves = true;
        for (const FilterDecision::Moved& map : filter.maps) plan_[map.map].masked = true;
        for (const Binding* reader : filter.readers) plan_[reader].masked = true;
    }

    void move(const Filter& filter) {
        find_movable(filter);
        FilterDecision decision;
        for (auto map = filter.maps.rbegin(); map != filter.maps.rend(); ++map)
            if (moves(*map)) decision.moved.push_back(*map);
        std::reverse(decision.moved.begin(), decision.moved.end());
        std::size_t saved = 0, added = 0;
        for (std::size_t i = 1; i < filter.compact->types.size(); ++i) {
            const Variable& array = variables_[filter.level + i];
            if (array.needed()) decision.kept.emplace_back(filter.level + i);
            if (array.feeds && !array.needed()) ++saved;
        }
        for (const auto& [map, level] : decision.moved) {
            for (std::size_t i = level; i < level + map->types.size(); ++i) {
                if (variables_[i].needed()) decision.kept.emplace_back(i);
                if (variables_[i].needed() && !variables_[i].stored) ++added;
            }
        }
        if (decision.moved.empty() || added > saved) return;
        for (const auto& moved : decision.moved) plan_[moved.map].moves = true;
        FilterDecision& planned = plan_[filter.compact];
        planned.moved = std::move(decision.moved);
        planned.kept = std::move(decision.kept);
    }

    void find_movable(const Filter& filter) {
        for (const auto& [binding, level] : filter.maps) {
            const Map& map = std::get<Map>(binding->op);
            auto before = [&](ValueId id) { return id.index < filter.level; };
            auto movable = [&](ValueId id) { return variables_[id.index].movable; };
            const bool can_move = !opt::is_expensive(map.fn.body) &&
                                  std::all_of(map.captures.scalars.begin(), map.captures.scalars.end(), before) &&
                                  std::all_of(map.args.begin(), map.args.end(), movable);
            for (std::size_t i = level; i < level + binding->types.size(); ++i) variables_[i].movable = can_move;
        }
    }

    /// True if the map moves; whether the readers of its results do has already been decided.
    bool moves(const FilterDecision::Moved& map) {
        bool wanted = false;
        for (std::size_t i = map.level; i < map.level + map.map->types.size(); ++i)
            wanted = wanted || (variables_[i].movable && (variables_[i].stored || variables_[i].feeds));
        for (ValueId id : std::get<Map>(map.map->op).args)
            (wanted ? variables_[id.index].feeds : variables_[id.index].streamed) = true;
        return wanted;
    }

    std::vector<Variable> variables_;  ///< by level
    std::vector<Filter> filters_;      ///< in the bodies that are open
    std::size_t bodies_ = 0, body_ = 0;
    std::size_t slices_ = 0;  ///< number of vmaps around
    bool of_slices_;
    FilterPlan plan_;
};

}  // namespace

FilterPlan plan_filters(const Program& program) { return Planner(program, false).take(); }

FilterPlan plan_filters_of_slices(const Program& program) { return Planner(program, true).take(); }

}  // namespace sinter::enable
