// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ad/reverse/reverse.hpp"
#include "ir/derivative/adjoint_function.hpp"

#include <algorithm>

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
/// summed; those to elements of arrays that the function has read are scattered.
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
    Adjoint adjoint = adjoint_function(map.fn, places);
    if (adjoint.fn.body.results.empty()) return;
    const std::vector<std::size_t> place = merge_equal_results(adjoint.fn);
    std::vector<Type> types;
    for (Scalar scalar : result_types(adjoint.fn)) types.push_back({scalar, shape});
    made.fn = std::move(adjoint.fn);
    const ValueId first = emit(std::move(made), std::move(types));
    auto result = [&](std::size_t k) { return ValueId(first.index + place[k]); };
    for (std::size_t k = 0; k < map.args.size(); ++k)
        if (const auto& at = adjoint.params[indices + k]) contribute(map.args[k], result(*at));
    for (std::size_t k = 0; k < map.captures.scalars.size(); ++k)
        if (const auto& at = adjoint.params[indices + map.args.size() + k])
            contribute_sum(map.captures.scalars[k], result(*at));
    for (const ReadAdjoint& read : adjoint.reads) {
        std::vector<ValueId> at;
        for (std::size_t axis = 0; axis < map.fn.arrays[read.slot].rank; ++axis) at.push_back(result(read.first + axis));
        const ValueId value = result(read.first + at.size());
        contribute_at(map.captures.arrays[read.slot], std::move(at), value, 0);
    }
}

}  // namespace sinter::ad
