// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs that end early, by request or at a deadline, and what they say of how far they are.
#include "conform/support.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <sinter/async.hpp>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>

using namespace sinter;
using namespace conform;
using namespace std::chrono_literals;

namespace {

using Clock = std::chrono::steady_clock;

std::vector<Target> all_targets() {
    std::vector<Target> all = targets();
    all.push_back(Target::interpreter());
    return all;
}

/// The error of an action that has to be stopped.
template <class F>
Stopped stopped(F action) {
    try {
        action();
    } catch (const Stopped& error) {
        CHECK(error.kind() == ErrorKind::stopped);
        return error;
    }
    FAIL("it was not stopped");
    throw std::logic_error("unreachable");
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Asks to stop when it is looked at for the n-th time.
struct AtLook {
    std::shared_ptr<std::atomic<int>> left;
    explicit AtLook(int n) : left(std::make_shared<std::atomic<int>>(n)) {}
    bool stop_requested() const { return --*left <= 0; }
};

/// A loop that no pass can turn into one kernel; the line it is in.
constexpr unsigned loop_line = __LINE__ + 2;
Delayed<float> many_iterations(const Array<float>& x, std::int64_t count) {
    return for_loop(count, [](Exp<std::int64_t>, Delayed<float> v) { return v * 0.5f + sum(v) * 1e-9f; }, x);
}

Array<float> vector(std::int64_t n) { return from(numbers<float>(n)); }

/// Few bytes: kernels of an iteration are bound once; many: they are launched one by one.
const std::int64_t loop_sizes[] = {100, 300000};

}  // namespace

TEST_CASE("a deadline that has passed stops a run before it begins", "[stopping]") {
    Array<float> x = vector(1000);
    for (const Target& target : all_targets()) {
        const Options options{.target = target, .deadline = Clock::now() - 1s};
        const unsigned line = __LINE__ + 1;
        Delayed<float> y = x * 2.f;
        const Stopped error = stopped([&] { run(y, options); });
        CAPTURE(error.what());
        CHECK(contains(error.what(), "operator *: stopped, since its deadline has passed"));
        CHECK(error.where().line() == line);
        CHECK(run(sum(y), {.target = target, .deadline = Clock::now() + 1h}).item() == 2 * run(sum(x)).item());
    }
}

TEST_CASE("a stop that is requested in a loop ends it after that iteration", "[stopping]") {
    for (const Target& target : all_targets())
        for (std::int64_t n : loop_sizes) {
            if (target == Target::interpreter() && n > 1000) continue;
            CAPTURE(static_cast<int>(target.kind), target.number, n);
            Array<float> x = vector(n);
            std::stop_source source;
            auto watch = [&](const Progress& p) {
                if (p.iterations_done == 3) source.request_stop();
            };
            const Stopped error = stopped(
                [&] { run(many_iterations(x, 100000), {.target = target, .stop = source.get_token(), .progress = watch}); });
            CAPTURE(error.what());
            CHECK(contains(error.what(), "for_loop: stopped, as was requested, after 3 of 100000 iterations"));
            CHECK(error.where().line() == loop_line);
            CHECK(run(many_iterations(x, 3), {.target = target}).size() == n);
        }
}

TEST_CASE("a loop that a condition ends is stopped, too", "[stopping]") {
    for (const Target& target : all_targets())
        for (std::int64_t n : loop_sizes) {
            if (target == Target::interpreter() && n > 1000) continue;
            CAPTURE(static_cast<int>(target.kind), target.number, n);
            auto endless = while_loop([](Delayed<float> v) { return sum(v * 0.f) < 1.f; },
                                      [](Delayed<float> v) { return v * 0.5f + sum(v) * 1e-9f; }, vector(n));
            std::stop_source source;
            auto watch = [&](const Progress& p) {
                CHECK(p.iterations == 0);
                if (p.iterations_done >= 3) source.request_stop();
            };
            const Options options{.target = target, .stop = source.get_token(), .progress = watch};
            const Stopped error = stopped([&] { run(endless, options); });
            CHECK(contains(error.what(), "while_loop: stopped, as was requested, after "));
        }
}

TEST_CASE("an endless loop ends at its deadline", "[stopping]") {
    for (const Target& target : all_targets()) {
        auto endless = while_loop([](Delayed<float> v) { return sum(v * 0.f) < 1.f; },
                                  [](Delayed<float> v) { return v * 0.5f + sum(v) * 1e-9f; }, vector(100));
        const auto deadline = Clock::now() + 50ms;
        stopped([&] { run(endless, {.target = target, .deadline = deadline}); });
        CHECK(Clock::now() >= deadline);
    }
}

TEST_CASE("the parts that the host cuts a kernel into are left out when a run stops", "[stopping]") {
    const std::int64_t n = 1 << 22;
    Array<float> x = run(generate(shape(n), [](Exp<std::int64_t> i) { return cast<float>(i % 7) - 2.f; }));
    Array<std::int64_t> indices = run(generate(shape(n), [](Exp<std::int64_t> i) { return i * 7919 % 1000; }));
    Array<float, 2> m = run(reshape(x, shape(2048, 2048)));
    auto stops = [&](const char* what, const auto& expression) {
        const auto expected = run(expression, {.target = Target::host(1)});
        for (int threads : {1, 2, 4})
            for (int look : {4, 7, 20}) {
                CAPTURE(what, threads, look);
                const Target target = Target::host(threads);
                stopped([&] { run(expression, {.target = target, .stop = AtLook(look)}); });
                const auto actual = run(expression, {.target = target, .stop = AtLook(1 << 30)});
                require_same(expected.to_vector(), actual.to_vector());
            }
    };
    stops("map", map([](Exp<float> v) { return exp(sin(v)) * 2.f; }, x));
    stops("fold", sum(exp(sin(x))));
    stops("columns", sum(exp(m), axis(0)));
    stops("scan", inclusive_scan(std::plus<>{}, exp(x)));
    stops("compact", compact(exp(x) > 1.f, x));
    stops("histogram", histogram(shape(1000), std::plus<>{}, 0.f, indices, x));
    stops("transpose", transpose(m) * 2.f);
}

TEST_CASE("a request of another thread stops a run", "[stopping]") {
    for (const Target& target : all_targets()) {
        std::stop_source source;
        std::future<Array<float>> result =
            run_async(many_iterations(vector(100), std::int64_t{1} << 40), {.target = target, .stop = source.get_token()});
        std::this_thread::sleep_for(20ms);
        source.request_stop();
        const Stopped error = stopped([&] { result.get(); });
        CHECK(contains(error.what(), "stopped, as was requested"));
    }
}

TEST_CASE("a compiled function is stopped by its own options, or by those of a call", "[stopping]") {
    for (const Target& target : all_targets()) {
        Array<float> x = vector(1000);
        std::stop_source source;
        auto twice = compile([](Delayed<float> v) { return v * 2.f; }, {.target = target, .stop = source.get_token()});
        const auto expected = twice(x).to_vector();
        stopped([&] { twice.with({.deadline = Clock::now() - 1s})(x); });
        CHECK(twice(x).to_vector() == expected);
        source.request_stop();
        stopped([&] { twice(x); });
        const auto freed = twice.with({});
        CHECK(freed(x).to_vector() == expected);
        CHECK(freed.with({.deadline = Clock::now() + 1h})(x).to_vector() == expected);
    }
}

TEST_CASE("what compile has decided is not decided again", "[stopping]") {
    auto twice = compile([](Delayed<float> v) { return v * 2.f; });
    REQUIRE_THROWS_WITH(twice.with({.fusion = Fusion::none}), Catch::Contains("give them to compile"));
    REQUIRE_THROWS_AS(twice.with({.target = Target::interpreter()}), UsageError);
    REQUIRE_THROWS_AS(twice.with({.tape = 1000}), UsageError);
}

TEST_CASE("progress counts the steps, and the iterations of the outermost loop", "[stopping]") {
    for (const Target& target : all_targets())
        for (std::int64_t n : loop_sizes) {
            if (target == Target::interpreter() && n > 1000) continue;
            std::vector<Progress> seen;
            auto nested = for_loop(
                std::int64_t{5},
                [](Exp<std::int64_t>, Delayed<float> v) {
                    return for_loop(
                        std::int64_t{7}, [](Exp<std::int64_t>, Delayed<float> w) { return w * 0.5f + sum(w) * 1e-9f; }, v);
                },
                vector(n));
            run(nested, {.target = target, .progress = [&](const Progress& p) { seen.push_back(p); }});
            std::int64_t iterations = 0;
            double fraction = 0;
            for (const Progress& p : seen) {
                if (p.iterations == 5) CHECK(p.iterations_done == ++iterations);
                CHECK(p.fraction() >= fraction);
                fraction = p.fraction();
            }
            CHECK(iterations == 5);
            REQUIRE(!seen.empty());
            CHECK(seen.back().steps_done == seen.back().steps);
            CHECK(seen.back().steps > 0);
        }
}

TEST_CASE("what a progress callback throws ends the run, and nothing else", "[stopping]") {
    struct Enough {};
    for (const Target& target : all_targets()) {
        auto complain = [](const Progress& p) {
            if (p.iterations_done == 2) throw Enough();
        };
        Array<float> x = vector(1000);
        REQUIRE_THROWS_AS(run(many_iterations(x, 10), {.target = target, .progress = complain}), Enough);
        CHECK(run(many_iterations(x, 10), {.target = target}).size() == 1000);
    }
}

TEST_CASE("deadlines are those of the steady clock, in any unit", "[stopping]") {
    constexpr std::chrono::time_point<Clock, std::chrono::seconds> seconds(3s);
    STATIC_REQUIRE(Deadline(seconds).nanoseconds() == 3'000'000'000);
    STATIC_REQUIRE(Deadline(Clock::time_point(7ns)).nanoseconds() == 7);
    STATIC_REQUIRE(!Deadline());
    STATIC_REQUIRE(!Deadline(std::chrono::time_point<Clock, std::chrono::hours>::max()));
    STATIC_REQUIRE(Deadline(std::chrono::time_point<Clock, std::chrono::duration<double>>(0.5s)).nanoseconds() ==
                   500'000'000);
    STATIC_REQUIRE(!std::is_convertible_v<std::chrono::system_clock::time_point, Deadline>);
}
