// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Launches that ranks share (place/share.hpp).
#pragma once

#include "run/execute/launcher.hpp"
#include "run/ranks/ahead/placement.hpp"
#include "run/ranks/job/meeting.hpp"

#include <memory>

namespace sinter::runtime {

/// What an execution knows of its ranks; there is none if the process is alone.
struct Sharing {
    bool used = false;     ///< a launch was shared, or an array that is in blocks was read
    bool settled = false;  ///< the ranks have met, and nothing since then could fail on one of them alone
    std::shared_ptr<const Placement> placement;
};

/// Chooses how the launches of an execution that begins are shared. Returns the plan to execute instead of this one, which
/// has the same results; null if it is this one.
std::shared_ptr<const Plan> place_launches(const Plan& plan, const Call& call);

/// True if an execution of this plan on this thread may share launches with other ranks.
bool may_share(const Plan& plan);

/// Before something that others can see: whether all launches so far went well on all ranks.
void settle(const Call& call);
/// Inside a catch handler: throws the error in flight, or the one that comes before it on other ranks.
[[noreturn]] void fail_run(const Call& call);

/// Executes f, which may share launches of this call with other ranks: if it fails on one rank, all throw the same error.
template <class F>
auto run_together(const Call& call, F f) {
    if (!call.sharing) return f();
    const Places places(call.where, call.sites);
    forget_error();
    try {
        auto results = f();
        settle(call);
        return results;
    } catch (...) {
        fail_run(call);
    }
}

/// Makes the launch together with the other ranks, which do the same: results become variables of the frame. Returns false
/// if every rank has to make all of it. `sizes`: the kernel's. Throws what launches throw, on all ranks alike, and
/// UsageError, DeviceError.
bool launch_shared(const Context& context, const KernelStep& step, const BodyPlan& plan, Frame& frame, const Numbers& sizes);

/// Gathers variables that are in blocks, for steps that read all of them.
void gather_variables(const Context& context, const std::vector<ValueId>& ids, Frame& frame);

/// True if a launch of the body, or of one in it, is or may be shared.
bool shares_launches(const Context& context, const BodyPlan& body);

}  // namespace sinter::runtime
