// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ad/loops/expand_loops.hpp"

#include "ad/sweep.hpp"
#include "ad/tuning.hpp"
#include "ad/variables.hpp"
#include "enable/lift/batched.hpp"
#include "ir/builder.hpp"
#include "ir/derivative/adjoint_function.hpp"
#include "ir/walk.hpp"

#include <algorithm>
#include <utility>

namespace sinter::ad {

using namespace ir;
using derivative::can_differentiate_loops;

namespace {

bool contains_loop(const Inst& inst) {
    if (inst.op == Op::for_loop || inst.op == Op::while_loop) return true;
    return std::any_of(inst.blocks.begin(), inst.blocks.end(),
                       [](const Block& block) { return any_inst(block, contains_loop); });
}

class ExpandLoops final : public Sweep {
  private:
    bool before_renaming(Binding& binding) override {
        if (auto* custom = std::get_if<Custom>(&binding.op); custom && custom->kind != Custom::Kind::checkpoint) {
            keep_while(std::move(binding), inside_, false);  // the rule takes the place of its derivative
            return false;
        }
        if (auto* derivative = std::get_if<Derivative>(&binding.op)) {
            const bool flat = !contains_derivative(derivative->bodies[0]);
            const bool reverse = derivative->mode == Derivative::Mode::reverse;
            const std::size_t level = old_level();
            enable::Flags by(derivative->args.size());
            for (std::size_t argument : derivative->by) by[argument] = true;
            varied_.set(level, by);
            keep_while(std::move(binding), inside_, flat && reverse);
            varied_.set(level, {});
            return false;
        }
        return !inside_ || inside(binding);
    }

    /// A binding in a vjp. A parameter of a body is taken to be varied if its operation is, except for slices.
    bool inside(Binding& binding) {
        const std::size_t level = old_level(), results = binding.types.size();
        bool varied = false;
        for_each_variable(binding.op, [&](ValueId id) { varied = varied || (id.index < level && varied_(id)); });
        if (const std::vector<Body>* bodies = bodies_of(binding.op)) {
            std::size_t params = 0;
            for (const Body& body : *bodies) params = std::max(params, body.params.size());
            auto* vmap = std::get_if<Vmap>(&binding.op);
            varied_.set(level, vmap ? varied_(vmap->args) : enable::Flags(params, varied));
            keep_while(std::move(binding), inside_, true);
            varied_.set(level, enable::Flags(results, varied));
            return false;
        }
        varied_.set(level, enable::Flags(results, varied));
        auto* map = std::get_if<Map>(&binding.op);
        if (!varied || map == nullptr || can_keep_loops(*map)) return true;
        at(binding.site);
        rename(binding.op);
        rename_types(binding);
        expand(*map, binding.types);
        return false;
    }

    bool can_keep_loops(const Map& map) const {
        auto wants = [&](ValueId id, Scalar scalar) { return varied_(id) && detail::is_float(scalar); };
        const std::vector<Scalar>& all = map.fn.body.params;
        std::vector<bool> params(all.size() - map.args.size() - map.captures.scalars.size()), slots;
        for (ValueId id : map.args) params.push_back(wants(id, all[params.size()]));
        for (ValueId id : map.captures.scalars) params.push_back(wants(id, all[params.size()]));
        for (std::size_t slot = 0; slot < map.fn.arrays.size(); ++slot)
            slots.push_back(wants(map.captures.arrays[slot], map.fn.arrays[slot].scalar));
        return can_differentiate_loops(map.fn, params, slots, most_loop_inputs);
    }

    /// The map has new names. Writes a nest with one vmap per axis, over the arguments and the indices.
    void expand(const Map& map, const std::vector<Type>& types) {
        const Shape shape = types[0].shape;
        std::vector<ValueId> slices;
        if (map.indexed || map.args.empty()) slices = positions(shape);
        const std::size_t indices = slices.size();
        slices.insert(slices.end(), map.args.begin(), map.args.end());
        std::vector<ValueId> results = nest(map, slices, indices, types, 0);
        define(results);
    }

