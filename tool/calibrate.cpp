// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sinter/detail/tool.hpp>
#include <sinter/sinter.hpp>

#include "commands.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace tool {

namespace {

using namespace sinter;

constexpr std::int64_t kibi = 1 << 10, mebi = 1 << 20;

/// The median number of seconds of a call, after one that compiles and warms up; each sample takes at least a millisecond.
template <class F>
double seconds(F call) {
    using clock = std::chrono::steady_clock;
    call();
    std::vector<double> samples;
    for (int k = 0; k < 9; ++k) {
        const auto start = clock::now();
        std::chrono::duration<double> time{};
        int calls = 0;
        for (; time.count() < 1e-3; ++calls, time = clock::now() - start) call();
        samples.push_back(time.count() / calls);
    }
    std::nth_element(samples.begin(), samples.begin() + 4, samples.end());
    return samples[4];
}

template <class T>
Array<T> numbers(std::int64_t count) {
    return run(map([](auto i) { return cast<T>(i % 1000) * T(0.001); }, iota<std::int64_t>(count)));
}

/// The rate of copying an array of this many bytes to another.
double copy_rate(std::int64_t bytes) {
    const Array<float> x = numbers<float>(bytes / 4);
    const auto copy = compile([](Delayed<float> v) { return -v; });
    return 2 * static_cast<double>(bytes) / seconds([&] { copy(x); }) / 1e9;
}

/// Nanoseconds per element gathered from a table that no cache holds, at positions in random order.
double gather_cost() {
    constexpr std::int64_t count = mebi;
    const Array<float> table = numbers<float>(64 * count);
    const Array<std::int64_t> places =
        run(map([](auto i) { return i * 48271 * 16807 % (64 * count); }, iota<std::int64_t>(count)));
    const auto read = compile([](Delayed<std::int64_t> i, Delayed<float> t) { return gather(i, t); });
    return seconds([&] { read(places, table); }) / static_cast<double>(count) * 1e9;
}

/// Nanoseconds per element, in the cache.
template <class T>
double exp_cost() {
    constexpr std::int64_t count = 64 * kibi;
    const Array<T> x = numbers<T>(count);
    const auto compute = compile([](Delayed<T> v) { return exp(v); });
    return seconds([&] { compute(x); }) / static_cast<double>(count) * 1e9;
}

double call_cost() {
    const Array<float> x = numbers<float>(1);
    const auto negate = compile([](Delayed<float> v) { return -v; });
    return seconds([&] { negate(x); }) * 1e6;
}

/// The cost of one more kernel in a call that has several.
double kernel_launch_cost() {
    const auto chain = [](int kernels) {
        return compile([kernels](Delayed<float> v) {
            Delayed<float> result = -v;
            for (int k = 1; k < kernels; ++k) result = -force(result);
            return result;
        });
    };
    constexpr int few = 2, many = 34;
    const Array<float> x = numbers<float>(1);
    const auto shorter = chain(few), longer = chain(many);
    return (seconds([&] { longer(x); }) - seconds([&] { shorter(x); })) / (many - few) * 1e6;
}

/// What a number measures, for people. Its name ends with the unit.
struct Meaning {
    const char *name, *text;
};
constexpr Meaning meanings[] = {
    {"copy 128 KiB GB/s", "read and written by a copy within the nearest caches"},
    {"copy 2 MiB GB/s", "read and written by a copy within the second cache"},
    {"copy memory GB/s", "read and written by a copy of what no cache holds"},
    {"call us", "a call of a compiled function of one kernel"},
    {"launch us", "one more kernel in a call"},
    {"share loop us", "an empty loop on all threads, where they are awake"},
    {"wake threads us", "an empty loop on all threads, where they are to be woken"},
    {"gather ns", "one element from a place that no cache holds"},
    {"exp f32 ns", "one exponential in single precision"},
    {"exp f64 ns", "one exponential in double precision"},
};

void print(const std::map<std::string, double>& measured, Format format) {
    if (format == Format::json) {
        std::puts(nlohmann::json(measured).dump(2).c_str());
        return;
    }
    for (const Meaning& meaning : meanings) {
        const auto found = measured.find(meaning.name);
        if (found == measured.end()) continue;
        const std::string& name = found->first;
        const std::size_t unit = name.rfind(' ');
        std::printf("%-14s %10.3f %-5s %s\n", name.substr(0, unit).c_str(), found->second, name.c_str() + unit + 1,
                    meaning.text);
    }
}

}  // namespace

int calibrate(Format format) {
    std::map<std::string, double> measured{
        {"copy 128 KiB GB/s", copy_rate(128 * kibi)},
        {"copy 2 MiB GB/s", copy_rate(2 * mebi)},
        {"copy memory GB/s", copy_rate(256 * mebi)},
        {"call us", call_cost()},
        {"launch us", kernel_launch_cost()},
        {"gather ns", gather_cost()},
        {"exp f32 ns", exp_cost<float>()},
        {"exp f64 ns", exp_cost<double>()},
    };
    measured.merge(sinter::detail::measure_threads());
    print(measured, format);
    if (!sinter::detail::store_calibration(measured)) {
        std::fputs("sinter: the numbers cannot be kept: there is no cache folder, or it cannot be written\n", stderr);
        return 1;
    }
    if (format == Format::text) std::puts("Processes that start from now on decide by these numbers.");
    return 0;
}

}  // namespace tool
