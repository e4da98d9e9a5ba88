// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/loops/blocked_steps.hpp"

#include "enable/loops/blocked_loop.hpp"
#include "enable/loops/box_step.hpp"
#include "enable/loops/partial_steps.hpp"
#include "enable/tuning.hpp"
#include "opt/passes.hpp"

#include <algorithm>
#include <unordered_map>

namespace sinter::enable {

using namespace ir;

namespace {

using BoxSteps = std::unordered_map<const Binding*, BoxStep>;

/// Looks for such steps in all loops.
class BoxFinder {
  public:
    explicit BoxFinder(Program& program) : sizes_(program.sizes), forms_(program.sizes, types_) { body(program.body); }

    BoxSteps steps;
    std::vector<Shape> matrices, if_square;

  private:
    void body(const Body& body) {
        const std::size_t outside = types_.size();
        types_.insert(types_.end(), body.params.begin(), body.params.end());
        for (const Binding& binding : body.bindings) {
            const std::size_t level = types_.size();
            if (const std::vector<Body>* nested = bodies_of(binding.op)) {
                for (const Body& each : *nested) this->body(each);
                if (const auto* loop = std::get_if<Loop>(&binding.op)) find(binding, *loop);
            }
            types_.insert(types_.end(), binding.types.begin(), binding.types.end());
            forms_.define(binding, level);
        }
        forms_.forget(outside);
        types_.resize(outside);
    }

    void find(const Binding& binding, const Loop& loop) {
        if (!loop.count || binding.types.size() != 1 || binding.types[0].rank() != 2) return;
        const std::size_t base = types_.size();
        const Body& body = loop.bodies.back();
        types_.insert(types_.end(), body.params.begin(), body.params.end());
        for (const Binding& each : body.bindings) {
            const std::size_t level = types_.size();
            types_.insert(types_.end(), each.types.begin(), each.types.end());
            forms_.define(each, level);
        }
        if (auto step = box_step(sizes_, loop, base, types_, forms_)) {
            (step->if_square ? if_square : matrices).push_back(binding.types[0].shape);
            if (!step->if_square) steps.emplace(&binding, std::move(*step));
        }
        forms_.forget(base);
        types_.resize(base);
    }

    SizeTable& sizes_;
    std::vector<Type> types_;
    LinearForms forms_;
};

AtMost large(SizeTable& sizes, SizeId extent) { return {sizes.constant(tuning::least_blocked), extent}; }

/// low <= high, as a guard.
Guard guard_of(SizeTable& sizes, const AtMost& fact) {
    Guard guard;
    guard.left = sizes.maximum(fact.low, fact.high), guard.right = fact.high;
    guard.message = "large matrix";
    return guard;
}

bool is_known(SizeTable& sizes, const Body& body, const AtMost& fact) {
    const Guard guard = guard_of(sizes, fact);
    return std::find(body.guards.begin(), body.guards.end(), guard) != body.guards.end();
}

class BlockedSteps : public BlockedLoop {
  public:
    explicit BlockedSteps(BoxSteps steps) : steps_(std::move(steps)) {}

  private:
    bool before_renaming(Binding& binding) override {
        const auto found = steps_.find(&binding);
        if (found == steps_.end()) return true;
        define({write_blocked(binding, found->second)});
        return false;
    }

    BoxSteps steps_;
};

}  // namespace

Program blocked_steps(Program program) {
    if (program.body.guards.empty()) return program;  // no extent is known to be large
    BoxSteps steps = BoxFinder(program).steps;
    std::erase_if(steps, [&](const auto& step) {
        const Shape& shape = step.first->types[0].shape;
        return !std::all_of(shape.begin(), shape.end(), [&](SizeId extent) {
            return is_known(program.sizes, program.body, large(program.sizes, extent));
        });
    });
    if (steps.empty()) return program;
    return opt::simplify(BlockedSteps(std::move(steps)).run(std::move(program)));  // conditions that are decided now
}

std::vector<Wish> wishes_of_blocked_steps(Program& program) {
    std::vector<Wish> wishes;
    const auto add = [&](const Shape& shape, bool square) {
        Wish wish;
        if (square) wish.equal.emplace_back(shape[0], shape[1]);
        for (SizeId extent : shape) {
            const AtMost fact = large(program.sizes, extent);
            if (is_known(program.sizes, program.body, fact)) continue;
            if (std::find(wish.at_most.begin(), wish.at_most.end(), fact) == wish.at_most.end())
                wish.at_most.push_back(fact);
        }
        if (!wish.at_most.empty()) wishes.push_back(std::move(wish));
    };
    const BoxFinder found(program);
    for (const Shape& shape : found.matrices) add(shape, false);
    for (const Shape& shape : found.if_square) add(shape, true);
    for (const Wish& wish : wishes_of_partial_steps(program)) add({wish.equal[0].first, wish.equal[0].second}, true);
    return wishes;
}

void assume_for_blocked_steps(Program& program, std::span<const Wish> holding) {
    for (const Wish& wish : wishes_of_blocked_steps(program)) {
        if (std::find(holding.begin(), holding.end(), wish) == holding.end()) continue;
        for (const AtMost& fact : wish.at_most)
            if (!is_known(program.sizes, program.body, fact)) program.body.guards.push_back(guard_of(program.sizes, fact));
    }
}

}  // namespace sinter::enable
