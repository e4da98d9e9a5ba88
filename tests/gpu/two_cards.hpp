// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two cards of the test driver, gpu/driver/, used without the library: to see what the driver notices.
#pragma once

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

template <class F>
F* driver_function(const char* name) {
    return reinterpret_cast<F*>(dlsym(dlopen("libcuda.so.1", RTLD_NOW), name));
}

/// Contexts, a stream and memory of two cards; the first context is current.
struct TwoCards {
    void* contexts[2] = {};
    void* streams[2] = {};
    std::uint64_t memory[2] = {};
    TwoCards() {
        driver_function<int(unsigned)>("cuInit")(0);
        for (int k = 1; k >= 0; --k) {
            driver_function<int(void**, int)>("cuDevicePrimaryCtxRetain")(&contexts[k], k);
            driver_function<int(void*)>("cuCtxPushCurrent_v2")(contexts[k]);
            driver_function<int(void**, unsigned)>("cuStreamCreate")(&streams[k], 1);
            driver_function<int(std::uint64_t*, std::size_t)>("cuMemAlloc_v2")(&memory[k], 256);
        }
    }
    int wait() const { return driver_function<int(void*)>("cuStreamSynchronize")(streams[0]); }
};

/// Card 0 reads memory in a kernel.
inline int launch_on(const TwoCards& two, std::uint64_t address) {
    std::string text =
        ".version 8.0\n.target sm_75\n.address_size 64\n"
        ".visible .entry touch(\n\t.param .u64 touch_param_0\n)\n{\n"
        "\t.reg .b32 \t%r<2>;\n\t.reg .b64 \t%rd<3>;\n"
        "\tld.param.u64 \t%rd1, [touch_param_0];\n\tcvta.to.global.u64 \t%rd2, %rd1;\n"
        "\tld.global.u32 \t%r1, [%rd2];\n\tret;\n}\n";
    void *link = nullptr, *image = nullptr, *module = nullptr, *kernel = nullptr;
    std::size_t bytes = 0;
    driver_function<int(unsigned, int*, void**, void**)>("cuLinkCreate_v2")(0, nullptr, nullptr, &link);
    driver_function<int(void*, int, void*, std::size_t, const char*, unsigned, int*, void**)>("cuLinkAddData_v2")(
        link, 1, text.data(), text.size() + 1, "touch", 0, nullptr, nullptr);
    driver_function<int(void*, void**, std::size_t*)>("cuLinkComplete")(link, &image, &bytes);
    driver_function<int(void**, const void*, unsigned, int*, void**)>("cuModuleLoadDataEx")(&module, image, 0, nullptr,
                                                                                            nullptr);
    driver_function<int(void**, void*, const char*)>("cuModuleGetFunction")(&kernel, module, "touch");
    void* parameters[] = {&address};
    using Start = int(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**);
    const int error =
        driver_function<Start>("cuLaunchKernel")(kernel, 1, 1, 1, 32, 1, 1, 0, two.streams[0], parameters, nullptr);
    return error != 0 ? error : two.wait();
}

inline int copy_in_stream(const TwoCards& two, std::uint64_t to, std::uint64_t from) {
    driver_function<int(std::uint64_t, std::uint64_t, std::size_t, void*)>("cuMemcpyAsync")(to, from, 128, two.streams[0]);
    return two.wait();
}

inline int copy_between(const TwoCards& two, int to, int from) {
    using Copy = int(std::uint64_t, void*, std::uint64_t, void*, std::size_t, void*);
    driver_function<Copy>("cuMemcpyPeerAsync")(two.memory[1], two.contexts[to], two.memory[0], two.contexts[from], 128,
                                               two.streams[0]);
    return two.wait();
}

/// In a process of its own, which has not called the driver before; the status of that.
inline int apart(const std::function<int(const TwoCards&)>& body) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (!std::freopen("/dev/null", "w", stderr)) std::_Exit(1);
        std::_Exit(body(TwoCards{}));
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
