// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "context.hpp"

#include "memory.hpp"
#include "settings.hpp"

#include <vector>

namespace driver {

namespace {

/// Never destroyed: the program may call the driver while it ends.
std::vector<Context>& contexts() {
    static auto* all = [] {
        auto* made = new std::vector<Context>(static_cast<std::size_t>(device_count()));
        for (int k = 0; k < device_count(); ++k) (*made)[static_cast<std::size_t>(k)].device = k;
        return made;
    }();
    return *all;
}

}  // namespace

Context& Context::of(int device) { return contexts().at(static_cast<std::size_t>(device)); }

Context* Context::find(void* handle) {
    for (Context& context : contexts())
        if (handle && context.handle == handle) return &context;
    return nullptr;
}

const Event* Context::find_event(void* handle) {
    for (Context& context : contexts())
        if (const Event* event = context.events.find(handle)) return event;
    return nullptr;
}

void Context::create() { handle = new char; }

/// Its handle is not used again.
void Context::destroy() {
    kernels.clear();
    modules.clear();
    graphs.clear();
    events.clear();
    streams.clear();
    Memory::get().release_all(device);
    handle = nullptr;
    fault = success;
    users = 0;
}

bool is_fault(int error) { return error == 214 || error == 719 || error == 999 || (error >= 700 && error <= 718); }

}  // namespace driver
