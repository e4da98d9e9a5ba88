// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program sees of a driver that works, and of one that fails. Runs with fake_driver.cpp in the driver's place.
#include <sinter/sinter.hpp>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// What the pool of a card has when the process ends is the driver's to free.
extern "C" const char* __lsan_default_suppressions() { return "leak:cuMemAllocManaged\nleak:cuMemHostAlloc\n"; }

namespace {

using namespace sinter;

int failures = 0;

void expect(bool good, const char* what) {
    if (good) return;
    std::printf("expected: %s\n", what);
    ++failures;
}

Array<float> made(std::int64_t n) { return from(std::vector<float>(static_cast<std::size_t>(n), 1.f)); }

Array<float> doubled(const Array<float>& x) { return run(x + x, {.target = Target::gpu()}); }

/// The message of what f throws while the driver fails so.
template <class E>
std::string message(const char* failure, const std::function<void()>& f) {
    setenv("FAKE_DRIVER_FAILS", failure ? failure : "", 1);
    std::string text;
    try {
        f();
    } catch (const E& error) {
        text = error.what();
    }
    unsetenv("FAKE_DRIVER_FAILS");
    return text;
}

bool names(const std::string& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts)
        if (text.find(part) == std::string::npos) return std::printf("%s not in: %s\n", part, text.c_str()), false;
    return true;
}

void what_a_kernel_takes_is_shown() {
    const auto kernels = explain(made(10) + made(10), {.target = Target::gpu()}).kernels();
    expect(kernels.size() == 1 &&
               names(kernels[0].assembly, {": 40 registers and 16 bytes of local memory a thread", "1024 bytes of shared",
                                           "6 blocks a multiprocessor, occupancy 75 %", ".target sm_90"}),
           "PTX begins with what its kernels take");
}

/// The driver says that everything takes 2 ms: a copy of 256 MiB, there and back, and a kernel.
void profiles_have_the_cards_times() {
    const Array<float> x = made(1 << 24);
    profile::start();
    doubled(x);
    const std::string table = profile::stop();
    const std::size_t line = table.find("\nmap");
    expect(line != std::string::npos &&
               names(table.substr(line, table.find('\n', line + 1) - line), {" 2.000", " 67.11", " 25.0"}),
           "a profile has the card's own time, and its bandwidth");
}

void a_context_is_lost() {
    {
        const Array<float> x = made(10), y = doubled(x);
        const std::string text = message<DeviceError>("cuStreamSynchronize:700", [&] { doubled(x).data(); });
        expect(names(text, {"cuStreamSynchronize", "it was told to fail"}), "a fault is a DeviceError");
        expect(names(message<DeviceError>("", [&] { doubled(x); }), {"still referred to"}), "arrays of a lost context");
    }
    expect(doubled(made(10)).size() == 10, "a new context works");
}

}  // namespace

/// With an argument: one kernel, or an error.
int main(int count, char**) {
    if (count > 1) return message<DeviceError>(std::getenv("FAKE_DRIVER_FAILS"), [] { doubled(made(100)); }).empty() ? 0 : 1;
    expect(doubled(made(100)).size() == 100, "a driver that works");
    expect(names(message<DeviceError>("cuLaunchKernel:1", [] { doubled(made(100)); }),
                 {"cuLaunchKernel", "it was told to fail", "FAKE_ERROR", "kernel"}),
           "a launch that fails is a DeviceError");
    expect(doubled(made(100)).size() == 100, "and the next works");
    expect(names(message<MemoryError>("cuMemAllocManaged:2", [] { doubled(made(50000)); }), {"200000"}),
           "no memory is a MemoryError");
    expect(names(message<DeviceError>("cuLinkAddData:218", [] { run(made(5) * made(5), {.target = Target::gpu()}); }),
                 {"cuLinkAddData", "line 1"}),
           "code that the driver refuses is a DeviceError with its words");
    what_a_kernel_takes_is_shown();
    profiles_have_the_cards_times();
    a_context_is_lost();
    return failures;
}
