// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/constant.hpp"

namespace sinter::ir {

std::optional<std::uint64_t> constant_of(const Body& body, ValueId id, std::size_t base) {
    std::size_t level = base + body.params.size();
    for (const Binding& binding : body.bindings) {
        const std::size_t result = id.index - level;  // wraps for a variable that comes before
        level += binding.types.size();
        if (result >= binding.types.size()) continue;
        const Map* map = std::get_if<Map>(&binding.op);
        if (!map || binding.types[result].rank() > 0) return std::nullopt;
        const Block& fn = map->fn.body;
        std::size_t local = fn.params.size();
        for (const Inst& inst : fn.insts) {
            if (inst.op == Op::constant && fn.results[result].index == local) return inst.bits;
            local += inst.types.size();
        }
        return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace sinter::ir
