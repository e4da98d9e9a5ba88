// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the GPU known to the engine, which cannot name this layer.
#include "jit/gpu/gpu.hpp"
#include "run/engine.hpp"

#include <utility>

namespace sinter::gpu {

namespace {

const bool registered = [] {
    runtime::register_backend(runtime::TargetKind::gpu, make_gpu_backend);
    runtime::register_backend(runtime::TargetKind::gpu_emulated,
                              [](int, runtime::HostBackend host) { return make_emulated_backend(std::move(host)); });
    for (runtime::TargetKind kind : {runtime::TargetKind::gpu, runtime::TargetKind::gpu_emulated})
        runtime::register_shared_backend(kind, make_cards_backend);
    return true;
}();

}  // namespace
}  // namespace sinter::gpu
