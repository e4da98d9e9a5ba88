// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the forward sweep keeps of operations, and branches: a branch becomes a branch whose sides compute what they need
// again.
#include "ad/reverse/reverse.hpp"
#include "ad/variables.hpp"

#include <algorithm>
#include <utility>

namespace sinter::ad {

using namespace ir;

bool Reverse::record(Binding& binding, Record& record) {
    bool varied = false;
    for (std::size_t k = 0; k < binding.types.size(); ++k) varied = varied || varied_(ValueId(old_level() + k));
    if (!varied) return true;
    at(binding.site);
    if (auto* loop = std::get_if<Loop>(&binding.op)) {
        rename_types(binding);
        return record_loop(*loop, record, std::move(binding.types));
    }
    if (auto* map = std::get_if<Map>(&binding.op)) return record_map(*map, record, renamed(binding.types));
    if (auto* sort = std::get_if<Sort>(&binding.op)) return record_sort(*sort, record, renamed(binding.types));
    if (auto* scatter = std::get_if<Scatter>(&binding.op)) return record_scatter(*scatter, record, renamed(binding.types));
    if (auto* custom = std::get_if<Custom>(&binding.op))
        if (custom->kind != Custom::Kind::checkpoint && !outside(binding.op).empty())
            refuse_captured(*custom, where(binding.site));
    if (auto* foreign = std::get_if<Foreign>(&binding.op); foreign && !foreign->rule)
        refuse_foreign(*foreign, where(binding.site));
    return true;
}

void Reverse::pull_cond(const Cond& cond, const Done& done) {
    const std::vector<ValueId> outer = outside(done.binding.op);
    if (outer.empty()) return;
    const SiteId place = site();
    const std::size_t level = old_level();
    Cond made{rename(cond.condition), {}};
    std::vector<Type> types;
    for (ValueId id : outer) types.push_back(type(rename(id)));
    const std::vector<Adjoint> saved = adjoints_;
    for (const Body& side : cond.bodies) {
        Nest nest;
        enter(nest);
        traverse(side, done.adjoints);
        at(place);
        std::vector<ValueId> results;
        for (std::size_t k = 0; k < outer.size(); ++k) results.push_back(or_zeros(adjoint(outer[k]), types[k]));
        made.bodies.push_back(leave(nest, std::move(results)));
        adjoints_ = saved;
        varied_.set(level, {});
        infinite_.set(level, {});
    }
    const ValueId first = emit(std::move(made), std::move(types));
    for (std::size_t k = 0; k < outer.size(); ++k) adjoint(outer[k]) = ValueId(first.index + k);
}

}  // namespace sinter::ad
