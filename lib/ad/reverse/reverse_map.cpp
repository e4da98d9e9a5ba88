// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ad/reverse/reverse.hpp"
#include "ad/reverse/uniform.hpp"
#include "ir/builder.hpp"
#include "ir/derivative/adjoint_function.hpp"

#include <algorithm>
#include <map>

namespace sinter::ad {

using namespace ir;
using namespace ir::derivative;

namespace {

/// Merges results that are the same contribution to several arguments. Returns where each of them is now.
std::vector<std::size_t> merge_equal_results(Fn& fn) {
    std::vector<Local> kept;
    std::vector<std::size_t> place;
    for (Local result : fn.body.results) {
        const auto found = std::find(kept.begin(), kept.end(), result);
        place.push_back(static_cast<std::size_t>(found - kept.begin()));
        if (found == kept.end()) kept.push_back(result);
    }
    fn.body.results = std::move(kept);
    return place;
}

}  // namespace

/// A map whose function has loops between what is wanted and its results computes their Jacobians, too.
bool Reverse::record_map(const Map& map, Record& record, std::vector<Type> types) {
    std::vector<bool> wanted(map.fn.body.params.size() - map.args.size() - map.captures.scalars.size()), slots;
    for (ValueId id : map.args) wanted.push_back(wants(id));
    for (ValueId id : map.captures.scalars) wanted.push_back(wants(id));
    for (ValueId id : map.captures.arrays) slots.push_back(wants(id));
    std::optional<Fn> recorded = recorded_function(map.fn, wanted, slots);
    if (!recorded) return true;
    const std::size_t results = types.size();
    const std::vector<Scalar> scalars = result_types(*recorded);
    for (std::size_t k = results; k < scalars.size(); ++k) types.push_back({scalars[k], Shape(types[0].shape)});
    Map made{
        std::move(*recorded), renamed(map.args), {renamed(map.captures.scalars), renamed(map.captures.arrays)}, map.indexed};
    const ValueId first = emit(std::move(made), std::move(types));
    record.tapes = results_from(ValueId(first.index + results), scalars.size() - results);
    define(results_from(first, results));
    return false;
}

/// One map over the arguments and the adjoints of the results computes all contributions. Those to captured scalars are
/// summed; so are those to elements of arrays that all points read. Those to other elements are scattered.
void Reverse::pull_map(const Map& map, const Done& done) {
    const Shape shape = type(done.results[0]).shape;
    Map made{{}, renamed(map.args), {renamed(map.captures.scalars), renamed(map.captures.arrays)}, map.indexed};
    AdjointPlaces places;
    const std::size_t indices = map.fn.body.params.size() - map.args.size() - map.captures.scalars.size();
    for (std::size_t k = 0; k < indices; ++k)
        places.primal.push_back(places.add(Scalar::i64)), places.wanted.push_back(false);
    for (ValueId id : map.args)
        places.primal.push_back(places.add(type(rename(id)).scalar)), places.wanted.push_back(wants(id));
    for (std::size_t k = 0; k < done.adjoints.size(); ++k) {
        const Derived& adjoint = done.adjoints[k];
        places.cotangents.push_back(adjoint ? Term(places.add(type(*adjoint).scalar)) : std::nullopt);
        if (adjoint) made.args.push_back(*adjoint);
    }
    for (ValueId tape : done.record.tapes)
        places.recorded.push_back(places.add(type(tape).scalar)), made.args.push_back(tape);
    for (ValueId id : map.captures.scalars)
        places.primal.push_back(places.add(type(rename(id)).scalar)), places.wanted.push_back(wants(id));
    for (ValueId id : map.captures.arrays) places.slots.push_back(wants(id));
    if (is_masked(done.adjoints, map.fn)) {
        places.infinite.resize(indices);
        for (ValueId id : map.args) places.infinite.push_back(infinite_(id));
        for (ValueId id : map.captures.scalars) places.infinite.push_back(infinite_(id));
        places.infinite_slots = infinite_(map.captures.arrays);
    }
    derivative::Adjoint adjoint = adjoint_function(map.fn, places);
    if (adjoint.fn.body.results.empty()) return;
    const std::vector<std::size_t> place = merge_equal_results(adjoint.fn);
    std::vector<Type> types;
    for (Scalar scalar : result_types(adjoint.fn)) types.push_back({scalar, shape});
    made.fn = std::move(adjoint.fn);
    const ValueId first = emit(made, std::move(types));
    const auto given =
        std::count_if(done.adjoints.begin(), done.adjoints.end(), [](const Derived& a) { return a.has_value(); });
    if (given == 1 && done.record.tapes.empty()) factor_results(made, map.args.size(), first);
    auto result = [&](std::size_t k) { return ValueId(first.index + place[k]); };
    for (std::size_t k = 0; k < map.args.size(); ++k)
        if (const auto& at = adjoint.params[indices + k]) contribute(map.args[k], result(*at));
    for (std::size_t k = 0; k < map.captures.scalars.size(); ++k)
        if (const auto& at = adjoint.params[indices + map.args.size() + k])
            contribute_sum(map.captures.scalars[k], result(*at));
    Reads reads{made, first, done.results[0], {}};
    for (const ReadAdjoint& read : adjoint.reads) {
        ElementRead element{map.captures.arrays[read.slot], {}, 0, read.always};
        const std::size_t rank = map.fn.arrays[read.slot].rank;
        for (std::size_t axis = 0; axis < rank; ++axis) element.indices.push_back(place[read.first + axis]);
        element.value = place[read.first + rank];
        reads.elements.push_back(std::move(element));
    }
    contribute_reads(reads);
}

/// `reads.map` has new names, its results begin with `reads.first`.
void Reverse::contribute_reads(const Reads& reads) {
    const Map& map = reads.map;
    const bool is_scalar = type(reads.point).rank() == 0;
    const std::size_t scalars = map.fn.body.params.size() - map.captures.scalars.size();
    const std::vector<bool> uniform = uniform_results(map.fn, scalars);
    std::vector<const ElementRead*> alike;
    std::vector<std::size_t> positions;  // results that are the indices of these
    for (const ElementRead& read : reads.elements) {
        const bool same =
            is_scalar || std::all_of(read.indices.begin(), read.indices.end(), [&](std::size_t k) { return uniform[k]; });
        if (same) {
            alike.push_back(&read);
            positions.insert(positions.end(), read.indices.begin(), read.indices.end());
            continue;
        }
        std::vector<ValueId> at;
        for (std::size_t k : read.indices) at.push_back(ValueId(reads.first.index + k));
        const auto drops = read.always ? std::nullopt : std::optional<std::size_t>(0);
        contribute_at(read.array, std::move(at), ValueId(reads.first.index + read.value), drops);
    }
    if (alike.empty()) return;
    std::size_t next = reads.first.index;
    if (!is_scalar) next = uniform_indices(map, scalars, positions, reads.point).index;
    std::map<ValueId, std::vector<Element>> by_array;
    for (const ElementRead* read : alike) {
        Element element;
        for (std::size_t k : read->indices)
            element.indices.push_back(is_scalar ? ValueId(reads.first.index + k) : ValueId(next++));
        element.value = sum_of_all(ValueId(reads.first.index + read->value));
        by_array[read->array].push_back(std::move(element));
    }
    for (const auto& [array, elements] : by_array) contribute_elements(array, elements);
}

/// These results of a map, which are uniform indices, as variables of rank 0; -1 if the map has no points and reads nothing.
ValueId Reverse::uniform_indices(const Map& map, std::size_t scalars, const std::vector<std::size_t>& results,
                                 ValueId point) {
    std::vector<Type> types(results.size(), {Scalar::i64, {}});
    Captures captures = map.captures;
    const std::size_t before = captures.scalars.size();
    const Shape shape = type(point).shape;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        const Derived extent = scalar_of(shape[axis]);
        captures.scalars.push_back(extent ? *extent : extent_of(point, axis));
    }
    const Fn part = uniform_part(map.fn, scalars, results);
    BlockBuilder builder;
    std::vector<Scalar> params = part.body.params;
    params.insert(params.end(), shape.size(), Scalar::i64);
    builder.open(params);
    std::vector<Local> places;
    for (std::size_t k = 0; k < before; ++k) places.emplace_back(k);
    std::vector<Local> indices = inline_block(builder, part.body, std::move(places));
    Local smallest(before);
    for (std::size_t axis = 1; axis < shape.size(); ++axis)
        smallest = builder.emit(Op::minimum, {smallest, Local(before + axis)});
    const Local is_empty = builder.emit(Op::less_equal, {smallest, builder.constant_index(0)});
    for (Local& index : indices) index = builder.emit(Op::select, {is_empty, builder.constant_index(-1), index});
    return emit(Map{canonical({part.arrays, builder.close(indices)}), {}, std::move(captures), false}, std::move(types));
}

/// Several elements are one scatter.
void Reverse::contribute_elements(ValueId old, const std::vector<Element>& elements) {
    if (elements.size() == 1) return contribute_at(old, elements[0].indices, elements[0].value, 0);
    auto side_by_side = [&](auto of) {
        std::vector<ValueId> parts;
        for (const Element& element : elements) parts.push_back(of(element));
        const Scalar scalar = type(parts[0]).scalar;
        Map made{choose_by_position(scalar, parts.size()), {}, {parts, {}}, true};
        return emit(std::move(made), {{scalar, {sizes().constant(static_cast<std::int64_t>(parts.size()))}}});
    };
    std::vector<ValueId> indices;
    for (std::size_t axis = 0; axis < elements[0].indices.size(); ++axis)
        indices.push_back(side_by_side([&](const Element& element) { return element.indices[axis]; }));
    contribute_at(old, std::move(indices), side_by_side([](const Element& element) { return element.value; }), 0);
}

}  // namespace sinter::ad
