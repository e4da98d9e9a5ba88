// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ad/variables.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinter::ad {

using namespace ir;

void for_each_variable(const ArrayOp& op, const std::function<void(ValueId)>& visit) {
    for (ValueId id : operands(op)) visit(id);
    const std::vector<Body>* bodies = bodies_of(op);
    if (bodies == nullptr) return;
    for (const Body& body : *bodies) {
        for (const Binding& binding : body.bindings) for_each_variable(binding.op, visit);
        std::for_each(body.results.begin(), body.results.end(), visit);
    }
}

void refuse_foreign(const Foreign& foreign, location where) {
    if (foreign.rule)
        throw UsageError(fmt::format("derivative: the foreign function {} has a derivative in reverse mode only; wrap its "
                                     "argument in stop_gradient",
                                     foreign.name),
                         where);
    throw UsageError(
        fmt::format("derivative: the foreign function {} has no derivative; wrap its argument in stop_gradient or "
                    "give it derivative(...)",
                    foreign.name),
        where);
}

void refuse_captured(const Custom& custom, location where) {
    throw UsageError(
        fmt::format("{}: the function or its rule uses an array from around it that is differentiated by; make it "
                    "an argument, or wrap it in stop_gradient",
                    name_of(custom)),
        where);
}

std::vector<std::size_t> floating(const std::vector<Type>& types) {
    std::vector<std::size_t> positions;
    for (std::size_t k = 0; k < types.size(); ++k)
        if (detail::is_float(types[k].scalar)) positions.push_back(k);
    return positions;
}

}  // namespace sinter::ad
