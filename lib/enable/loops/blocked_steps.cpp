// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/loops/blocked_steps.hpp"

#include "enable/loops/blocked_loop.hpp"
#include "enable/loops/box_step.hpp"
#include "enable/loops/known_facts.hpp"
#include "enable/loops/partial_steps.hpp"
#include "enable/tuning.hpp"
#include "opt/passes.hpp"

#include <algorithm>
#include <unordered_map>

namespace sinter::enable {

using namespace ir;

namespace {

Wish large_matrix(SizeTable& sizes, const Shape& shape, bool square) {
    Wish wish;
    if (square) wish.equal.emplace_back(shape[0], shape[1]);
    for (SizeId extent : shape) wish.at_most.push_back({sizes.constant(tuning::least_blocked), extent});
    return wish;
}

/// A step, and what has to be known of extents for it to be done by blocks.
struct Candidate {
    BoxStep step;
    Wish wish;
};

/// Looks for such steps in all loops.
class BoxFinder {
  public:
    explicit BoxFinder(Program& program)
        : sizes_(program.sizes), forms_(program.sizes, types_), bounds_(sizes_, forms_, program.body.params.size()) {
        body(program.body);
    }

    std::vector<std::pair<const Binding*, Candidate>> steps;

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
        forms_.forget(outside), bounds_.forget();
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
        if (auto step = box_step(sizes_, loop, base, types_, forms_))
            if (auto wish = wish_of(*step, loop, binding.types[0].shape))
                steps.emplace_back(&binding, Candidate{std::move(*step), std::move(*wish)});
        forms_.forget(base), bounds_.forget();
        types_.resize(base);
    }

    std::optional<Wish> wish_of(const BoxStep& step, const Loop& loop, const Shape& shape) {
        Wish wish = large_matrix(sizes_, shape, step.if_square);
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            if (!step.if_long[axis]) continue;
            const auto count = bounds_.given(*loop.count);
            if (!count) return std::nullopt;
            wish.at_most.push_back({*count, shape[axis]});
        }
        return wish;
    }

    SizeTable& sizes_;
    std::vector<Type> types_;
    LinearForms forms_;
    SizeBounds bounds_;
};

bool holds(Program& program, const Wish& wish) {
    return wish.equal.empty() && std::all_of(wish.at_most.begin(), wish.at_most.end(),
                                             [&](const AtMost& fact) { return is_known(program, fact); });
}

class BlockedSteps : public BlockedLoop {
  public:
    explicit BlockedSteps(std::unordered_map<const Binding*, BoxStep> steps) : steps_(std::move(steps)) {}

  private:
    bool before_renaming(Binding& binding) override {
        const auto found = steps_.find(&binding);
        if (found == steps_.end()) return true;
        define({write_blocked(binding, found->second)});
        return false;
    }

    std::unordered_map<const Binding*, BoxStep> steps_;
};

}  // namespace

Program blocked_steps(Program program) {
    if (program.body.guards.empty()) return program;  // no extent is known to be large
    std::unordered_map<const Binding*, BoxStep> steps;
    for (auto& [binding, found] : BoxFinder(program).steps)
        if (holds(program, found.wish)) steps.emplace(binding, std::move(found.step));
    if (steps.empty()) return program;
    return opt::simplify(BlockedSteps(std::move(steps)).run(std::move(program)));  // conditions that are decided now
}

std::vector<Wish> wishes_of_blocked_steps(Program& program) {
    std::vector<Wish> wishes;
    const auto add = [&](const Wish& wish) {
        Wish unknown{wish.equal, {}, {}};
        for (const AtMost& fact : wish.at_most)
            if (!is_known(program, fact) &&
                std::find(unknown.at_most.begin(), unknown.at_most.end(), fact) == unknown.at_most.end())
                unknown.at_most.push_back(fact);
        if (!unknown.at_most.empty()) wishes.push_back(std::move(unknown));
    };
    for (const auto& [binding, found] : BoxFinder(program).steps) add(found.wish);
    for (const WishedStep& step : wished_partial_steps(program)) {
        if (step.shape.size() != 2) continue;
        Wish wish = large_matrix(program.sizes, step.shape, !step.wish.equal.empty());
        wish.at_most.insert(wish.at_most.end(), step.wish.at_most.begin(), step.wish.at_most.end());
        add(wish);
    }
    return wishes;
}

void assume_for_steps(Program& program, std::span<const Wish> holding) {
    std::vector<Wish> wishes = wishes_of_blocked_steps(program);
    for (WishedStep& step : wished_partial_steps(program)) wishes.push_back(std::move(step.wish));
    for (const Wish& wish : wishes)
        if (std::find(holding.begin(), holding.end(), wish) != holding.end())
            for (const AtMost& fact : wish.at_most) add_known(program, fact);
}

}  // namespace sinter::enable
