// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/loops/blocked_loop.hpp"

#include "enable/tuning.hpp"
#include "opt/algebra/simplify_function.hpp"
#include "opt/cost.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace sinter::enable {

using namespace ir;

ValueId BlockedLoop::write_blocked(Binding& binding, const BoxStep& step) {
    step_ = &step, site_ = binding.site;
    auto& loop = std::get<Loop>(binding.op);
    body_ = &loop.bodies.back();
    const std::vector<Type> types = states(rename(binding.types[0]));
    const ValueId count = rename(*loop.count), last = of_scalar(Op::add, count, tuning::steps_of_block - 1);
    Loop blocks{of_scalar(Op::div, last, tuning::steps_of_block), {rename(loop.inits[0])}, {}, {}};
    for (const Type& type : std::span(types).subspan(1)) {
        BlockBuilder zero;
        zero.open({});
        const Local value = zero.constant(type.scalar, 0);
        blocks.inits.push_back(emit(Map{{{}, zero.close({value})}, {}, {}}, type));
    }
    blocks.bodies.push_back(block(loop, types, count));
    return append({std::move(blocks), types, site_});
}

/// The matrix, and for each step of a block the vectors and scalars that elements need.
std::vector<Type> BlockedLoop::states(const Type& matrix) {
    const SizeId steps = sizes().constant(tuning::steps_of_block);
    std::vector<Type> types{matrix};
    for (const BoxStep::Vector& vector : step_->vectors) types.push_back({vector.type, {steps, matrix.shape[vector.axis]}});
    for (const BoxStep::Variable& scalar : step_->scalars) types.push_back({scalar.type, {steps}});
    return types;
}

Body BlockedLoop::block(Loop& loop, const std::vector<Type>& types, ValueId count) {
    Nest nest;
    enter(nest);
    const ValueId number = add_parameter(nest, {Scalar::i64, {}});
    Ids states = parameters(nest, types);
    Block block;
    block.first = of_scalar(Op::mul, number, tuning::steps_of_block);
    block.end = of_scalars(Op::minimum, of_scalar(Op::add, block.first, tuning::steps_of_block), count);
    const ValueId steps = of_scalars(Op::sub, block.end, block.first);
    Loop panel{steps, states, {}, {}};
    panel.bodies.push_back(panel_step(loop, types, block));
    const ValueId made = append({std::move(panel), types, site_});
    for (std::size_t k = 0; k < states.size(); ++k) states[k] = ValueId(made.index + k);
    states[0] = rest(states, block, steps);
    return leave(nest, states);
}

/// A step of a block, as it was before but for elements outside of the panel.
Body BlockedLoop::panel_step(Loop& loop, const std::vector<Type>& types, const Block& block) {
    Nest nest;
    enter(nest);
    const ValueId step = add_parameter(nest, {Scalar::i64, {}});
    const Ids states = parameters(nest, types);
    const ValueId counter = of_scalars(Op::add, block.first, step);
    base_ = old_level();
    counter_ = {counter, block.first, step};
    define({counter, states[0]});
    Body& body = loop.bodies.back();
    write_known(body);
    Ids next = keep_known(states, step, counter);
    next[0] = rename(std::get<Scatter>(body.bindings[step_->update].op).dests[0]);
    for (const Part& part : parts_of_step(types[0], counter, block.end))
        next[0] = update(next[0], part, block, step, counter, next);
    write(body.guards);
    counter_.reset();
    return leave(nest, next);
}

SizeId BlockedLoop::size_of(ValueId number) {
    if (!counter_ || number != counter_->id) return sizes().value(number);
    return sizes().add(sizes().value(counter_->first), sizes().value(counter_->step));
}

