// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where the time goes: kernels launched and stages of compilation.
#pragma once

#include <sinter/detail/export.hpp>
#include <sinter/error.hpp>

#include <string>
#include <string_view>

namespace sinter::profile {

/// Records from now on, on all threads, and forgets what was recorded before. `trace` is a file that stop() writes, for
/// chrome://tracing and Perfetto; empty: none. UsageError if it cannot be written.
SINTER_API void start(std::string_view trace = {}, location where = location::current());

/// Ends the recording, writes the trace, and returns a table: kernels with calls, milliseconds, GB/s and the percentage of
/// the bandwidth of copying memory; stages of compilation. Bytes are those of all arrays that a kernel takes and makes.
SINTER_API std::string stop();

}  // namespace sinter::profile
