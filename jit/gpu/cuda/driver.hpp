// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The CUDA driver, which is looked up when the program runs: nothing of it is needed to build, and nothing else is needed
/// to run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sinter/error.hpp>
#include <string>

namespace sinter::gpu::cuda {

using DeviceId = int;
using Address = std::uint64_t;
struct Context;
struct Stream;
struct Event;
struct Module;
struct Link;
struct Function;
struct Graph;
struct GraphExec;

// Constants of the driver's interface.
inline constexpr int success = 0, invalid_value = 1, out_of_memory = 2;
inline constexpr int attribute_multiprocessors = 16, attribute_threads_each = 39, attribute_major = 75, attribute_minor = 76,
                     attribute_memory_pools = 115;
inline constexpr int function_shared_bytes = 1, function_local_bytes = 3, function_registers = 4;
inline constexpr int option_error_log = 5, option_error_log_bytes = 6;
inline constexpr int input_ptx = 1;
inline constexpr int capture_of_thread = 1;
inline constexpr unsigned stream_non_blocking = 1, event_without_time = 2;

/// The driver's functions. All return an error number, which require() turns into a DeviceError.
class Driver {
  public:
    /// The driver of the process, initialised. Throws a DeviceError that says what is missing.
    static const Driver& get();

#define SINTER_CUDA(name, symbol, parameters) int(*name) parameters = nullptr;
#include "jit/gpu/cuda/driver.def"

    /// The version of the interface: 1000 * major + 10 * minor.
    int version() const { return version_; }
    /// What a call concerned, for the message.
    struct Subject {
        int device = -1;  ///< the number of the card; below 0 if it is none in particular
        std::string kernel = {}, log = {};
    };
    /// Throws DeviceError if `error` is one: with the driver's own words, the call, the card, and the kernel if there is
    /// one.
    void require(int error, const char* call) const { require(error, call, {}); }
    void require(int error, const char* call, const Subject& subject) const;

  private:
    Driver();
    int version_ = 0;
};

/// True if an error leaves the context unusable.
bool is_sticky(int error);

}  // namespace sinter::gpu::cuda