/// Of the panel, and of the rows of the block to its right. Column k is a part of its own if only its elements take an
/// expensive instruction, such as a division by the pivot.
std::vector<BlockedLoop::Part> BlockedLoop::parts_of_step(const Type& matrix, ValueId counter, ValueId end) {
    const auto [row, column] = step_->first;
    const Start behind{end}, top{counter, row};
    auto between = [&](const SizeId from, const SizeId to) { return sizes().sub(to, from); };
    const auto panel_from = [&](std::int64_t more) {
        const Start from{counter, more};
        return Part{{top, from}, {between(size(top), matrix.shape[0]), between(size(from), size(behind))}};
    };
    std::vector<Part> parts{panel_from(column)};
    if (step_->uses_place && column == 0) {
        const Part others = panel_from(1);
        const auto is_expensive = [&](const Part& part) {
            return opt::is_expensive(element_of_part(part, matrix.scalar).body);
        };
        if (is_expensive(parts[0]) && !is_expensive(others)) {
            parts[0].shape[1] = sizes().constant(1), parts[0].is_column = true;
            parts.push_back(others);
        }
    }
    parts.push_back({{top, behind}, {between(size(top), size(behind)), between(size(behind), matrix.shape[1])}});
    return parts;
}

/// All bindings but those of the box.
void BlockedLoop::write_known(Body& body) {
    for (std::size_t at = 0; at < body.bindings.size(); ++at) {
        Binding& binding = body.bindings[at];
        if (at == step_->update || step_->is_element[at]) {
            define(Ids(binding.types.size()));
        } else {
            std::vector<Binding> one;
            one.push_back(std::move(binding));
            write(one);
        }
    }
}

/// Keeps the vectors, from where they begin along their axis of the matrix, and the scalars. The first result is not used.
BlockedLoop::Ids BlockedLoop::keep_known(const Ids& states, ValueId step, ValueId counter) {
    Ids kept = states;
    for (std::size_t k = 0; k < step_->vectors.size(); ++k) {
        const BoxStep::Vector& vector = step_->vectors[k];
        const ValueId values = rename(vector.array);
        BlockBuilder builder;
        builder.open({Scalar::i64, Scalar::i64, Scalar::i64});
        const Local place = builder.emit(Op::add, {Local(0), Local(2)});
        const Local shifted = builder.emit(Op::add, {place, builder.constant_index(step_->first[vector.axis])});
        Fn fn{{}, builder.close({Local(1), shifted})};
        const Type index{Scalar::i64, type(values).shape};
        const ValueId at = append({Map{canonical(fn), {}, {{step, counter}, {}}, true}, {index, index}, site_});
        kept[1 + k] = emit(Scatter{{}, {kept[1 + k]}, {at, ValueId(at.index + 1)}, {values}, {}}, type(kept[1 + k]));
    }
    for (std::size_t k = 0; k < step_->scalars.size(); ++k) {
        ValueId& store = kept[1 + step_->vectors.size() + k];
        const Shape one{sizes().constant(1)};
        const ValueId value = rename(step_->scalars[k].id);
        const ValueId values = emit(View{value, Broadcast{{}}}, {type(value).scalar, one});
        const ValueId at = emit(View{step, Broadcast{{}}}, {Scalar::i64, one});
        store = emit(Scatter{{}, {store}, {at}, {values}, {}}, type(store));
    }
    return kept;
}

/// A step on a part of its box, with the vectors as they have been kept.
ValueId BlockedLoop::update(ValueId matrix, const Part& part, const Block& block, ValueId step, ValueId counter,
                            const Ids& kept) {
    const Shape shape(part.shape.begin(), part.shape.end());
    Map map{element_of_part(part, type(matrix).scalar), {}, {}, step_->uses_place};
    const Local own(std::size_t{step_->uses_place ? 2U : 0U});
    if (map.fn.body.results[0] == own) return matrix;  // as elements above the diagonal in a Cholesky factorisation
    map.args.push_back(slice(matrix, {size(part.start[0]), size(part.start[1])}, shape));
    for (std::size_t k = 0; k < step_->vectors.size(); ++k) {
        const std::size_t axis = step_->vectors[k].axis;
        const SizeId length = part.shape[axis];
        const ValueId row = slice(kept[1 + k], {sizes().value(step), size(part.start[axis])}, {sizes().constant(1), length});
        const Scalar scalar = type(row).scalar;
        const ValueId line = emit(View{row, Reshape{}}, {scalar, {length}});
        map.args.push_back(emit(View{line, Broadcast{{axis}}}, {scalar, shape}));
    }
    if (needs_steps()) map.captures.scalars = {counter, block.end};
    for (const BoxStep::Variable& scalar : step_->scalars) map.captures.scalars.push_back(rename(scalar.id));
    for (ValueId id : step_->outside) map.captures.scalars.push_back(rename(id));
    const Type made{type(matrix).scalar, shape};
    return overwrite(matrix, part.start, emit(std::move(map), made));
}

