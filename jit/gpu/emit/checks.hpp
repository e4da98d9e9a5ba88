// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checks: a failed check is recorded (device/failure.hpp), and the thread continues with a harmless value, because others
/// may wait for it.
#pragma once

#include "jit/gpu/emit/point.hpp"

namespace sinter::gpu {

/// The index, or 0 if it fails.
Value emit_check_index(const Point& point, const Inst& inst);
/// The divisor, or 1 if it fails.
Value emit_check_divisor(const Point& point, const Inst& inst);
Value emit_expect(const Point& point, const Inst& inst);

}  // namespace sinter::gpu
