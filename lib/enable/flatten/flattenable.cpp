// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/flatten/flattenable.hpp"

#include "enable/lift/irregular.hpp"
#include "enable/lift/lift_function.hpp"
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

    std::optional<FlatteningObstacle> body(const Body& body, std::size_t level) {
        flags().set(level, Flags(body.params.size(), true));
        level += body.params.size();
        for (const Binding& binding : body.bindings) {
            if (Problem problem = problem_of(binding, level)) return FlatteningObstacle{binding.site, problem};
            level += binding.types.size();
        }
        return std::nullopt;
    }

  private:
    Batched& flags() { return irregular_.flags(); }
    bool is_flat(ValueId id) const { return flat_.contains(id); }

    /// Null if there is none.
    Problem problem_of(const Binding& binding, std::size_t level) {
        const Flags results = flags().results(binding, level);
        const std::vector<ValueId> used = operands(binding.op);
        const bool filters = std::holds_alternative<Compact>(binding.op) && any(flags()(used));
        const bool reads = std::any_of(used.begin(), used.end(), [&](ValueId id) { return is_flat(id); });
        const auto varies = [&](const Type& type) { return irregular_.varies(type); };
        if (!filters && !reads && std::none_of(binding.types.begin(), binding.types.end(), varies)) {
            Problem problem = bodies_of(binding.op) != nullptr ? of_bodies(binding, level) : nullptr;
            if (!problem && irregular_.binding(binding, results, level)) problem = "it has no rule for slices";
            flags().set(level, results);
            return problem;
        }
        flags().set(level, Flags(binding.types.size(), true));
        for (std::size_t k = 0; k < binding.types.size(); ++k)
            if (varies(binding.types[k])) flat_.insert(ValueId(level + k));
        return problem_of_rule(binding);
    }

    Problem of_bodies(const Binding& binding, std::size_t level) const {
        const std::vector<ValueId> used = free_variables(sizes_, binding, level);
        return std::any_of(used.begin(), used.end(), [&](ValueId id) { return is_flat(id); })
                   ? "a loop or a branch reads an array whose shape differs from slice to slice"
                   : nullptr;
    }

    Problem problem_of_rule(const Binding& binding) const {
        if (const Fn* fn = function_of(binding.op); fn && any_inst(fn->body, names_element))
            return "it names elements of arrays whose shape differs from slice to slice";
        return match(
            binding.op, [&](const Scan& op) { return of_scan(op, binding.types[0]); },
            [&](const Sort&) { return binding.types[0].rank() == 1 ? nullptr : "it sorts rows of slices"; },
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

    Problem of_scan(const Scan& scan, const Type& type) const {
        if (scan.sequential) return "it is a recurrence";
        if (scan.axis + 1 != type.rank()) return "it scans along another axis than the last";
        return differ(scan.captures) ? "its operator differs from slice to slice" : nullptr;
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
    return Flattenable(sizes).body(body, level);
}

}  // namespace sinter::enable
