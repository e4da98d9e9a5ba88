// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that go different ways: every one of them gets an error, and none waits for ever. Prints "caught" for each rank.
#include <sinter/npy.hpp>
#include <sinter/ranks.hpp>
#include <sinter/sinter.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string_view>
#include <thread>

using namespace sinter;

namespace {

/// Of rows on both ranks, and with the same extents on either of them.
void one_of_large(std::string_view what, bool first) {
    const auto make = [](float step) {
        return run(generate(shape(1000, 300), [=](auto i, auto j) { return cast<float>(i + j) * step; }));
    };
    const Array<float, 2> a = make(1.f), b = make(1.f);
    if (what == "kernels" && first) run(stencil([](auto s) { return s(-1, 0) + s(1, 0); }, boundary::clamp, a));
    if (what == "kernels" && !first) run(stencil([](auto s) { return s(-2, 0) + s(2, 0); }, boundary::clamp, a));
    if (what == "constants") run(a * (first ? 2.f : 3.f));
    const auto scaled = compile([](Delayed<float, 2> x, Delayed<float, 0> y) { return x * y(); });
    if (what == "numbers") scaled(a, run(fill(shape(), first ? 2.f : 3.f)));
    if (what == "reads") (first ? a : b).to_vector();
    if (what == "thread") {
        std::exception_ptr thrown;
        std::thread([&] {
            try {
                from_parts(std::vector<float>(4), shape(4));
            } catch (...) {
                thrown = std::current_exception();
            }
        }).join();
        if (thrown) std::rethrow_exception(thrown);
    }
    if (what == "fork" && first) {  // the child is no rank; the ranks go on
        if (const pid_t child = fork(); child == 0) {
            try {
                run(a * 2.f).to_vector();
            } catch (const UsageError&) {
                _exit(7);
            }
            _exit(1);
        } else {
            int status = 0;
            waitpid(child, &status, 0);
            if (WEXITSTATUS(status) != 7) std::printf("the child has read the array\n");
        }
    }
    if (what == "fork" && run(a * 2.f).to_vector().back() == 2.f * (999 + 299)) throw std::runtime_error("goes on");
}

void one(std::string_view what, bool first) {
    for (std::string_view large : {"kernels", "constants", "numbers", "reads", "thread", "fork"})
        if (what == large) return one_of_large(what, first);
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
