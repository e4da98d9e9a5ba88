// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Consider updates of one array: x1 = x0 with one window replaced, x2 = x1 with another, and so on. They need a copy of an
// array that is still read when its memory should be overwritten. Two observations about known windows (ir/sizes/linear.hpp)
// avoid this:
//   - what is read outside the windows is the same in all of these arrays: it is read from the newest one that exists when
//     it is needed, after which nothing needs the older ones;
//   - windows that do not overlap may be overwritten in any order: an update whose values are read where another one
//     overwrites comes before that one.
// Then fusion finds that an update reads nothing else that is overwritten, and puts it into the pass that makes its values.
#include "ir/rebuild.hpp"
#include "opt/passes.hpp"
#include "opt/updates/edits.hpp"

#include <algorithm>
#include <unordered_map>

namespace sinter::opt {

using namespace ir;

namespace {

class OrderUpdates : public Rebuilder {
  public:
    Program with(Program program) {
        look_at(program.sizes, program.body, {});
        return any() ? run(std::move(program)) : std::move(program);
    }
    bool any() const { return !orders_.empty(); }

  private:
    void look_at(SizeTable& sizes, Body& body, const std::vector<Type>& outer) {
        const std::vector<Type> types = types_of(body, outer);
        std::size_t level = outer.size() + body.params.size();
        const std::size_t defined = definitions_.size();
        for (Binding& binding : body.bindings) {
            if (std::vector<Body>* nested = bodies_of(binding.op))
                for (Body& each : *nested)
                    look_at(sizes, each, {types.begin(), types.begin() + static_cast<std::ptrdiff_t>(level)});
            definitions_.emplace_back(&binding, level);
            level += binding.types.size();
        }
        update(sizes, body, outer.size(), types);
        definitions_.resize(defined);
    }

    void update(SizeTable& sizes, Body& body, std::size_t base, const std::vector<Type>& types) {
        const bool any = std::any_of(body.bindings.begin(), body.bindings.end(),
                                     [](const Binding& binding) { return std::holds_alternative<Scatter>(binding.op); });
        if (!any) return;
        LinearForms forms(sizes, types);
        for (const auto& [binding, level] : definitions_) forms.define(*binding, level);
        Chains chains(sizes, body, base, types, forms);
        const auto edits = edits_of(chains);
        if (!edits) return;
        for (const Edit& edit : edits->operands) {
            const Binding* maker = nullptr;
            for (const auto& [binding, level] : definitions_)
                if (level == edit.array.index) maker = binding;
            changed_[&body.bindings[edit.by]].push_back({edit.operand, edit.array, maker, edits->array});
        }
        for (const auto& [k, array] : edits->results) body.results[k] = array;
        orders_.emplace(body.bindings.data(), edits->order);
    }

    std::vector<std::size_t> order(const std::vector<Binding>& bindings) override {
        const auto found = orders_.find(bindings.data());
        return found != orders_.end() ? found->second : Order();
    }

    /// What was read may be made later now.
    bool before_renaming(Binding& binding) override {
        if (const auto found = changed_.find(&binding); found != changed_.end())
            for (const Operand& to : found->second) set_operand(binding.op, to.operand, to.known);
        return true;
    }

    void binding(Binding&& binding) override {
        if (const auto found = changed_.find(&binding); found != changed_.end()) {
            for (const Operand& to : found->second) {
                const auto made = made_.find(to.maker);
                set_operand(binding.op, to.operand, made != made_.end() ? made->second : rename(to.array));
            }
        }
        made_[&binding] = ValueId(level());
        keep(std::move(binding));
    }

    static void set_operand(ArrayOp& op, std::size_t operand, ValueId array) {
        std::size_t next = 0;
        for_each_operand(op, [&](ValueId& id) {
            if (next++ == operand) id = array;
        });
    }

    struct Operand {
        std::size_t operand;
        ValueId array;         ///< old name
        const Binding* maker;  ///< the binding that makes the array, or null
        ValueId known;         ///< any array that is made before
    };
    std::vector<std::pair<const Binding*, std::size_t>> definitions_;  ///< bindings in scope, with their levels
    std::unordered_map<const Binding*, Order> orders_;                 ///< by the first of a body's bindings
    std::unordered_map<const Binding*, std::vector<Operand>> changed_;
    std::unordered_map<const Binding*, ValueId> made_;  ///< new names of first results
};

}  // namespace

Program order_updates(Program program) {
    for (bool any = true; any;) {
        OrderUpdates pass;
        program = pass.with(std::move(program));
        any = pass.any();
    }
    return program;
}

}  // namespace sinter::opt
