// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that reshapes an array to rows, works on each of them, and reshapes the result back: rows are numbered by one
// axis instead of several, and in between fusion sees arrays of two shapes. What is computed between the two is computed in
// the shape that the result has. The elements of a row, and the order in which they are folded, stay the same. If anything
// else needs what is computed of the rows, everything stays.
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

/// What a part has instead of its shape: an array of rows, [rows, elements..], has that of the result, and an array with
/// one element per row, [rows], the axes of the result before those of a row.
enum class Kind { elements, rows };

struct UnflattenPlan {
    std::size_t moved = 0;  ///< by how many axes the result has more than the rows
    std::vector<Part> parts;
    std::vector<Kind> kinds;   ///< of their results
    std::vector<Binding> old;  ///< copies of the parts, because a rebuilder takes bindings away as it copies the program
};
using UnflattenPlans = std::unordered_map<const Binding*, UnflattenPlan>;

template <class T>
const T* view_of(const Binding& binding) {
    const auto* view = std::get_if<View>(&binding.op);
    return view ? std::get_if<T>(&view->function) : nullptr;
}

/// Finds the reshapes of one body that split the axis of rows and can move inwards.
class UnflattenFinder {
  public:
    UnflattenFinder(const Body& body, std::size_t base, const UseCounts& uses)
        : body_(body), uses_(uses), makers_(body, base) {}

    void run(UnflattenPlans& plans) {
        for (const Binding& binding : body_.bindings)
            if (view_of<Reshape>(binding))
                if (auto plan = plan_of(binding)) plans.emplace(&binding, std::move(*plan));
    }

  private:
    std::optional<UnflattenPlan> plan_of(const Binding& root) {
        const ValueId array = std::get<View>(root.op).arg;
        const Part* made = makers_.find(array);
        if (!made) return std::nullopt;
        const Shape& shape = root.types[0].shape;
        flat_ = made->binding->types[array.index - made->first.index].shape;
        if (flat_.size() < 2 || flat_.size() >= shape.size()) return std::nullopt;
        if (!std::equal(flat_.begin() + 1, flat_.end(), shape.end() - static_cast<std::ptrdiff_t>(flat_.size() - 1)))
            return std::nullopt;
        plan_ = {shape.size() - flat_.size(), {}, {}, {}};
        done_.clear();
        reshapes_ = computes_ = false;
        if (!collect(array, Kind::elements) || !reshapes_ || !computes_) return std::nullopt;
        if (!are_needed_by(plan_.parts, {array}, uses_)) return std::nullopt;
        for (const Part& part : plan_.parts) plan_.old.push_back(*part.binding);
        return plan_;
    }

    /// True if `id`, which has to be an array of this kind, is made of reshaped and repeated arrays, row by row.
    bool collect(ValueId id, Kind kind) {
        const Part* part = makers_.find(id);
        if (!part) return false;
        const Shape& shape = part->binding->types[id.index - part->first.index].shape;
        if (kind == Kind::elements ? shape != flat_ : shape != Shape{flat_[0]}) return false;
        if (!done_.insert(part->binding).second) return true;
        if (!collect_operands(*part->binding, kind)) return false;
        plan_.parts.push_back(*part);
        plan_.kinds.push_back(kind);
        return true;
    }

    bool collect_operands(const Binding& binding, Kind kind) {
        if (view_of<Reshape>(binding)) return reshapes_ = true;
        if (const auto* broadcast = view_of<Broadcast>(binding)) {
            const std::vector<std::size_t>& axes = broadcast->axes;
            if (axes.empty() || (kind == Kind::elements && axes[0] > 0)) return true;
            return kind == Kind::elements && axes.size() == 1 && collect(std::get<View>(binding.op).arg, Kind::rows);
        }
        if (const auto* map = std::get_if<Map>(&binding.op)) {
            computes_ = true;
            return !map->indexed &&
                   std::all_of(map->args.begin(), map->args.end(), [&](ValueId arg) { return collect(arg, kind); });
        }
        const auto* fold = std::get_if<Fold>(&binding.op);
        return fold && kind == Kind::rows && folds_rows(*fold) &&
               std::all_of(fold->args.begin(), fold->args.end(), [&](ValueId arg) { return collect(arg, Kind::elements); });
    }

