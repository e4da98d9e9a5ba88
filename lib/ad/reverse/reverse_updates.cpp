// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// States of loops of which each iteration replaces parts. A tape of such states would have a copy of all elements for each
// iteration; a tape of what is replaced has one part. The reverse sweep begins with the last state and puts the parts back,
// in place, at indices that it computes again where it can and takes from tapes of their own where not.
#include "ad/reverse/reverse.hpp"

#include <set>
#include <utility>

namespace sinter::ad {

using namespace ir;

Reverse::Spliced Reverse::splice_updates(Body& body, const std::vector<std::vector<Update>>& updates) {
    Spliced spliced;
    for (const auto& of_state : updates) spliced.overwritten.emplace_back(of_state.size());
    const std::size_t level = old_level();
    for (std::size_t i = 0; i < body.bindings.size(); ++i) {
        at(body.bindings[i].site);
        for (std::size_t k = 0; k < updates.size(); ++k)
            for (std::size_t j = 0; j < updates[k].size(); ++j) {
                if (updates[k][j].binding != i) continue;
                const auto& scatter = std::get<Scatter>(body.bindings[i].op);
                std::vector<ValueId> indices = renamed(scatter.indices);
                const ValueId part = read_at(rename(scatter.dests[updates[k][j].dest]), indices, {});
                if (updates[k][j].makers) indices.clear();
                spliced.overwritten[k][j] = {part, std::move(indices)};
            }
        std::vector<Binding> one;
        one.push_back(std::move(body.bindings[i]));
        write(one);
    }
    spliced.results = renamed(body.results);
    write(body.guards);
    undefine(level);
    return spliced;
}

void Reverse::append_update_tapes(const Loop& loop, const Tapes& tapes, ValueId iterations, std::vector<Type>& types) {
    const SizeId count = sizes().maximum(sizes().value(iterations), sizes().constant(0));
    for (std::size_t k = 0; k < tapes.updates.size(); ++k)
        for (const Update& update : tapes.updates[k]) {
            const Type state = type(rename(loop.inits[k]));
            Shape shape = update.shape;
            shape.insert(shape.begin(), count);
            types.push_back({state.scalar, shape});
            if (!update.makers) types.resize(types.size() + state.rank(), {Scalar::i64, shape});
        }
}

std::vector<std::vector<Reverse::Overwritten>> Reverse::replaced(const Loop& loop, const Record& record, ValueId iteration) {
    auto read = [&](ValueId tape) {
        Type part = type(tape);
        part.shape.erase(part.shape.begin());
        return tape_element(tape, iteration, part);
    };
    const std::size_t level = old_level();
    define_for_indices(loop, record, iteration);
    std::vector<std::vector<Overwritten>> replaced = record.overwritten;
    for (std::size_t k = 0; k < replaced.size(); ++k)
        for (std::size_t j = 0; j < replaced[k].size(); ++j) {
            Overwritten& each = replaced[k][j];
            const Update& update = record.updates[k][j];
            each.part = read(each.part);
            const Binding& scatter = loop.bodies.back().bindings[update.binding];
            if (update.makers) each.indices = renamed(std::get<Scatter>(scatter.op).indices);
            for (ValueId& index : each.indices)
                if (!update.makers) index = read(index);
        }
    undefine(level);
    return replaced;
}

/// Defines the variables of the loop's body, of which those that make indices of updates are computed; others have no names.
void Reverse::define_for_indices(const Loop& loop, const Record& record, ValueId iteration) {
    const bool goes_back = std::exchange(goes_back_, false);
    std::set<std::size_t> makers;
    for (const std::vector<Update>& updates : record.updates)
        for (const Update& update : updates)
            if (update.makers) makers.insert(update.makers->begin(), update.makers->end());
    const Body& body = loop.bodies.back();
    if (loop.indices() > 0) define({iteration});
    define(std::vector<ValueId>(body.params.size() - loop.indices()));
    for (std::size_t i = 0; i < body.bindings.size(); ++i) {
        std::vector<Binding> one;
        if (makers.contains(i)) one.push_back(body.bindings[i]);
        if (one.empty()) define(std::vector<ValueId>(body.bindings[i].types.size()));
        write(one);
    }
    goes_back_ = goes_back;
}

ValueId Reverse::undone(ValueId state, const std::vector<Overwritten>& replaced) {
    for (std::size_t j = replaced.size(); j-- > 0;)
        state = emit(Scatter{{}, {state}, replaced[j].indices, {replaced[j].part}, {}, {}}, {type(state)});
    return state;
}

}  // namespace sinter::ad
