// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "settings.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include <unistd.h>

namespace driver {

namespace {

constexpr int exit_status = 70, default_error = 1;

const char* setting(const char* name) {
    const char* text = std::getenv(name);
    return text && *text ? text : nullptr;
}

std::uint64_t first_state() {
    const char* seed = setting("SINTER_TEST_DRIVER_SEED");
    return (seed ? std::strtoull(seed, nullptr, 0) : 0) * 0x9e3779b97f4a7c15 + 88172645463325252;
}

}  // namespace

void violation(const std::string& rule) {
    std::fflush(stdout);
    std::fprintf(stderr, "test driver: %s\n", rule.c_str());
    std::fflush(stderr);
    _exit(exit_status);
}

/// Marsaglia's xorshift generator.
std::uint32_t Random::next() {
    if (state_ == 0) state_ = first_state();
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::uint32_t>(state_ >> 16);
}

Random& chance() {
    static Random random;
    return random;
}

int device_count() {
    static const int count = [] {
        const char* text = setting("SINTER_TEST_DRIVER_DEVICES");
        return text ? std::atoi(text) : 1;
    }();
    return count;
}

int failure_of(const char* function) {
    static std::string counted;
    static int calls = 0;
    const char* text = setting("SINTER_TEST_DRIVER_FAIL");
    if (!text) return counted.clear(), 0;
    if (counted != text) counted = text, calls = 0;
    const std::size_t length = std::strlen(function);
    if (counted.compare(0, length, function) != 0 || counted[length] != ':') return 0;
    char* end = nullptr;
    const long n = std::strtol(text + length + 1, &end, 10);
    if (calls++ != n) return 0;
    return *end == ':' ? std::atoi(end + 1) : default_error;
}

bool is_dropped(const std::string& description) {
    static int count = 0;
    if (const char* path = setting("SINTER_TEST_DRIVER_LIST"))
        if (std::FILE* file = std::fopen(path, "a")) {
            std::fprintf(file, "%d %s\n", count, description.c_str());
            std::fclose(file);
        }
    const char* text = setting("SINTER_TEST_DRIVER_DROP");
    const int number = count++;
    return text && std::atoi(text) == number;
}

}  // namespace driver
