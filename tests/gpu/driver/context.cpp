// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "context.hpp"

#include "memory.hpp"

namespace driver {

/// Never destroyed: the program may call the driver while it ends.
Context& Context::get() {
    static auto* context = new Context;
    return *context;
}

void Context::create() { handle = new char; }

/// Its handle is not used again.
void Context::destroy() {
    kernels.clear();
    modules.clear();
    graphs.clear();
    events.clear();
    streams.clear();
    Memory::get().release_all();
    handle = nullptr;
    fault = success;
    users = 0;
}

bool is_fault(int error) { return error == 214 || error == 719 || error == 999 || (error >= 700 && error <= 718); }

}  // namespace driver
