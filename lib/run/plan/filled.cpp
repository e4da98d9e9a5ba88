// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/plan/filled.hpp"

#include "run/plan/uses.hpp"

#include <algorithm>

namespace sinter::runtime {

using namespace ir;

namespace {

/// How often a body, or one inside it, uses a variable.
std::size_t count_uses(const Body& body, ValueId id) {
    auto count = [&](const std::vector<ValueId>& ids) { return std::count(ids.begin(), ids.end(), id); };
    auto uses = static_cast<std::size_t>(count(body.results));
    for (const Binding& binding : body.bindings) {
        uses += static_cast<std::size_t>(count(operands(binding.op)));
        if (const auto* bodies = bodies_of(binding.op))
            for (const Body& inner : *bodies) uses += count_uses(inner, id);
    }
    return uses;
}

/// The body of a counted loop.
class Iteration {
  public:
    /// `level`: that of its first parameter, the counter.
    Iteration(const SizeTable& sizes, const Loop& loop, std::size_t level)
        : sizes_(sizes), loop_(loop), body_(loop.bodies.back()), level_(level) {}

    /// True if iteration i stores slice i of the state, for all slices there are.
    bool fills(std::size_t state) const {
        const Type& whole = body_.params[1 + state];
        const ValueId before(level_ + 1 + state);
        const Binding* binding = made(body_.results[state]);
        const auto* scatter = binding ? std::get_if<Scatter>(&binding->op) : nullptr;
        if (!scatter || scatter->op || scatter->drops || scatter->dests != std::vector{before} || whole.rank() < 2)
            return false;
        if (!is_count(whole.shape[0]) || count_uses(body_, before) != 1) return false;
        const Binding* first = made(scatter->indices[0]);
        if (!first || !is_counter(first->op) || !covers(first->types[0].shape, whole.shape)) return false;
        for (std::size_t axis = 1; axis < scatter->indices.size(); ++axis)
            if (const Binding* index = made(scatter->indices[axis]); !index || !is_position(index->op, axis - 1))
                return false;
        return true;
    }

  private:
    /// What makes a variable of the body; null for its parameters and what is outside.
    const Binding* made(ValueId id) const {
        std::size_t level = level_ + body_.params.size();
        for (const Binding& binding : body_.bindings) {
            if (id.index < level) return nullptr;
            if (id.index < level + binding.types.size()) return &binding;
            level += binding.types.size();
        }
        return nullptr;
    }

    /// max(count, 0)
    bool is_count(SizeId id) const {
        const Size& size = sizes_[id];
        if (size.kind != Size::Kind::maximum) return false;
        auto is = [&](SizeId left, SizeId right) {
            const Size &count = sizes_[left], &zero = sizes_[right];
            return count.kind == Size::Kind::value && static_cast<std::size_t>(count.index) == loop_.count->index &&
                   zero.kind == Size::Kind::constant && zero.index == 0;
        };
        return is(size.left, size.right) || is(size.right, size.left);
    }

    static bool covers(const Shape& slice, const Shape& whole) {
        return std::equal(slice.begin(), slice.end(), whole.begin() + 1, whole.end());
    }

    /// True if all elements are the counter.
    bool is_counter(const ArrayOp& op) const {
        const ValueId counter(level_);
        if (const auto* view = std::get_if<View>(&op))
            return view->arg == counter && std::holds_alternative<Broadcast>(view->function);
        const auto* map = std::get_if<Map>(&op);
        if (!map || !map->fn.body.insts.empty()) return false;
        const std::size_t scalars = map->fn.body.params.size() - map->captures.scalars.size(),
                          result = map->fn.body.results[0].index;
        return result >= scalars && map->captures.scalars[result - scalars] == counter;
    }

    /// True if each element is its own position along an axis.
    static bool is_position(const ArrayOp& op, std::size_t axis) {
        const auto* map = std::get_if<Map>(&op);
        return map && map->indexed && map->fn.body.insts.empty() && map->fn.body.results[0].index == axis;
    }

    const SizeTable& sizes_;
    const Loop& loop_;
    const Body& body_;
    std::size_t level_;
};

/// How often the steps of a body use a variable.
std::size_t count_uses(const BodyPlan& plan, ValueId id) {
    std::vector<ValueId> uses = plan.results;
    for (const Step& step : plan.steps) add_uses(step, uses);
    return static_cast<std::size_t>(std::count(uses.begin(), uses.end(), id));
}

void mark(BodyPlan& plan, ValueId id) {
    for (Step& step : plan.steps) {
        auto* launch = std::get_if<KernelStep>(&step.action);
        if (!launch || launch->outputs != std::vector{id}) continue;
        const lower::Kernel& kernel = launch->kernel->kernel;
        launch->needs_only_memory = kernel.checks.empty() && !kernel.buffers.back().dest && count_uses(plan, id) == 1;
    }
}

}  // namespace

void mark_filled(const Program& program, const Body& body, BodyPlan& plan) {
    std::size_t level = plan.base + body.params.size();
    for (const Binding& binding : body.bindings) {
        if (const auto* loop = std::get_if<Loop>(&binding.op); loop && loop->count && loop->changing.empty()) {
            const Iteration iteration(program.sizes, *loop, level);
            for (std::size_t state = 0; state < loop->inits.size(); ++state)
                if (iteration.fills(state)) mark(plan, loop->inits[state]);
        }
        level += binding.types.size();
    }
}

}  // namespace sinter::runtime
