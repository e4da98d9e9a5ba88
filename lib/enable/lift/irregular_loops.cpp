// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whatever a body does to one slice, a loop can do: the shapes inside are those of the iteration, and only the results,
// which have the same shape in all slices, are kept.
#include "enable/lift/irregular_loops.hpp"

#include "enable/flatten/element_writer.hpp"
#include "enable/flatten/flattenable.hpp"
#include "enable/slices/irregular.hpp"
#include "enable/slices/lift_function.hpp"
#include "enable/slices/nests.hpp"
#include "enable/slices/outer_slice.hpp"
#include "ir/joined.hpp"
#include "ir/rebuild.hpp"
#include "support/log.hpp"

namespace sinter::enable {

using namespace ir;

namespace {

class IrregularLoops final : public Rebuilder {
  public:
    explicit IrregularLoops(std::vector<SliceBySlice>* found) : found_(found) {}
    bool changed() const { return changed_; }

  private:
    bool before_renaming(Binding& binding) override {
        auto* vmap = std::get_if<Vmap>(&binding.op);
        if (vmap == nullptr || contains_nest(vmap->bodies[0])) return true;
        const Flags params(vmap->args.size(), true);
        if (binding.types.empty() || !Irregular(sizes()).body(vmap->bodies[0], params, old_level())) return true;
        const auto obstacle = obstacle_to_flattening(sizes(), vmap->bodies[0], old_level());
        if (!obstacle) return true;
        report(binding, *obstacle);
        site_ = binding.site;
        changed_ = true;
        is_joined(binding.types) ? joined_loop(*vmap, binding.types) : loop(*vmap, binding.types);
        return false;
    }

    void report(const Binding& vmap, const FlatteningObstacle& obstacle) const {
        if (found_ != nullptr) return found_->push_back({vmap.site, obstacle});
        const auto line = [](const location& where) { return fmt::format("{}:{}", where.file_name(), where.line()); };
        log_line(LogLevel::warning,
                 "vmap at {}: slices have different shapes, and are executed one after another: {} at {}: {}",
                 line(where(vmap.site)), obstacle.operation, line(where(obstacle.site)), obstacle.problem);
    }

    void loop(Vmap& vmap, const std::vector<Type>& old_types) {
        const std::vector<ValueId> args = renamed(vmap.args);
        std::vector<Type> types;
        for (const Type& type : old_types) types.push_back(rename(type));
        define(each_slice(vmap, args, types, [&](ValueId position, ValueId state, ValueId value, const Type& whole) {
            return store_outer_slice(sizes(), emitter(), state, whole, position, value, inner(whole));
        }));
    }

    /// The lengths first, by the same body of which all is left out that does not decide them; then one slice after the
    /// other where it belongs.
    void joined_loop(Vmap& vmap, const std::vector<Type>& old_types) {
        const std::vector<ValueId> args = renamed(vmap.args);
        const ValueId counts = lengths(vmap, args, rename(old_types[1]));
        Scan sum{apply_op(Op::add, {Scalar::i64, Scalar::i64}), {zero(Scalar::i64)}, {counts}, {}};
        sum.exclusive = sum.totals = true;
        const ValueId starts = emit(std::move(sum), {type(counts), {Scalar::i64, {}}}), total = ValueId(starts.index + 1);
        std::vector<Type> types;
        for (std::size_t k = 2; k < old_types.size(); ++k) types.push_back({old_types[k].scalar, {sizes().value(total)}});
        std::vector<ValueId> results{total, counts};
        const std::vector<ValueId> values =
            each_slice(vmap, args, types, [&](ValueId position, ValueId state, ValueId value, const Type& whole) {
                const ElementWriter::TypeOf type_of = [this](ValueId id) -> const Type& { return type(id); };
                auto place = ElementWriter::write(type_of, {Scalar::i64}, [&](ElementWriter& to) {
                    return Locals{to.apply(Op::add, {to.read(starts, {to.scalar(position)}), Local(0)})};
                });
                const Shape shape = type(value).shape;
                const ValueId index =
                    emit(Map{std::move(place.fn), {}, std::move(place.captures), true}, {{Scalar::i64, shape}});
                return emit(Scatter{{}, {state}, {index}, {value}, {}, {}}, {whole});
            });
        results.insert(results.end(), values.begin(), values.end());
        const std::size_t outside = old_level();
        define(results);
        for (std::size_t k = 2; k < results.size(); ++k)
            results[k] = with_type(emitter(), results[k], type(results[k]), rename(old_types[k]));
        undefine(outside);
        define(results);
    }

