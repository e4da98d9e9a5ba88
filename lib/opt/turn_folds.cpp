// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of a transposed matrix with a vector, sums of columns taken as rows of the transposition: what is folded is made
// of arrays that are all transposed in one way, and of repeated ones. It is folded along other axes of these arrays instead.
// The fold computes the same, but now it goes over the array in the order of everything else that does, and clusters with
// it. If something else needs the transposition, everything stays.
#include "ir/rebuild.hpp"
#include "opt/parts.hpp"
#include "opt/passes.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

namespace sinter::opt {

using namespace ir;

namespace {

using Axes = std::vector<std::size_t>;

Axes inverse(const Axes& axes) {
    Axes result(axes.size());
    for (std::size_t k = 0; k < axes.size(); ++k) result[axes[k]] = k;
    return result;
}

/// The number that each of `axes` has if axis k becomes axis places[k].
Axes moved(const Axes& axes, const Axes& places) {
    Axes result;
    for (std::size_t axis : axes) result.push_back(places[axis]);
    return result;
}

bool increases(const Axes& axes) { return std::is_sorted(axes.begin(), axes.end()); }

const Transpose* transposition(const Binding& binding) {
    const auto* view = std::get_if<View>(&binding.op);
    return view ? std::get_if<Transpose>(&view->function) : nullptr;
}

const Broadcast* repetition(const Binding& binding) {
    const auto* view = std::get_if<View>(&binding.op);
    return view ? std::get_if<Broadcast>(&view->function) : nullptr;
}

struct TurnPlan {
    Axes places;               ///< axis k of what was folded is axis places[k] of the arrays as they lie
    std::vector<Part> parts;   ///< each after what it needs
    std::vector<Binding> old;  ///< copies of these, because a rebuilder takes bindings away as it copies the program
};
using TurnPlans = std::unordered_map<const Binding*, TurnPlan>;

/// Finds the folds of one body that can be turned.
class TurnFinder {
  public:
    TurnFinder(const Body& body, std::size_t base, const UseCounts& uses) : body_(body), uses_(uses), makers_(body, base) {}

    void run(TurnPlans& plans) {
        TurnPlans found;
        for (const Binding& binding : body_.bindings)
            if (const auto* fold = std::get_if<Fold>(&binding.op))
                if (auto plan = plan_of(*fold)) found.emplace(&binding, std::move(*plan));
        while (drop_one(found)) {
        }
        for (auto& [fold, plan] : found)
            for (const Part& part : plan.parts) plan.old.push_back(*part.binding);
        plans.merge(found);
    }

  private:
    std::optional<TurnPlan> plan_of(const Fold& fold) {
        plan_ = {};
        done_.clear();
        if (!std::all_of(fold.args.begin(), fold.args.end(), [&](ValueId id) { return collect(id); })) return std::nullopt;
        if (plan_.places.empty() || !keeps_order(fold) || !are_needed_by(plan_.parts, fold.args, uses_)) return std::nullopt;
        for (const Part& part : plan_.parts)
            if (const Broadcast* broadcast = repetition(*part.binding);
                broadcast && !increases(moved(broadcast->axes, plan_.places)))
                return std::nullopt;
        return plan_;
    }

    /// True if `id` is made of arrays transposed in one way and of repeated ones, element by element.
    bool collect(ValueId id) {
        const Part* part = makers_.find(id);
        if (!part) return false;
        if (!done_.insert(part->binding).second) return true;
        if (const Transpose* transpose = transposition(*part->binding)) {
            if (plan_.places.empty()) plan_.places = transpose->axes;
            if (plan_.places != transpose->axes) return false;
        } else if (!repetition(*part->binding)) {
            const auto* map = std::get_if<Map>(&part->binding->op);
            if (!map || map->indexed) return false;
            if (!std::all_of(map->args.begin(), map->args.end(), [&](ValueId arg) { return collect(arg); })) return false;
        }
        plan_.parts.push_back(*part);
        return true;
    }

