// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the host known to the engine, which cannot name this layer.
#include "jit/host/host.hpp"
#include "run/engine.hpp"
#include "support/settings.hpp"

namespace sinter::host {

namespace {

/// SINTER_CODE
std::optional<codegen::Effort> chosen_effort() {
    const std::string_view chosen = setting("SINTER_CODE");
    if (chosen == "quick") return codegen::Effort::quick;
    if (chosen == "full") return codegen::Effort::full;
    return std::nullopt;
}

const bool registered = [] {
    runtime::register_backend(runtime::TargetKind::host,
                              [](int, runtime::HostBackend) { return make_host_backend({.effort = chosen_effort()}); });
    return true;
}();

}  // namespace
}  // namespace sinter::host
