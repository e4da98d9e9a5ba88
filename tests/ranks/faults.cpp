// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults at random places. Every rank writes what it saw to a file of its own, FOLDER/<rank>:
//   errors FOLDER SEED COUNT   checks that fail, and memory that is missing on one rank; then the library is used again
//   death FOLDER SEED WAY      a rank ends, or goes its own way; the others say which error they got, and after how long
//   mirror FOLDER SEED WAY     memory is missing while halos travel that never arrive (mirror.cpp)
#include <sinter/ranks.hpp>
#include <sinter/sinter.hpp>

#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace sinter;

namespace {

using Long = std::int64_t;
using Clock = std::chrono::steady_clock;

constexpr Long size = 300000, steps = 6;

/// Steps of a stencil, of which one divides by zero, breaks an expectation or reads outside at one element; the sum of what
/// comes out, and a map of it.
auto make_program() {
    return compile([](Delayed<float> a, Exp<Long> way, Exp<Long> step, Exp<Long> element) {
        auto three = [](auto s) { return 0.25f * s(-1) + 0.5f * s(0) + 0.25f * s(1); };
        auto end = for_loop(
            steps,
            [=](auto k, Delayed<float> v) {
                auto at = generate(shape(size), [=](auto i) {
                    auto here = k == step && i == element;
                    expect(!(here && way == Long{1}), "this element is well");
                    return select(here && way == Long{2}, i + size, i) / select(here && way == Long{0}, Long{0}, Long{1});
                });
                return stencil(three, boundary::clamp, v) + 0.5f * gather(at, v * 0.5f);
            },
            a);
        return std::tuple(sum(end), end * 2.f);
    });
}

using Program = decltype(make_program());

/// Blocks of memory until no more are to be had, but for a few.
std::vector<Array<float>> fill_memory(std::minstd_rand& random) {
    std::vector<Array<float>> blocks;
    for (std::size_t elements : {1u << 18, 1u << 15}) try {
            for (;;) blocks.push_back(from(std::vector<float>(elements)));
        } catch (const MemoryError&) {
        }
    for (std::size_t keep = blocks.size() - std::min<std::size_t>(blocks.size(), random() % 16); blocks.size() > keep;)
        blocks.pop_back();
    return blocks;
}

void inject_errors(const Ranks& ranks, std::ofstream& out, unsigned seed, int count) {
    const Program program = make_program();
    std::minstd_rand random(seed);
    const Array<float> a = run(generate(shape(size), [](auto i) { return cast<float>(i % 1009); }));
    for (int k = 0; k < count; ++k) {
        const auto way = Long(random() % 5), step = Long(random() % steps), element = Long(random() * 7919ull % size);
        const auto victim = int(random() % 64) % ranks.count();
        std::minstd_rand more(random());
        std::vector<Array<float>> ballast;
        if (way > 2 && ranks.rank() == victim) ballast = fill_memory(more);
        const auto start = Clock::now();
        std::string what = "no error";
        try {
            program(a, way, step, element);
        } catch (const Error& error) {
            what = std::to_string(int(error.kind())) + " " + std::to_string(error.where().line()) + " " + error.what();
        }
        if (Clock::now() - start > std::chrono::seconds(5)) what += ", late";
        ballast.clear();
        auto [total, twice] = program(a, Long{0}, Long{-1}, Long{0});
        out << (way > 2 ? "memory: " : "check: ") << what << "; then " << total.item() << ' ' << run(sum(twice)).item()
            << '\n';
    }
}

void end_here(std::string_view way, std::optional<Ranks>& ranks) {
    if (way == "kill") raise(SIGKILL);
    if (way == "_exit") _exit(3);
    if (way == "exit") std::exit(0);
    if (way == "abort") std::abort();
    if (way == "leave") ranks.reset(), std::exit(0);
    if (way == "hang") sleep(60);
    if (way == "diverge") from_parts(std::vector<float>(1), shape(1));
    if (way == "throw") throw std::runtime_error("nobody catches this");
}

/// Ends this process after some microseconds, in the middle of whatever it does.
void end_later(unsigned micros) {
    std::signal(SIGALRM, SIG_DFL);
    const itimerval timer{{0, 0}, {0, static_cast<suseconds_t>(1 + micros)}};
    setitimer(ITIMER_REAL, &timer, nullptr);
}

void watch_death(std::optional<Ranks>& ranks, std::ofstream& out, unsigned seed, std::string_view way) {
    const Program program = make_program();
    std::minstd_rand random(seed);
    random.discard(5);
    const auto victim = int(random() % 64) % ranks->count(), when = int(random() % 20);
    Array<float> a = run(generate(shape(size), [](auto i) { return cast<float>(i % 1009); }));
    auto well = Clock::now();
    try {
        for (int k = 0; k < 1000; ++k) {
            if (k == 3 && way == "alarm" && ranks->rank() == victim) end_later(unsigned(random() % 100000));
            if (k == when && ranks->rank() == victim) end_here(way, ranks);
            auto [total, twice] = program(a, Long{0}, Long{-1}, Long{0});
            const Array<float, 2> rows = run(reshape(twice, shape(500, 600)) * 0.25f);
            a = run(flatten(transpose(rows)));  // near ranks read the rows where they are
            well = Clock::now();
        }
        out << "no error\n";
    } catch (const Error& error) {
        const bool late = Clock::now() - well > std::chrono::seconds(5);
        out << int(error.kind()) << (late ? ", late: " : ": ") << error.what() << std::endl;
    }
}

void fail_meanwhile(std::ofstream& out) {
    auto step = compile([](Delayed<float> a) { return stencil([](auto s) { return s(-1) + s(1); }, boundary::clamp, a); });
    const Array<float> a = run(generate(shape(size), [](auto i) { return cast<float>(i % 1009); }));
    std::vector<Array<float>> ballast;
    try {
        for (;;) ballast.push_back(from(std::vector<float>(1 << 15)));
    } catch (const MemoryError&) {
        ballast.pop_back();
    }
    auto attempt = [&] {
        try {
            step(a);
            out << "no error\n";
        } catch (const Error& error) {
            out << int(error.kind()) << ": " << error.what() << '\n';
        }
    };
    attempt();
    ballast.clear();
    attempt();
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view what = argv[1], way = argv[4];
    std::optional<Ranks> ranks(std::in_place, argc, argv);
    std::ofstream out(std::string(argv[2]) + "/" + std::to_string(ranks->rank()));
    const auto seed = unsigned(std::atoi(argv[3]));
    if (what == "errors") inject_errors(*ranks, out, seed, std::atoi(argv[4]));
    if (what == "mirror") fail_meanwhile(out);
    if (what == "death") watch_death(ranks, out, seed, way);
}
