// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opt/size_walk.hpp"

namespace sinter::opt {

using namespace ir;

void SizeWalk::body(Body& body) {
    types_.insert(types_.end(), body.params.begin(), body.params.end());
    for (Binding& binding : body.bindings) {
        if (auto* nested = bodies_of(binding.op))
            bodies(binding, *nested);
        else
            pass(binding, types_.size());
        const std::size_t level = types_.size();
        types_.insert(types_.end(), binding.types.begin(), binding.types.end());
        forms_.define(binding, level);
    }
}

void SizeWalk::bodies(Binding& binding, std::vector<Body>& nested) {
    enter(binding);
    const std::size_t level = types_.size();
    const auto* loop = std::get_if<Loop>(&binding.op);
    for (Body& each : nested) {
        if (loop && loop->count) bounds_.count(ValueId(level), *loop->count);
        body(each);
        leave(binding, each, level);
        if (loop && loop->count) bounds_.forget(ValueId(level));
        types_.resize(level);
        forms_.forget(level);
    }
}

}  // namespace sinter::opt
