// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program sees of a driver that works, and of one that fails. Runs with fake_driver.cpp in the driver's place.
#include <sinter/sinter.hpp>

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// What the pool of a card has when the process ends is the driver's to free.
extern "C" const char* __lsan_default_suppressions() { return "leak:cuMemAllocAsync\nleak:cuMemHostAlloc\n"; }

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

/// How often the driver was asked to.
int calls(const char* function) {
    static const auto count = [] {
        void* library = dlopen("libcuda.so.1", RTLD_NOW);
        return reinterpret_cast<int (*)(const char*)>(dlsym(library, "fake_driver_calls"));
    }();
    return count(function);
}

/// Kernels and graphs that f launches.
std::pair<int, int> launches(const std::function<void()>& f) {
    const int kernels = calls("cuLaunchKernel"), graphs = calls("cuGraphLaunch");
    f();
    return {calls("cuLaunchKernel") - kernels, calls("cuGraphLaunch") - graphs};
}

constexpr std::pair<int, int> three_kernels{3, 0}, one_graph{0, 1};

/// A compiled function of three kernels.
auto three() {
    return compile([](Delayed<float> x, Exp<float> a) { return force(force(x + a) * 2.f) - 1.f; },
                   {.target = Target::gpu()});
}

void calls_are_graphs() {
    const auto f = three();
    const Array<float> x = run(made(1000) + 0.f, {.target = Target::gpu()});
    for (int call = 0; call < 2; ++call)  // planned, then launched one by one
        expect(launches([&] { f(x, 1.f); }) == three_kernels, "first calls launch kernels");
    for (int call = 0; call < 20; ++call)
        expect(launches([&] { f(x, static_cast<float>(call)); }) == one_graph, "the following ones launch graphs");
    expect(calls("cuGraphInstantiateWithFlags") == 2, "results that have gone leave their places to the next but one");
}

void independent_kernels_are_branches() {
    const auto f =
        compile([](Delayed<float> x, Delayed<float> y) { return std::tuple(force(x + 1.f) * 2.f, force(y - 1.f) * 3.f); },
                {.target = Target::gpu()});
    const Array<float> x = run(made(1000) + 0.f, {.target = Target::gpu()}),
                       y = run(made(700) + 0.f, {.target = Target::gpu()});
    const int before = calls("cuStreamWaitEvent");
    for (int call = 0; call < 2; ++call) std::get<0>(f(x, y)).to_vector();
    expect(calls("cuStreamWaitEvent") == before + 4, "of two streams: one waits for the beginning, the other for its end");
    expect(launches([&] { f(x, y); }) == one_graph, "branches are one graph");
    expect(calls("cuStreamWaitEvent") == before + 6, "and so in a graph");
    const auto chain = three();
    for (int call = 0; call < 4; ++call) chain(x, 1.f);
    expect(calls("cuStreamWaitEvent") == before + 6, "a chain of kernels is in one stream");
}

void a_few_addresses_have_graphs_each() {
    const auto f = three();
    const Array<float> x = run(made(500) + 0.f, {.target = Target::gpu()}),
                       y = run(made(500) + 0.f, {.target = Target::gpu()});
    f(x, 1.f);
    f(x, 1.f);
    const int made_before = calls("cuGraphInstantiateWithFlags");
    for (int call = 0; call < 20; ++call) expect(launches([&] { f(call % 2 ? x : y, 1.f); }) == one_graph, "inputs in turn");
    expect(calls("cuGraphInstantiateWithFlags") == made_before + 2, "two inputs have a graph each");
}

void addresses_that_never_come_again_have_none() {
    const auto f = three();
    const int destroyed = calls("cuGraphExecDestroy");
    std::vector<Array<float>> kept;
    const Array<float> x = run(made(700) + 0.f, {.target = Target::gpu()});
    for (int call = 0; call < 30; ++call) kept.push_back(f(x, 1.f));
    expect(launches([&] { kept.push_back(f(x, 1.f)); }) == three_kernels, "misses end the making of graphs");
    expect(calls("cuGraphExecDestroy") == destroyed + 4, "of which a few were kept");
}

void graphs_fail() {
    const auto f = three();
    const Array<float> x = run(made(300) + 0.f, {.target = Target::gpu()});
    for (int call = 0; call < 4; ++call) f(x, 1.f);
    expect(names(message<DeviceError>("cuGraphLaunch:1", [&] { f(x, 1.f); }), {"cuGraphLaunch", "it was told to fail"}),
           "a graph that fails is a DeviceError");
    expect(launches([&] { f(x, 1.f); }) == one_graph, "and the next one works");
    for (const char* call : {"cuStreamBeginCapture:1", "cuStreamEndCapture:1", "cuGraphInstantiateWithFlags:2"}) {
        const auto g = three();
        g(x, 1.f);
        g(x, 1.f);
        std::pair<int, int> done;
        message<DeviceError>(call, [&] { done = launches([&] { g(x, 1.f); }); });
        expect(done == three_kernels, "what cannot be recorded is launched");
        expect(launches([&] { g(x, 1.f); }) == three_kernels, "from then on");
    }
}

void graphs_of_released_memory() {
    const auto f = three();
    const Array<float> x = run(made(900) + 0.f, {.target = Target::gpu()});
    for (int call = 0; call < 6; ++call) f(x, 1.f);
    const int instantiated = calls("cuGraphInstantiateWithFlags");
    message<MemoryError>("cuMemAllocAsync:2", [&] { doubled(made(123456)); });
    expect(launches([&] { f(x, 1.f); }) == one_graph, "after memory was given back");
    expect(calls("cuGraphInstantiateWithFlags") == instantiated + 1, "graphs are made again");
}

void graphs_of_a_lost_context() {
    const auto f = three();
    {
        const Array<float> x = run(made(200) + 0.f, {.target = Target::gpu()});
        for (int call = 0; call < 4; ++call) f(x, 1.f);
        expect(!message<DeviceError>("cuGraphLaunch:700", [&] { f(x, 1.f); }).empty(), "a fault");
    }
    const Array<float> x = run(made(200) + 0.f, {.target = Target::gpu()});
    expect(launches([&] { f(x, 1.f); }) == three_kernels, "are void");
    expect(launches([&] { f(x, 1.f); }) == one_graph, "and made again");
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
    expect(names(message<MemoryError>("cuMemAllocAsync:2", [] { doubled(made(50000)); }), {"200000", "on gpu 0"}),
           "no memory is a MemoryError, which names the card");
    expect(names(message<DeviceError>("cuLinkAddData:218", [] { run(made(5) * made(5), {.target = Target::gpu()}); }),
                 {"cuLinkAddData", "line 1"}),
           "code that the driver refuses is a DeviceError with its words");
    what_a_kernel_takes_is_shown();
    profiles_have_the_cards_times();
    calls_are_graphs();
    independent_kernels_are_branches();
    a_few_addresses_have_graphs_each();
    addresses_that_never_come_again_have_none();
    graphs_fail();
    graphs_of_released_memory();
    a_context_is_lost();
    graphs_of_a_lost_context();
    return failures;
}
