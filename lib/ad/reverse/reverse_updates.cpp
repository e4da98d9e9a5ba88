// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// States of loops of which each iteration replaces single elements. A tape of such states would have a copy of all elements
// for each iteration; a tape of what is replaced has one element. The reverse sweep begins with the last state and puts the
// elements back, in place.
#include "ad/reverse/reverse.hpp"

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
                const ValueId element = read_at(rename(scatter.dests[updates[k][j].dest]), indices, {});
                spliced.overwritten[k][j] = {element, std::move(indices)};
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
            Shape shape(update.rank + 1, sizes().constant(1));
            shape[0] = count;
            types.push_back({state.scalar, shape});
            types.resize(types.size() + state.rank(), {Scalar::i64, shape});
        }
}

ValueId Reverse::undone(ValueId state, const std::vector<Overwritten>& tapes, ValueId iteration) {
    auto read = [&](ValueId tape) {
        Type element = type(tape);
        element.shape.erase(element.shape.begin());
        return tape_element(tape, iteration, element);
    };
    for (std::size_t j = tapes.size(); j-- > 0;) {
        std::vector<ValueId> indices;
        for (ValueId tape : tapes[j].indices) indices.push_back(read(tape));
        const ValueId element = read(tapes[j].element);
        state = emit(Scatter{{}, {state}, std::move(indices), {element}, {}, {}}, {type(state)});
    }
    return state;
}

}  // namespace sinter::ad
