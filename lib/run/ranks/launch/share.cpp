// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/ranks/launch/share.hpp"

#include "run/messages.hpp"
#include "run/ranks/ahead/describe.hpp"
#include "run/ranks/ahead/placements.hpp"
#include "run/ranks/job/job.hpp"
#include "run/ranks/job/meeting.hpp"
#include "run/ranks/launch/shared_launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

namespace sinter::runtime {

bool may_share(const Plan& plan) { return job() && plan.backend->immediate() && speaks(); }

std::shared_ptr<const Plan> place_launches(const Plan& plan, const Call& call) {
    Placed placed = plan.placements->find(plan, call);
    call.sharing->placement = std::move(placed.placement);
    return std::move(placed.plan);
}

namespace {

bool is_memory_error(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const MemoryError&) {
        return true;
    } catch (const std::bad_alloc&) {
        return true;
    } catch (...) {
        return false;
    }
}

}  // namespace

void settle(const Call& call) {
    if (call.sharing && call.sharing->used && !call.sharing->settled) meet("run", 0, call.where);
}

/// What all ranks compute fails on all of them alike; only memory may be missing on one of them.
void fail_run(const Call& call) {
    if (!call.sharing->used && !is_memory_error(std::current_exception())) throw;
    fail_together(call.where);
}

bool launch_shared(const Context& context, const KernelStep& step, const BodyPlan& plan, Frame& frame,
                   const Numbers& sizes) try {
    return SharedLaunch(context, step, plan, frame, sizes).run();
} catch (const std::bad_alloc&) {
    throw MemoryError(fmt::format("cannot allocate what {} needs while it runs", step.kernel->kernel.name),
                      context.call.where);
}

void gather_variables(const Context& context, const std::vector<ValueId>& ids, Frame& frame) {
    for (ValueId id : ids) {
        Slot& slot = frame.find(id);
        if (!spread(slot.owner)) continue;
        context.call.sharing->used = true;
        try {
            slot.owner = slot.owner->fetch();
        } catch (const std::bad_alloc&) {  // on all ranks
            throw MemoryError("no room for the rows of other ranks", context.call.where);
        }
        slot.data = slot.owner->data;
    }
}

bool shares_launches(const Context& context, const BodyPlan& body) {
    auto shares = [&](const KernelStep& step) {
        const place::Wish* wish = context.call.sharing->placement->wish(step);
        return wish && wish->way != place::Way::whole;
    };
    return std::any_of(body.steps.begin(), body.steps.end(), [&](const Step& step) {
        if (const auto* kernel = std::get_if<KernelStep>(&step.action)) return shares(*kernel);
        if (const auto* cond = std::get_if<CondStep>(&step.action))
            return shares_launches(context, *cond->then) || shares_launches(context, *cond->otherwise);
        if (const auto* loop = std::get_if<LoopStep>(&step.action)) return shares_launches(context, *loop->body);
        return false;
    });
}

}  // namespace sinter::runtime
