// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Executes cascades (cascade.hpp) where they pay.
#pragma once

#include "run/execute/cascade/cascade.hpp"
#include "run/execute/execution.hpp"

#include <cstddef>
#include <memory>

namespace sinter::runtime {

/// The cascades of one execution of a body, which goes through its steps in order.
class CascadesOfBody {
  public:
    CascadesOfBody(const Execution& execution, const BodyPlan& plan, Frame& frame);

    /// Executes the cascade that begins at this position, if there is one. Returns the number of steps that it consists of;
    /// 0 if nothing was done, or nothing that anybody can see.
    std::size_t run(std::size_t position);

  private:
    const Execution& execution_;
    const BodyPlan& plan_;
    Frame& frame_;
    std::size_t next_ = 0;                      ///< the next run of launches
    std::shared_ptr<const Cascades> cascades_;  ///< of the one before it
};

/// Whether a body, or one inside of it, has cascades whatever its iterations compute: then it is executed step by step.
bool always_has_cascades(const Context& context, const BodyPlan& body);

/// Whether a call of a plan all of whose extents are known has any.
bool has_cascades(const Plan& plan, const Call& call);

}  // namespace sinter::runtime
