// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that works on slices along a later axis transposes what it reads and what it makes; between the two, memory
// would be traversed against its grain. The outer transposition moves inwards, through whatever is computed element by
// element or line by line, until it meets the inner ones. If it meets anything else, everything stays.
#include "ir/builder.hpp"
#include "ir/rebuild.hpp"
#include "opt/parts.hpp"
#include "opt/passes.hpp"
#include "opt/uses.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

namespace sinter::opt {

using namespace ir;

namespace {

using Axes = std::vector<std::size_t>;

template <class T>
std::vector<T> permuted(const std::vector<T>& all, const Axes& axes) {
    std::vector<T> result;
    for (std::size_t axis : axes) result.push_back(all[axis]);
    return result;
}

bool counts_up(const Axes& axes) {
    for (std::size_t k = 0; k < axes.size(); ++k)
        if (axes[k] != k) return false;
    return true;
}

/// An array with its axes in the order of the outer transposition. A transposition that cancels is replaced by its argument.
struct Turned {
    std::vector<ValueId> results;  ///< old names
    Binding binding;               ///< the original binding
    bool is_argument = false;
};

struct TransposePlan {
    Axes axes;                   ///< result axis k is axis axes[k] of what is transposed
    ValueId array;               ///< the array that is transposed
    std::vector<Turned> turned;  ///< each after what it needs
};
using TransposePlans = std::unordered_map<const Binding*, TransposePlan>;

/// Finds the transpositions of one body that move inwards.
class TransposeFinder {
  public:
    TransposeFinder(const Body& body, std::size_t base, const UseCounts& uses) : body_(body), uses_(uses) {
        std::size_t level = base + body.params.size();
        for (const Binding& binding : body.bindings) {
            for (std::size_t k = 0; k < binding.types.size(); ++k) makers_.push_back(&binding), first_.push_back(level);
            level += binding.types.size();
        }
        start_ = base + body.params.size();
    }

    void run(TransposePlans& plans) {
        for (const Binding& binding : body_.bindings) {
            const auto* view = std::get_if<View>(&binding.op);
            const auto* transpose = view ? std::get_if<Transpose>(&view->function) : nullptr;
            if (transpose == nullptr) continue;
            plan_ = {transpose->axes, view->arg, {}};
            done_.clear();
            cancelled_ = 0;
            if (turn(view->arg) && cancelled_ > 0 && plan_.turned.size() > cancelled_ && is_closed())
                plans.emplace(&binding, plan_);
        }
    }

  private:
    const Binding* maker(ValueId id) const {
        const bool is_inside = id.index >= start_ && id.index < start_ + makers_.size();
        return is_inside ? makers_[id.index - start_] : nullptr;
    }

    /// True if everything that `id` is made of can be turned.
    bool turn(ValueId id) {
        const Binding* binding = maker(id);
        if (binding == nullptr) return false;
        const std::size_t first = first_[id.index - start_];
        if (!done_.insert(first).second) return true;
        if (const auto* view = std::get_if<View>(&binding->op))
            if (const auto* inner = std::get_if<Transpose>(&view->function)) {
                if (!counts_up(permuted(inner->axes, plan_.axes))) return false;
                ++cancelled_;
                return add(*binding, first, true);
            }
        return turn_arguments(binding->op) && add(*binding, first, false);
    }

    bool add(const Binding& binding, std::size_t first, bool is_argument) {
        Turned turned{{}, binding, is_argument};
        for (std::size_t k = 0; k < binding.types.size(); ++k) turned.results.emplace_back(first + k);
        plan_.turned.push_back(std::move(turned));
        return true;
    }

    /// True if nothing else needs what is turned; otherwise it would be computed twice.
    bool is_closed() const {
        std::unordered_map<ValueId, std::size_t> inside{{plan_.array, 1}};
        for (const Turned& turned : plan_.turned)
            for (ValueId id : turned.is_argument ? std::vector<ValueId>() : operands(turned.binding.op)) ++inside[id];
        return std::all_of(plan_.turned.begin(), plan_.turned.end(), [&](const Turned& turned) {
            const std::vector<std::size_t>& all = uses_.at(maker(turned.results[0]));
            for (std::size_t k = 0; k < all.size() && !turned.is_argument; ++k)
                if (const auto found = inside.find(turned.results[k]); all[k] != (found == inside.end() ? 0 : found->second))
                    return false;
            return true;
        });
    }

