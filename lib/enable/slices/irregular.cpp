// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/slices/irregular.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

bool Irregular::varies(const Type& type) const {
    return std::any_of(type.shape.begin(), type.shape.end(), [&](SizeId extent) { return flags_(extent); });
}

bool Irregular::body(const Body& body, const Flags& params, std::size_t level) {
    flags_.set(level, params);
    level += params.size();
    for (const Binding& each : body.bindings) {
        const Flags results = flags_.results(each, level);
        if (binding(each, results, level)) return true;
        flags_.set(level, results);
        level += results.size();
    }
    return false;
}

bool Irregular::binding(const Binding& binding, const Flags& results, std::size_t level) {
    if (std::any_of(binding.types.begin(), binding.types.end(), [&](const Type& type) { return varies(type); })) return true;
    if (std::holds_alternative<Compact>(binding.op) || std::holds_alternative<Foreign>(binding.op)) return any(results);
    if (const auto* scatter = std::get_if<Scatter>(&binding.op); scatter && scatter->op)
        return any(flags_(scatter->captures.scalars)) || any(flags_(scatter->captures.arrays));
    if (const auto* each = std::get_if<Loop>(&binding.op)) return loop(*each, results, level);
    if (const auto* cond = std::get_if<Cond>(&binding.op))
        return std::any_of(cond->bodies.begin(), cond->bodies.end(),
                           [&](const Body& side) { return body(side, {}, level); });
    return false;
}

bool Irregular::loop(const Loop& loop, const Flags& results, std::size_t level) {
    if (!loop.changing.empty() && any(results)) return true;
    Flags params(loop.indices(), false);
    params.insert(params.end(), results.begin(), results.end());
    return std::any_of(loop.bodies.begin(), loop.bodies.end(), [&](const Body& each) { return body(each, params, level); });
}

}  // namespace sinter::enable
