// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The host backend, without LLVM in sight.
#pragma once

#include "run/backend.hpp"

#include <memory>

namespace sinter::host {

struct Options {
    int vector_bits = 0;  ///< register width to compile for (0, 128, 256, 512); 0: what this machine has
};

/// A backend for the machine this process runs on. Thread-safe; it and its kernels may live until the process ends.
std::unique_ptr<runtime::Backend> make_host_backend(const Options& options = {});

}  // namespace sinter::host
