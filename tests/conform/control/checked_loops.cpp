// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that read at indices which grow with their counters: the step at which the first of them leaves its array is found
// before the loop, and has to report what that step would.
#include "conform/support.hpp"

#include <string>
#include <tuple>
#include <vector>

using namespace sinter;
using conform::numbers;

namespace {

using Long = std::int64_t;
using I = Exp<Long>;
using Vector = Delayed<Long>;

/// The elements of the result, or the message of the error, which have to be the same on every target.
template <class Make>
std::string outcome(const Make& make) {
    std::string expected;
    auto targets = conform::targets();
    targets.insert(targets.begin(), Target::interpreter());
    for (Target target : targets) {
        CAPTURE(target.number);
        std::string found;
        try {
            for (Long x : run(make(), {.target = target}).to_vector()) found += std::to_string(x) + " ";
        } catch (const Error& error) {
            found = error.what();
        }
        if (expected.empty()) expected = found;
        CHECK(found == expected);
    }
    return expected;
}

Array<Long> some(Long n) { return from(numbers<Long>(n)); }
Array<Long> longs(const std::vector<Long>& values) { return from(values); }

}  // namespace

TEST_CASE("reads at a constant distance from step to step", "[loop_kernels]") {
    const Array<Long> x = some(20), starts = longs({-1, 0, 3, 19, 20}), counts = longs({0, 1, 6, 19, 20, 21, 1000});
    for (Long stride : {1, -1, 2, -3, 0, 1'000'000'007})
        for (Long start = 0; start < 5; ++start)
            for (Long count = 0; count < 7; ++count) {
                CAPTURE(stride, start, count);
                const auto sum = [=](I first, I steps) {
                    return for_loop(steps, [=](I k, I s) { return s * 3 + x(first + k * stride); }, I(Long(0)));
                };
                const auto at = [=](I) { return sum(starts(start), counts(count)); };
                const std::string found = outcome([=] { return Vector(map(at, iota(1))); });
                const Long first = starts(start), last = first + (counts(count) - 1) * stride;
                const bool is_inside = first >= 0 && first < 20 && last >= 0 && last < 20;
                CHECK((counts(count) == 0 || is_inside) == (found.find("out of range") == std::string::npos));
            }
}

TEST_CASE("the first of several reads that leave their arrays", "[loop_kernels]") {
    const Array<Long, 2> m = from(numbers<Long>(12 * 9), shape(12, 9));
    const Array<Long> x = some(30), zeros = longs({1, 2, 1, 1, 3, 0, 1, 1});
    for (Long steps : {8, 9, 12, 40})
        for (Long shift : {0, 1, 4, 11, 12}) {
            CAPTURE(steps, shift);
            const Array<Long> given = from({steps, shift});
            const auto loop = [=](const auto& step) {
                return outcome([=] {
                    return Vector(map(
                        [=](I) { return for_loop(given(0), [=](I k, I s) { return step(k, s); }, I(Long(1))); }, iota(1)));
                });
            };
            loop([=](I k, I s) { return s + m(k + given(1), k) + x(29 - k * 4); });
            loop([=](I k, I s) { return s + x(29 - k * 4) * m(given(1), 2 * k - 1 + 1); });
            loop([=](I k, I s) { return s * m(11 - given(1), k) / zeros(k); });  // a division fails first, or an index
            loop([=](I k, I s) { return s + m(k, x(k) + given(1)); });           // one index is read
            loop([=](I, I s) { return s + m(given(1), s % 9); });                // and one is a state
            loop([=](I k, I s) { return for_loop(k, [=](I l, I t) { return t + m(k - l, given(1) + l); }, s); });
        }
}

TEST_CASE("loops on arrays whose reads leave them", "[loop_kernels]") {
    for (Long n : {3, 40, 41}) {
        const Array<Long> given = from({Long{41}, n});
        for (Long shift : {0, 1, -1}) {
            CAPTURE(n, shift);
            outcome([=] {
                return for_loop(
                    given(1), [=](I i, Vector s) { return update(s, index(i), s(i) + 2 * s(i + shift)); }, Vector(some(41)));
            });
            outcome([=] {
                return for_loop(
                    given(1),
                    [=](I i, Vector s) {
                        return for_loop(
                            i + 1, [=](I j, Vector s) { return update(s, index(i - j), s(j) + s(i + shift * j)); }, s);
                    },
                    Vector(some(41)));
            });
        }
    }
}

TEST_CASE("loops in scans, folds and filters whose reads leave an array", "[loop_kernels]") {
    // One element fails. On a card its thread still has to tell others what they wait for.
    const Array<Long> x = some(40), given = from(std::vector<Long>(30000, 6));
    for (Long failing : {-1, 0, 511, 29999}) {
        CAPTURE(failing);
        const auto element = [=](I i, I steps) {
            return for_loop(
                steps, [=](I k, I s) { return s + x(select(i == failing, I(Long(38)), i % 30) + k); }, I(Long(1)));
        };
        const auto made = [=] { return Vector(map_indexed(element, given)); };
        const std::string scanned = outcome([=] { return Vector(take(inclusive_scan(std::plus<>{}, made()), 9)); });
        CHECK((failing >= 0) == (scanned.find("out of range") != std::string::npos));
        outcome([=] { return Vector(reshape(sum(made()), shape(1))); });
        outcome([=] { return Vector(take(filter([](auto v) { return v % 3 != 0; }, made()), 9)); });
    }
}
