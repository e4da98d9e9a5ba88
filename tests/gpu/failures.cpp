// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every call of the driver fails once, in a process of its own: with an error that passes, and with one that leaves the
// context good for nothing. The program gets an Error or what it asked for, and when it asks again, that. Runs with the test
// driver, gpu/driver/.
#include <sinter/sinter.hpp>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace sinter;

constexpr std::int64_t n = 300;

const char* const functions[] = {
    "cuInit",           "cuDriverGetVersion",   "cuDeviceGetCount",    "cuDeviceGet",
    "cuDeviceGetName",  "cuDeviceGetAttribute", "cuDeviceTotalMem",    "cuDevicePrimaryCtxRetain",
    "cuCtxPushCurrent", "cuStreamCreate",       "cuStreamSynchronize", "cuStreamDestroy",
    "cuEventCreate",    "cuEventRecord",        "cuEventSynchronize",  "cuEventElapsedTime",
    "cuEventDestroy",   "cuStreamBeginCapture", "cuStreamEndCapture",  "cuGraphInstantiateWithFlags",
    "cuGraphLaunch",    "cuGraphExecDestroy",   "cuGraphDestroy",      "cuModuleLoadDataEx",
    "cuModuleUnload",   "cuModuleGetFunction",  "cuLinkCreate",        "cuLinkAddData",
    "cuLinkComplete",   "cuLinkDestroy",        "cuLaunchKernel",      "cuMemAllocAsync",
    "cuMemFreeAsync",   "cuMemAlloc",           "cuMemFree",           "cuMemHostAlloc",
    "cuMemFreeHost",    "cuMemsetD8Async",      "cuMemcpyAsync",       "cuStreamWaitEvent"};

template <class F>
F* driver_function(const char* name) {
    return reinterpret_cast<F*>(dlsym(dlopen("libcuda.so.1", RTLD_NOW), name));
}

int calls(const char* function) { return driver_function<int(const char*)>("test_driver_calls")(function); }

std::vector<std::int32_t> values() {
    std::vector<std::int32_t> v(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) v[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i * 7919 % 1013);
    return v;
}

/// Graphs, sorts, filters, and the host's look at what a kernel has to say.
bool works() {
    std::vector<std::int32_t> sorted = values();
    std::sort(sorted.begin(), sorted.end());
    const Options on_gpu{.target = Target::gpu()};
    const Array<std::int32_t> x = run(from(values()) + 0, on_gpu);
    const Array<std::int32_t> y = run(from(values()) * 3, on_gpu);
    const auto g = compile(
        [](Delayed<std::int32_t> a, Delayed<std::int32_t> b) { return std::tuple(force(a + 1) * 2, force(sum(b)) + 1); },
        on_gpu);
    for (int call = 0; call < 4; ++call)
        if (std::get<0>(g(x, y)).to_vector()[1] != 2 * (values()[1] + 1)) return false;
    const auto few = run(filter([](auto v) { return v < 100; }, x), on_gpu);
    const auto expected = std::lower_bound(sorted.begin(), sorted.end(), 100) - sorted.begin();
    if (few.size() != expected) return false;
    if (run(gather(few, x), on_gpu).size() != expected) return false;
    return run(sort(x), on_gpu).to_vector() == sorted;
}

/// In a process of its own; the status of that.
int apart(const std::function<int()>& body) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        const int status = body();
        std::fflush(stdout);
        std::exit(status);  // with all that a program's end brings
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// How often the program calls a function: at most what fits in a process's status.
int calls_of(const char* function) {
    return apart([&]() -> int {
        if (!works()) std::_Exit(255);
        std::_Exit(std::min(calls(function), 200));
    });
}

int fail(const std::string& failure) {
    setenv("SINTER_TEST_DRIVER_FAIL", failure.c_str(), 1);
    try {
        if (!works()) return std::printf("%s: a wrong result\n", failure.c_str()), 1;
    } catch (const Error&) {
    }
    unsetenv("SINTER_TEST_DRIVER_FAIL");
    try {
        if (works()) return 0;
        std::printf("%s: a wrong result afterwards\n", failure.c_str());
    } catch (const Error& error) {
        std::printf("%s: afterwards %s\n", failure.c_str(), error.what());
    }
    return 1;
}

/// The process has another user of the card: its context is not reset under its feet. Once it has let go, all works again.
int share_a_lost_context() {
    void* context = nullptr;
    driver_function<int(unsigned)>("cuInit")(0);
    driver_function<int(void**, int)>("cuDevicePrimaryCtxRetain")(&context, 0);
    setenv("SINTER_TEST_DRIVER_FAIL", "cuStreamSynchronize:0:700", 1);
    for (int attempt = 0; attempt < 3; ++attempt) try {
            works();
            return std::puts("a lost context works"), 1;
        } catch (const DeviceError&) {
        }
    driver_function<int(int)>("cuDevicePrimaryCtxRelease_v2")(0);
    return works() ? 0 : 1;
}

/// Which calls of so many: the first, one amid, the last; or all.
std::vector<int> chosen(int count, bool all) {
    std::vector<int> result;
    if (all) {
        for (int k = 0; k < count; ++k) result.push_back(k);
        return result;
    }
    for (int k : {0, count / 2, count - 1})
        if (k >= 0 && k < count && std::find(result.begin(), result.end(), k) == result.end()) result.push_back(k);
    return result;
}

}  // namespace

/// Arguments: a function, then only it fails, in each of its calls.
int main(int count, char** arguments) {
    int bad = apart(share_a_lost_context) == 0 ? 0 : 1;
    if (bad != 0) std::puts("a context that is lost and shared");
    for (const char* function : functions) {
        if (count > 1 && std::string(arguments[1]) != function) continue;
        const int all = calls_of(function);
        if (all == 255) return std::puts("it does not work as it is"), 1;
        for (int call : chosen(all, count > 1))
            for (const char* error : {"1", "700"}) {
                const std::string failure = std::string(function) + ":" + std::to_string(call) + ":" + error;
                const int status = apart([&] { return fail(failure); });
                if (status != 0) std::printf("%s: status %d\n", failure.c_str(), status), ++bad;
            }
    }
    return bad == 0 ? 0 : 1;
}
