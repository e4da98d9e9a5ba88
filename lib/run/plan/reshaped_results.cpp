// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/plan/reshaped_results.hpp"

#include "opt/uses.hpp"

#include <algorithm>

namespace sinter::runtime {

ir::Program name_reshaped_results(ir::Program program) {
    const opt::UseCounts uses = opt::use_counts(program);
    ir::Body& body = program.body;
    std::size_t level = body.params.size();
    for (ir::Binding& binding : body.bindings) {
        const ir::ValueId id(level);
        level += binding.types.size();
        const auto* const view = std::get_if<ir::View>(&binding.op);
        if (!view || !std::holds_alternative<ir::Reshape>(view->function)) continue;
        const auto as_result = static_cast<std::size_t>(std::count(body.results.begin(), body.results.end(), id));
        if (as_result == 0 || uses.at(&binding)[0] != as_result) continue;
        binding.op = ir::Force{{view->arg}};
    }
    return program;
}

}  // namespace sinter::runtime