    ValueId lengths(const Vmap& vmap, const std::vector<ValueId>& args, Type by_slice) {
        Body body = vmap.bodies[0];
        Nest nest;
        enter(nest);
        const std::size_t outside = old_level();
        for (ValueId arg : args) define({add_parameter(nest, inner(type(arg)))});
        const ValueId made = splice(body)[0];
        undefine(outside);
        const ValueId extent = emit(Map{extent_fn(type(made).scalar, 1), {}, {{}, {made}}, false}, {{Scalar::i64, {}}});
        Vmap each{args, {}};
        each.bodies.push_back(leave(nest, {extent}));
        return emit(std::move(each), {std::move(by_slice)});
    }

    using Store = std::function<ValueId(ValueId position, ValueId state, ValueId value, const Type& whole)>;

    /// A loop over the slices whose states are the results, of these types, to which `store` adds a slice.
    std::vector<ValueId> each_slice(Vmap& vmap, const std::vector<ValueId>& args, const std::vector<Type>& types,
                                    const Store& store) {
        const Type first = type(args[0]);
        Loop made{emit(Map{extent_fn(first.scalar, first.rank()), {}, {{}, {args[0]}}, false}, {{Scalar::i64, {}}}), {}, {}};
        for (const Type& type : types) made.inits.push_back(emit(View{zero(type.scalar), Broadcast{}, {}}, {type}));
        Nest nest;
        enter(nest);
        const ValueId position = add_parameter(nest, {Scalar::i64, {}});
        std::vector<ValueId> states, slices, results;
        for (const Type& type : types) states.push_back(add_parameter(nest, type));
        const std::size_t outside = old_level();
        for (ValueId arg : args) slices.push_back(outer_slice(sizes(), emitter(), arg, position, inner(type(arg))));
        define(slices);
        const std::vector<ValueId> values = splice(vmap.bodies[0]);
        undefine(outside);
        for (std::size_t k = 0; k < types.size(); ++k) results.push_back(store(position, states[k], values[k], types[k]));
        made.bodies.push_back(leave(nest, std::move(results)));
        const ValueId made_first = emit(std::move(made), types);
        std::vector<ValueId> loop_results;
        for (std::size_t k = 0; k < types.size(); ++k) loop_results.emplace_back(made_first.index + k);
        return loop_results;
    }

    std::vector<ValueId> renamed(const std::vector<ValueId>& old) const {
        std::vector<ValueId> ids;
        for (ValueId id : old) ids.push_back(rename(id));
        return ids;
    }
    static Type inner(Type type) {
        type.shape.erase(type.shape.begin());
        return type;
    }
    ValueId zero(Scalar scalar) { return emit(Map{constant_fn(scalar, 0), {}, {}, false}, {{scalar, {}}}); }
    Emit emitter() {
        return [this](ArrayOp op, std::vector<Type> all) { return emit(std::move(op), std::move(all)); };
    }
    ValueId emit(ArrayOp op, std::vector<Type> types) { return append({std::move(op), std::move(types), site_}); }

    std::vector<SliceBySlice>* found_;
    SiteId site_;
    bool changed_ = false;
};

}  // namespace

/// What is around a nest that has become a loop no longer contains a nest, and is examined in turn.
Program irregular_loops(Program program, std::vector<SliceBySlice>* found) {
    for (bool changed = true; changed;) {
        IrregularLoops pass(found);
        program = pass.run(std::move(program));
        changed = pass.changed();
    }
    return program;
}

}  // namespace sinter::enable
