// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The host backend, with LLVM out of sight.
#pragma once

#include "jit/generator/generator.hpp"
#include "run/backend.hpp"

#include <memory>
#include <optional>

namespace sinter::host {

struct Options {
    int vector_bits = 0;  ///< width of registers to compile for (128, 256, 512); 0: what this machine has
    std::optional<codegen::Effort> effort = {};  ///< that goes into all code; nothing: quick code first, better code later
};

/// A backend for the machine on which this process runs. Thread-safe; it and its kernels may live until the process ends.
std::unique_ptr<runtime::Backend> make_host_backend(const Options& options = {});

}  // namespace sinter::host
