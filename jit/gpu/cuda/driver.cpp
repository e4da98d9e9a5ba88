// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/cuda/driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <iterator>

namespace sinter::gpu::cuda {

namespace {

constexpr int oldest_version = 12000;

[[noreturn]] void fail(const std::string& message) { throw DeviceError("gpu: " + message, location()); }

void* open_library() {
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) fail(fmt::format("there is no NVIDIA driver ({})", dlerror()));
    return library;
}

template <class F>
void find(void* library, const char* symbol, F& function) {
    function = reinterpret_cast<F>(dlsym(library, symbol));
    if (!function) fail(fmt::format("the NVIDIA driver is too old: it has no {}", symbol));
}

}  // namespace

Driver::Driver() {
    void* library = open_library();
#define SINTER_CUDA(name, symbol, parameters) find(library, symbol, name);
#include "jit/gpu/cuda/driver.def"
    require(init(0), "cuInit");
    require(driver_version(&version_), "cuDriverGetVersion");
    if (version_ < oldest_version)
        fail(fmt::format("the NVIDIA driver is too old: it supports CUDA {}.{}, {}.{} is needed", version_ / 1000,
                         version_ % 1000 / 10, oldest_version / 1000, oldest_version % 1000 / 10));
}

/// Never destroyed: arrays on a device may outlive main.
const Driver& Driver::get() {
    static const Driver* driver = new Driver;
    return *driver;
}

void Driver::require(int error, const char* call, const Subject& subject) const {
    if (error == success) return;
    const char *name = nullptr, *text = nullptr;
    error_name(error, &name);
    error_string(error, &text);
    std::string message = fmt::format("{}: {} ({})", call, text ? text : "unknown error", name ? name : "?");
    if (subject.device >= 0) message += fmt::format(", device {}", subject.device);
    if (!subject.kernel.empty()) message += ", kernel " + subject.kernel;
    if (!subject.log.empty()) message += "\n" + subject.log;
    fail(message);
}

bool is_sticky(int error) {
    // The faults of a kernel: illegal address, time-out, assertion, hardware stack, illegal instruction, misaligned address,
    // wrong address space or program counter, failed launch; a destroyed context; contained and uncorrectable memory errors;
    // unknown.
    constexpr int faults[] = {700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 214, 220, 226, 999};
    for (int fault : faults)
        if (error == fault) return true;
    return false;
}

}  // namespace sinter::gpu::cuda
