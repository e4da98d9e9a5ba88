// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs for the controls of the test driver, beside those of kernels.cpp: blocks that do several things in turn, and
// threads that report failures together. Used in the same way: a name runs one, without a name they are listed.
#include "named_programs.hpp"

#include <sinter/sinter.hpp>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace sinter;

constexpr std::int64_t n = 20000;

template <class T>
Array<T> numbers(std::int64_t count, int modulus = 11) {
    std::vector<T> v(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) v[static_cast<std::size_t>(i)] = static_cast<T>(i * 7 % modulus - modulus / 2);
    return from(v);
}

template <class T>
Array<T, 2> matrix(std::int64_t rows, std::int64_t columns, int modulus = 11) {
    return run(reshape(numbers<T>(rows * columns, modulus), shape(rows, columns)), {.target = Target::interpreter()});
}

/// Equal bits: nothing here rounds.
template <class E>
bool agrees(const E& expression) {
    const auto expected = run(expression, {.target = Target::interpreter()}).to_vector();
    return expected == run(expression, {.target = Target::gpu()}).to_vector();
}

template <class E>
std::string message(const E& expression, Target target) try {
    run(expression, {.target = target});
    return {};
} catch (const Error& error) {
    return error.what();
}

/// The first of many indices that are out of range is the one that is named.
bool first_failure_is_named() {
    auto at = map([](auto i) { return i + cast<std::int64_t>(i >= 700) * n; }, iota(n));
    const auto expression = gather(at, numbers<float>(n));
    const std::string expected = message(expression, Target::interpreter());
    for (int k = 0; k < 5; ++k)
        if (message(expression, Target::gpu()) != expected) return false;
    return !expected.empty();
}

/// Kernels that do not depend on each other, in a call that is repeated until it is one launch. Some of their memory has to
/// be cleared before; what was there before is never what is to be there.
bool branches_agree() {
    auto program = [](Delayed<int> x, Delayed<int> y, Exp<int> a) {
        const auto sums = force(inclusive_scan(std::plus<>{}, x + a)), twice = force(y * 2 + a);
        const auto maxima = force(inclusive_scan([](auto p, auto q) { return max(p, q); }, twice));
        return std::tuple(force(sums * 3) - gather(iota(n) / 2, maxima), force(twice * twice) + maxima);
    };
    const Array<int> x = numbers<int>(n), y = numbers<int>(n / 2, 7);
    const auto expected = compile(program, {.target = Target::interpreter()});
    const auto on_gpu = compile(program, {.target = Target::gpu(), .bounds = Bounds::unchecked});
    for (int call = 0; call < 6; ++call) {
        const auto [first, second] = expected(x, y, call);
        const auto [one, other] = on_gpu(x, y, call);
        if (one.to_vector() != first.to_vector() || other.to_vector() != second.to_vector()) return false;
    }
    return true;
}

/// The same in calls that are the first of a program, which start one kernel after another. What they read has just been
/// computed, or copied to the card, and arrays take turns in their places.
bool first_branches_agree() {
    auto program = [](const auto& x, const auto& y, int a) {
        const auto sums = force(inclusive_scan(std::plus<>{}, x + a)), twice = force(y * 2 + a);
        const auto maxima = force(inclusive_scan([](auto p, auto q) { return max(p, q); }, twice));
        return std::tuple(force(sums * 3) - gather(iota(n) / 2, maxima), force(twice * twice) + maxima);
    };
    const Options on_gpu{.target = Target::gpu(), .bounds = Bounds::unchecked}, expected{.target = Target::interpreter()};
    for (int call = 0; call < 4; ++call) {
        const Array<int> x = numbers<int>(n + call), y = numbers<int>(n / 2, 7);
        const Array<int> from = run(x * 2 + call, on_gpu), other_from = run(y - call, on_gpu);
        const auto [one, other] = run(program(take(from, n), other_from, call), on_gpu);
        const auto [third, fourth] = run(program(take(x, n), one, call), on_gpu);
        const auto [first, second] = run(program(take(x * 2 + call, n), y - call, call), expected);
        const auto [next, last] = run(program(take(x, n), first, call), expected);
        if (one.to_vector() != first.to_vector() || other.to_vector() != second.to_vector()) return false;
        if (third.to_vector() != next.to_vector() || fourth.to_vector() != last.to_vector()) return false;
    }
    return true;
}

/// The same by threads that take memory from each other and share the streams.
bool branches_of_threads_agree() {
    std::atomic<bool> agree = true;
    std::vector<std::thread> threads;
    for (int k = 0; k < 3; ++k)
        threads.emplace_back([&] {
            if (!first_branches_agree()) agree = false;
        });
    for (std::thread& thread : threads) thread.join();
    return agree;
}

bool streams_are_shown() {
    const Array<float> x = numbers<float>(n), y = numbers<float>(n / 2);
    const auto text = [](const auto& e, Target target) { return explain(e, {.target = target}).text(); };
    const auto shows = [](const std::string& said, const char* stream) { return said.find(stream) != std::string::npos; };
    const auto beside = std::tuple(sum(force(sin(x))), sum(force(cos(y))));
    const std::string on_card = text(beside, Target::gpu());
    return shows(on_card, "stream   1 of 2") && shows(on_card, "stream   2 of 2") &&
           !shows(text(beside, Target::host()), "stream   ") && !shows(text(sum(force(sin(x))), Target::gpu()), "stream   ");
}