/// Parameters: the place in the part, the element, vectors, the counter and the end of the block, scalars.
Fn BlockedLoop::element_of_part(const Part& part, Scalar own) {
    std::vector<Scalar> params;
    Given given;
    const auto add = [&](Scalar type) { return params.push_back(type), Local(params.size() - 1); };
    if (step_->uses_place) given.row = add(Scalar::i64), given.column = add(Scalar::i64);
    given.own = add(own);
    for (const BoxStep::Vector& vector : step_->vectors) given.vectors.push_back(add(vector.type));
    Local end;
    if (needs_steps()) given.counter = add(Scalar::i64), end = add(Scalar::i64);
    for (const BoxStep::Variable& scalar : step_->scalars) given.scalars.push_back(add(scalar.type));
    for (ValueId id : step_->outside) given.outside.push_back(add(type(rename(id)).scalar));
    BlockBuilder builder;
    builder.open(params);
    const Start& left = part.start[1];
    const bool is_behind = left.behind != part.start[0].behind;
    if (step_->uses_place && is_behind)
        given.column = builder.emit(Op::add, {given.column, builder.emit(Op::sub, {end, given.counter})});
    if (step_->uses_place && left.more != step_->first[1])
        given.column = builder.emit(Op::add, {given.column, builder.constant_index(left.more - step_->first[1])});
    made_.clear();
    const auto last = part.is_column ? std::optional<std::int64_t>(0) : std::nullopt;
    decided_ = Decided({{{step_->first[0]}, {is_behind ? 1 : left.more, last}}}, is_behind);
    decide(given);
    const ValueId result = std::get<Scatter>(body_->bindings[step_->update].op).values[0];
    return opt::simplify(Fn{{}, builder.close({element(builder, result, given)})});
}

/// All steps of the block on what is outside of the panel.
ValueId BlockedLoop::rest(const Ids& states, const Block& block, ValueId steps) {
    const ValueId matrix = states[0];
    const Start end{block.end};
    const SizeId from = size(end), count = sizes().value(steps), zero = sizes().constant(0);
    const Shape whole = type(matrix).shape, shape{sizes().sub(whole[0], from), sizes().sub(whole[1], from)};
    const Scalar own = type(matrix).scalar;
    Map map{element_of_rest(own), {slice(matrix, {from, from}, shape)}, {}, true};
    for (std::size_t k = 0; k < step_->vectors.size(); ++k)
        map.captures.arrays.push_back(slice(states[1 + k], {zero, from}, {count, shape[step_->vectors[k].axis]}));
    for (std::size_t k = 0; k < step_->scalars.size(); ++k)
        map.captures.arrays.push_back(slice(states[1 + step_->vectors.size() + k], {zero}, {count}));
    if (needs_steps()) map.captures.scalars = {block.first, block.end};
    for (ValueId id : step_->outside) map.captures.scalars.push_back(rename(id));
    const ValueId values = emit(std::move(map), {own, shape});
    return overwrite(matrix, {end, end}, values);
}

