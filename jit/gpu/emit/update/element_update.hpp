// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The update of an element in the card's memory by one thread, while others may update it as well: by an atomic
/// instruction, or by exchanges that are repeated until no other thread has changed it in between.
#pragma once

#include "jit/gpu/emit/point.hpp"

namespace sinter::gpu {

void emit_element_update(const Point& point, const Inst& inst);

}  // namespace sinter::gpu
