// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Measured properties of this machine: numbers by name, kept in a file beside the entries of the disk cache.
#pragma once

#include <map>
#include <string>

namespace sinter::runtime {

using Calibration = std::map<std::string, double>;

/// Bytes per second, read and written, of a copy that no cache holds.
inline constexpr const char* memory_copy = "copy memory GB/s";

/// Microseconds within a call that a kernel takes which does nothing.
inline constexpr const char* kernel_launch = "launch us";

/// What has been measured for this processor and number of threads; empty if nothing has.
Calibration load_calibration();
/// The result of the first load_calibration() in this process.
const Calibration& calibration();
/// False if it cannot be written.
bool store_calibration(const Calibration& calibration);

/// Bytes per second of a copy in memory: as calibrated, or else measured now, once per process (some 50 ms).
double copy_bandwidth();
/// The cost of starting a kernel on the host, in bytes that could have been copied in the same time: as calibrated, or else
/// the usual value.
double launch_bytes();

}  // namespace sinter::runtime
