// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/index/turned_reads.hpp"

#include "enable/tuning.hpp"
#include "ir/builder.hpp"
#include "ir/rebuild.hpp"
#include "opt/uses.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace sinter::enable {

using namespace ir;

namespace {

/// What a value of a function depends on.
struct Dependence {
    bool on_outer = false;  ///< on the index along the outermost axis
    bool on_data = false;   ///< on arguments or arrays
    bool operator==(const Dependence&) const = default;
    Dependence& operator|=(const Dependence& other) {
        on_outer = on_outer || other.on_outer, on_data = on_data || other.on_data;
        return *this;
    }
};

/// How an array is read by a function.
struct SlotReads {
    bool by_line = false;  ///< at the outermost index, and at places that do not depend on it
    bool at_data = false;  ///< some of these places depend on data
    bool fixed = false;    ///< at places that do not depend on the outermost index
    bool other = false;
};

/// Follows an indexed function of `rank` indices.
class SlotReader {
  public:
    SlotReader(const Fn& fn, std::size_t rank) : slots_(fn.arrays.size()) {
        for (std::size_t k = 0; k < fn.body.params.size(); ++k) locals_.push_back({k == 0, k >= rank});
        block(fn.body, locals_.size());
    }
    std::vector<SlotReads> take() { return std::move(slots_); }

  private:
    /// What the results depend on together; `base`: the number of locals in scope with the block's parameters.
    Dependence block(const Block& block, std::size_t base) {
        for (const Inst& inst : block.insts) locals_.resize(locals_.size() + inst.types.size(), of(inst));
        Dependence all;
        for (Local result : block.results) all |= locals_[result.index];
        locals_.resize(base);
        return all;
    }

    Dependence of(const Inst& inst) {
        Dependence all;
        for (Local operand : inst.operands) all |= locals_[operand.index];
        if (inst.op == Op::read) note(inst), all.on_data = true;
        if (inst.op == Op::extent) slots_[extent_of(inst).slot].other = true;
        // States of loops depend on what the iterations make of them.
        for (Dependence before = all; !inst.blocks.empty(); before = all) {
            for (const Block& nested : inst.blocks) {
                const std::size_t level = locals_.size();
                locals_.resize(level + nested.params.size(), all);
                all |= block(nested, level + nested.params.size());
                locals_.resize(level);
            }
            if (all == before) break;
        }
        return all;
    }

    void note(const Inst& read) {
        SlotReads& slot = slots_[read.bits];
        Dependence inner, any;
        for (std::size_t k = 0; k < read.operands.size(); ++k) {
            any |= locals_[read.operands[k].index];
            if (k > 0) inner |= locals_[read.operands[k].index];
        }
        const bool by_line = read.operands.size() > 1 && read.operands[0] == Local(0) && !inner.on_outer;
        (by_line ? slot.by_line : any.on_outer ? slot.other : slot.fixed) = true;
        slot.at_data = slot.at_data || (by_line && inner.on_data);
    }

    std::vector<SlotReads> slots_;
    std::vector<Dependence> locals_;
};

class TurnedReads : public Rebuilder {
  public:
    /// Turns maps where one of `holding` says so.
    TurnedReads(const Program& program, std::span<const Wish> holding)
        : uses_(opt::use_counts(program)), holding_(holding) {}

    std::vector<Wish> take() { return std::move(wishes_); }

  private:
    /// A transposition of a map, or of a map whose inner axes are one.
    struct Plan {
        const Binding* map = nullptr;
        std::vector<SlotReads> slots;
        bool reshaped = false;
        Wish wish;
    };
    struct Made {
        Binding binding;
        bool used_once;
    };

    void close() override { made_.erase(made_.lower_bound(level()), made_.end()); }

    bool before_renaming(Binding& binding) override {
        const std::vector<std::size_t>& uses = uses_[&binding];
        used_once_ = uses.size() == 1 && uses[0] == 1;
        return true;
    }

    void binding(Binding&& binding) override {
        std::optional<Plan> plan = plan_of(binding);
        if (plan) wishes_.push_back(plan->wish);
        if (plan && std::find(holding_.begin(), holding_.end(), plan->wish) != holding_.end())
            return define({turned(*plan, binding)});
        const auto* map = std::get_if<Map>(&binding.op);
        const bool reads = map && map->indexed && used_once_ && !map->captures.arrays.empty() && binding.types[0].rank() > 1;
        if (reads || std::holds_alternative<View>(binding.op)) made_[level()] = {binding, used_once_};
        keep(std::move(binding));
    }

    template <class Op>
    const Op* made(ValueId id, bool for_one) const {
        const auto found = made_.find(id.index);
        return found != made_.end() && (found->second.used_once || !for_one) ? std::get_if<Op>(&found->second.binding.op)
                                                                             : nullptr;
    }
    /// The function of a view that made it.
    template <class Function>
    const Function* viewed(ValueId id, bool for_one) const {
        const auto* view = made<View>(id, for_one);
        return view ? std::get_if<Function>(&view->function) : nullptr;
    }

    std::optional<Plan> plan_of(const Binding& binding) {
        const auto* view = std::get_if<View>(&binding.op);
        const auto* transpose = view ? std::get_if<Transpose>(&view->function) : nullptr;
        if (!transpose || !moves_outermost_inside(transpose->axes)) return std::nullopt;
        Plan plan;
        ValueId id = view->arg;
        plan.reshaped = viewed<Reshape>(id, true) != nullptr;
        if (plan.reshaped) id = made<View>(id, true)->arg;
        const Map* map = made<Map>(id, true);
        if (!map || type(id).shape[0] != type(view->arg).shape[0]) return std::nullopt;
        plan.map = &made_.at(id.index).binding;
        plan.slots = SlotReader(map->fn, type(id).rank()).take();
        plan.wish.high = type(id).shape;
        const bool turns = std::all_of(map->args.begin(), map->args.end(), [&](ValueId arg) { return is_alike(arg); }) &&
                           turns_arrays(plan, *map);
        if (!turns) return std::nullopt;
        plan.wish.at_most = {{sizes().constant(tuning::least_turned), elements(plan.wish.low)}};
        return plan;
    }

