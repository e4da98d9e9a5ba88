// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The commands of the tool. Each prints, and returns the exit status.
#pragma once

namespace tool {

int cache_list();
int cache_size();
int cache_clear();
/// What the library finds on this machine, and what the environment tells it.
int doctor();
/// Measures the machine and keeps the numbers beside the cache.
int calibrate();

}  // namespace tool
