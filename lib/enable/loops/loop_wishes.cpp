// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/loops/loop_wishes.hpp"

#include "enable/loops/loop_as_recurrence.hpp"
#include "ir/builder.hpp"
#include "opt/size_walk.hpp"

#include <algorithm>
#include <map>

namespace sinter::enable {

using namespace ir;

namespace {

/// Knows which conditions say that one size is less than another.
class Conditions : public opt::SizeWalk {
  protected:
    using SizeWalk::SizeWalk;

    struct Known {
        Binding* maker;
        AtMost true_if;
    };
    const Known* condition(const Cond& cond) const {
        const auto known = conditions_.find(cond.condition.index);
        return known == conditions_.end() ? nullptr : &known->second;
    }
    /// To be called by leave().
    void forget(std::size_t level) { conditions_.erase(conditions_.lower_bound(level), conditions_.end()); }

  private:
    void pass(Binding& binding, std::size_t level) override {
        const auto* map = std::get_if<Map>(&binding.op);
        if (map == nullptr || binding.types.size() != 1 || binding.types[0] != Type{Scalar::boolean, {}}) return;
        const Inst* last = map->fn.body.insts.empty() ? nullptr : &map->fn.body.insts.back();
        const std::size_t params = map->fn.body.params.size();
        if (!last || last->op != Op::less || map->fn.body.results[0].index != params + map->fn.body.insts.size() - 1) return;
        const auto low = operand(*map, last->operands[0]), high = operand(*map, last->operands[1]);
        if (low && high) conditions_[level] = {&binding, {program_.sizes.add(*low, program_.sizes.constant(1)), *high}};
    }

    std::optional<SizeId> operand(const Map& map, Local local) {
        const std::size_t params = map.fn.body.params.size(), args = map.args.size();
        if (local.index < params) {
            if (map.fn.body.params[local.index] != Scalar::i64) return std::nullopt;
            return bounds_.given(local.index < args ? map.args[local.index] : map.captures.scalars[local.index - args]);
        }
        const Inst& inst = map.fn.body.insts[local.index - params];
        if (inst.op != Op::constant || inst.type() != Scalar::i64) return std::nullopt;
        return program_.sizes.constant(static_cast<std::int64_t>(inst.bits));
    }

    std::map<std::size_t, Known> conditions_;  ///< by level
};

class WishFinder : public Conditions {
  public:
    explicit WishFinder(Program& program) : Conditions(program) { run(); }
    std::vector<Wish> take() { return std::move(wishes_); }

  private:
    void leave(Binding& owner, Body& body, std::size_t level) override {
        if (const auto* loop = std::get_if<Loop>(&owner.op); loop && loop->count && loop->changing.empty())
            leave_loop(owner, body, level);
        forget(level);
        const auto* cond = std::get_if<Cond>(&owner.op);
        if (cond == nullptr || fitting_from_ <= level) return;
        // A loop inside could be a recurrence.
        if (const auto* known = condition(*cond); known && &body == &cond->bodies.front())
            wishes_.push_back({{}, {}, {}, {known->true_if}});
        fitting_from_ = none;
    }

    void leave_loop(const Binding& owner, const Body& body, std::size_t level) {
        if (!LoopAsRecurrence(owner, level, types_, program_.sizes, forms_).fits()) return;
        Wish wish;
        for (const Guard& guard : body.guards) {
            const auto condition = bounds_.sufficient(guard);
            if (!condition) return;
            if (!bounds_.is_certain(*condition)) wish.at_most.push_back(*condition);
        }
        Wish planes;
        const auto steps = bounds_.given(*std::get<Loop>(owner.op).count);
        for (const Binding& binding : body.bindings) {
            add_reshaped(wish, binding);
            if (steps) add_planes(planes, binding, *steps);
        }
        fitting_from_ = level;
        if (!wish.equal.empty() || !wish.at_most.empty()) wishes_.push_back(std::move(wish));
        if (!planes.equal.empty()) wishes_.push_back(std::move(planes));
    }

    static void add_equal(Wish& wish, SizeId a, SizeId b) {
        const std::pair pair{a, b};
        if (a != b && std::find(wish.equal.begin(), wish.equal.end(), pair) == wish.equal.end()) wish.equal.push_back(pair);
    }

    /// A plane keeps its extents when an axis of one index is dropped or added.
    void add_reshaped(Wish& wish, const Binding& binding) const {
        const auto* view = std::get_if<View>(&binding.op);
        if (view == nullptr || !std::holds_alternative<Reshape>(view->function)) return;
        const Shape from = without_units(types_[view->arg.index].shape), to = without_units(binding.types[0].shape);
        for (std::size_t k = 0; from.size() == to.size() && k < from.size(); ++k) add_equal(wish, to[k], from[k]);
    }

    /// An array of which an iteration reads a plane has as many as there are iterations: then index_reads finds neighbours.
    void add_planes(Wish& wish, const Binding& binding, SizeId steps) const {
        const auto* view = std::get_if<View>(&binding.op);
        const auto* slice = view ? std::get_if<Slice>(&view->function) : nullptr;
        for (std::size_t k = 0; slice && k < slice->start.size(); ++k) {
            const bool is_plane = program_.sizes.is_constant(binding.types[0].shape[k], 1);
            const bool is_fixed = program_.sizes[slice->start[k]].kind == Size::Kind::constant;
            if (is_plane && !is_fixed) add_equal(wish, steps, types_[view->arg.index].shape[k]);
        }
    }

    Shape without_units(Shape shape) const {
        std::erase_if(shape, [&](SizeId extent) { return program_.sizes.is_constant(extent, 1); });
        return shape;
    }

    static constexpr std::size_t none = 0;
    std::vector<Wish> wishes_;
    std::size_t fitting_from_ = none;  ///< the level of a loop that would be a recurrence
};

class Assume : public Conditions {
  public:
    Assume(Program& program, std::span<const Wish> holding) : Conditions(program), holding_(holding) { run(); }

  private:
    void enter(Binding& binding) override {
        auto* cond = std::get_if<Cond>(&binding.op);
        const Known* known = cond ? condition(*cond) : nullptr;
        if (!known || !holds(known->true_if)) return;
        BlockBuilder builder;
        builder.open({});
        known->maker->op = Map{{{}, builder.close({builder.constant(Scalar::boolean, 1)})}, {}, {}, false};
    }

    void leave(Binding&, Body& body, std::size_t level) override {
        forget(level);
        std::erase_if(body.guards, [&](const Guard& guard) {
            const auto condition = bounds_.sufficient(guard);
            return condition && holds(*condition);
        });
    }

    bool holds(const AtMost& condition) const {
        return std::any_of(holding_.begin(), holding_.end(), [&](const Wish& wish) {
            return std::find(wish.at_most.begin(), wish.at_most.end(), condition) != wish.at_most.end();
        });
    }

    std::span<const Wish> holding_;
};

}  // namespace

std::vector<Wish> wishes_of_loops(Program& program) { return WishFinder(program).take(); }

void assume_for_loops(Program& program, std::span<const Wish> holding) {
    const bool any = std::any_of(holding.begin(), holding.end(), [](const Wish& wish) { return !wish.at_most.empty(); });
    if (any) Assume(program, holding);
}

}  // namespace sinter::enable
