// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs whose work ranks share, for timing: each case is called several times, and rank 0 prints the median in seconds,
// that of the time that its processor spent on it, and a number to compare. The second is what remains comparable on a
// machine with other work, if ranks are emulated: they sleep while they wait. run.py runs this alone and on ranks, in turn.
//
// Beside them are the bytes that rank 0 has received during the last call.
//
//   sinter_ranks [calls] [case ..]
#include "programs/kmeans.hpp"
#include "programs/multigrid.hpp"

#include <sinter/linalg.hpp>
#include <sinter/ranks.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

using namespace sinter;

namespace {

using Long = std::int64_t;

constexpr Long grid = 2048, many = 1 << 22;

struct Case {
    std::string name;
    std::function<std::function<double()>()> make;  ///< makes inputs; returns what is timed, and gives a number to compare
};

/// The number is known to all ranks when all have computed it, so that calls begin together.
double number(const Array<float>& a) { return static_cast<double>(run(sum(a)).item()); }

Array<float> values() {
    return run(generate(shape(many), [](auto i) { return cast<float>(i * 7919 % 100003) * 0.37f - 91.f; }));
}

/// On every rank, as an array that was not made by ranks together.
Array<float> replicated() {
    std::vector<float> all(many);
    for (Long i = 0; i < many; ++i) all[static_cast<std::size_t>(i)] = static_cast<float>(i * 7919 % 100003) * 0.37f - 91.f;
    return from(all, shape(many));
}

std::function<double()> heat() {
    auto step = compile([](Delayed<float, 2> u) {
        return stencil([](auto s) { return s(0, 0) + 0.2f * (s(-1, 0) + s(1, 0) + s(0, -1) + s(0, 1) - 4.f * s(0, 0)); },
                       boundary::clamp, u);
    });
    auto norm = compile([](Delayed<float, 2> u) { return sum(flatten(u * u)); });
    return [=, u = run(generate(shape(grid, grid), [](auto i, auto) { return select(i < 8, 100.f, 20.f); }))]() mutable {
        for (int k = 0; k < 10; ++k) u = step(std::move(u));
        return static_cast<double>(norm(u).item());
    };
}

std::function<double()> kmeans() {
    const Array<programs::Point> points = programs::blobs(many / 4, 8);
    auto move = compile(
        [](Delayed<programs::Point> centres, Delayed<programs::Point> p) { return programs::recentre(8, centres, p); });
    return [=] {
        Array<programs::Point> centres = run(take(points, 8));
        for (int k = 0; k < 5; ++k) centres = move(centres, points);
        const auto [x, y] = run(unzip(centres));
        return number(x) + number(y);
    };
}

/// The mean payoff of a European call over paths of the price at its end.
std::function<double()> option() {
    auto price = compile([](Exp<Long> seed) {
        auto payoff = [=](Exp<Long> i) {
            auto bits = cast<float>((i * 2654435761 + seed) % 16777213) * (1.f / 16777213.f) + 1e-7f;
            auto turn = cast<float>((i * 40503 + 7) % 65521) * (6.2831853f / 65521.f);
            auto normal = sqrt(-2.f * log(bits)) * cos(turn);
            auto end = 100.f * exp(-0.02f + 0.2f * normal);
            return select(end > 105.f, end - 105.f, 0.f);
        };
        return sum(generate(shape(many), payoff)) * (1.f / float(many));
    });
    return [=] { return static_cast<double>(price(Long{7}).item()); };
}

/// Four cycles of class W of the NAS Parallel Benchmarks, whose coarsest levels are a few points.
std::function<double()> multigrid() {
    const programs::MultigridClass w{128, 4, programs::smoother_a};
    const Array<double, 3> v = programs::right_hand_side(w.n);
    return [=] { return run(programs::residual_norm(v, programs::solution(w, v), w.n)).item(); };
}

/// A power method: in every step, all ranks need what all have computed.
std::function<double()> powers() {
    auto step = compile([](Delayed<float, 2> a, Delayed<float> x) { return matmul(a, x) * (1.f / 512); });
    const auto a =
        run(generate(shape(grid, grid), [](auto i, auto j) { return cast<float>((i * 31 + j * 17) % 101) * 0.01f; }));
    return [=] {
        Array<float> x = run(fill(shape(grid), 1.f));
        for (int k = 0; k < 20; ++k) x = step(a, x);
        return number(x);
    };
}

/// A thousand calls of a program that is too small to be shared.
std::function<double()> small() {
    auto step = compile([](Delayed<float> x) { return map([](Exp<float> e) { return e * 0.999f + exp(-e); }, x); });
    const auto begin = run(generate(shape(1 << 13), [](auto i) { return cast<float>(i) * 1e-3f; }));
    return [=] {
        Array<float> x = begin;
        for (int k = 0; k < 1000; ++k) x = step(x);
        return number(x);
    };
}

std::vector<Case> cases() {
    auto scanned = [](const Array<float>& x) {
        return [=] { return number(run(inclusive_scan(std::plus<>{}, x * 0.5f))); };
    };
    auto kept = [](const Array<float>& x) {
        return [=] { return number(run(filter([](auto e) { return e > 9000.f; }, x))); };
    };
    auto sorted = [](const Array<float>& x) { return [=] { return number(run(sort(x))); }; };
    auto counted = [](const Array<float>& x) {
        return [=] {
            auto bin = map([](Exp<float> e) { return cast<Long>((e + 91.f) * 0.025f); }, x);
            return number(run(map([](Exp<Long> n) { return cast<float>(n); },
                                  histogram(1024, std::plus<>{}, Long{0}, bin, fill(shape(many), Long{1})))));
        };
    };
    return {{"heat", heat},
            {"kmeans", kmeans},
            {"option", option},
            {"multigrid", multigrid},
            {"matvec", powers},
            {"small", small},
            {"scan", [=] { return scanned(values()); }},
            {"scan, replicated", [=] { return scanned(replicated()); }},
            {"filter", [=] { return kept(values()); }},
            {"sort", [=] { return sorted(values()); }},
            {"histogram", [=] { return counted(values()); }},
            {"transpose",
             [] {
                 const auto a = run(generate(shape(grid, grid), [](auto i, auto j) { return cast<float>(i * 3 + j); }));
                 return [=] { return number(run(sum(transpose(a) * 2.f))); };
             }},
            {"transpose, in blocks", [] {
                 const auto a = run(generate(shape(grid, grid), [](auto i, auto j) { return cast<float>(i * 3 + j); }));
                 return [=] {  // of an array that nobody has gathered yet
                     const Array<float, 2> b = run(a * 1.5f), c = run(transpose(b) * 2.f);
                     return number(run(sum(c)));
                 };
             }}};
}

double processor_seconds() {
    std::timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
    Ranks ranks(argc, argv);
    const int calls = argc > 1 ? std::atoi(argv[1]) : 9;
    const std::vector<std::string> wanted(argv + std::min(argc, 2), argv + argc);
    for (const Case& each : cases()) {
        if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), each.name) == wanted.end()) continue;
        const std::function<double()> call = each.make();
        std::vector<double> seconds, spent;
        double result = call();
        std::int64_t received = 0;
        for (int k = 0; k < calls; ++k) {
            const auto begin = std::chrono::steady_clock::now();
            const double before = processor_seconds();
            received = ranks.received();
            result = call();
            seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
            spent.push_back(processor_seconds() - before);
            received = ranks.received() - received;
        }
        if (ranks.first())
            std::printf("%s\t%.6g\t%.6g\t%.17g\t%ld\n", each.name.c_str(), median(seconds), median(spent), result,
                        static_cast<long>(received));
    }
}
