// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The GPU backend, with LLVM out of sight.
#pragma once

#include "run/backend.hpp"

#include <memory>
#include <vector>

namespace sinter::gpu {

/// A backend for card `number`; `host` is used for what it leaves to the host. Throws DeviceError if there is no driver or
/// no such card. Thread-safe.
std::unique_ptr<runtime::Backend> make_gpu_backend(int number, runtime::HostBackend host);

/// A backend for several cards that share launches; they are backends of these functions, of one kind, and outlive it.
/// Throws DeviceError if they cannot.
std::unique_ptr<runtime::Backend> make_cards_backend(const std::vector<runtime::Backend*>& cards);

/// The same kernels executed by the host: for tests on machines without a card.
std::unique_ptr<runtime::Backend> make_emulated_backend(runtime::HostBackend host);

}  // namespace sinter::gpu
