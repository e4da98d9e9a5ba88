// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The host backend, with LLVM out of sight.
#pragma once

#include "run/backend.hpp"

#include <memory>

namespace sinter::host {

struct Options {
    int vector_bits = 0;  ///< width of registers to compile for (128, 256, 512); 0: what this machine has
};

/// A backend for the machine on which this process runs. Thread-safe; it and its kernels may live until the process ends.
std::unique_ptr<runtime::Backend> make_host_backend(const Options& options = {});

}  // namespace sinter::host