    std::vector<ValueId> nest(const Map& map, const std::vector<ValueId>& slices, std::size_t indices,
                              const std::vector<Type>& types, std::size_t axis) {
        if (types[0].rank() == 0) {
            const auto first = slices.begin() + static_cast<std::ptrdiff_t>(map.indexed ? 0 : indices);
            std::vector<ValueId> env(first, slices.end());
            env.insert(env.end(), map.captures.scalars.begin(), map.captures.scalars.end());
            return Writer{*this, map.fn, map.captures.arrays}.write(map.fn.body, env);
        }
        auto inner = [](Type type) {
            type.shape.erase(type.shape.begin());
            return type;
        };
        Nest body;
        enter(body);
        std::vector<ValueId> params;
        for (ValueId slice : slices) params.push_back(add_parameter(body, inner(type(slice))));
        std::vector<Type> narrow;
        for (const Type& type : types) narrow.push_back(inner(type));
        Vmap vmap{slices, {}};
        vmap.bodies.push_back(leave(body, nest(map, params, indices, narrow, axis + 1)));
        const std::size_t first = emit(std::move(vmap), types).index;
        std::vector<ValueId> results;
        for (std::size_t k = 0; k < types.size(); ++k) results.emplace_back(first + k);
        return results;
    }

    /// Writes blocks of a function as operations of rank 0.
    struct Writer {
        ExpandLoops& to;
        const Fn& fn;
        const std::vector<ValueId>& arrays;

        /// `env`: by level, the variables that stand for the block's locals in scope.
        std::vector<ValueId> write(const Block& block, std::vector<ValueId> env) const {
            std::size_t begin = 0;
            for (std::size_t i = 0; i <= block.insts.size(); ++i) {
                if (i < block.insts.size() && !contains_loop(block.insts[i])) continue;
                if (begin < i) straight(block, begin, i, env);
                if (i < block.insts.size()) control(block.insts[i], env);
                begin = i + 1;
            }
            std::vector<ValueId> results;
            for (Local result : block.results) results.push_back(env[result.index]);
            return results;
        }

        /// Writes instructions [begin, end) as one map.
        void straight(const Block& block, std::size_t begin, std::size_t end, std::vector<ValueId>& env) const {
            Block part;
            part.insts.assign(block.insts.begin() + static_cast<std::ptrdiff_t>(begin),
                              block.insts.begin() + static_cast<std::ptrdiff_t>(end));
            std::vector<Type> types;
            for (const Inst& inst : part.insts)
                for (Scalar type : inst.types) {
                    part.results.push_back(Local(env.size() + types.size()));
                    types.push_back({type, {}});
                }
            std::vector<bool> used(env.size());
            for_each_use(part, [&](Local local) {
                if (local.index < env.size()) used[local.index] = true;
            });
            Map map{{fn.arrays, {}}, {}, {{}, arrays}, false};
            std::vector<Scalar> params;
            std::vector<Local> substitution(env.size(), Local(0));
            for (std::size_t k = 0; k < env.size(); ++k) {
                if (!used[k]) continue;
                substitution[k] = Local(params.size());
                params.push_back(to.type(env[k]).scalar);
                map.captures.scalars.push_back(env[k]);
            }
            BlockBuilder builder;
            builder.open(params);
            map.fn.body = builder.close(inline_block(builder, part, substitution));
            const std::size_t first = to.emit(std::move(map), types).index;
            for (std::size_t k = 0; k < types.size(); ++k) env.emplace_back(first + k);
        }

        void control(const Inst& inst, std::vector<ValueId>& env) const {
            std::vector<ValueId> operands;
            for (Local operand : inst.operands) operands.push_back(env[operand.index]);
            std::vector<Type> types;
            for (Scalar type : inst.types) types.push_back({type, {}});
            std::vector<Body> bodies;
            for (const Block& block : inst.blocks) bodies.push_back(body(block, env));
            ArrayOp op = Cond{};
            if (inst.op == Op::cond)
                op = Cond{operands[0], std::move(bodies)};
            else if (inst.op == Op::for_loop)
                op = Loop{operands[0], {operands.begin() + 1, operands.end()}, std::move(bodies)};
            else
                op = Loop{{}, operands, std::move(bodies)};
            const std::size_t first = to.emit(std::move(op), types).index;
            for (std::size_t k = 0; k < types.size(); ++k) env.emplace_back(first + k);
        }

        Body body(const Block& block, std::vector<ValueId> env) const {
            Nest nest;
            to.enter(nest);
            for (Scalar param : block.params) env.push_back(to.add_parameter(nest, {param, {}}));
            return to.leave(nest, write(block, std::move(env)));
        }
    };

    bool inside_ = false;     ///< inside a vjp that contains no derivative
    enable::Batched varied_;  ///< by old name, inside such a vjp: it may depend on what is differentiated by
};

}  // namespace

Program expand_loops(Program program) { return ExpandLoops().run(std::move(program)); }

}  // namespace sinter::ad
