// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/element_function.hpp"

#include "opt/trim.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

/// True for an array of the shape, and for a scalar.
bool ElementFunction::is_element(ValueId id) const {
    const Type type = is_local(id) ? local_type(id) : type_of_(id);
    return type.shape.empty() || type.shape == shape_;
}

bool ElementFunction::is_elementwise(const Map& map, const Shape& shape) const {
    const auto element = [&](ValueId id) { return is_element(id); };
    const auto scalar = [&](ValueId id) { return (is_local(id) ? local_type(id) : type_of_(id)).shape.empty(); };
    const auto given = [&](ValueId id) { return !is_local(id); };
    return (shape.empty() || (shape == shape_ && !map.indexed)) && std::all_of(map.args.begin(), map.args.end(), element) &&
           std::all_of(map.captures.scalars.begin(), map.captures.scalars.end(), scalar) &&
           std::all_of(map.captures.arrays.begin(), map.captures.arrays.end(), given);
}

bool ElementFunction::is_elementwise(const Binding& binding) const {
    const Shape& shape = binding.types[0].shape;
    if (const auto* map = std::get_if<Map>(&binding.op)) return is_elementwise(*map, shape);
    const auto* view = std::get_if<View>(&binding.op);  // a scalar for all elements
    if (!view || !std::holds_alternative<Broadcast>(view->function) || shape != shape_) return false;
    return (is_local(view->arg) ? local_type(view->arg) : type_of_(view->arg)).shape.empty();
}

void ElementFunction::capture(ValueId id) {
    if (is_local(id)) return;
    if (scalars_.try_emplace(id, captures_.scalars.size()).second) captures_.scalars.push_back(id);
}

void ElementFunction::note_captures(const Body& body) {
    for (const Binding& binding : body.bindings) {
        if (const auto* map = std::get_if<Map>(&binding.op)) {
            for (const auto* ids : {&map->args, &map->captures.scalars})
                for (ValueId id : *ids) capture(id);
            for (ValueId id : map->captures.arrays)
                if (std::find(captures_.arrays.begin(), captures_.arrays.end(), id) == captures_.arrays.end())
                    captures_.arrays.push_back(id);
        } else {
            capture(std::get<View>(binding.op).arg);
        }
    }
    for (ValueId id : body.results) capture(id);
}

Local ElementFunction::local(ValueId id) const {
    if (is_local(id)) return environment_[id.index - outside_];
    return Local(captured_ + scalars_.at(id));
}

std::optional<ElementFunction::Made> ElementFunction::make(const Body& body) {
    types_ = types_of(body);
    const auto elementwise = [&](const Binding& binding) { return is_elementwise(binding); };
    const auto whole = [&](ValueId id) { return (is_local(id) ? local_type(id) : type_of_(id)).shape == shape_; };
    if (!body.guards.empty() || !std::all_of(body.bindings.begin(), body.bindings.end(), elementwise) ||
        !std::all_of(body.results.begin(), body.results.end(), whole))
        return std::nullopt;
    note_captures(body);
    std::vector<Scalar> params;
    for (const Type& param : body.params) params.push_back(param.scalar);
    for (ValueId id : captures_.scalars) params.push_back(type_of_(id).scalar);
    BlockBuilder builder;
    builder.open(params);
    for (std::size_t k = 0; k < body.params.size(); ++k) environment_.emplace_back(k);
    captured_ = body.params.size();
    for (const Binding& binding : body.bindings) emit(builder, binding);
    std::vector<Local> results;
    for (ValueId id : body.results) results.push_back(local(id));
    Fn fn{{}, builder.close(std::move(results))};
    for (ValueId id : captures_.arrays) fn.arrays.push_back({type_of_(id).scalar, type_of_(id).rank()});
    return Made{canonical(fn), std::move(captures_)};
}

void ElementFunction::emit(BlockBuilder& builder, const Binding& binding) {
    const auto* map = std::get_if<Map>(&binding.op);
    if (!map) return environment_.push_back(local(std::get<View>(binding.op).arg));
    std::vector<Local> arguments;
    for (const auto* ids : {&map->args, &map->captures.scalars})
        for (ValueId id : *ids) arguments.push_back(local(id));
    std::vector<std::size_t> slots;
    for (ValueId id : map->captures.arrays) {
        const auto at = std::find(captures_.arrays.begin(), captures_.arrays.end(), id);
        slots.push_back(static_cast<std::size_t>(at - captures_.arrays.begin()));
    }
    const auto results = inline_block(builder, map->fn.body, std::move(arguments), opt::renumber_arrays(std::move(slots)));
    environment_.insert(environment_.end(), results.begin(), results.end());
}

}  // namespace sinter::enable
