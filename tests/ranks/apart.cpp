// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that go different ways: every one of them gets an error, and none waits for ever. Prints "caught" for each rank.
#include <sinter/npy.hpp>
#include <sinter/ranks.hpp>
#include <sinter/sinter.hpp>

#include <cstdio>
#include <string_view>

using namespace sinter;

namespace {

void one(std::string_view what, bool first) {
    const auto number = run(fill(shape(4), 1.0));
    if (what == "save") save_npy("/nowhere/a.npy", number);
    if (what == "throw" && !first) throw std::runtime_error("one rank only");
    if (what == "throw") from_parts(std::vector<float>(1), shape(1));
    if (what == "type" && first) from_parts(std::vector<float>(4), shape(4));
    if (what == "type" && !first) from_parts(std::vector<int>(4), shape(4));
    if (what == "calls" && first) from_parts(std::vector<float>(1), shape(1));
    if (what == "calls" && !first) save_npy("/nowhere/a.npy", number);
    if (what == "again") throw std::runtime_error("goes on");
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view what = argv[1];
    try {
        const Ranks ranks(argc, argv);
        one(what, ranks.first());
        return 1;
    } catch (const std::exception& error) {
        std::printf("caught %s\n", error.what());
    }
    if (what != "again") return 0;
    try {
        const Ranks second(argc, argv);
    } catch (const UsageError& error) {
        std::printf("caught %s\n", error.what());
    }
}
