// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/plan/launch_runs.hpp"

#include "ir/sizes/size_parts.hpp"
#include "run/execute/cascade/cascade.hpp"
#include "run/parts.hpp"
#include "run/plan/plan.hpp"
#include "run/plan/uses.hpp"

#include <algorithm>
#include <variant>

namespace sinter::runtime {

using ir::ValueId;

namespace {

class LaunchRunFinder {
  public:
    LaunchRunFinder(const ir::SizeTable& sizes, const BodyPlan& plan) : sizes_(sizes), plan_(plan) {}

    std::vector<LaunchRun> run() {
        for (std::size_t k = 0; k < plan_.steps.size(); ++k) {
            if (!continues(k)) finish(k);
            const auto* step = std::get_if<KernelStep>(&plan_.steps[k].action);
            if (step && can_be_in_run(*step))
                made_.insert(made_.end(), step->outputs.begin(), step->outputs.end());
            else
                finish(k), first_ = k + 1;
        }
        finish(plan_.steps.size());
        return std::move(found_);
    }

  private:
    static bool contains(const std::vector<ValueId>& ids, ValueId id) {
        return std::find(ids.begin(), ids.end(), id) != ids.end();
    }

    /// Whether nothing that decides about the step is computed in the run before it.
    bool continues(std::size_t k) const {
        const Step& step = plan_.steps[k];
        const auto* launch = std::get_if<KernelStep>(&step.action);
        if (!launch || !step.guards.empty()) return false;
        bool known = true;
        for_each_size_of(*launch, plan_, [&](ir::SizeId id) {
            ir::for_each_value(sizes_, id, [&](ValueId value) { known = known && !contains(made_, value); });
        });
        return known;
    }

    /// Extents of what it makes must not be results of its own.
    bool can_be_in_run(const KernelStep& step) const {
        auto is_own = [&](ValueId id) {
            const ir::Shape& shape = plan_.types[id.index].shape;
            return std::any_of(shape.begin(), shape.end(), [&](ir::SizeId size) {
                bool own = false;
                ir::for_each_value(sizes_, size, [&](ValueId value) { own = own || contains(step.outputs, value); });
                return own;
            });
        };
        return !step.needs_only_memory && !step.loop && dynamic_cast<const LaunchedInParts*>(step.kernel->code.get()) &&
               std::none_of(step.outputs.begin(), step.outputs.end(), is_own);
    }

    /// The run ends before step `end`; the next one begins there.
    void finish(std::size_t end) {
        std::vector<ValueId> inner;
        for (std::size_t k = first_; k < end; ++k)
            for (ValueId id : plan_.steps[k].dying)
                if (contains(made_, id) && plan_.types[id.index].rank() > 0) inner.push_back(id);
        if (!inner.empty()) found_.push_back({first_, end - 1, std::move(inner), std::make_shared<KnownCascades>()});
        made_.clear();
        first_ = end;
    }

    const ir::SizeTable& sizes_;
    const BodyPlan& plan_;
    std::vector<LaunchRun> found_;
    std::size_t first_ = 0;
    std::vector<ValueId> made_;
};

}  // namespace

std::vector<LaunchRun> launch_runs(const ir::SizeTable& sizes, const BodyPlan& plan) {
    return LaunchRunFinder(sizes, plan).run();
}

}  // namespace sinter::runtime
