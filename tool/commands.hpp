// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The commands of the tool. Each writes to standard output, as text or as JSON, and returns the exit status.
#pragma once

namespace tool {

enum class Format { text, json };

int cache_list(Format format);
int cache_size(Format format);
int cache_clear();
/// What the library finds on this machine, and what the environment tells it.
int doctor(Format format);
/// Measures the machine and keeps the numbers next to the cache.
int calibrate(Format format);

}  // namespace tool
