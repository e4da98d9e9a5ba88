// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that use several cards: arrays that go from one to another, errors that name the card, threads with a card each;
// and that the test driver, gpu/driver/, notices when something of one card's is used by another. Runs with that driver and
// three devices.
#include "two_cards.hpp"

#include <sinter/linalg.hpp>
#include <sinter/sinter.hpp>

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

// --- Runs that several cards share ---

/// Of a program on one card, on two and on three, in an order of its own; with SINTER_SHARE=always, all that can be is
/// shared.
template <class F>
void expect_shared(const char* what, F program) {
    const auto alone = program(on(0));
    for (const Target& target : {Target::gpu(0, 1), Target::gpu(2, 0, 1)}) {
        const auto together = program(Options{.target = target});
        expect(together.shape() == alone.shape() && together.to_vector() == alone.to_vector(), what);
    }
}

Array<float, 2> table(std::int64_t rows, std::int64_t columns) {
    std::vector<float> v(static_cast<std::size_t>(rows * columns));
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<float>(i * 7919 % 1013) * 0.37f - 150.f;
    return from(v, shape(rows, columns));
}

constexpr auto mean_of_four = [](auto s) { return 0.25f * (s(-1, 0) + s(1, 0) + s(0, -1) + s(0, 1)); };

void shared_maps_and_folds() {
    const Array<float> x = numbers(1);
    const Array<float, 2> m = table(130, 77), wide = table(3, 30000);
    expect_shared("a map", [&](Options o) { return run(x * 2.f + 1.f, o); });
    expect_shared("numbers of points", [&](Options o) { return run(iota<std::int64_t>(10007) * 3, o); });
    expect_shared("a map of few points", [&](Options o) { return run(iota<int>(5) * 3, o); });
    expect_shared("sums of rows", [&](Options o) { return run(sum(m, axis(1)), o); });
    expect_shared("sums of columns", [&](Options o) { return run(sum(m, axis(0)), o); });
    expect_shared("sums of long rows", [&](Options o) { return run(sum(wide, axis(1)), o); });
    expect_shared("a transposition", [&](Options o) { return run(transpose(m) * 2.f, o); });
    expect_shared("a sum", [&](Options o) { return run(sum(iota<float>(300001) * 0.37f), o); });
    expect_shared("a sum of a table", [&](Options o) { return run(sum(flatten(table(400, 333))), o); });
    expect_shared("a product", [&](Options o) { return run(matmul(table(390, 60), table(60, 700)), o); });
    expect_shared("scans of rows", [&](Options o) { return run(inclusive_scan(std::plus<>{}, m, axis(1)), o); });
}

void shared_steps() {
    const Array<float, 2> m = table(131, 67);
    expect_shared("steps of a stencil", [&](Options o) {
        Array<float, 2> u = m;
        for (int k = 0; k < 5; ++k) u = run(stencil(mean_of_four, boundary::clamp, u), o);
        return u;
    });
    expect_shared("a loop", [&](Options o) {
        return run(for_loop(9, [](auto, Delayed<float, 2> u) { return stencil(mean_of_four, boundary::wrap, u); }, m), o);
    });
    expect_shared("a loop with a condition", [&](Options o) {
        return run(while_loop([](Delayed<float, 2> u) { return sum(flatten(u * u)) > 1e5f; },
                              [](Delayed<float, 2> u) { return stencil(mean_of_four, boundary::constant(0.f), u); }, m),
                   o);
    });
    const auto f = [](Delayed<float, 2> u) { return force(force(transpose(u)) * 2.f) + 1.f; };
    expect_shared("a compiled function", [&](Options o) {
        const auto g = compile(f, o);
        return g(g(m));
    });
}

/// What one card makes of what several have.
void whole_launches_between() {
    const Array<float> x = numbers(3);
    expect_shared("a scan", [&](Options o) { return run(inclusive_scan(std::plus<>{}, x * 2.f) * 0.5f, o); });
    expect_shared("a filter", [&](Options o) { return run(filter([](auto v) { return v > 7.f; }, x * 1.5f) * 0.5f, o); });
    expect_shared("a sort", [&](Options o) { return run(sort(run(x * 3.f, o)) + 1.f, o); });
    expect_shared("a gather", [&](Options o) {
        const Array<float> y = run(x * 2.f, o);
        return run(gather(iota<std::int64_t>(n) * 7 % n, y), o);
    });
    expect_shared("a histogram", [&](Options o) {
        return run(histogram(16, std::plus<>{}, 0.f, cast<std::int64_t>(run(x + 0.f, o)) % 16, x), o);
    });
    expect_shared("an update", [&](Options o) {
        const Array<float> y = run(x * 2.f, o);
        return run(update(y, index(17), 5.f) + y, o);
    });
}

