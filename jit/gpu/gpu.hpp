// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The gpu backend, without LLVM in sight.
#pragma once

#include "run/backend.hpp"

#include <memory>

namespace sinter::gpu {

/// A backend for card `number`, and `host` for what it leaves to the host. Throws DeviceError where there is no driver or no
/// such card. Thread-safe.
std::unique_ptr<runtime::Backend> make_gpu_backend(int number, runtime::HostBackend host);

/// The same kernels, executed by the host: for tests on machines without a card.
std::unique_ptr<runtime::Backend> make_emulated_backend(runtime::HostBackend host);

}  // namespace sinter::gpu
