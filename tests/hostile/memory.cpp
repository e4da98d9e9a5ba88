// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short memory is a MemoryError wherever it is found out, and the library works again when there is some.
#include "support.hpp"

#include <sys/resource.h>

#include <fstream>
#include <vector>

using namespace sinter;
using hostile::outcome;

namespace {

std::vector<float> numbers() {
    std::vector<float> values(200000);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) * 0.37f - 100;
    return values;
}

template <class F>
void attempt(F f) {
    try {
        f();
    } catch (const MemoryError&) {
    }
}

/// Programs of all kinds, each new.
void run_everything() {
    const std::vector<float> values = numbers();
    Array<float> x;
    bool made = false;
    attempt([&] { x = from(values), made = true; });
    if (!made) return;
    auto plus = [](auto a, auto b) { return a + b; };
    attempt([&] { run(sum(x * x + 1.f), inclusive_scan(plus, x)); });
    attempt([&] { run(sort(x)); });
    attempt([&] { run(vmap([](Delayed<float> row) { return sum(row * 2.f); }, reshape(x, shape(20, 10000)))); });
    attempt([&] { run(filter([](auto v) { return v > 0.f; }, x)); });
    attempt([&] {
        auto f = compile([](Delayed<float> a, Exp<float> s) {
            return for_loop(5, [=](auto, auto state) { return state * s + reverse(state); }, a);
        });
        f(x, 2.f);
    });
    attempt([&] { run(sum(iota(5000000))); });
}

std::size_t address_space() {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// True if a process with this much more address space than it has now survives, and works when it has more again.
void check_short_of(std::size_t kilobytes) {
    CAPTURE(kilobytes);
    CHECK(outcome([=] {
              rlimit before{};
              getrlimit(RLIMIT_AS, &before);
              rlimit shorter = before;
              shorter.rlim_cur = address_space() + kilobytes * 1024;
              setrlimit(RLIMIT_AS, &shorter);
              run_everything();
              setrlimit(RLIMIT_AS, &before);
              run_everything();
              if (!hostile::sums_agree(5000000, 3) || !hostile::sums_agree(1000, 5)) _exit(1);
              run(sort(from(numbers())));
          }) == 0);
}

std::size_t resident_bytes() {
    std::size_t pages = 0;
    std::ifstream statm("/proc/self/statm");
    statm >> pages >> pages;
    return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::vector<std::int64_t> results_of_programs(int count) {
    std::vector<std::int64_t> results;
    for (int k = 0; k < count; ++k) results.push_back(hostile::run_new_program(k));
    return results;
}

}  // namespace

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("address space is short") {
    for (std::size_t kilobytes : {1000, 10000, 40000, 60000, 80000, 120000}) check_short_of(kilobytes);
}

// With SINTER_TARGET=gpu_emulated: each thread of a block has a stack of its own.
TEST_CASE("address space is short for an emulated card", "[.][emulated_card]") {
    for (std::size_t kilobytes : {1000, 40000, 120000, 300000, 360000, 400000, 420000}) check_short_of(kilobytes);
}

TEST_CASE("address space is short by any amount", "[.][long]") {
    for (std::size_t kilobytes = 500; kilobytes < 200000; kilobytes += 1300) check_short_of(kilobytes);
}
#endif

// With SINTER_MEMORY_LIMIT=64M, SINTER_CODE_LIMIT=2M.
TEST_CASE("a sort beyond the memory limit is a MemoryError", "[.][limits]") {
    const Array<double> x = from(std::vector<double>(std::size_t{3} << 20, 1.));  // 24 MiB; the result and a copy more
    CHECK_THROWS_AS(run(sort(x)), MemoryError);
    CHECK_THROWS_AS(run(argsort(x)), MemoryError);
    CHECK(run(sum(x)).item() == 3 << 20);
}

TEST_CASE("a memory limit counts what was asked for", "[.][limits]") {
    CHECK(run(fill(shape((std::int64_t{64} << 20) * 99 / 100), std::int8_t{1})).size() > 0);
    CHECK_THROWS_AS(run(fill(shape((std::int64_t{64} << 20) * 101 / 100), std::int8_t{1})), MemoryError);
}

TEST_CASE("programs beyond the limit are dropped, and compiled again to the same results", "[.][limits]") {
    const auto kept = compile([](Delayed<std::int64_t> a) { return sum(a * a); });
    const std::vector<std::int64_t> first = results_of_programs(300);
    const std::size_t before = resident_bytes();
    CHECK(results_of_programs(300) == first);
    results_of_programs(800);
    CHECK(results_of_programs(300) == first);
    CHECK(resident_bytes() < before + (std::size_t{8} << 20));
    CHECK(kept(run(iota(4))).item() == 14);
}