/// Between one card, several and the host.
void shared_arrays_go_elsewhere() {
    const Array<float> x = numbers(4);
    const Options both{.target = Target::gpu(0, 1)};
    const Array<float> alone = run((x * 2.f + 1.f) * 3.f, on(0));
    const Array<float> y = run(x * 2.f, both);
    expect(same(run(y + 1.f, on(1)), run(x * 2.f + 1.f, on(0))), "one card reads what several have");
    expect(same(run(y + 1.f, Options{.target = Target::host()}), run(x * 2.f + 1.f, on(0))), "the host reads it");
    expect(same(run(run(run(x * 2.f, on(2)) + 1.f, both) * 3.f, on(1)), alone), "several read what another card has");
    expect(same(run(run(y + 1.f, Options{.target = Target::gpu(1, 2)}) * 3.f, both), alone), "other cards read it");
}

void shared_checks() {
    const Array<float> x = numbers(5);
    for (const std::int64_t at : {std::int64_t{3}, n / 2, n - 1}) {
        std::vector<std::int64_t> rows(static_cast<std::size_t>(n));
        for (std::int64_t k = 0; k < n; ++k) rows[static_cast<std::size_t>(k)] = k >= at ? n + k : k;
        const Array<std::int64_t> numbers = from(rows);
        const auto failure = [&](Options o) { return message<IndexError>([&] { run(gather(numbers, x), o).data(); }); };
        const std::string alone = failure(on(0));
        expect(!alone.empty() && alone == failure(Options{.target = Target::gpu(0, 1)}),
               "the first failure of several cards");
    }
}

void shared_errors() {
    const Array<float> x = numbers(6);
    expect_in("there is no device 3", message<DeviceError>([&] { run(x, Options{.target = Target::gpu(0, 3)}); }));
    expect_in("device 1 is named twice", message<UsageError>([&] { run(x, Options{.target = Target::gpu(1, 0, 1)}); }));
    const auto kernels = explain(x + 1.f, {.target = Target::gpu(0, 1)}).kernels();
    expect_in("if shared, outermost points 0 to", kernels.at(0).schedule);
}

/// What a card has is not copied to it, and of a neighbour's rows only the borders are.
void shared_runs_copy_little() {
    if (!std::getenv("SINTER_SHARE")) return;
    const Options both{.target = Target::gpu(0, 1)};
    const auto copies = [](auto f) {
        const int before = calls("cuMemcpyPeerAsync");
        f();
        return calls("cuMemcpyPeerAsync") - before;
    };
    const Array<float, 2> u = run(table(128, 64) * 2.f, both);
    expect(copies([&] { run(u + 1.f, both).data(); }) == 0, "a map reads what its card has");
    expect(copies([&] { run(stencil(mean_of_four, boundary::clamp, u), both).data(); }) == 2, "a stencil reads two borders");
    expect(copies([&] { run(stencil(mean_of_four, boundary::clamp, u), both).data(); }) == 0, "which are there then");
    const Array<float, 2> v = run(table(128, 64) * 3.f, both);
    expect(copies([&] { run(transpose(v) * 2.f, both).data(); }) == 2, "columns are copied with what is between them");
    expect(copies([&] { run(sum(flatten(u)), both).data(); }) <= 1, "a sum copies partial results");
    expect(copies([&] { run(inclusive_scan(std::plus<>{}, flatten(u)), both).data(); }) == 1,
           "a scan reads all on one card");
}

/// Whatever fails, the next run is right.
void a_shared_run_fails() {
    const Options both{.target = Target::gpu(0, 1)};
    const Array<float, 2> m = table(64, 48);
    const auto program = [&](Options o) {
        const Array<float, 2> u = run(m * 2.f, o), v = run(stencil(mean_of_four, boundary::clamp, u), o);
        return run(v + sum(flatten(u)), o).to_vector();
    };
    const auto expected = program(on(0));
    for (const char* function :
         {"cuMemcpyPeerAsync", "cuEventRecord", "cuStreamWaitEvent", "cuLaunchKernel", "cuMemcpyAsync"})
        for (int call = 0; call < 4; ++call) {
            setenv("SINTER_TEST_DRIVER_FAIL", (std::string(function) + ":" + std::to_string(call) + ":1").c_str(), 1);
            message<DeviceError>([&] { expect(program(both) == expected, "a shared run in which nothing fails"); });
            unsetenv("SINTER_TEST_DRIVER_FAIL");
            expect(program(both) == expected, "a shared run after one that failed");
        }
}

void threads_share_cards() {
    const Array<float> x = numbers(7), expected = run(x * 3.f + 1.f, on(0));
    std::vector<int> wrong(3, 0);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < wrong.size(); ++t)
        threads.emplace_back([&, t] {
            const Target targets[] = {Target::gpu(0, 1), Target::gpu(1, 0), Target::gpu(1)};
            for (int round = 0; round < 20; ++round)
                if (!same(run(x * 3.f + 1.f, Options{.target = targets[t]}), expected)) ++wrong[t];
        });
    for (std::thread& thread : threads) thread.join();
    expect(wrong == std::vector<int>(3, 0), "threads on the same cards");
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
    shared_maps_and_folds();
    shared_steps();
    whole_launches_between();
    shared_arrays_go_elsewhere();
    shared_checks();
    shared_errors();
    shared_runs_copy_little();
    a_shared_run_fails();
    threads_share_cards();
    one_card_is_lost();
    return failures;
}
