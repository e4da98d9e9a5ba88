// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/flatten/flattenable.hpp"

#include "enable/slices/irregular.hpp"
#include "enable/slices/lift_function.hpp"
#include "ir/free_variables.hpp"
#include "ir/walk.hpp"
#include "support/match.hpp"

#include <algorithm>
#include <unordered_set>

namespace sinter::enable {

using namespace ir;

namespace {

using Problem = const char*;

class Flattenable {
  public:
    explicit Flattenable(const SizeTable& sizes) : sizes_(sizes), irregular_(sizes) {}

    using Obstacle = std::optional<FlatteningObstacle>;

    /// `params`: the flags of the body's parameters.
    Obstacle body(const Body& body, const Flags& params, std::size_t level) {
        flags().set(level, params);
        add_flats(body.params, level);
        level += body.params.size();
        for (const Binding& binding : body.bindings) {
            if (Obstacle found = obstacle(binding, level)) return found;
            level += binding.types.size();
        }
        return std::nullopt;
    }

  private:
    Batched& flags() { return irregular_.flags(); }
    bool is_flat(ValueId id) const { return flat_.contains(id); }
    bool has_flat(const std::vector<ValueId>& ids) const {
        return std::any_of(ids.begin(), ids.end(), [&](ValueId id) { return is_flat(id); });
    }

    void add_flats(const std::vector<Type>& types, std::size_t level) {
        std::erase_if(flat_, [level](ValueId id) { return id.index >= level; });
        for (std::size_t k = 0; k < types.size(); ++k)
            if (irregular_.varies(types[k])) flat_.insert(ValueId(level + k));
    }

    Obstacle obstacle(const Binding& binding, std::size_t level) {
        const Flags results = flags().results(binding, level);
        const std::vector<ValueId> used = operands(binding.op);
        const auto* loop = std::get_if<Loop>(&binding.op);
        const auto* cond = std::get_if<Cond>(&binding.op);
        bool flattens = std::holds_alternative<Compact>(binding.op) && any(flags()(used));
        flattens |= has_flat(used);
        flattens |= std::any_of(binding.types.begin(), binding.types.end(),
                                [&](const Type& type) { return irregular_.varies(type); });
        const bool reads = bodies_of(binding.op) != nullptr && has_flat(free_variables(sizes_, binding, level));
        const bool irregular = irregular_.binding(binding, results, level);
        Problem problem = nullptr;
        if ((loop || cond) && (flattens || reads || irregular)) {
            if (Obstacle found = loop ? of_loop(*loop, level) : of_cond(*cond, level)) return found;
            flattens = true;
        } else if (flattens) {
            problem = problem_of_rule(binding);
        } else if (reads) {
            problem = "its function reads an array whose shape differs from slice to slice";
        } else if (irregular) {
            problem = "it has no rule for slices";
        }
        if (problem) return FlatteningObstacle{binding.site, name_of(binding.op), problem};
        flags().set(level, flattens ? Flags(results.size(), true) : results);
        add_flats(binding.types, level);
        return std::nullopt;
    }

    Obstacle of_loop(const Loop& loop, std::size_t level) {
        for (const Body& each : loop.bodies) {
            Flags params(each.params.size(), true);
            if (loop.count) params[0] = false;
            if (Obstacle found = body(each, params, level)) return found;
        }
        return std::nullopt;
    }

    Obstacle of_cond(const Cond& cond, std::size_t level) {
        for (const Body& side : cond.bodies)
            if (Obstacle found = body(side, {}, level)) return found;
        return std::nullopt;
    }

    Problem problem_of_rule(const Binding& binding) const {
        const Fn* fn = std::holds_alternative<Map>(binding.op) ? nullptr : function_of(binding.op);
        if (fn && any_inst(fn->body, names_element))
            return "it names elements of arrays whose shape differs from slice to slice";
        return match(
            binding.op, [](const Scan&) -> Problem { return nullptr; }, [](const Sort&) -> Problem { return nullptr; },
            [&](const Scatter& op) { return of_scatter(op); }, [](const Map&) -> Problem { return nullptr; },
            [](const Fold&) -> Problem { return nullptr; }, [](const View&) -> Problem { return nullptr; },
            [](const Gather&) -> Problem { return nullptr; }, [](const Force&) -> Problem { return nullptr; },
            [](const Compact&) -> Problem { return nullptr; },
            [](const auto&) -> Problem { return "it is executed for one slice after another"; });
    }

    bool differ(const Captures& captures) const {
        const Batched& batched = irregular_.flags();
        return any(batched(captures.scalars)) || any(batched(captures.arrays));
    }

    Problem of_scatter(const Scatter& scatter) const {
        if (scatter.drops.value_or(0) != 0) return "it drops elements along some axes only";
        return differ(scatter.captures) ? "its operator differs from slice to slice" : nullptr;
    }

    const SizeTable& sizes_;
    Irregular irregular_;
    std::unordered_set<ValueId> flat_;
};

}  // namespace

std::optional<FlatteningObstacle> obstacle_to_flattening(const SizeTable& sizes, const Body& body, std::size_t level) {
    return Flattenable(sizes).body(body, Flags(body.params.size(), true), level);
}

}  // namespace sinter::enable