    bool turn_arguments(const ArrayOp& op) {
        auto all = [&](const std::vector<ValueId>& ids) {
            return std::all_of(ids.begin(), ids.end(), [&](ValueId id) { return turn(id); });
        };
        if (const auto* map = std::get_if<Map>(&op)) return all(map->args);
        if (const auto* scan = std::get_if<Scan>(&op)) return keeps_lines(*scan) && all(scan->args);
        if (const auto* gather = std::get_if<Gather>(&op)) return all(gather->indices);
        const auto* view = std::get_if<View>(&op);
        if (view == nullptr) return false;
        const bool keeps_axes =
            std::holds_alternative<Slice>(view->function) || std::holds_alternative<Shift>(view->function);
        return keeps_axes && turn(view->arg);
    }

    /// True if what there is once per line, initial values and totals, keeps its axes.
    bool keeps_lines(const Scan& scan) const {
        Axes lines;
        for (std::size_t axis : plan_.axes)
            if (axis != scan.axis) lines.push_back(axis);
        return std::is_sorted(lines.begin(), lines.end());
    }

    const Body& body_;
    const UseCounts& uses_;
    std::vector<const Binding*> makers_;  ///< by level from start_ on
    std::vector<std::size_t> first_;
    std::size_t start_ = 0;
    TransposePlan plan_;
    std::set<std::size_t> done_;
    std::size_t cancelled_ = 0;
};

class CancelTransposes : public Rebuilder {
  public:
    explicit CancelTransposes(TransposePlans plans) : plans_(std::move(plans)) {}

  private:
    bool before_renaming(Binding& binding) override {
        const auto found = plans_.find(&binding);
        if (found == plans_.end()) return true;
        turned_.clear();
        for (Turned& turned : found->second.turned) turn(turned, found->second.axes);
        define({turned_.at(found->second.array)});
        return false;
    }

    void turn(Turned& turned, const Axes& axes) {
        Binding& binding = turned.binding;
        if (turned.is_argument) {
            turned_[turned.results[0]] = rename(std::get<View>(binding.op).arg);
            return;
        }
        const std::vector<ValueId> turned_arguments = arguments(binding.op);
        rename(binding.op);
        rename_types(binding);
        set_arguments(binding.op, turned_arguments, axes);
        for (Type& type : binding.types)
            if (type.rank() == axes.size()) type.shape = permuted(type.shape, axes);
        const ValueId first = append(std::move(binding));
        for (std::size_t k = 0; k < turned.results.size(); ++k) turned_[turned.results[k]] = ValueId(first.index + k);
    }

    /// The axis of the result that is `axis` of what is transposed.
    static std::size_t place(std::size_t axis, const Axes& axes) {
        return static_cast<std::size_t>(std::find(axes.begin(), axes.end(), axis) - axes.begin());
    }

    static Fn of_turned_indices(const Fn& fn, const Axes& axes) {
        BlockBuilder builder;
        std::vector<Local> params;
        builder.open(fn.body.params);
        for (std::size_t k = 0; k < fn.body.params.size(); ++k) params.emplace_back(k < axes.size() ? place(k, axes) : k);
        return canonical({fn.arrays, builder.close(inline_block(builder, fn.body, std::move(params)))});
    }

    static std::vector<ValueId>& argument_list(ArrayOp& op) {
        if (auto* map = std::get_if<Map>(&op)) return map->args;
        if (auto* scan = std::get_if<Scan>(&op)) return scan->args;
        return std::get<Gather>(op).indices;
    }

    std::vector<ValueId> arguments(ArrayOp& op) const {
        std::vector<ValueId> old =
            std::holds_alternative<View>(op) ? std::vector{std::get<View>(op).arg} : argument_list(op);
        for (ValueId& id : old) id = turned_.at(id);
        return old;
    }

    static void set_arguments(ArrayOp& op, const std::vector<ValueId>& ids, const Axes& axes) {
        auto* view = std::get_if<View>(&op);
        if (view == nullptr) {
            argument_list(op) = ids;
            if (auto* map = std::get_if<Map>(&op); map && map->indexed) map->fn = of_turned_indices(map->fn, axes);
            if (auto* scan = std::get_if<Scan>(&op)) scan->axis = place(scan->axis, axes);
            return;
        }
        view->arg = ids[0];
        if (auto* slice = std::get_if<Slice>(&view->function))
            slice->start = permuted(slice->start, axes), slice->step = permuted(slice->step, axes);
        else
            std::get<Shift>(view->function).offset = permuted(std::get<Shift>(view->function).offset, axes);
    }

    using Rebuilder::rename;
    TransposePlans plans_;
    std::unordered_map<ValueId, ValueId> turned_;  ///< new names by old ones
};

}  // namespace

Program cancel_transposes(Program program) {
    TransposePlans plans;
    const UseCounts uses = use_counts(program);
    for_each_body(program.body, [&](const Body& body, std::size_t base) { TransposeFinder(body, base, uses).run(plans); });
    return plans.empty() ? std::move(program) : CancelTransposes(std::move(plans)).run(std::move(program));
}

}  // namespace sinter::opt
