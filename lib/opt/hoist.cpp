// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/rebuild.hpp"
#include "ir/size_parts.hpp"
#include "opt/cost.hpp"
#include "opt/hoist_function.hpp"
#include "opt/passes.hpp"

#include <algorithm>
#include <unordered_map>

namespace sinter::opt {

using namespace ir;

namespace {

/// Whether the binding may be executed although the iteration it stands in is not.
bool is_speculative(const Binding& binding) {
    if (std::holds_alternative<Scatter>(binding.op)) return false;
    if (const Fn* fn = function_of(binding.op)) return opt::is_speculative(fn->body);
    return std::holds_alternative<View>(binding.op) || std::holds_alternative<Sort>(binding.op);
}

/// Whether it is better stored once than computed in every iteration.
bool pays(const Binding& binding) {
    if (auto* map = std::get_if<Map>(&binding.op)) return binding.types[0].rank() == 0 || is_expensive(map->fn.body);
    return !std::holds_alternative<View>(binding.op);
}

class Hoist : public Rebuilder {
  public:
    bool moved() const { return moved_; }

  private:
    bool before_renaming(Binding& binding) override {
        auto moved = moved_names_.find(&binding);
        if (moved == moved_names_.end()) return true;
        define(moved->second);
        return false;
    }

    void binding(Binding&& binding) override {
        if (binding.types[0].rank() > 0 || !std::holds_alternative<Map>(binding.op)) scalars_of_function(binding);
        if (auto* loop = std::get_if<Loop>(&binding.op))
            for (Body& body : loop->bodies) move_out(body);
        keep(std::move(binding));
    }

    void scalars_of_function(Binding& binding) {
        FunctionPart part = function_of(binding.op);
        if (!part || part.captures->scalars.empty()) return;
        Fn& fn = *part.fn;
        Captures& captures = *part.captures;
        for (ValueId scalar : captures.scalars)
            if (type(scalar).rank() > 0) return;
        auto hoisted = hoist_scalars(fn, captures.scalars.size());
        if (!hoisted) return;
        std::vector<Type> types;
        for (Scalar scalar : result_types(hoisted->scalars)) types.push_back({scalar, {}});
        std::size_t count = types.size();
        ValueId first =
            append({Map{std::move(hoisted->scalars), captures.scalars, {}, false}, std::move(types), binding.site});
        for (std::size_t i = 0; i < count; ++i) captures.scalars.push_back(ValueId(first.index + i));
        fn = std::move(hoisted->fn);
        moved_ = true;
    }

    /// Copies what pays to the place before the loop; the copies in the body are then names for it.
    void move_out(Body& body) {
        std::size_t outside = old_level();
        std::vector<bool> wanted = wanted_outside(body, outside);
        if (std::find(wanted.begin(), wanted.end(), true) == wanted.end()) return;
        define(std::vector<ValueId>(body.params.size()));
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            std::vector<ValueId> names(body.bindings[i].types.size());
            if (wanted[i]) {
                Binding moved = std::move(body.bindings[i]);
                rename(moved.op);
                for (Type& type : moved.types) type = rename(type);
                ValueId first = append(std::move(moved));
                for (std::size_t k = 0; k < names.size(); ++k) names[k] = ValueId(first.index + k);
                moved_names_.emplace(&body.bindings[i], names);
                body.bindings[i].types.resize(names.size());
                moved_ = true;
            }
            define(names);
        }
        undefine(outside);
    }

    /// By binding of the body: independent of the iteration and worth it, or needed by one that is. `outside`: the level of
    /// the body's first parameter.
    std::vector<bool> wanted_outside(const Body& body, std::size_t outside) {
        std::vector<bool> invariant(body.params.size(), false);  // by level - outside
        std::vector<bool> movable, wanted;
        auto known = [&](ValueId id) { return id.index < outside || invariant[id.index - outside]; };
        for (const Binding& binding : body.bindings) {
            bool independent = is_speculative(binding) && (body.guards.empty() || !binds_sizes(binding.op));
            for (ValueId id : variables(binding)) independent = independent && known(id);
            movable.push_back(independent);
            wanted.push_back(independent && pays(binding));
            invariant.insert(invariant.end(), binding.types.size(), independent);
        }
        std::vector<bool> needed(invariant.size(), false);
        std::size_t level = invariant.size();
        for (std::size_t i = body.bindings.size(); i-- > 0;) {
            level -= body.bindings[i].types.size();
            for (std::size_t k = 0; k < body.bindings[i].types.size(); ++k) wanted[i] = wanted[i] || needed[level + k];
            if (!wanted[i]) continue;
            for (ValueId id : variables(body.bindings[i]))
                if (id.index >= outside) needed[id.index - outside] = true;
        }
        return wanted;
    }

    /// Operands, and the values in sizes. Old names, so bodies must not be entered.
    std::vector<ValueId> variables(const Binding& binding) {
        std::vector<ValueId> ids = operands(binding.op);
        for (const Type& type : binding.types)
            for (SizeId size : type.shape) values_of(size, ids);
        for_each_size(binding.op, [&](SizeId start) { values_of(start, ids); });
        return ids;
    }

    void values_of(SizeId id, std::vector<ValueId>& ids) {
        if (has_value(id)) for_each_value(sizes(), id, [&](ValueId value) { ids.push_back(value); });
    }

    std::unordered_map<const Binding*, std::vector<ValueId>> moved_names_;
    bool moved_ = false;
};

}  // namespace

Program hoist(Program program) {
    for (bool moved = true; moved;) {
        Hoist pass;
        program = pass.run(std::move(program));
        moved = pass.moved();  // perhaps further: out of the next loop
    }
    return program;
}

}  // namespace sinter::opt
