// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/flatten/flats.hpp"

#include "enable/lift/lift_function.hpp"
#include "enable/tuning.hpp"
#include "support/check.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

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

void Flats::end() {
    flats_.clear();
    uses_.clear();
    segments_.clear();
    regular_.clear();
    operands_.clear();
}

/// Elements of arguments of maps, folds and scans are read where they are, once; all others perhaps repeatedly.
void Flats::count_uses(const Body& body) {
    for (const Binding& binding : body.bindings) {
        for (ValueId id : operands(binding.op)) ++uses_[id].count;
        const bool once = std::holds_alternative<Map>(binding.op) || std::holds_alternative<Fold>(binding.op);
        if (const Captures* captures = nullptr; once) {
            const auto* map = std::get_if<Map>(&binding.op);
            captures = map ? &map->captures : &std::get<Fold>(binding.op).captures;
            for (ValueId id : captures->arrays) uses_[id].anywhere = true;
        }
        if (std::holds_alternative<View>(binding.op) || std::holds_alternative<Gather>(binding.op))
            for (ValueId id : operands(binding.op)) uses_[id].anywhere = true;
    }
    for (ValueId id : body.results) ++uses_[id].count;
}

bool Flats::concerns(const Binding& binding) {
    const auto varies = [&](const Type& type) {
        return std::any_of(type.shape.begin(), type.shape.end(), [&](SizeId size) { return s_.varies(size); });
    };
    if (std::any_of(binding.types.begin(), binding.types.end(), varies)) return true;
    const std::vector<ValueId> used = operands(binding.op);
    if (std::any_of(used.begin(), used.end(), [&](ValueId id) { return is_flat(id); })) return true;
    return std::holds_alternative<Compact>(binding.op) && any(s_.is_batched()(used));
}

std::size_t Flats::rank(ValueId old) const {
    if (const auto flat = flats_.find(old); flat != flats_.end()) return flat->second.type.rank();
    const Slices::Operand operand = s_.use(old);
    return s_.type(operand.id).rank() - (operand.batched ? 1 : 0);
}

std::size_t Flats::cost(ValueId old) const {
    const auto flat = flats_.find(old);
    return flat == flats_.end() ? 1 : flat->second.cost;
}

Local Flats::element(ElementWriter& to, ValueId old, Local slice, const Locals& index) {
    if (const auto flat = flats_.find(old); flat != flats_.end())
        return flat->second.element(to, slice, index)[flat->second.result];
    const Slices::Operand operand = s_.use(old);
    if (!operand.batched) return index.empty() ? to.scalar(operand.id) : to.read(operand.id, index);
    Locals all = index;
    all.insert(all.begin(), slice);
    return to.read(operand.id, std::move(all));
}

const Slices::Operand& Flats::size_operand(SizeId old) {
    const auto known = operands_.find(old);
    return known != operands_.end() ? known->second : operands_.emplace(old, s_.scalar(old)).first->second;
}

Local Flats::size(ElementWriter& to, SizeId old, Local slice) {
    if (const Size size = s_.sizes()[old]; size.kind == Size::Kind::constant) return to.index(size.index);
    const Slices::Operand operand = size_operand(old);
    return operand.batched ? to.read(operand.id, {slice}) : to.scalar(operand.id);
}

Local Flats::extent(ElementWriter& to, ValueId old, std::size_t axis, Local slice) {
    if (const auto flat = flats_.find(old); flat != flats_.end()) return size(to, flat->second.type.shape[axis], slice);
    const Slices::Operand operand = s_.use(old);
    return to.extent(operand.id, axis + (operand.batched ? 1 : 0));
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

ValueId Flats::memory(ValueId old) {
    if (const auto flat = flats_.find(old); flat != flats_.end()) {
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
    flats_[old] = {old_type, element, result, cost, {}};
    const Uses uses = uses_[old];
    if (cost > tuning::cost_of_read && (uses.count > 1 || (uses.anywhere && cost > tuning::most_repeated))) memory(old);
}

void Flats::define_memory(const Type& old_type, ValueId memory) {
    const ValueId old(s_.old_level());
    s_.define_results(std::vector<ValueId>{ValueId()}, {true});
    Flat& flat = flats_[old] = {old_type, {}, 0, 0, memory};
    read_memory(flat);
}

ValueId Flats::map_slices(const std::vector<Type>& old_types, const Element& element) {
    const std::vector<Type> types = s_.lifted(old_types, Flags(old_types.size(), true));
    const std::vector<Scalar> params(types[0].rank(), Scalar::i64);
    auto made = ElementWriter::write(type_of_, params, [&](ElementWriter& to) {
        Locals index;
        for (std::size_t k = 1; k < params.size(); ++k) index.emplace_back(k);
        return element(to, Local(0), index);
    });
    return s_.emit(Map{std::move(made.fn), {}, std::move(made.captures), true}, types);
}

ValueId Flats::map_elements(ValueId of, const std::vector<Scalar>& results, const Element& element) {
    const Segments segments = with_owners(segments_of(of));
    auto made = ElementWriter::write(type_of_, {Scalar::i64, Scalar::i64}, [&](ElementWriter& to) {
        const Local slice(1);
        const Local start = to.read(segments.starts, {slice});
        return element(to, slice, unraveled(to, to.apply(Op::sub, {Local(0), start}), extents(to, of, slice)));
    });
    std::vector<Type> types;
    for (Scalar scalar : results) types.push_back({scalar, {segments.total}});
    return s_.emit(Map{std::move(made.fn), {segments.owners}, std::move(made.captures), true}, std::move(types));
}

}  // namespace sinter::enable
