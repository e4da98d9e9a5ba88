// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The update of an element in the card's memory by a thread, while others may update it too: by an atomic instruction, or
/// by exchanges until nobody has changed it in between.
#pragma once

#include "jit/gpu/emit/point.hpp"

namespace sinter::gpu {

void emit_element_update(const Point& point, const Inst& inst);

}  // namespace sinter::gpu
