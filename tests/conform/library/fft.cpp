// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fourier transforms against their definition.
#include <sinter/fft.hpp>

#include "conform/support.hpp"

#include <complex>
#include <numbers>

using namespace sinter;
using namespace conform;

namespace {

using Long = std::int64_t;
using C = std::complex<double>;

std::vector<C> wave(Long n, int seed = 1) {
    std::vector<C> v;
    for (Long k = 0; k < n; ++k) v.emplace_back(std::sin(0.7 * double(k * seed) + 0.1), std::cos(1.3 * double(k) + seed));
    return v;
}

std::vector<C> definition(const std::vector<C>& x, double sign) {
    const auto n = static_cast<Long>(x.size());
    std::vector<C> y;
    for (Long k = 0; k < n; ++k) {
        C sum = 0;
        for (Long j = 0; j < n; ++j)
            sum += x[static_cast<std::size_t>(j)] *
                   std::polar(1.0, sign * 2 * std::numbers::pi * double(j * k % n) / double(n));
        y.push_back(sum);
    }
    return y;
}

void require_near(const std::vector<C>& a, const std::vector<C>& b, double tolerance) {
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        CAPTURE(i, a[i], b[i]);
        REQUIRE(std::abs(a[i] - b[i]) <= tolerance);
    }
}

template <class E, class F>
void on_targets(const E& expression, F check) {
    check(run(expression, {.target = Target::interpreter()}));
    for (Target target : targets())
        for (Fusion fusion : {Fusion::none, Fusion::optimal}) check(run(expression, {.target = target, .fusion = fusion}));
}

}  // namespace

TEST_CASE("transforms of any length", "[fft]") {
    for (Long n : {0, 1, 2, 3, 4, 5, 8, 12, 16, 31, 64, 100}) {
        CAPTURE(n);
        const std::vector<C> x = wave(n);
        const double tolerance = 1e-13 * double(n + 1);
        on_targets(fft(from(x)), [&](const auto& y) { require_near(y.to_vector(), definition(x, -1), tolerance); });
        on_targets(ifft(fft(from(x))), [&](const auto& y) { require_near(y.to_vector(), x, tolerance); });
    }
    const std::vector<C> x = wave(4096);
    require_near(run(ifft(fft(from(x)))).to_vector(), x, 1e-14);
}

TEST_CASE("transforms along axes", "[fft]") {
    const std::vector<C> x = wave(24);
    const auto a = from(x, shape(4, 6));
    const auto rows = run(fft(a)), columns = run(fft(a, axis(0))), both = run(fft2(a));
    for (Long i = 0; i < 4; ++i) {
        const auto line = run(slice(a, i, all)).to_vector();
        require_near(run(slice(rows, i, all)).to_vector(), definition(line, -1), 1e-13);
    }
    for (Long j = 0; j < 6; ++j) {
        require_near(run(slice(columns, all, j)).to_vector(), definition(run(slice(a, all, j)).to_vector(), -1), 1e-13);
        require_near(run(slice(both, all, j)).to_vector(), definition(run(slice(rows, all, j)).to_vector(), -1), 1e-13);
    }
    require_near(run(flatten(ifft2(fft2(a)))).to_vector(), x, 1e-13);
}

TEST_CASE("transforms of real arrays", "[fft]") {
    for (Long n : {1, 2, 5, 8, 9, 30}) {
        CAPTURE(n);
        std::vector<double> x;
        std::vector<C> z;
        for (const C& c : wave(n)) x.push_back(c.real()), z.emplace_back(c.real());
        auto expected = definition(z, -1);
        expected.resize(static_cast<std::size_t>(n / 2 + 1));
        on_targets(rfft(from(x)), [&](const auto& y) { require_near(y.to_vector(), expected, 1e-12); });
        on_targets(irfft(rfft(from(x)), n), [&](const auto& y) {
            for (std::size_t i = 0; i < x.size(); ++i) REQUIRE(y.to_vector()[i] == Approx(x[i]).margin(1e-13));
        });
    }
    CHECK(run(fftfreq(5)).to_vector() == std::vector<double>{0, 0.2, 0.4, -0.4, -0.2});
    CHECK_THROWS_AS(compile([](Delayed<double> x) { return rfft(x); }), UsageError);
}

TEST_CASE("transforms of windows", "[fft]") {
    const std::vector<C> x = wave(40);
    const auto signal = from(x);
    std::vector<C> expected;
    for (Long k = 0; k < 5; ++k) {
        const auto one = definition(std::vector<C>(x.begin() + 8 * k, x.begin() + 8 * k + 8), -1);
        expected.insert(expected.end(), one.begin(), one.end());
    }
    const auto check = [&](const auto& made) { require_near(made.to_vector(), expected, 1e-12); };
    on_targets(vmap([=](Exp<Long> k) { return fft(slice(signal, range(8 * k, 8 * k + 8))); }, iota(5)), check);
    const auto windows = vmap([=](Exp<Long> k) { return slice(signal, range(8 * k, 8 * k + 8)); }, iota(5));
    on_targets(vmap([](Delayed<C> window) { return fft(window); }, windows), check);
    on_targets(fft(windows), check);
}