    /// Whether the results have their axes in the same order, and an operator that is not commutative its operands.
    bool keeps_order(const Fold& fold) const {
        Axes others;
        for (std::size_t axis = 0; axis < plan_.places.size(); ++axis)
            if (!std::binary_search(fold.axes.begin(), fold.axes.end(), axis)) others.push_back(axis);
        return increases(moved(others, plan_.places)) && (fold.commutative || increases(moved(fold.axes, plan_.places)));
    }

    /// Drops a fold that reads a transposition that not only folds with a plan read: traversing the array as it lies, the
    /// fold would go along with its other readers no more. False if there is none.
    bool drop_one(TurnPlans& plans) const {
        std::unordered_map<ValueId, std::size_t> read;
        for (const auto& [fold, plan] : plans) {
            for (ValueId id : operands(fold->op)) ++read[id];
            for (const Part& part : plan.parts)
                for (ValueId id : operands(part.binding->op)) ++read[id];
        }
        const auto is_read_elsewhere = [&](const Part& part) {
            return transposition(*part.binding) && uses_.at(part.binding)[0] != read[part.first];
        };
        const auto dropped = std::find_if(plans.begin(), plans.end(), [&](const auto& each) {
            const std::vector<Part>& parts = each.second.parts;
            return std::any_of(parts.begin(), parts.end(), is_read_elsewhere);
        });
        if (dropped == plans.end()) return false;
        plans.erase(dropped);
        return true;
    }

    const Body& body_;
    const UseCounts& uses_;
    const Makers makers_;
    TurnPlan plan_;
    std::set<const Binding*> done_;
};

class TurnFolds : public Rebuilder {
  public:
    explicit TurnFolds(TurnPlans plans) : plans_(std::move(plans)) {}

  private:
    bool before_renaming(Binding& binding) override {
        const auto found = plans_.find(&binding);
        if (found == plans_.end()) return true;
        turned_.clear();
        const TurnPlan& plan = found->second;
        for (std::size_t k = 0; k < plan.parts.size(); ++k) turn(plan.parts[k].first, plan.old[k], plan.places);
        const std::vector<ValueId> args = turned(std::get<Fold>(binding.op).args);
        Binding result = renamed(binding);
        auto& fold = std::get<Fold>(result.op);
        fold.args = args;
        fold.axes = moved(fold.axes, plan.places);
        std::sort(fold.axes.begin(), fold.axes.end());
        const std::size_t count = result.types.size();
        const ValueId first = append(std::move(result));
        std::vector<ValueId> names;
        for (std::size_t k = 0; k < count; ++k) names.emplace_back(first.index + k);
        define(names);
        return false;
    }

    void turn(ValueId first_result, const Binding& old, const Axes& places) {
        if (transposition(old)) {
            turned_[first_result] = rename(std::get<View>(old.op).arg);
            return;
        }
        Binding result = renamed(old);
        if (auto* map = std::get_if<Map>(&result.op)) {
            map->args = turned(std::get<Map>(old.op).args);
        } else {
            auto& broadcast = std::get<Broadcast>(std::get<View>(result.op).function);
            broadcast.axes = moved(broadcast.axes, places);
        }
        const Axes order = inverse(places);
        for (Type& type : result.types) {
            Shape shape;
            for (std::size_t axis : order) shape.push_back(type.shape[axis]);
            type.shape = shape;
        }
        const std::size_t count = result.types.size();
        const ValueId first = append(std::move(result));
        for (std::size_t k = 0; k < count; ++k) turned_[ValueId(first_result.index + k)] = ValueId(first.index + k);
    }

    std::vector<ValueId> turned(std::vector<ValueId> ids) const {
        for (ValueId& id : ids) id = turned_.at(id);
        return ids;
    }

    Binding renamed(Binding binding) {
        rename(binding.op);
        rename_types(binding);
        return binding;
    }

    using Rebuilder::rename;
    TurnPlans plans_;
    std::unordered_map<ValueId, ValueId> turned_;  ///< new names by old ones
};

}  // namespace

Program turn_folds(Program program) {
    TurnPlans plans;
    const UseCounts uses = use_counts(program);
    for_each_body(program.body, [&](const Body& body, std::size_t base) { TurnFinder(body, base, uses).run(plans); });
    return plans.empty() ? std::move(program) : TurnFolds(std::move(plans)).run(std::move(program));
}

}  // namespace sinter::opt
