// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/flatten/flats.hpp"

#include "enable/slices/irregular.hpp"
#include "enable/slices/lift_function.hpp"
#include "enable/tuning.hpp"
#include "ir/free_variables.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

Local product(ElementWriter& to, const Locals& factors) {
    Local all = to.index(1);
    for (Local factor : factors) all = to.apply(Op::mul, {all, factor});
    return all;
}

Local raveled(ElementWriter& to, const Locals& index, const Locals& extents) {
    Local position = index.empty() ? to.index(0) : index[0];
    for (std::size_t k = 1; k < index.size(); ++k)
        position = to.apply(Op::add, {to.apply(Op::mul, {position, extents[k]}), index[k]});
    return position;
}

Locals unraveled(ElementWriter& to, Local position, const Locals& extents) {
    Locals index(extents.size());
    for (std::size_t k = extents.size(); k-- > 1;) {
        // An axis of extent 0 has no elements, for which this would be executed.
        const Local extent = to.apply(Op::maximum, {extents[k], to.index(1)});
        index[k] = to.apply(Op::rem, {position, extent});
        position = to.apply(Op::div, {position, extent});
    }
    if (!index.empty()) index[0] = position;
    return index;
}

/// Elements of arguments of maps and folds are read where they are, once; all others perhaps repeatedly.
void Flats::count_uses(const Body& body) {
    std::size_t level = s_.old_level();
    auto repeated = [&](ValueId id) { known_.uses[id].anywhere = true; };
    for (const Binding& binding : body.bindings) {
        const std::vector<ValueId> used = operands(binding.op);
        for (ValueId id : used) ++known_.uses[id].count;
        if (const auto* map = std::get_if<Map>(&binding.op))
            std::for_each(map->captures.arrays.begin(), map->captures.arrays.end(), repeated);
        else if (const auto* fold = std::get_if<Fold>(&binding.op))
            std::for_each(fold->captures.arrays.begin(), fold->captures.arrays.end(), repeated);
        else if (bodies_of(binding.op) == nullptr)
            std::for_each(used.begin(), used.end(), repeated);
        else
            for (ValueId id : free_variables(s_.sizes(), binding, level)) ++known_.uses[id].count, repeated(id);
        level += binding.types.size();
    }
    for (ValueId id : body.results) ++known_.uses[id].count;
}

bool Flats::concerns(const Binding& binding) {
    const auto varies = [&](const Type& type) {
        return std::any_of(type.shape.begin(), type.shape.end(), [&](SizeId size) { return s_.varies(size); });
    };
    if (std::any_of(binding.types.begin(), binding.types.end(), varies)) return true;
    const std::vector<ValueId> used = operands(binding.op);
    if (std::any_of(used.begin(), used.end(), [&](ValueId id) { return is_flat(id); })) return true;
    if (std::holds_alternative<Loop>(binding.op) || std::holds_alternative<Cond>(binding.op)) {
        const std::size_t level = s_.old_level();
        const std::vector<ValueId> inside = free_variables(s_.sizes(), binding, level);
        if (std::any_of(inside.begin(), inside.end(), [&](ValueId id) { return is_flat(id); })) return true;
        Irregular irregular(s_.is_batched());
        const Flags results = irregular.flags().results(binding, level);
        return irregular.binding(binding, results, level);
    }
    return std::holds_alternative<Compact>(binding.op) && any(s_.is_batched()(used));
}

std::size_t Flats::rank(ValueId old) const {
    if (const auto flat = known_.flats.find(old); flat != known_.flats.end()) return flat->second.type.rank();
    const Slices::Operand operand = s_.use(old);
    return s_.type(operand.id).rank() - (operand.batched ? 1 : 0);
}

Scalar Flats::scalar(ValueId old) const {
    const auto flat = known_.flats.find(old);
    return flat != known_.flats.end() ? flat->second.type.scalar : s_.type(s_.use(old).id).scalar;
}

std::size_t Flats::cost(ValueId old) const {
    const auto flat = known_.flats.find(old);
    return flat == known_.flats.end() ? 1 : flat->second.cost;
}

Local Flats::element(ElementWriter& to, ValueId old, Local slice, const Locals& index) {
    if (const auto flat = known_.flats.find(old); flat != known_.flats.end())
        return flat->second.element(to, slice, index)[flat->second.result];
    const Slices::Operand operand = s_.use(old);
    if (!operand.batched) return index.empty() ? to.scalar(operand.id) : to.read(operand.id, index);
    Locals all = index;
    all.insert(all.begin(), slice);
    return to.read(operand.id, std::move(all));
}

const Slices::Operand& Flats::size_operand(SizeId old) {
    const auto known = known_.operands.find(old);
    return known != known_.operands.end() ? known->second : known_.operands.emplace(old, s_.scalar(old)).first->second;
}

