// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/plan/reshaped_results.hpp"

#include "opt/uses.hpp"

#include <algorithm>

namespace sinter::runtime {

namespace {

/// For each variable of the outermost body: true for numbers, and for maps and views of these, of what is in memory before,
/// and of each other. A kernel computes these in any shape that a reshape gives them.
std::vector<bool> pointwise(const ir::Body& body) {
    std::vector<bool> result(body.params.size(), true);
    for (ir::Binding binding : body.bindings) {
        bool is = std::holds_alternative<ir::Map>(binding.op) || std::holds_alternative<ir::View>(binding.op);
        ir::for_each_operand(binding.op, [&](ir::ValueId id) { is = is && result[id.index]; });
        for (const ir::Type& type : binding.types) result.push_back(is || type.rank() == 0);
    }
    return result;
}

}  // namespace

ir::Program name_reshaped_results(ir::Program program) {
    const opt::UseCounts uses = opt::use_counts(program);
    ir::Body& body = program.body;
    const std::vector<bool> is_pointwise = pointwise(body);
    std::size_t level = body.params.size();
    for (ir::Binding& binding : body.bindings) {
        const ir::ValueId id(level);
        level += binding.types.size();
        const auto* const view = std::get_if<ir::View>(&binding.op);
        if (!view || !std::holds_alternative<ir::Reshape>(view->function)) continue;
        const auto as_result = static_cast<std::size_t>(std::count(body.results.begin(), body.results.end(), id));
        const bool is_computed = view->arg.index >= body.params.size() && is_pointwise[view->arg.index];
        if (is_computed || as_result == 0 || uses.at(&binding)[0] != as_result) continue;
        binding.op = ir::Force{{view->arg}};
    }
    return program;
}

}  // namespace sinter::runtime
