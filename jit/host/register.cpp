// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the host known to the engine, which cannot name this layer.
#include "jit/host/host.hpp"
#include "run/engine.hpp"

namespace sinter::host {

namespace {

const bool registered = [] {
    runtime::register_backend(runtime::TargetKind::host, [](int, runtime::HostBackend) { return make_host_backend(); });
    return true;
}();

}  // namespace
}  // namespace sinter::host