Local Flats::size(ElementWriter& to, SizeId old, Local slice) {
    if (const Size size = s_.sizes()[old]; size.kind == Size::Kind::constant) return to.index(size.index);
    const Slices::Operand operand = size_operand(old);
    return operand.batched ? to.read(operand.id, {slice}) : to.scalar(operand.id);
}

Local Flats::extent(ElementWriter& to, ValueId old, std::size_t axis, Local slice) {
    if (const auto flat = known_.flats.find(old); flat != known_.flats.end())
        return size(to, flat->second.type.shape[axis], slice);
    const Slices::Operand operand = s_.use(old);
    return to.extent(operand.id, axis + (operand.batched ? 1 : 0));
}

std::optional<std::int64_t> Flats::constant_extent(ValueId old, std::size_t axis) {
    const auto flat = known_.flats.find(old);
    const Slices::Operand operand = flat == known_.flats.end() ? s_.use(old) : Slices::Operand{};
    const SizeId id = flat != known_.flats.end() ? flat->second.type.shape[axis]
                                                 : s_.type(operand.id).shape[axis + (operand.batched ? 1 : 0)];
    const Size size = s_.sizes()[id];
    return size.kind == Size::Kind::constant ? std::optional(static_cast<std::int64_t>(size.index)) : std::nullopt;
}

bool Flats::have_same_extents(ValueId old, ValueId other) const {
    const auto flat = known_.flats.find(old), other_flat = known_.flats.find(other);
    if (flat != known_.flats.end() && other_flat != known_.flats.end())
        return flat->second.type.shape == other_flat->second.type.shape;
    if (flat != known_.flats.end() || other_flat != known_.flats.end()) return false;
    const auto shape = [this](ValueId id) {
        const Slices::Operand operand = s_.use(id);
        const Shape& all = s_.type(operand.id).shape;
        return Shape(all.begin() + (operand.batched ? 1 : 0), all.end());
    };
    return shape(old) == shape(other);
}

Locals Flats::extents(ElementWriter& to, ValueId old, Local slice) {
    Locals made;
    for (std::size_t axis = 0; axis < rank(old); ++axis) made.push_back(extent(to, old, axis, slice));
    return made;
}

Locals Flats::sizes(ElementWriter& to, const Shape& old, Local slice) {
    Locals made;
    for (SizeId id : old) made.push_back(size(to, id, slice));
    return made;
}

Local Flats::position(ElementWriter& to, ValueId old, Local slice, const Locals& index) {
    const Local start = to.read(segments_of(old).starts, {slice});
    return to.apply(Op::add, {start, raveled(to, index, extents(to, old, slice))});
}

Local Flats::line_position(ElementWriter& to, ValueId old, const std::vector<std::size_t>& axes, Local slice,
                           const Locals& index) {
    Locals at, shape;
    for (std::size_t axis : axes_in_lines(old, axes))
        at.push_back(index[axis]), shape.push_back(extent(to, old, axis, slice));
    return to.apply(Op::add, {to.read(segments_of(old).starts, {slice}), raveled(to, at, shape)});
}

ValueId Flats::memory(ValueId old) {
    if (const auto flat = known_.flats.find(old); flat != known_.flats.end()) {
        if (!flat->second.memory.valid()) {
            const Element element = flat->second.element;
            const std::size_t result = flat->second.result;
            flat->second.memory =
                map_elements(old, {flat->second.type.scalar}, [=](ElementWriter& to, Local slice, const Locals& index) {
                    return Locals{element(to, slice, index)[result]};
                });
            read_memory(flat->second);
        }
        return flat->second.memory;
    }
    const ValueId id = s_.batched(s_.use(old));
    const Type type = s_.type(id);
    return s_.emit(View{id, Reshape{}, {}}, {{type.scalar, {segments_of(old).total}}});
}

void Flats::read_memory(Flat& flat) {
    const ValueId memory = flat.memory, starts = segments(flat.type.shape).starts;
    flat.cost = tuning::cost_of_read;
    flat.result = 0;
    flat.element = [this, memory, starts, shape = flat.type.shape](ElementWriter& to, Local slice, const Locals& index) {
        const Local start = to.read(starts, {slice});
        return Locals{to.read(memory, {to.apply(Op::add, {start, raveled(to, index, sizes(to, shape, slice))})})};
    };
}

void Flats::define(const std::vector<Type>& old_types, const Element& element, std::size_t cost) {
    const auto varies = [&](SizeId size) { return s_.varies(size); };
    if (!std::any_of(old_types[0].shape.begin(), old_types[0].shape.end(), varies))
        return s_.define_batched(map_slices(old_types, element), old_types.size());
    for (std::size_t k = 0; k < old_types.size(); ++k) define_flat(old_types[k], element, k, cost);
}

