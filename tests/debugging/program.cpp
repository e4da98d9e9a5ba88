// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a kernel, looks for it in the file that perf reads, and lets a debugger stop before it runs it again.
#include <sinter/sinter.hpp>

#include <unistd.h>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

using namespace sinter;

namespace {

struct Function {
    std::uintptr_t address = 0;
    std::size_t bytes = 0;
    std::string name;
};

/// The functions in the file that perf reads.
std::vector<Function> functions(const std::string& path) {
    std::vector<Function> result;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        Function f;
        std::istringstream words(line);
        words >> std::hex >> f.address >> f.bytes >> std::ws;
        std::getline(words, f.name);
        result.push_back(f);
    }
    return result;
}

bool is_executable(const Function& f) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        unsigned long begin = 0, end = 0;
        char rights[5] = {};
        if (std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, rights) != 3) continue;
        if (f.address >= begin && f.address + f.bytes <= end) return rights[2] == 'x';
    }
    return false;
}

}  // namespace

/// A debugger finds the address of the kernel in the first argument.
extern "C" __attribute__((noinline)) void stop_here(const void* kernel) { asm volatile("" : : "r"(kernel) : "memory"); }

int main() {
    const Array<float> x = run(fill(shape(1000), 2.f));
    const unsigned line = __LINE__ + 1;
    auto twice = compile([](Delayed<float> v) { return map([](Exp<float> e) { return exp(e) * 2.f; }, v); });
    twice(x);
    const std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
    const std::string name = "map@" + std::string(__FILE__) + ":" + std::to_string(line);
    for (const Function& f : functions(path)) {
        std::cout << std::hex << f.address << std::dec << " " << f.bytes << " " << f.name << "\n";
        if (f.name != name || f.bytes == 0 || !is_executable(f)) continue;
        std::remove(path.c_str());
        stop_here(reinterpret_cast<const void*>(f.address));
        twice(x);
        std::cout << "the kernel is known\n";
        return 0;
    }
    std::remove(path.c_str());
    std::cout << name << " is not known\n";
    return 1;
}
