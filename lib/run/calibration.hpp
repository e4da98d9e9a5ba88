// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What this machine can do, as measured: numbers by name, kept in a file beside the disk cache's entries.
#pragma once

#include <map>
#include <string>

namespace sinter::runtime {

using Calibration = std::map<std::string, double>;

/// Bytes a second, read and written, of copying what no cache holds.
inline constexpr const char* memory_copy = "copy memory GB/s";

/// Microseconds a kernel takes that does nothing, within a call.
inline constexpr const char* kernel_launch = "launch us";

/// What has been measured for this processor and number of threads; empty if nothing has.
Calibration load_calibration();
/// What load_calibration() gave when it was first asked for.
const Calibration& calibration();
/// False if it cannot be written.
bool store_calibration(const Calibration& calibration);

/// Bytes a second of a copy in memory: as calibrated, else measured now, once a process (some 50 ms).
double copy_bandwidth();
/// What starting a kernel on the host costs, in bytes that could have been copied meanwhile: as calibrated, else what is
/// usual.
double launch_bytes();

}  // namespace sinter::runtime
