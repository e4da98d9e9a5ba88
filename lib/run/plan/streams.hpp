// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which kernels of a body a card may run at once, as far as variables say: where two take turns in one place of memory,
/// they do so one after another.
#pragma once

#include "run/plan/plan.hpp"

#include <cstddef>
#include <vector>

namespace sinter::runtime {

struct PlanStreams {
    std::vector<std::size_t> of_step;  ///< by step; 0 for those that are no kernels
    std::size_t count = 1;
};

PlanStreams streams_of(const BodyPlan& plan);

}  // namespace sinter::runtime
