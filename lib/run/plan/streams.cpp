// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As the launches of a card are placed by addresses, so are the steps here, with an address for each variable. Steps that
// are no kernels wait for all kernels before them.
#include "run/plan/streams.hpp"

#include "schedule/card/branches.hpp"
#include "schedule/card/tuning.hpp"

#include <algorithm>
#include <optional>

namespace sinter::runtime {

namespace {

using schedule::card::Brancher, schedule::card::MemoryAccess;
using namespace schedule::card::tuning;

class Walk {
  public:
    explicit Walk(const BodyPlan& plan) : plan_(plan), places_(plan.types.size()) {
        for (std::size_t k = 0; k < places_.size(); ++k) places_[k] = k;
    }

    PlanStreams operator()() {
        PlanStreams result{std::vector<std::size_t>(plan_.steps.size(), 0), 1};
        if (plan_.steps.size() > most_branched) return result;
        std::optional<Brancher> brancher;
        for (std::size_t k = 0; k < plan_.steps.size(); ++k) {
            const Step& step = plan_.steps[k];
            const auto* kernel = std::get_if<KernelStep>(&step.action);
            if (const auto* alias = std::get_if<AliasStep>(&step.action)) {
                for (std::size_t n = 0; n < alias->from.size(); ++n)
                    places_[alias->to.index + n] = places_[alias->from[n].index];
            } else if (!kernel) {
                brancher.reset();
            } else {
                if (!brancher) brancher.emplace(most_streams);
                result.of_step[k] = brancher->place(touched(*kernel)).stream;
                result.count = std::max(result.count, result.of_step[k] + 1);
            }
        }
        return result;
    }

  private:
    MemoryAccess access(ir::ValueId id, bool writes) const {
        return {reinterpret_cast<const std::byte*>(places_[id.index] + 1), 1, writes};
    }

    /// What is updated in place is written where it was.
    std::vector<MemoryAccess> touched(const KernelStep& step) {
        std::vector<MemoryAccess> result;
        for (ir::ValueId id : step.inputs) result.push_back(access(id, false));
        for (std::size_t k = 0; k < step.outputs.size(); ++k) {
            const auto& dest = step.kernel->kernel.buffers[step.inputs.size() + k].dest;
            if (dest) places_[step.outputs[k].index] = places_[step.inputs[*dest].index];
            result.push_back(access(step.outputs[k], true));
        }
        return result;
    }

    const BodyPlan& plan_;
    std::vector<std::size_t> places_;  ///< by variable
};

}  // namespace

PlanStreams streams_of(const BodyPlan& plan) { return Walk(plan)(); }

}  // namespace sinter::runtime
