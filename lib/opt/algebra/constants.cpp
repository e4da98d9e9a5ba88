// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opt/algebra/constants.hpp"

namespace sinter::opt {

using namespace ir;

void Constants::note(const Binding& binding, std::size_t level) {
    const Map* map = std::get_if<Map>(&binding.op);
    if (map == nullptr || binding.types[0].rank() != 0) return;
    const Block& body = map->fn.body;
    std::vector<const Inst*> definitions(body.params.size());
    for (const Inst& inst : body.insts) definitions.insert(definitions.end(), inst.types.size(), &inst);
    for (std::size_t i = 0; i < body.results.size(); ++i) {
        const Inst* inst = definitions[body.results[i].index];
        if (inst == nullptr || inst->op != Op::constant) continue;
        ValueId id(level - binding.types.size() + i);
        bits_[id] = inst->bits;
        noted_.push_back(id);
    }
}

std::optional<std::uint64_t> Constants::find(ValueId id) const {
    auto found = bits_.find(id);
    return found == bits_.end() ? std::nullopt : std::optional(found->second);
}

void Constants::forget_from(std::size_t level) {
    for (; !noted_.empty() && noted_.back().index >= level; noted_.pop_back()) bits_.erase(noted_.back());
}

}  // namespace sinter::opt
