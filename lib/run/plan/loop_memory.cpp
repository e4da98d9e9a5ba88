// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/plan/loop_memory.hpp"

#include <algorithm>
#include <utility>

namespace sinter::runtime {

using ir::Inst;
using ir::Local;
using ir::Op;
using ir::Scalar;
using lower::Place;

bool LoopMemory::is_output(const Place& place) const {
    const auto* buffer = std::get_if<std::size_t>(&place);
    return buffer && kernel_.buffers[*buffer].output;
}

bool LoopMemory::is_writable(const Place& place) const {
    const auto* buffer = std::get_if<std::size_t>(&place);
    return buffer && (kernel_.buffers[*buffer].output || kernel_.buffers[*buffer].local);
}

Place LoopMemory::own(const ir::Type& type, LoopScope& scope) {
    kernel_.buffers.push_back({type.scalar, false, sizes_.most_elements(type, scope), {}, true});
    return kernel_.buffers.size() - 1;
}

Place LoopMemory::copied(const Place& place, const ir::Type& type, LoopScope& scope) {
    const std::size_t* from = std::get_if<std::size_t>(&place);
    if (!from) throw Impossible();
    const Place to = own(type, scope);
    copy(*from, std::get<std::size_t>(to), type, scope);
    return to;
}

void LoopMemory::settle(const std::vector<Place>& next, const std::vector<Place>& states, std::span<const ir::Type> types,
                        LoopScope& scope) {
    const auto contains = [](const std::vector<Place>& places, const Place& place) {
        return std::find(places.begin(), places.end(), place) != places.end();
    };
    for (std::size_t k = 0; k < next.size(); ++k) {
        const bool is_number = std::holds_alternative<Local>(states[k]);
        if (is_number != std::holds_alternative<Local>(next[k])) throw Impossible();
        if (is_number || next[k] == states[k]) continue;
        if (contains(states, next[k]) || contains(next, states[k])) throw Impossible();  // one overwrites the other
        copy(std::get<std::size_t>(next[k]), std::get<std::size_t>(states[k]), types[k], scope);
    }
}

void LoopMemory::copy(std::size_t from, std::size_t to, const ir::Type& type, LoopScope& scope) {
    Local count = to_.index(1);
    for (ir::SizeId id : type.shape) count = sizes_.compute(ir::Size::Kind::mul, count, sizes_.size(id, scope));
    const Local at = to_.open({Scalar::i64})[0];
    const Local value = to_.append({Op::load, {type.scalar}, from, {at}, {}});
    to_.append({Op::store, {}, to, {at, value}, {}});
    lower::Block element = to_.close({});
    to_.append({Op::for_each, {}, 1, {count}, {std::move(element)}});
}

}  // namespace sinter::runtime
