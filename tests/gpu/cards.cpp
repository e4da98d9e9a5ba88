// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that use several cards: arrays that go from one to another, errors that name the card, threads with a card each;
// and that the test driver, gpu/driver/, notices when something of one card's is used by another. Runs with that driver and
// three devices.
#include <sinter/sinter.hpp>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace sinter;

constexpr int cards = 3, caught = 70;
constexpr std::int64_t n = 5000;

int failures = 0;

void expect(bool good, const char* what) {
    if (good) return;
    std::printf("expected: %s\n", what);
    ++failures;
}

template <class F>
F* driver_function(const char* name) {
    return reinterpret_cast<F*>(dlsym(dlopen("libcuda.so.1", RTLD_NOW), name));
}

int calls(const char* function) { return driver_function<int(const char*)>("test_driver_calls")(function); }

Options on(int card) { return {.target = Target::gpu(card)}; }

Array<float> numbers(float first) {
    std::vector<float> v(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) v[static_cast<std::size_t>(i)] = first + static_cast<float>(i % 97) * 0.25f;
    return from(v);
}

/// The bits that one card gives.
bool same(const Array<float>& a, const Array<float>& b) { return a.to_vector() == b.to_vector(); }

void arrays_go_from_card_to_card() {
    const Array<float> x = numbers(1);
    Array<float> alone = x, around = x;
    for (int step = 0; step < 7; ++step) {
        alone = run(inclusive_scan(std::plus<>{}, alone) * 0.001f + x, on(0));
        around = run(inclusive_scan(std::plus<>{}, around) * 0.001f + x, on(step % cards));
    }
    expect(same(alone, around), "a program that changes cards in every step gives the bits of one card");
}

/// They are in the memory of three cards, and none on the host.
void arrays_of_several_cards_meet() {
    const Array<float> x = numbers(2);
    std::vector<Array<float>> parts;
    for (int card = 0; card < cards; ++card) parts.push_back(run(x * static_cast<float>(card + 1), on(card)));
    const int before = calls("cuMemcpyPeerAsync");
    const Array<float> together = run(parts[0] + parts[1] * 2.f + parts[2] * 4.f, on(1));
    expect(calls("cuMemcpyPeerAsync") == before + 2, "what is on other cards is copied from these");
    const Array<float> alone = run(x * 1.f + (x * 2.f) * 2.f + (x * 3.f) * 4.f, Options{.target = Target::interpreter()});
    expect(same(together, alone), "arrays of three cards in one kernel");
    expect(same(run(parts[1] + 0.f, Options{.target = Target::host()}), run(x * 2.f, on(0))), "the host reads any card");
}

/// Nothing is left of it on the other card when the copy is made, unless somebody has waited.
void an_array_that_dies_is_copied_before() {
    const Array<float> x = numbers(3);
    for (int round = 0; round < 20; ++round) {
        Array<float> y = run(run(x + 1.f, on(0)) * 2.f, on(1));
        run(x * static_cast<float>(round), on(0));  // takes the memory that is free now
        expect(y.to_vector()[1] == (x.to_vector()[1] + 1.f) * 2.f, "memory is not used again before it has been copied");
    }
}

void compiled_functions_get_arrays_of_other_cards() {
    const auto f = compile([](Delayed<float> a, Exp<float> b) { return force(force(a + b) * 2.f) - 1.f; }, on(2));
    const Array<float> here = run(numbers(4) + 0.f, on(2)), there = run(numbers(4) + 0.f, on(0));
    for (int call = 0; call < 8; ++call)
        expect(same(f(call % 2 ? here : there, 1.5f), f(here, 1.5f)), "a graph whose argument was on another card");
}

void threads_have_a_card_each() {
    const Array<float> x = numbers(5), expected = run(x * 3.f + 1.f, on(0));
    std::vector<int> wrong(cards, 0);
    std::vector<std::thread> threads;
    for (int card = 0; card < cards; ++card)
        threads.emplace_back([&, card] {
            for (int round = 0; round < 30; ++round)
                if (!same(run(x * 3.f + 1.f, on((card + round) % cards)), expected)) ++wrong[static_cast<std::size_t>(card)];
        });
    for (std::thread& thread : threads) thread.join();
    expect(wrong == std::vector<int>(cards, 0), "threads on several cards that read one array");
}

