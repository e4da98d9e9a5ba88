// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conform/support.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <thread>

using namespace sinter;

namespace {

using Catch::Contains;

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t result = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++result;
    return result;
}

std::string read(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("a profile counts the launches of all threads", "[profile]") {
    const std::string path = "/tmp/sinter-profile-" + std::to_string(getpid()) + ".json";
    const Array<float> x = from(std::vector<float>(10000, 1.5f));
    const auto twice = compile([](Delayed<float> v) { return 2.f * v; });
    twice(x);
    profile::start(path);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int k = 0; k < 25; ++k) twice(x);
        });
    for (std::thread& thread : threads) thread.join();
    const std::string table = profile::stop();
    twice(x);
    REQUIRE_THAT(table, Contains("kernel") && Contains("GB/s") && Contains(" 100 "));
    const std::string trace = read(path);
    std::remove(path.c_str());
    REQUIRE(count(trace, "\"cat\": \"kernel\"") == 100);
    REQUIRE(count(trace, "\"bytes\": 80000}") == 100);
    REQUIRE(count(trace, "{") == count(trace, "}"));
}

TEST_CASE("a profile shows the stages of a compilation", "[profile]") {
    const Array<double> x = from(std::vector<double>(100, 1.5));
    profile::start();
    run(sqrt(x * 3.0 + x * x - 0.25) / (x + floor(x * 0.75)), {.target = Target::host(1)});
    const std::string table = profile::stop();
    for (const char* stage : {"convert", "optimise", "fuse", "lower", "generate code", "link"})
        REQUIRE_THAT(table, Contains(std::string("\n") + stage + " "));
    REQUIRE_THAT(profile::stop(), !Contains("convert"));  // nothing is recorded any more
}

TEST_CASE("a profile shows the memory of arrays", "[profile][one_process]") {
    const Array<double> x = from(std::vector<double>(100000, 1.5));
    profile::start();
    const Array<double> y = run(x + 1.0, {.target = Target::host(1)});
    REQUIRE_THAT(profile::stop(), Contains("memory of arrays: at most ") && Contains(" MB, 0.8 MB of them since the start"));
    profile::start();
    REQUIRE_THAT(profile::stop(), Contains(" MB, 0.0 MB of them since the start"));
}

TEST_CASE("a trace that cannot be written is a UsageError", "[profile]") {
    REQUIRE_THROWS_AS(profile::start("/proc/self/no/trace.json"), UsageError);
}