    /// True if the fold leaves nothing of a row, and begins with the same for all rows.
    bool folds_rows(const Fold& fold) const {
        const auto is_scalar = [&](ValueId id) {
            const Part* part = makers_.find(id);
            return part && part->binding->types[id.index - part->first.index].rank() == 0;
        };
        const std::vector<ValueId>& captured = fold.captures.scalars;
        return fold.axes.size() + 1 == flat_.size() && fold.axes[0] == 1 &&
               std::all_of(fold.inits.begin(), fold.inits.end(), is_scalar) &&
               std::all_of(captured.begin(), captured.end(), is_scalar);
    }

    const Body& body_;
    const UseCounts& uses_;
    const Makers makers_;
    Shape flat_;  ///< [rows, elements..]
    UnflattenPlan plan_;
    bool reshapes_ = false, computes_ = false;
    std::set<const Binding*> done_;
};

class Unflatten : public Rebuilder {
  public:
    explicit Unflatten(UnflattenPlans plans) : plans_(std::move(plans)) {}

  private:
    bool before_renaming(Binding& binding) override {
        const auto found = plans_.find(&binding);
        if (found == plans_.end()) return true;
        const UnflattenPlan& plan = found->second;
        Binding root = renamed(binding);
        shape_ = root.types[0].shape;
        names_of_.clear();
        for (std::size_t k = 0; k < plan.parts.size(); ++k) write(plan, k);
        define({names_of_.at(std::get<View>(binding.op).arg)});
        return false;
    }

    void write(const UnflattenPlan& plan, std::size_t k) {
        const Binding& old = plan.old[k];
        Binding result = renamed(old);
        const std::size_t rank = plan.kinds[k] == Kind::elements ? shape_.size() : plan.moved + 1;
        const Shape shape(shape_.begin(), shape_.begin() + static_cast<std::ptrdiff_t>(rank));
        for (Type& type : result.types) type.shape = shape;
        const ValueId first = plan.parts[k].first;
        if (view_of<Reshape>(result)) {
            const ValueId arg = std::get<View>(result.op).arg;
            if (type(arg).shape == shape) {
                names_of_[first] = arg;
                return;
            }
        } else if (auto* map = std::get_if<Map>(&result.op)) {
            map->args = written_of(std::get<Map>(old.op).args);
        } else if (auto* fold = std::get_if<Fold>(&result.op)) {
            fold->args = written_of(std::get<Fold>(old.op).args);
            for (std::size_t& axis : fold->axes) axis += plan.moved;
        } else {
            repeat(std::get<View>(result.op), std::get<View>(old.op).arg, plan.moved);
        }
        const std::size_t count = result.types.size();
        const ValueId name = append(std::move(result));
        for (std::size_t r = 0; r < count; ++r) names_of_[ValueId(first.index + r)] = ValueId(name.index + r);
    }

    void repeat(View& view, ValueId old_argument, std::size_t moved) {
        std::vector<std::size_t>& axes = std::get<Broadcast>(view.function).axes;
        if (axes.empty()) return;
        if (axes[0] > 0) {
            for (std::size_t& axis : axes) axis += moved;
            return;
        }
        view.arg = names_of_.at(old_argument);
        for (std::size_t axis = 1; axis <= moved; ++axis) axes.push_back(axis);
    }

    std::vector<ValueId> written_of(std::vector<ValueId> ids) const {
        for (ValueId& id : ids) id = names_of_.at(id);
        return ids;
    }

    Binding renamed(Binding binding) {
        rename(binding.op);
        rename_types(binding);
        return binding;
    }

    using Rebuilder::rename;
    UnflattenPlans plans_;
    Shape shape_;                                    ///< of the result, in new names
    std::unordered_map<ValueId, ValueId> names_of_;  ///< new names by old ones
};

}  // namespace

Program unflatten(Program program) {
    UnflattenPlans plans;
    const UseCounts uses = use_counts(program);
    for_each_body(program.body, [&](const Body& body, std::size_t base) { UnflattenFinder(body, base, uses).run(plans); });
    return plans.empty() ? std::move(program) : Unflatten(std::move(plans)).run(std::move(program));
}

}  // namespace sinter::opt