/// Parameters: the place in what is outside of the panel, the element, the first step and the end of the block, scalars from
/// outside. Arrays: vectors by step and place, scalars by step.
Fn BlockedLoop::element_of_rest(Scalar own) {
    std::vector<Scalar> params{Scalar::i64, Scalar::i64, own};
    Given given;
    const auto add = [&](Scalar type) { return params.push_back(type), Local(params.size() - 1); };
    Local first, end;
    if (needs_steps()) first = add(Scalar::i64), end = add(Scalar::i64);
    for (ValueId id : step_->outside) given.outside.push_back(add(type(rename(id)).scalar));
    BlockBuilder builder;
    builder.open(params);
    const Local count = builder.emit(Inst{Op::extent, {Scalar::i64}, extent_bits({0, 0}), {}, {}});
    decided_ = Decided({{{1}, {1}}}, false);
    for (std::size_t axis = 0; step_->uses_place && axis < 2; ++axis)
        decided_.index(builder.emit(Op::add, {Local(axis), end}), axis);
    const Local step = builder.open({Scalar::i64, own});
    given.own = Local(step.index + 1);
    std::vector<ArrayParam> arrays;
    const auto read = [&](Scalar type, std::vector<Local> at) {
        arrays.push_back({type, at.size()});
        return builder.emit(Inst{Op::read, {type}, arrays.size() - 1, std::move(at), {}});
    };
    for (const BoxStep::Vector& vector : step_->vectors)
        given.vectors.push_back(read(vector.type, {step, Local(vector.axis)}));
    for (const BoxStep::Variable& scalar : step_->scalars) given.scalars.push_back(read(scalar.type, {step}));
    if (needs_steps()) given.counter = builder.emit(Op::add, {first, step});
    if (step_->uses_place) {
        const Local skipped = builder.emit(Op::sub, {end, given.counter});
        const auto place = [&](std::size_t axis) {
            const Local from = builder.emit(Op::sub, {skipped, builder.constant_index(step_->first[axis])});
            return builder.emit(Op::add, {Local(axis), from});
        };
        given.row = place(0), given.column = place(1);
    }
    made_.clear();
    decide(given);
    const ValueId result = std::get<Scatter>(body_->bindings[step_->update].op).values[0];
    ir::Block body = builder.close({element(builder, result, given)});
    const Local all = loop_under_condition(builder, std::move(body), count, Local(2));
    return canonical({std::move(arrays), builder.close({all})});
}

namespace {

/// Tells what of a block, whose first local is `level`, can be computed in front of it.
class Invariants {
  public:
    Invariants(const ir::Block& block, std::size_t level) : level_(level), first_(level + block.params.size()) {
        for (const Inst& inst : block.insts) made_.resize(made_.size() + inst.types.size(), &inst);
    }

    const Inst* definition(Local local) const { return local.index < first_ ? nullptr : made_[local.index - first_]; }

    bool contains(Local local) {
        if (local.index < level_) return true;
        if (const auto known = contained_.find(local); known != contained_.end()) return known->second;
        const Inst* inst = definition(local);
        return contained_[local] =
                   inst != nullptr && inst->blocks.empty() && inst->op != Op::read && is_pure(inst->op, inst->type()) &&
                   std::all_of(inst->operands.begin(), inst->operands.end(), [&](Local l) { return contains(l); });
    }

    Local compute(BlockBuilder& outside, Local local) {
        if (local.index < level_) return local;
        if (const auto known = computed_.find(local); known != computed_.end()) return known->second;
        Inst copy = *definition(local);
        for (Local& operand : copy.operands) operand = compute(outside, operand);
        return computed_[local] = outside.emit(std::move(copy));
    }

  private:
    std::size_t level_, first_;
    std::vector<const Inst*> made_;  ///< by local, from the first one behind the parameters
    std::unordered_map<Local, bool> contained_;
    std::unordered_map<Local, Local> computed_;
};

}  // namespace

/// All steps on an element, whose value before them is `own`. Where a step changes the element under a condition that is the
/// same for all steps, as `i >= j`, the condition chooses once, behind the loop, which may be a product then.
Local BlockedLoop::loop_under_condition(BlockBuilder& to, ir::Block step, Local count, Local own) {
    const ir::Block whole = step;
    Invariants invariants(whole, to.level());
    const Inst* choice = invariants.definition(whole.results[0]);
    const Local before(to.level() + 1);
    const bool is_same = choice != nullptr && choice->op == Op::select && choice->operands[2] == before &&
                         invariants.contains(choice->operands[0]);
    if (is_same) step.results[0] = choice->operands[1];
    const Local all = to.emit(Inst{Op::for_loop, {to.type(own)}, 0, {count, own}, {std::move(step)}});
    if (!is_same) return all;
    return to.emit(Inst{Op::select, {to.type(own)}, 0, {invariants.compute(to, choice->operands[0]), all, own}, {}});
}

