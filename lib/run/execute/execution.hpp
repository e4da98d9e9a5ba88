// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One execution of a plan: its steps, one after another. What the steps share is in context.hpp, launches are in
/// launcher.hpp, sorts and foreign functions in host_steps.hpp, loops in loops.hpp.
#pragma once

#include "run/execute/context.hpp"
#include "run/execute/launcher.hpp"

#include <vector>

namespace sinter::runtime {

class Execution {
  public:
    Execution(const Plan& plan, const Call& call) : context_(plan, call), launcher_(context_) {}
    Execution(const Execution&) = delete;
    Execution& operator=(const Execution&) = delete;

    std::vector<Array> run() const;
    /// Executes the steps of a body on variables of the frame.
    void run_steps(const BodyPlan& plan, Frame& frame) const;
    void run_step(const Step& step, const BodyPlan& plan, Frame& frame) const;

    /// Launches the kernel of a step, and takes no memory of variables that nothing reads afterwards.
    void launch(const KernelStep& step, const BodyPlan& plan, Frame& frame) const {
        launcher_.launch(step, {}, plan, frame);
    }

    const Context& context() const { return context_; }

  private:
    /// When it is known how ranks share the launches.
    std::vector<Array> run_placed() const;
    /// Input k, where kernels can reach it.
    Slot resident(BufferRef owner, std::size_t k) const;
    /// For steps that read all of these variables.
    void gather(const std::vector<ValueId>& args, Frame& frame) const;
    void branch(const CondStep& step, Frame& frame) const;
    Array result(ValueId id, const Frame& frame) const;

    Context context_;
    Launcher launcher_;
};

}  // namespace sinter::runtime
