// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/plan/uses.hpp"

#include "support/match.hpp"

#include <algorithm>
#include <iterator>

namespace sinter::runtime {

using ir::ValueId;

void add_uses(const BodyPlan& body, std::vector<ValueId>& uses) {
    std::vector<ValueId> inner = body.results;
    for (const Step& step : body.steps) add_uses(step, inner);
    std::copy_if(inner.begin(), inner.end(), std::back_inserter(uses), [&](ValueId id) { return id.index < body.base; });
}

void add_uses(const Step& step, std::vector<ValueId>& uses) {
    auto add = [&](const std::vector<ValueId>& values) { uses.insert(uses.end(), values.begin(), values.end()); };
    match(
        step.action, [&](const KernelStep& s) { add(s.inputs); }, [&](const AliasStep& s) { add(s.from); },
        [&](const SortStep& s) { add(s.args); }, [&](const ForeignStep& s) { add(s.args); },
        [&](const CondStep& s) {
            uses.push_back(s.condition);
            add_uses(*s.then, uses);
            add_uses(*s.otherwise, uses);
        },
        [&](const LoopStep& s) {
            if (s.count) uses.push_back(*s.count);
            add(s.inits);
            if (s.condition) add_uses(*s.condition, uses);
            add_uses(*s.body, uses);
        });
}

std::vector<std::vector<ValueId>> dying_in(const BodyPlan& plan, std::vector<ValueId> given) {
    auto contains = [](const std::vector<ValueId>& ids, ValueId id) {
        return std::find(ids.begin(), ids.end(), id) != ids.end();
    };
    std::erase_if(given, [&](ValueId id) { return contains(plan.results, id); });
    std::vector<std::vector<ValueId>> dying(plan.steps.size());
    for (std::size_t k = plan.steps.size(); k-- > 0;) {
        dying[k] = plan.steps[k].dying;
        std::vector<ValueId> uses;
        if (!given.empty()) add_uses(plan.steps[k], uses);
        std::erase_if(given, [&](ValueId id) {
            const bool used = contains(uses, id);
            if (used) dying[k].push_back(id);
            return used;
        });
    }
    return dying;
}

}  // namespace sinter::runtime
