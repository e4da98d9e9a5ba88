// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The emulated gpu, which counts what is asked of it.
#pragma once

namespace counting {

inline int waits = 0;     ///< of the host for the device
inline int launches = 0;  ///< of kernels, one by one

inline constexpr int device = 1000;  ///< its number among the gpus, once it is registered
void register_device();

}  // namespace counting
