// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/gpu_driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace sinter::runtime {

namespace {

/// The number that a function of the driver writes; -1 if it fails or does not exist.
int query(void* driver, const char* name) {
    auto* function = reinterpret_cast<int (*)(int*)>(dlsym(driver, name));
    int value = 0;
    return function && function(&value) == 0 ? value : -1;
}

}  // namespace

std::string describe_gpu_driver() {
    void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!driver) {
        const char* reason = dlerror();
        return fmt::format("none: {}", reason ? reason : "unknown reason");
    }
    const int version = query(driver, "cuDriverGetVersion");
    auto* initialise = reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit"));
    const int error = initialise ? initialise(0) : -1;
    if (error != 0)
        return fmt::format("CUDA {}.{}, but cuInit fails with error {}", version / 1000, version % 1000 / 10, error);
    return fmt::format("CUDA {}.{}, {} devices", version / 1000, version % 1000 / 10, query(driver, "cuDeviceGetCount"));
}

}  // namespace sinter::runtime
