// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whatever a body does to one slice, a loop can do: the shapes inside are those of the iteration, and only the results,
// which have the same shape in all slices, are kept.
#include "enable/lift/irregular_loops.hpp"

#include "enable/flatten/flattenable.hpp"
#include "enable/lift/irregular.hpp"
#include "enable/lift/lift_function.hpp"
#include "enable/lift/lifter.hpp"
#include "enable/lift/outer_slice.hpp"
#include "ir/rebuild.hpp"

namespace sinter::enable {

using namespace ir;

namespace {

class IrregularLoops final : public Rebuilder {
  public:
    bool changed() const { return changed_; }

  private:
    bool before_renaming(Binding& binding) override {
        auto* vmap = std::get_if<Vmap>(&binding.op);
        if (vmap == nullptr || contains_nest(vmap->bodies[0])) return true;
        const Flags params(vmap->args.size(), true);
        if (binding.types.empty() || !Irregular(sizes()).body(vmap->bodies[0], params, old_level())) return true;
        if (!obstacle_to_flattening(sizes(), vmap->bodies[0], old_level())) return true;
        site_ = binding.site;
        changed_ = true;
        loop(*vmap, binding.types);
        return false;
    }

    void loop(Vmap& vmap, const std::vector<Type>& old_types) {
        std::vector<ValueId> args;
        for (ValueId arg : vmap.args) args.push_back(rename(arg));
        std::vector<Type> types;
        for (const Type& type : old_types) types.push_back(rename(type));
        const Type first = type(args[0]);
        Loop made{emit(Map{extent_fn(first.scalar, first.rank()), {}, {{}, {args[0]}}, false}, {{Scalar::i64, {}}}), {}, {}};
        for (const Type& type : types) {
            const ValueId zero = emit(Map{constant_fn(type.scalar, 0), {}, {}, false}, {{type.scalar, {}}});
            made.inits.push_back(emit(View{zero, Broadcast{}, {}}, {type}));
        }
        Nest nest;
        enter(nest);
        const ValueId position = add_parameter(nest, {Scalar::i64, {}});
        std::vector<ValueId> states, results;
        for (const Type& type : types) states.push_back(add_parameter(nest, type));
        const std::size_t outside = old_level();
        std::vector<ValueId> slices;
        const Emit emit_here = [this](ArrayOp op, std::vector<Type> all) { return emit(std::move(op), std::move(all)); };
        auto inner = [](Type type) {
            type.shape.erase(type.shape.begin());
            return type;
        };
        for (ValueId arg : args) slices.push_back(outer_slice(sizes(), emit_here, arg, position, inner(type(arg))));
        define(slices);
        const std::vector<ValueId> values = splice(vmap.bodies[0]);
        undefine(outside);
        for (std::size_t k = 0; k < types.size(); ++k)
            results.push_back(
                store_outer_slice(sizes(), emit_here, states[k], types[k], position, values[k], inner(types[k])));
        made.bodies.push_back(leave(nest, std::move(results)));
        const std::size_t count = types.size();
        const ValueId made_first = emit(std::move(made), std::move(types));
        for (std::size_t k = 0; k < count; ++k) define({ValueId(made_first.index + k)});
    }

    ValueId emit(ArrayOp op, std::vector<Type> types) { return append({std::move(op), std::move(types), site_}); }

    SiteId site_;
    bool changed_ = false;
};

}  // namespace

/// What is around a nest that has become a loop no longer contains a nest, and is examined in turn.
Program irregular_loops(Program program) {
    for (bool changed = true; changed;) {
        IrregularLoops pass;
        program = pass.run(std::move(program));
        changed = pass.changed();
    }
    return program;
}

}  // namespace sinter::enable
