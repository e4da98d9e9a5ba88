// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ad/loops/outer_views.hpp"

#include "ad/sweep.hpp"
#include "ir/free_variables.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace sinter::ad {

using namespace ir;

namespace {

bool moves(const Binding& binding) {
    const auto* view = std::get_if<View>(&binding.op);
    return view && !view->fill && !std::holds_alternative<Broadcast>(view->function) &&
           !std::holds_alternative<Shift>(view->function);
}

class OuterViews final : public Sweep {
  public:
    bool moved() const { return moved_; }

  private:
    bool before_renaming(Binding& binding) override {
        if (const auto found = names_.find(&binding); found != names_.end()) {
            define({found->second});
            names_.erase(found);  // others may have this address later
            return false;
        }
        return !keep_with_scope(binding, inside_);
    }

    void binding(Binding&& binding) override {
        if (auto* loop = std::get_if<Loop>(&binding.op); loop && inside_) move_out(loop->bodies.back());
        keep(std::move(binding));
    }

    /// Writes the views, whose names in the body are then those of what has been written.
    void move_out(const Body& body) {
        const std::size_t outside = old_level();
        if (!guards_hold(body, outside)) return;
        std::vector<ValueId> names(body.params.size());
        define(names);
        for (const Binding& binding : body.bindings) {
            std::vector<ValueId> own(binding.types.size());
            if (moves(binding) && is_known(binding, outside, names)) {
                Binding copy = binding;
                rename(copy.op);
                rename_types(copy);
                own = {append(std::move(copy))};
                names_.emplace(&binding, own[0]);
                moved_ = true;
            }
            define(own);
            names.insert(names.end(), own.begin(), own.end());
        }
        undefine(outside);
    }

    /// True if all that the binding needs is there before the loop. `names`: by old level - outside.
    bool is_known(const Binding& binding, std::size_t outside, const std::vector<ValueId>& names) {
        const std::vector<ValueId> free = free_variables(sizes(), binding, outside + names.size());
        return std::all_of(free.begin(), free.end(),
                           [&](ValueId id) { return id.index < outside || names[id.index - outside].valid(); });
    }

    /// True if no guard of the body is about what is the same in every iteration: a view may rely on it.
    bool guards_hold(const Body& body, std::size_t outside) {
        return std::all_of(body.guards.begin(), body.guards.end(), [&](const Guard& guard) {
            std::vector<ValueId> values;
            values_of(sizes(), guard, values);
            return std::any_of(values.begin(), values.end(), [&](ValueId id) { return id.index >= outside; });
        });
    }

    std::unordered_map<const Binding*, ValueId> names_;  ///< of views that have been written before their loop
    bool inside_ = false;                                ///< inside a vjp that is differentiated in this round
    bool moved_ = false;
};

}  // namespace

Program outer_views(Program program) {
    for (bool moved = true; moved;) {  // perhaps further: out of the next loop
        OuterViews pass;
        program = pass.run(std::move(program));
        moved = pass.moved();
    }
    return program;
}

}  // namespace sinter::ad
