// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/slices/nests.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

namespace {

bool is_nest(const Binding& binding) {
    return std::holds_alternative<Vmap>(binding.op) || std::holds_alternative<Rows>(binding.op);
}

/// True if `matches` holds for a binding of the body, or for one nested in it.
template <class Predicate>
bool any_binding(const Body& body, const Predicate& matches) {
    return std::any_of(body.bindings.begin(), body.bindings.end(), [&](const Binding& binding) {
        if (matches(binding)) return true;
        const std::vector<Body>* bodies = bodies_of(binding.op);
        return bodies != nullptr &&
               std::any_of(bodies->begin(), bodies->end(), [&](const Body& nested) { return any_binding(nested, matches); });
    });
}

}  // namespace

bool contains_nest(const Body& body) {
    return any_binding(
        body, [](const Binding& binding) { return is_nest(binding) || std::holds_alternative<Derivative>(binding.op); });
}

bool contains_flat_nest(const Body& body) {
    return any_binding(
        body, [](const Binding& binding) { return is_nest(binding) && !contains_nest((*bodies_of(binding.op))[0]); });
}

}  // namespace sinter::enable
