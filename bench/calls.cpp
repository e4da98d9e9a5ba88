// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost of a call in addition to its kernel: compiled calls; run() of a graph that is built anew; and first calls in a
// fresh process, with an empty cache directory (cold) and with a filled one (warm), and the stages of a cold one.
#include <sinter/sinter.hpp>

#include <benchmark/benchmark.h>
#include <unistd.h>
#include <programs/flash_attention.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace sinter;

Array<float> numbers(std::int64_t n) {
    std::vector<float> v(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = 1 + float(i % 1000) * 1e-3f;
    return from(v);
}

void by_hand(benchmark::State& state) {
    std::vector<float> x(std::size_t(state.range(0)), 1.f), y = x, out = x;
    for (auto _ : state) {
        for (std::size_t i = 0; i < x.size(); ++i) out[i] = 2 * x[i] + y[i];
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    }
}

void compiled_call(benchmark::State& state) {
    const Array<float> x = numbers(state.range(0)), y = x;
    const auto saxpy = compile([](Exp<float> a, Delayed<float> u, Delayed<float> v) { return a * u + v; });
    saxpy(2.f, x, y);
    for (auto _ : state) benchmark::DoNotOptimize(saxpy(2.f, x, y).data());  // waits for a card
}

void run_call(benchmark::State& state) {
    const Array<float> x = numbers(state.range(0)), y = x;
    for (auto _ : state) benchmark::DoNotOptimize(run(2.f * x + y).data());
}

void graph_only(benchmark::State& state) {
    const Array<float> x = numbers(state.range(0)), y = x;
    for (auto _ : state) benchmark::DoNotOptimize(2.f * x + y);
}

void dot_call(benchmark::State& state) {
    const Array<float> x = numbers(state.range(0)), y = x;
    const auto dot = compile([](Delayed<float> u, Delayed<float> v) { return sum(u * v); });
    dot(x, y);
    for (auto _ : state) benchmark::DoNotOptimize(dot(x, y).item());
}

BENCHMARK(by_hand)->Arg(1 << 10)->Arg(1 << 14);
BENCHMARK(compiled_call)->Arg(1 << 10)->Arg(1 << 14);
BENCHMARK(run_call)->Arg(1 << 10)->Arg(1 << 14);
BENCHMARK(graph_only)->Arg(1 << 10);
BENCHMARK(dot_call)->Arg(1 << 10)->Arg(1 << 14);

/// Programs whose first call is timed.
double first_call(const std::string& name) {
    const Array<float> x = numbers(1 << 10), y = x;
    const auto start = std::chrono::steady_clock::now();
    if (name == "saxpy") run(2.f * x + y);
    if (name == "dot") run(fold(std::plus<>{}, 0.f, map(std::multiplies<>{}, x, y)));
    if (name == "black-scholes") {
        const auto phi = [](Delayed<float> v) { return erfc(v * -0.70710678f) / 2.f; };
        Delayed<float> spread = 0.3f * sqrt(y), d1 = (log(x / y) + 0.065f * y) / spread, disc = y * exp(-0.02f * y);
        run(x * phi(d1) - disc * phi(d1 - spread), disc * phi(spread - d1) - x * phi(-d1));
    }
    if (name == "flash-attention") {
        const Array<float, 2> q = run(fill(shape(256, 32), 0.5f));
        run(programs::flash_attention(programs::tiling(256, 32, 4096), q, q, q));
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Median milliseconds of the first call in `times` fresh processes; each one starts from an empty cache directory if cold.
double in_fresh_processes(const std::string& program, const std::string& name, bool cold, int times) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("sinter-calls-" + std::to_string(getpid()));
    std::vector<double> samples;
    const std::string command = "SINTER_CACHE_DIR=" + folder.string() + " " + program + " --first " + name;
    for (int k = cold ? 0 : -1; k < times; ++k) {
        if (cold) std::filesystem::remove_all(folder);
        double seconds = 0;
        FILE* pipe = popen(command.c_str(), "r");
        if (pipe == nullptr || std::fscanf(pipe, "%lf", &seconds) != 1 || pclose(pipe) != 0) std::exit(1);
        if (k >= 0) samples.push_back(seconds * 1e3);
    }
    std::filesystem::remove_all(folder);
    std::sort(samples.begin(), samples.end());
    return samples[samples.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 3 && std::strcmp(argv[1], "--first") == 0) {
        std::printf("%.9f\n", first_call(argv[2]));
        return 0;
    }
    if (argc == 3 && std::strcmp(argv[1], "--stages") == 0) {
        sinter::profile::start();
        first_call(argv[2]);
        std::fputs(sinter::profile::stop().c_str(), stdout);
        return 0;
    }
    std::printf("first call in a fresh process, ms      cold    warm\n");
    for (const char* name : {"saxpy", "dot", "black-scholes", "flash-attention"})
        std::printf("%-36s%7.2f %7.2f\n", name, in_fresh_processes(argv[0], name, true, 7),
                    in_fresh_processes(argv[0], name, false, 7));
    std::fflush(stdout);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
