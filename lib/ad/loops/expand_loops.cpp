// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ad/loops/expand_loops.hpp"

#include "ad/loops/block_loops.hpp"
#include "ad/loops/expanded.hpp"
#include "ad/sweep.hpp"
#include "ad/variables.hpp"
#include "enable/slices/batched.hpp"
#include "ir/builder.hpp"
#include "ir/walk.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace sinter::ad {

using namespace ir;
using derivative::VariedLocals;

namespace {

class ExpandLoops final : public Sweep {
  private:
    bool before_renaming(Binding& binding) override {
        if (auto* custom = std::get_if<Custom>(&binding.op); custom && custom->kind != Custom::Kind::checkpoint) {
            const std::size_t level = old_level();
            const enable::Flags results(binding.types.size(), enable::any(varied_(custom->args)));
            keep_while(std::move(binding), inside_, false);  // the rule takes the place of its derivative
            varied_.set(level, results);
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
        if (!varied || map == nullptr) return true;
        const Wanted wanted = wanted_of(*map);
        VariedLocals locals(wanted.params, wanted.slots);
        if (!contains_expanded(map->fn.body, locals)) return true;
        map->fn = block_loops(map->fn, wanted.params, wanted.slots);
        if (!contains_expanded(map->fn.body, locals)) return true;
        at(binding.site);
        rename(binding.op);
        rename_types(binding);
        expand(*map, wanted, binding.types);
        return false;
    }

    /// Parameters and arrays of a function whose adjoints are wanted.
    struct Wanted {
        std::vector<bool> params, slots;
    };
    Wanted wanted_of(const Map& map) const {
        auto wants = [&](ValueId id, Scalar scalar) { return varied_(id) && detail::is_float(scalar); };
        const std::vector<Scalar>& all = map.fn.body.params;
        Wanted wanted{std::vector<bool>(all.size() - map.args.size() - map.captures.scalars.size()), {}};
        for (ValueId id : map.args) wanted.params.push_back(wants(id, all[wanted.params.size()]));
        for (ValueId id : map.captures.scalars) wanted.params.push_back(wants(id, all[wanted.params.size()]));
        for (std::size_t slot = 0; slot < map.fn.arrays.size(); ++slot)
            wanted.slots.push_back(wants(map.captures.arrays[slot], map.fn.arrays[slot].scalar));
        return wanted;
    }

    /// The map has new names. Writes a nest with one vmap per axis, over the arguments and the indices.
    void expand(const Map& map, const Wanted& wanted, const std::vector<Type>& types) {
        const Shape shape = types[0].shape;
        std::vector<ValueId> slices;
        if (map.indexed || map.args.empty()) slices = positions(shape);
        const std::size_t indices = slices.size();
        slices.insert(slices.end(), map.args.begin(), map.args.end());
        std::vector<ValueId> results = nest(map, wanted, slices, indices, types, 0);
        define(results);
    }

    std::vector<ValueId> nest(const Map& map, const Wanted& wanted, const std::vector<ValueId>& slices, std::size_t indices,
                              const std::vector<Type>& types, std::size_t axis) {
        if (types[0].rank() == 0) {
            const auto first = slices.begin() + static_cast<std::ptrdiff_t>(map.indexed ? 0 : indices);
            Env env;
            for (auto slice = first; slice != slices.end(); ++slice) env.push(*slice, false);
            for (ValueId scalar : map.captures.scalars) env.push(scalar, true);
            return Writer{*this, map.fn, map.captures.arrays}.write(map.fn.body, env, {wanted.params, wanted.slots});
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
        vmap.bodies.push_back(leave(body, nest(map, wanted, params, indices, narrow, axis + 1)));
        const std::size_t first = emit(std::move(vmap), types).index;
        std::vector<ValueId> results;
        for (std::size_t k = 0; k < types.size(); ++k) results.emplace_back(first + k);
        return results;
    }

    /// Variables that stand for the locals of a function in scope, by level.
    struct Env {
        std::vector<ValueId> ids;
        std::vector<bool> uniform;  ///< the same at all points

        std::size_t level() const { return ids.size(); }
        ValueId operator[](Local local) const { return ids[local.index]; }
        void push(ValueId id, bool is_uniform) { ids.push_back(id), uniform.push_back(is_uniform); }
    };

    /// Writes blocks of a function as operations of rank 0.
    struct Writer {
        ExpandLoops& to;
        const Fn& fn;
        const std::vector<ValueId>& arrays;

        std::vector<ValueId> write(const Block& block, Env env, VariedLocals varied) const {
            std::size_t begin = 0;
            for (std::size_t i = 0; i < block.insts.size(); ++i) {
                if (is_expanded(block.insts[i], varied)) {
                    straight({block.insts.data() + begin, i - begin}, env);
                    control(block.insts[i], env, varied);
                    begin = i + 1;
                }
                varied.define(block.insts[i]);
            }
            straight(std::span(block.insts).subspan(begin), env);
            std::vector<ValueId> results;
            for (Local result : block.results) results.push_back(env[result]);
            return results;
        }

        /// Writes instructions as two maps: one of those that are the same at all points, so that lifting leaves them alone,
        /// and one of the others.
        void straight(std::span<const Inst> insts, Env& env) const {
            const std::size_t level = env.level();
            for (const Inst& inst : insts) {
                const bool uniform = inst.blocks.empty() && is_pure(inst.op) &&
                                     std::all_of(inst.operands.begin(), inst.operands.end(),
                                                 [&](Local operand) { return env.uniform[operand.index]; });
                for (std::size_t k = 0; k < inst.types.size(); ++k) env.push({}, uniform);
            }
            write_map(insts, level, env, true);
            write_map(insts, level, env, false);
        }

        /// Writes those of the instructions that are `uniform`, or not; the first has this level.
        void write_map(std::span<const Inst> insts, std::size_t level, Env& env, bool uniform) const {
            std::vector<Part> parts;
            for (const Inst& inst : insts) {
                if (!inst.types.empty() && env.uniform[level] == uniform) parts.push_back({inst, level});
                level += inst.types.size();
            }
            if (parts.empty()) return;
            Map map{{fn.arrays, {}}, {}, {{}, arrays}, false};
            std::vector<Local> places(env.level());
            std::vector<Scalar> params;
            for (Local local : used_by(parts)) {
                if (!env[local].valid()) continue;  // another of the instructions
                places[local.index] = Local(params.size());
                params.push_back(to.type(env[local]).scalar);
                map.captures.scalars.push_back(env[local]);
            }
            BlockBuilder builder;
            builder.open(params);
            std::vector<Local> results;
            std::vector<Type> types;
            for (const Part& part : parts) {
                const Block alone = part.alone();
                const auto end = places.begin() + static_cast<std::ptrdiff_t>(part.level);
                const std::vector<Local> made = inline_block(builder, alone, {places.begin(), end});
                std::copy(made.begin(), made.end(), places.begin() + static_cast<std::ptrdiff_t>(part.level));
                results.insert(results.end(), made.begin(), made.end());
                for (Scalar type : part.inst.types) types.push_back({type, {}});
            }
            map.fn.body = builder.close(std::move(results));
            std::size_t next = to.emit(std::move(map), std::move(types)).index;
            for (const Part& part : parts)
                for (Local result : part.alone().results) env.ids[result.index] = ValueId(next++);
        }

        /// An instruction and its level.
        struct Part {
            const Inst& inst;
            std::size_t level;

            Block alone() const {
                Block block{{}, {inst}, {}};
                for (std::size_t k = 0; k < inst.types.size(); ++k) block.results.emplace_back(level + k);
                return block;
            }
        };
        static std::vector<Local> used_by(const std::vector<Part>& parts) {
            std::vector<Local> used;
            for (const Part& part : parts) {
                auto use = [&](Local local) {
                    if (local.index < part.level) used.push_back(local);
                };
                std::for_each(part.inst.operands.begin(), part.inst.operands.end(), use);
                for (const Block& block : part.inst.blocks) for_each_use(block, use);
            }
            std::sort(used.begin(), used.end());
            used.erase(std::unique(used.begin(), used.end()), used.end());
            return used;
        }

        void control(const Inst& inst, Env& env, const VariedLocals& varied) const {
            std::vector<ValueId> operands;
            for (Local operand : inst.operands) operands.push_back(env[operand]);
            std::vector<Type> types;
            for (Scalar type : inst.types) types.push_back({type, {}});
            std::vector<Body> bodies;
            for (const Block& block : inst.blocks) bodies.push_back(body(inst, block, env, varied));
            ArrayOp op = Cond{};
            if (inst.op == Op::cond)
                op = Cond{operands[0], std::move(bodies)};
            else if (inst.op == Op::for_loop)
                op = Loop{operands[0], {operands.begin() + 1, operands.end()}, std::move(bodies)};
            else
                op = Loop{{}, operands, std::move(bodies)};
            const std::size_t first = to.emit(std::move(op), types).index;
            for (std::size_t k = 0; k < types.size(); ++k) env.push(ValueId(first + k), false);
        }

        Body body(const Inst& inst, const Block& block, Env env, VariedLocals varied) const {
            define_params(inst, block, varied);
            const bool counts = inst.op == Op::for_loop && env.uniform[inst.operands[0].index];
            Nest nest;
            to.enter(nest);
            for (std::size_t k = 0; k < block.params.size(); ++k)
                env.push(to.add_parameter(nest, {block.params[k], {}}), k == 0 && counts);
            return to.leave(nest, write(block, std::move(env), std::move(varied)));
        }
    };

    bool inside_ = false;     ///< inside a vjp that contains no derivative
    enable::Batched varied_;  ///< by old name, inside such a vjp: it may depend on what is differentiated by
};

}  // namespace

Program expand_loops(Program program) { return ExpandLoops().run(std::move(program)); }

}  // namespace sinter::ad
