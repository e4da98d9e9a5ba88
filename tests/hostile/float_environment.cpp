// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results do not depend on the caller's floating-point environment, and the caller's stays as it was.
#include "odd_environment.hpp"
#include "support.hpp"

#include <cfenv>
#include <cstring>
#include <limits>
#include <vector>

using namespace sinter;
using hostile::Odd;

namespace {

std::vector<float> tiny(std::size_t n) {
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i)
        values[i] = std::numeric_limits<float>::denorm_min() * static_cast<float>(1000 + i % 3000);
    return values;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// Small and rounded values, folds, scans, and constants that are computed when a program is compiled.
auto programs(const Array<float>& x) {
    return std::tuple(x * 0.5f + x, sum(x * 0.1f), inclusive_scan([](auto a, auto b) { return a + b; }, exp(x) * 0.1f),
                      map([](auto v) { return v + exp(Exp<float>(1.f)) * 0.1f; }, x), sqrt(x) / 3.f);
}

const std::vector<Target> targets = {Target::interpreter(), Target::host(1), Target::host(2)};

}  // namespace

TEST_CASE("the caller's rounding and treatment of subnormal numbers change no result") {
    for (std::int64_t n : {7, 1000, 300000}) {
        const Array<float> x = from(tiny(static_cast<std::size_t>(n)));
        for (const Target& target : targets) {
            const Options options{.target = target};
            const auto expected = run(programs(x), options);
            const auto actual = [&] {
                const Odd odd;
                auto result = run(programs(x), options);
                if (!Odd::is_untouched()) FAIL("the caller's environment was changed");
                return result;
            }();
            CAPTURE(n, target.number);
            CHECK(same_bits(std::get<0>(expected).to_vector(), std::get<0>(actual).to_vector()));
            CHECK(same_bits(std::get<1>(expected).to_vector(), std::get<1>(actual).to_vector()));
            CHECK(same_bits(std::get<2>(expected).to_vector(), std::get<2>(actual).to_vector()));
            CHECK(same_bits(std::get<3>(expected).to_vector(), std::get<3>(actual).to_vector()));
            CHECK(same_bits(std::get<4>(expected).to_vector(), std::get<4>(actual).to_vector()));
        }
    }
}

TEST_CASE("programs that are compiled in an odd environment are those of the default one") {
    const Array<float> x = from(tiny(100));
    auto make = [](float c) { return compile([=](Delayed<float> v) { return v * 0.3f + exp(Exp<float>(c)) * 0.7f; }); };
    const auto expected = make(1.25f)(x).to_vector();
    const Odd odd;
    CHECK(same_bits(expected, make(1.25f)(x).to_vector()));
    CHECK(Odd::is_untouched());
}

TEST_CASE("threads of the library do not inherit the environment of who starts them", THREADS_IN_CHILD) {
    const int code = hostile::outcome([] {
        const Array<float> x = from(tiny(2000000));
        std::thread([&] {
            const Odd odd;
            for (int k = 0; k < 3; ++k) run(x * 0.5f + x);
        }).join();
        const auto expected = run(x * 0.5f + x, {.target = Target::host(1)}).to_vector();
        for (int k = 0; k < 10; ++k)
            if (!same_bits(expected, run(x * 0.5f + x).to_vector())) _exit(1);
    });
    CHECK(code == 0);
}

TEST_CASE("the environment is the caller's again after an error") {
    const Array<std::int64_t> x = run(iota(10));
    const Odd odd;
    CHECK_THROWS_AS(run(gather(x + std::int64_t{5}, x)), IndexError);
    CHECK(Odd::is_untouched());
}

TEST_CASE("a foreign function may change its environment, which the kernels after it do not see") {
    const Array<float> x = from(tiny(1000));
    auto odd = [](const Array<float>& a) {
        std::fesetround(FE_UPWARD);
        return a;
    };
    for (const Target& target : targets) {
        const auto expected = run((x + x) * 0.1f, {.target = target}).to_vector();
        CHECK(same_bits(expected, run((foreign("odd", odd, x) + x) * 0.1f, {.target = target}).to_vector()));
        CHECK(std::fegetround() == FE_TONEAREST);
    }
}

#if defined(__GLIBC__) && defined(__x86_64__)
TEST_CASE("traps of the caller's are not sprung by lanes that nobody uses") {
    for (const Target& target : targets) {
        const int code = hostile::outcome([&] {
            feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
            const Options options{.target = target};
            const Array<float> x = from(std::vector<float>(37, 0.f)), y = from(std::vector<float>(3, 2.f));
            run(map([](auto a) { return select(a > 0.f, 1.f / a, 0.f); }, x), options);
            run(std::tuple(1.f / y, sum(log(y) / y)), options);
            if (fegetexcept() != (FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW)) _exit(1);
        });
        CHECK(code == 0);
    }
}
#endif