void BlockedLoop::decide(const Given& given) {
    if (needs_steps()) decided_.counter(given.counter);
    if (step_->uses_place) decided_.place(given.row, 0, step_->first[0]), decided_.place(given.column, 1, step_->first[1]);
}

Local BlockedLoop::element(BlockBuilder& to, ValueId id, const Given& given) {
    if (const auto leaf = step_->leaves.find(id); leaf != step_->leaves.end()) {
        using Kind = BoxStep::Leaf::Kind;
        if (leaf->second.kind == Kind::own) return given.own;
        return (leaf->second.kind == Kind::scalar ? given.scalars : given.vectors)[leaf->second.index];
    }
    if (const auto known = made_.find(id); known != made_.end()) return known->second;
    const BoxStep::Maker& maker = step_->makers.at(id);
    const auto& map = std::get<Map>(body_->bindings[maker.binding].op);
    Locals known;
    if (map.indexed) known = {given.row, given.column};
    for (ValueId arg : map.args) known.push_back(element(to, arg, given));
    for (ValueId each : map.captures.scalars) known.push_back(scalar(each, given));
    const Rewrite rewrite = [&](BlockBuilder& builder, const Inst& inst) { return decided_.rewrite(builder, inst); };
    const Locals results = inline_block(to, map.fn.body, std::move(known), rewrite);
    for (std::size_t k = 0; k < results.size(); ++k) made_.emplace(ValueId(id.index - maker.result + k), results[k]);
    return results[maker.result];
}

Local BlockedLoop::scalar(ValueId id, const Given& given) const {
    if (id.index == base_) return given.counter;
    for (std::size_t k = 0; k < step_->scalars.size(); ++k)
        if (step_->scalars[k].id == id) return given.scalars[k];
    const auto at = std::find(step_->outside.begin(), step_->outside.end(), id);
    return given.outside[static_cast<std::size_t>(at - step_->outside.begin())];
}

ValueId BlockedLoop::overwrite(ValueId matrix, const std::array<Start, 2>& start, ValueId values) {
    BlockBuilder builder;
    builder.open(std::vector<Scalar>(4, Scalar::i64));
    Locals places;
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const Local behind = builder.emit(Op::add, {Local(axis), Local(2 + axis)});
        places.push_back(builder.emit(Op::add, {behind, builder.constant_index(start[axis].more)}));
    }
    Fn fn{{}, builder.close(std::move(places))};
    const Type index{Scalar::i64, type(values).shape};
    const ValueId at =
        append({Map{canonical(fn), {}, {{start[0].behind, start[1].behind}, {}}, true}, {index, index}, site_});
    return emit(Scatter{{}, {matrix}, {at, ValueId(at.index + 1)}, {values}, {}}, type(matrix));
}

ValueId BlockedLoop::slice(ValueId array, Shape start, Shape shape) {
    std::vector<std::int64_t> steps(start.size(), 1);
    const Scalar scalar = type(array).scalar;
    return emit(View{array, Slice{std::move(start), std::move(steps)}}, {scalar, std::move(shape)});
}

SizeId BlockedLoop::size(const Start& start) { return sizes().add(size_of(start.behind), sizes().constant(start.more)); }

BlockedLoop::Ids BlockedLoop::parameters(Nest& nest, const std::vector<Type>& types) {
    Ids made;
    for (const Type& type : types) made.push_back(add_parameter(nest, type));
    return made;
}

ValueId BlockedLoop::of_scalars(Op op, ValueId a, ValueId b) {
    BlockBuilder builder;
    builder.open({Scalar::i64, Scalar::i64});
    const Local result = builder.emit(op, {Local(0), Local(1)});
    return emit(Map{{{}, builder.close({result})}, {a, b}, {}}, {Scalar::i64, {}});
}

ValueId BlockedLoop::of_scalar(Op op, ValueId a, std::int64_t b) {
    BlockBuilder builder;
    builder.open({Scalar::i64});
    const Local result = builder.emit(op, {Local(0), builder.constant_index(b)});
    return emit(Map{{{}, builder.close({result})}, {a}, {}}, {Scalar::i64, {}});
}

}  // namespace sinter::enable