    SizeId elements(const Shape& shape) {
        SizeId count = shape[0];
        for (std::size_t axis = 1; axis < shape.size(); ++axis) count = sizes().mul(count, shape[axis]);
        return count;
    }

    static bool moves_outermost_inside(const std::vector<std::size_t>& axes) {
        for (std::size_t k = 0; k < axes.size(); ++k)
            if (axes[k] != (k + 1) % axes.size()) return false;
        return axes.size() > 1;
    }

    /// Whether all elements along the outermost axis are the same.
    bool is_alike(ValueId id) const {
        const auto* broadcast = viewed<Broadcast>(id, false);
        return broadcast && (broadcast->axes.empty() || broadcast->axes[0] != 0);
    }

    bool turns_arrays(Plan& plan, const Map& map) const {
        bool gathers = false;
        for (std::size_t k = 0; k < plan.slots.size(); ++k) {
            const SlotReads& slot = plan.slots[k];
            if (slot.other || (slot.by_line && slot.fixed)) return false;
            if (!slot.by_line) continue;
            const Shape& shape = type(map.captures.arrays[k]).shape;
            if (!plan.wish.low.empty() && plan.wish.low != shape) return false;
            plan.wish.low = shape;
            gathers = gathers || slot.at_data;
        }
        return gathers;
    }

    ValueId turned(const Plan& plan, const Binding& transposed) {
        Binding binding = *plan.map;
        Map& map = std::get<Map>(binding.op);
        Shape& shape = binding.types[0].shape;
        std::rotate(shape.begin(), shape.begin() + 1, shape.end());
        for (ValueId& arg : map.args) arg = turned_broadcast(arg, shape, binding.site);
        turn_arrays(plan, map, binding.site);
        map.fn = turned_function(map.fn, shape.size(), plan.slots);
        const ValueId result = append(std::move(binding));
        return plan.reshaped ? append({View{result, Reshape(), {}}, transposed.types, transposed.site}) : result;
    }

    ValueId turned_broadcast(ValueId id, const Shape& shape, SiteId site) {
        const ValueId from = made<View>(id, false)->arg;
        Broadcast broadcast = *viewed<Broadcast>(id, false);
        for (std::size_t& axis : broadcast.axes) --axis;
        return append({View{from, std::move(broadcast), {}}, {{type(id).scalar, shape}}, site});
    }

    /// What is read line by line is transposed in memory, apart from what makes it: made in this order, that might read
    /// against the grain.
    void turn_arrays(const Plan& plan, Map& map, SiteId site) {
        Force apart, together;
        std::vector<Type> types, turned_types;
        for (std::size_t k = 0; k < plan.slots.size(); ++k) {
            if (!plan.slots[k].by_line) continue;
            apart.args.push_back(map.captures.arrays[k]);
            types.push_back(type(map.captures.arrays[k]));
            turned_types.push_back(types.back());
            Shape& shape = turned_types.back().shape;
            std::rotate(shape.begin(), shape.begin() + 1, shape.end());
        }
        const ValueId first = append({std::move(apart), types, site});
        for (std::size_t k = 0; k < turned_types.size(); ++k) {
            Transpose transpose;
            transpose.axes.resize(turned_types[k].rank());
            std::iota(transpose.axes.begin(), transpose.axes.end() - 1, std::size_t{1});
            together.args.push_back(
                append({View{ValueId(first.index + k), std::move(transpose), {}}, {turned_types[k]}, site}));
        }
        ValueId next = append({std::move(together), std::move(turned_types), site});
        for (std::size_t k = 0; k < plan.slots.size(); ++k)
            if (plan.slots[k].by_line) map.captures.arrays[k] = next, next = ValueId(next.index + 1);
    }

    /// Indices, and those of reads line by line: the first is the last now.
    static Fn turned_function(const Fn& fn, std::size_t rank, const std::vector<SlotReads>& slots) {
        BlockBuilder builder;
        builder.open(fn.body.params);
        std::vector<Local> params;
        for (std::size_t k = 0; k < fn.body.params.size(); ++k)
            params.emplace_back(k == 0 ? rank - 1 : k < rank ? k - 1 : k);
        auto turn = [&](BlockBuilder& to, const Inst& inst) -> std::optional<Local> {
            if (inst.op != Op::read || !slots[inst.bits].by_line) return std::nullopt;
            Inst read = inst;
            std::rotate(read.operands.begin(), read.operands.begin() + 1, read.operands.end());
            return to.emit(std::move(read));
        };
        return canonical({fn.arrays, builder.close(inline_block(builder, fn.body, std::move(params), turn))});
    }

    opt::UseCounts uses_;
    std::span<const Wish> holding_;
    std::vector<Wish> wishes_;
    std::map<std::size_t, Made> made_;  ///< by new level: maps and views in scope
    bool used_once_ = false;            ///< the result of the binding being rebuilt
};

}  // namespace

std::vector<Wish> wishes_of_turned_reads(Program& program) {
    Program copy = program;
    TurnedReads pass(copy, {});
    program.sizes = pass.run(std::move(copy)).sizes;
    return pass.take();
}

Program turned_reads(Program program, std::span<const Wish> holding) {
    return TurnedReads(program, holding).run(std::move(program));
}

}  // namespace sinter::enable