void Flats::define_flat(const Type& old_type, const Element& element, std::size_t result, std::size_t cost) {
    const ValueId old(s_.old_level());
    s_.define_results(std::vector<ValueId>{ValueId()}, {true});
    known_.flats[old] = {old_type, element, result, cost, {}};
    const Uses uses = known_.uses[old];
    if (cost > tuning::cost_of_read && (uses.count > 1 || (uses.anywhere && cost > tuning::most_repeated))) memory(old);
}

void Flats::define_read(const Type& old_type, const Element& element) {
    define_flat(old_type, element, 0, tuning::cost_of_read);
}

void Flats::define_memory(const Type& old_type, ValueId memory) {
    const ValueId old(s_.old_level());
    s_.define_results(std::vector<ValueId>{ValueId()}, {true});
    Flat& flat = known_.flats[old] = {old_type, {}, 0, 0, memory};
    read_memory(flat);
}

Locals Flats::masked(ElementWriter& to, Local slice, const std::vector<Scalar>& results,
                     const std::function<Locals()>& element) const {
    if (!s_.mask()) return element();
    return to.cond(to.read(*s_.mask(), {slice}), element, [&] {
        Locals zeros;
        for (Scalar scalar : results) zeros.push_back(to.builder().constant(scalar, 0));
        return zeros;
    });
}

ValueId Flats::map_slices(const std::vector<Type>& old_types, const Element& element) {
    const std::vector<Type> types = s_.lifted(old_types, Flags(old_types.size(), true));
    const std::vector<Scalar> params(types[0].rank(), Scalar::i64);
    std::vector<Scalar> results;
    for (const Type& type : types) results.push_back(type.scalar);
    auto made = ElementWriter::write(type_of_, params, [&](ElementWriter& to) {
        Locals index;
        for (std::size_t k = 1; k < params.size(); ++k) index.emplace_back(k);
        return masked(to, Local(0), results, [&] { return element(to, Local(0), index); });
    });
    return s_.emit(Map{std::move(made.fn), {}, std::move(made.captures), true}, types);
}

ValueId Flats::generate(const Shape& shape, const std::vector<ValueId>& args, const std::vector<Scalar>& results,
                        const Emit& emit) {
    std::vector<Scalar> params(shape.size(), Scalar::i64);
    for (ValueId arg : args) params.push_back(s_.type(arg).scalar);
    auto made = ElementWriter::write(type_of_, params, [&](ElementWriter& to) {
        Locals all;
        for (std::size_t k = 0; k < params.size(); ++k) all.emplace_back(k);
        return emit(to, all);
    });
    std::vector<Type> types;
    for (Scalar scalar : results) types.push_back({scalar, shape});
    return s_.emit(Map{std::move(made.fn), args, std::move(made.captures), true}, std::move(types));
}

ValueId Flats::map_elements(ValueId of, const std::vector<Scalar>& results, const Element& element) {
    const auto all = [this, of](ElementWriter& to, Local slice) { return extents(to, of, slice); };
    return map_segments(segments_of(of), all, results, [&](ElementWriter& to, Local slice, const Locals& index) {
        return masked(to, slice, results, [&] { return element(to, slice, index); });
    });
}

std::vector<std::size_t> Flats::axes_in_lines(ValueId old, const std::vector<std::size_t>& last) const {
    std::vector<std::size_t> order;
    for (std::size_t axis = 0; axis < rank(old); ++axis)
        if (!std::binary_search(last.begin(), last.end(), axis)) order.push_back(axis);
    order.insert(order.end(), last.begin(), last.end());
    return order;
}

ValueId Flats::map_lines(ValueId of, const std::vector<std::size_t>& axes, const std::vector<Scalar>& results,
                         const Element& element) {
    const std::vector<std::size_t> order = axes_in_lines(of, axes);
    const auto in_order = [&](ElementWriter& to, Local slice) {
        Locals made;
        for (std::size_t axis : order) made.push_back(extent(to, of, axis, slice));
        return made;
    };
    return map_segments(segments_of(of), in_order, results, [&](ElementWriter& to, Local slice, const Locals& at) {
        Locals index(order.size());
        for (std::size_t k = 0; k < order.size(); ++k) index[order[k]] = at[k];
        return masked(to, slice, results, [&] { return element(to, slice, index); });
    });
}

ValueId Flats::map_segments(Segments& segments, const Extents& extents, const std::vector<Scalar>& results,
                            const Element& element) {
    with_owners(segments);
    auto made = ElementWriter::write(type_of_, {Scalar::i64, Scalar::i64}, [&](ElementWriter& to) {
        const Local slice(1);
        const Local position = to.apply(Op::sub, {Local(0), to.read(segments.starts, {slice})});
        return element(to, slice, unraveled(to, position, extents(to, slice)));
    });
    std::vector<Type> types;
    for (Scalar scalar : results) types.push_back({scalar, {segments.total}});
    return s_.emit(Map{std::move(made.fn), {segments.owners}, std::move(made.captures), true}, std::move(types));
}

}  // namespace sinter::enable