template <class E>
std::string message(const std::function<void()>& f) {
    try {
        f();
    } catch (const E& error) {
        return error.what();
    }
    return {};
}

void expect_in(const char* part, const std::string& text) {
    if (text.find(part) != std::string::npos) return;
    std::printf("%s not in: %s\n", part, text.c_str());
    ++failures;
}

void errors_name_the_card() {
    const Array<float> x = numbers(6);
    expect_in("there is no device 3: the driver has 3", message<DeviceError>([&] { run(x + 1.f, on(3)); }));
    setenv("SINTER_TEST_DRIVER_FAIL", "cuLaunchKernel:0:1", 1);
    const std::string launch = message<DeviceError>([&] { run(x * 5.f, on(1)).data(); });
    unsetenv("SINTER_TEST_DRIVER_FAIL");
    expect_in("device 1", launch);
    expect(run(x * 5.f, on(1)).to_vector()[0] == 30.f, "the card works afterwards");
}

void one_card_is_lost() {
    const Array<float> x = numbers(7), there = run(x + 1.f, on(0));
    there.data();
    setenv("SINTER_TEST_DRIVER_FAIL", "cuLaunchKernel:0:700", 1);
    expect_in("device 2", message<DeviceError>([&] { run(x * 7.f, on(2)).data(); }));
    unsetenv("SINTER_TEST_DRIVER_FAIL");
    expect(same(run(there + 0.f, on(1)), there), "the others work on, with their arrays");
}

void a_copy_fails() {
    const Array<float> x = run(numbers(8) + 0.f, on(0));
    setenv("SINTER_TEST_DRIVER_FAIL", "cuMemcpyPeerAsync:0:1", 1);
    expect_in("cuMemcpyPeerAsync", message<DeviceError>([&] { run(x * 5.f, on(1)).data(); }));
    unsetenv("SINTER_TEST_DRIVER_FAIL");
    expect(run(x * 5.f, on(1)).to_vector()[0] == 40.f, "and works when it is asked for again");
}

// --- What the driver has to notice, asked without the library ---

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
int launch_on(const TwoCards& two, std::uint64_t address) {
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

int copy_in_stream(const TwoCards& two, std::uint64_t to, std::uint64_t from) {
    driver_function<int(std::uint64_t, std::uint64_t, std::size_t, void*)>("cuMemcpyAsync")(to, from, 128, two.streams[0]);
    return two.wait();
}

int copy_between(const TwoCards& two, int to, int from) {
    using Copy = int(std::uint64_t, void*, std::uint64_t, void*, std::size_t, void*);
    driver_function<Copy>("cuMemcpyPeerAsync")(two.memory[1], two.contexts[to], two.memory[0], two.contexts[from], 128,
                                               two.streams[0]);
    return two.wait();
}

/// In a process of its own, which has not called the driver before; the status of that.
int apart(const std::function<int(const TwoCards&)>& body) {
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

void what_is_anothers_is_noticed() {
    expect(apart([](const TwoCards& t) { return launch_on(t, t.memory[0]); }) == 0, "a kernel reads its card's memory");
    expect(apart([](const TwoCards& t) { return launch_on(t, t.memory[1]); }) == caught, "a kernel reads another card's");
    expect(apart([](const TwoCards& t) { return copy_in_stream(t, t.memory[0], t.memory[0] + 128); }) == 0, "a copy");
    expect(apart([](const TwoCards& t) { return copy_in_stream(t, t.memory[0], t.memory[1]); }) == caught,
           "a copy of another card's memory");
    expect(apart([](const TwoCards& t) { return copy_between(t, 1, 0); }) == 0, "a copy between cards");
    expect(apart([](const TwoCards& t) { return copy_between(t, 0, 1); }) == caught, "a copy that names the wrong card");
}

}  // namespace

int main() {
    what_is_anothers_is_noticed();
    arrays_go_from_card_to_card();
    arrays_of_several_cards_meet();
    an_array_that_dies_is_copied_before();
    compiled_functions_get_arrays_of_other_cards();
    threads_have_a_card_each();
    errors_name_the_card();
    a_copy_fails();
    one_card_is_lost();
    return failures;
}
