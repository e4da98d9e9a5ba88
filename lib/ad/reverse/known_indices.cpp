// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ad/reverse/known_indices.hpp"

#include <algorithm>

namespace sinter::ad {

using namespace ir;

namespace {

/// What result `result` of a map without arguments is, which has `rank` indices as its parameters.
std::optional<KnownIndex> index_made(const Block& body, std::size_t rank, Local result) {
    if (result.index < rank) return AlongAxis{result.index};
    std::size_t level = body.params.size();
    for (const Inst& inst : body.insts) {
        if (level == result.index && inst.op == Op::constant && inst.type() == Scalar::i64)
            return static_cast<std::int64_t>(inst.bits);
        level += inst.types.size();
    }
    return std::nullopt;
}

}  // namespace

void KnownIndices::see(const Binding& binding, std::size_t level) {
    forget(level);
    auto define = [&](std::size_t k, std::optional<KnownIndex> index) {
        if (!index) return;
        known_.resize(level + k);
        known_.push_back(index);
    };
    if (const auto* map = std::get_if<Map>(&binding.op)) {
        if (!map->args.empty()) return;
        const std::size_t rank = map->indexed ? binding.types[0].rank() : 0;
        for (std::size_t k = 0; k < binding.types.size(); ++k)
            define(k, index_made(map->fn.body, rank, map->fn.body.results[k]));
    }
    if (const auto* view = std::get_if<View>(&binding.op)) {
        const auto* broadcast = std::get_if<Broadcast>(&view->function);
        std::optional<KnownIndex> index = broadcast ? find(view->arg) : std::nullopt;
        if (!index) return;
        if (auto* along = std::get_if<AlongAxis>(&*index)) along->axis = broadcast->axes[along->axis];
        define(0, index);
    }
}

void KnownIndices::forget(std::size_t level) {
    if (known_.size() > level) known_.resize(level);
}

std::optional<KnownIndex> KnownIndices::find(ValueId id) const {
    return id.index < known_.size() ? known_[id.index] : std::nullopt;
}

}  // namespace sinter::ad
