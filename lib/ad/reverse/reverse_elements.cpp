// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contributions to elements. Where a constant index is read, the place is known before anything runs: contributions to
// several such places are put into their array by one map, which chooses by position, instead of by a scatter each.
#include "ad/reverse/reverse.hpp"
#include "ad/tuning.hpp"
#include "ir/derivative/terms.hpp"

#include <algorithm>
#include <utility>

namespace sinter::ad {

using namespace ir;
using namespace ir::derivative;

Derived& Reverse::adjoint(ValueId old) {
    Adjoint& whole = adjoint_as_it_is(old);
    while (!whole.placed.empty()) place_some(old, whole);
    if (const std::optional<Picked> picked = std::exchange(whole.picked, {})) contribute(old, spread_picked(old, *picked));
    return whole.sum;
}

void Reverse::contribute_at(ValueId old, std::vector<ValueId> indices, ValueId values, std::optional<std::size_t> drops) {
    if (!wants(old)) return;
    Adjoint& whole = adjoint_as_it_is(old);
    // In a loop, an adjoint that is there already may be one of its states, of which a scatter touches nothing else.
    const bool in_place = loops_ > 0 && whole.sum;
    if (const auto at = in_place ? std::nullopt : known_place(type(rename(old)), indices, values)) {
        const auto same =
            std::find_if(whole.placed.begin(), whole.placed.end(), [&](const Placed& each) { return each.at == *at; });
        if (same != whole.placed.end())
            same->values = add(same->values, values);
        else
            whole.placed.push_back({*at, values});
        return;
    }
    Derived& sum = adjoint(old);
    const ValueId before = or_zeros(sum, type(rename(old)));
    sum = scatter_add(before, std::move(indices), values, drops);
}

/// The place of elements of an array of this type, if all indices are known and the values have its other axes.
std::optional<Reverse::Place> Reverse::known_place(const Type& array, const std::vector<ValueId>& indices, ValueId values) {
    Place place;
    std::size_t next = 0;
    for (std::size_t axis = 0; axis < indices.size(); ++axis) {
        const std::optional<KnownIndex> index = indices_.find(indices[axis]);
        if (!index) return std::nullopt;
        if (const auto* number = std::get_if<std::int64_t>(&*index)) {
            if (*number < 0) return std::nullopt;
            place.push_back(*number);
            continue;
        }
        const std::size_t along = std::get<AlongAxis>(*index).axis;
        if (along != next++ || type(values).shape[along] != array.shape[axis]) return std::nullopt;
        place.push_back(std::nullopt);
    }
    if (next != type(values).rank() || next == place.size()) return std::nullopt;
    return place;
}

namespace {

/// {index.., whole, values.. -> whole, and values[k] at places[k]}, whole only if there is one.
Fn put_at(Scalar scalar, const std::vector<std::vector<std::optional<std::int64_t>>>& places, bool has_whole) {
    const std::size_t rank = places[0].size();
    std::vector<Scalar> params(rank, Scalar::i64);
    params.insert(params.end(), places.size() + (has_whole ? 1 : 0), scalar);
    const std::size_t first = rank + (has_whole ? 1 : 0);
    BlockBuilder builder;
    builder.open(params);
    Terms terms(builder);
    Local chosen = terms.zero(scalar);
    for (std::size_t k = places.size(); k-- > 0;) {
        std::optional<Local> here;
        for (std::size_t axis = 0; axis < rank; ++axis) {
            if (!places[k][axis]) continue;
            const Local equal = terms.apply(Op::equal, Local(axis), builder.constant_index(*places[k][axis]));
            here = here ? terms.apply(Op::bit_and, *here, equal) : equal;
        }
        chosen = terms.select(*here, Local(first + k), chosen);
    }
    return canonical({{}, builder.close({has_whole ? terms.add(Local(rank), chosen) : chosen})});
}

}  // namespace

/// Adds contributions along the same axes to the sum, as many as one map takes.
void Reverse::place_some(ValueId old, Adjoint& whole) {
    const Type array = type(rename(old));
    auto has_axis = [](const Placed& placed) {
        std::vector<bool> made;
        for (const auto& index : placed.at) made.push_back(!index);
        return made;
    };
    const std::vector<bool> kept = has_axis(whole.placed[0]);
    std::vector<std::size_t> axes;
    for (std::size_t axis = 0; axis < kept.size(); ++axis)
        if (kept[axis]) axes.push_back(axis);
    std::vector<ValueId> args;
    if (whole.sum) args.push_back(*whole.sum);
    std::vector<Place> places;
    std::vector<Placed> others;
    for (Placed& each : whole.placed)
        if (has_axis(each) != kept || places.size() == most_placed)
            others.push_back(std::move(each));
        else
            places.push_back(each.at), args.push_back(broadcast(each.values, axes, array.shape));
    whole.placed = std::move(others);
    Map map{put_at(array.scalar, places, whole.sum.has_value()), std::move(args), {}, true};
    whole.sum = emit(std::move(map), {array});
}

}  // namespace sinter::ad