/// Many values go to each place: one of them is there afterwards, whole.
template <class T>
bool one_of_several_wins() {
    constexpr std::int64_t places = 500;
    auto at = [=](auto i) { return i * 7 % places; };
    const auto values = map([](auto i) { return cast<T>(i % 97); }, iota(n));
    const auto found = run(scatter(fill(shape(places), T(-1)), map(at, iota(n)), values), {.target = Target::gpu()});
    const std::vector<T> all = found.to_vector();
    std::vector<std::vector<bool>> possible(places, std::vector<bool>(97));
    for (std::int64_t i = 0; i < n; ++i)
        possible[static_cast<std::size_t>(i * 7 % places)][static_cast<std::size_t>(i % 97)] = true;
    for (std::size_t k = 0; k < all.size(); ++k)
        if (all[k] < T(0) || !possible[k][static_cast<std::size_t>(all[k])]) return false;
    return true;
}

/// The same for pairs, whose parts are in two arrays.
bool pairs_are_whole() {
    constexpr std::int64_t places = 500;
    const auto at = map([=](auto i) { return select(i % 10 == 0, std::int64_t(-1), i * 7 % places); }, iota(n));
    const auto values = map([](auto i) { return std::tuple(cast<float>(i), 3 * i); }, iota(n));
    const auto dest = fill(shape(places), std::tuple(-1.f, std::int64_t(-3)));
    const auto [first, second] = run(unzip(scatter(dest, at, values)), {.target = Target::gpu()});
    const std::vector<float> firsts = first.to_vector();
    const std::vector<std::int64_t> seconds = second.to_vector();
    bool any = false;
    for (std::size_t k = 0; k < firsts.size(); ++k) {
        if (seconds[k] != 3 * static_cast<std::int64_t>(firsts[k])) return false;
        if (seconds[k] >= 0 && seconds[k] / 3 * 7 % places != static_cast<std::int64_t>(k)) return false;
        any = any || seconds[k] >= 0;
    }
    return any;
}

/// Pairs in a part of a table, where no two points meet: there is nothing to claim.
bool windows_of_pairs_agree() {
    constexpr std::int64_t rows = 60, columns = 210;
    const auto dest = fill(shape(rows, columns), std::tuple(-1.f, std::int64_t(-3)));
    const auto values = generate(shape(rows - 7, columns / 2 - 1),
                                 [=](auto i, auto j) { return std::tuple(cast<float>(i - j), i * columns + j); });
    const auto updated = unzip(update(dest, range(3, rows - 4), range(1, columns - 2, 2), values));
    const auto [first, second] = run(updated, {.target = Target::interpreter()});
    const auto [one, other] = run(updated, {.target = Target::gpu()});
    return one.to_vector() == first.to_vector() && other.to_vector() == second.to_vector();
}

const NamedProgram programs[] = {
    {"sums_of_rows", [] { return agrees(sum(matrix<int>(100, 3000), axis(1))); }},
    {"sums_of_long_rows", [] { return agrees(sum(matrix<int>(40, 20000), axis(1))); }},
    {"scans_of_rows",
     [] {
         const auto rows = matrix<int>(60, 9000);
         return agrees(vmap([](Delayed<int> row) { return inclusive_scan(std::plus<>{}, row); }, rows));
     }},
    {"scan_of_wide_numbers", [] { return agrees(inclusive_scan(std::plus<>{}, numbers<std::int64_t>(6 * n))); }},
    {"filter_of_wide_numbers", [] { return agrees(filter([](auto x) { return x > 0; }, numbers<double>(6 * n))); }},
    {"sorted_rows",
     [] {
         const auto rows = matrix<int>(40, 9000, 1009);
         return agrees(vmap([](Delayed<int> row) { return sort(row); }, rows));
     }},
    {"sorted_positions", [] { return agrees(argsort(numbers<float>(16 * n, 1009))); }},
    {"bins_of_floats",
     [] {
         auto bins = map([](auto x) { return cast<std::int64_t>(x) + 50; }, numbers<int>(20 * n, 101));
         return agrees(histogram(101, std::plus<>{}, 0.f, bins, numbers<float>(20 * n, 13)));
     }},
    {"scattered_values",
     [] {
         return one_of_several_wins<std::int8_t>() && one_of_several_wins<std::int16_t>() && one_of_several_wins<float>() &&
                one_of_several_wins<std::int64_t>();
     }},
    {"scattered_pairs", pairs_are_whole},
    {"windows_of_pairs", windows_of_pairs_agree},
    {"first_failure", first_failure_is_named},
    {"branches", branches_agree},
    {"first_branches", first_branches_agree},
    {"branches_of_threads", branches_of_threads_agree},
    {"streams_are_shown", streams_are_shown},
};

}  // namespace

int main(int count, char** arguments) { return run_named(programs, count, arguments); }
