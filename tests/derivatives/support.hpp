// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of a function of one array, tested three ways: reverse mode against forward mode (the dot-product test),
// forward mode against central differences, and every target and fusion strategy against the interpreter.
#pragma once

#include <sinter/check_gradient.hpp>

#include "conform/support.hpp"

#include <algorithm>
#include <string>

namespace derivatives {

using namespace sinter;
using namespace conform;

using D0 = Exp<double>;
using D1 = Delayed<double>;
using D2 = Delayed<double, 2>;
using Long = std::int64_t;

/// n numbers between `low` and `high` that follow no pattern.
inline std::vector<double> scattered(Long n, double low, double high, unsigned seed = 1) {
    std::vector<double> v;
    std::uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
    for (Long i = 0; i < n; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        v.push_back(low + (high - low) * static_cast<double>(state >> 11) / 9007199254740992.0);
    }
    return v;
}

/// The sum of the function's results, each with a weight of its own, so that no two of them can be exchanged.
template <class A>
auto weighted(const A& result) {
    if constexpr (!ArrayLike<A>) {
        return result;
    } else if constexpr (rank_v<A> == 0) {
        return result;
    } else {
        auto weigh = [](const auto&... index_and_value) {
            const std::tuple all(index_and_value...);
            return [&]<std::size_t... Axis>(std::index_sequence<Axis...>) {
                auto weight = cast<double>((std::get<Axis>(all) + ... + 3) % 7) * 0.37 - 0.8;
                return std::get<sizeof...(Axis)>(all) * weight;
            }(std::make_index_sequence<static_cast<std::size_t>(rank_v<A>)>());
        };
        return sum(flatten(map_indexed(weigh, result)));
    }
}

inline void require_close(double a, double b, double tolerance, double scale) {
    CAPTURE(a, b);
    REQUIRE(std::isfinite(a));
    REQUIRE(std::abs(a - b) <= tolerance * std::max(scale, 1.0));
}

template <class A>
double dot(const A& a, const std::vector<double>& b) {
    const auto v = a.to_vector();
    REQUIRE(v.size() == b.size());
    double total = 0;
    for (std::size_t k = 0; k < b.size(); ++k) total += v[k] * b[k];
    return total;
}

/// The loss at this point, as an array of rank 0.
template <class F>
auto weighted_array(F loss, const Array<double>& x) {
    return jvp(loss, primals(x), tangents(x)).first;
}

struct Inputs {
    Long n = 10;
    double low = -1, high = 1;
    bool differences = true;  ///< not where the function has kinks at the point
    double tolerance = 1e-12;
};

/// The most megabytes of arrays at once.
template <class F>
double megabytes(F f, const Array<double>& x) {
    const auto compiled = compile(f);
    compiled(x);
    profile::start();
    compiled(x);
    const std::string table = profile::stop(), before = " MB, ";
    const std::size_t at = table.rfind(before);
    REQUIRE(at != std::string::npos);
    return std::stod(table.substr(at + before.size()));
}

/// `f`: an array of rank 1 to an array or a scalar.
template <class F>
void check(F f, const Inputs& inputs = {}) {
    auto loss = [f](D1 x) { return weighted(f(x)); };
    const std::vector<double> at = scattered(inputs.n, inputs.low, inputs.high), direction = scattered(inputs.n, -1, 1, 7);
    const Array<double> x = from(at), v = from(direction);
    const Options exact{.target = Target::interpreter()};
    const Array<double> gradient = run(grad(loss)(x), exact);
    const auto [value, tangent] = jvp(loss, primals(x), tangents(v));
    const double forward = run(tangent, exact).item(), reverse = dot(gradient, direction);
    double scale = 0;
    for (double g : gradient.to_vector()) scale += std::abs(g);
    require_close(forward, reverse, inputs.tolerance, scale);
    if (inputs.differences) {
        const double h = 1e-6;
        auto shifted = [&](double step) {
            std::vector<double> moved = at;
            for (std::size_t k = 0; k < moved.size(); ++k) moved[k] += step * direction[k];
            return run(weighted_array(loss, from(moved)), exact).item();
        };
        require_close((shifted(h) - shifted(-h)) / (2 * h), forward, 1e-7, scale + std::abs(forward));
    }
    const auto in_segments = run(grad(loss)(x), {.target = targets().front(), .tape = 1}).to_vector();
    REQUIRE(in_segments.size() == at.size());
    for (std::size_t k = 0; k < at.size(); ++k)
        require_close(in_segments[k], gradient(static_cast<Long>(k)), inputs.tolerance, scale);
    for (Fusion fusion : {Fusion::none, Fusion::optimal})
        for (Target target : targets()) {
            CAPTURE(static_cast<int>(fusion), target.number);
            const auto [again, here] = value_and_grad(loss)(x);
            const Array<double> actual = run(here, {.target = target, .fusion = fusion});
            const auto a = actual.to_vector(), b = gradient.to_vector();
            REQUIRE(a.size() == b.size());
            for (std::size_t k = 0; k < a.size(); ++k) require_close(a[k], b[k], inputs.tolerance, scale);
            require_close(run(again, {.target = target, .fusion = fusion}).item(),
                          run(weighted_array(loss, x), exact).item(), inputs.tolerance, scale);
            require_close(run(tangent, {.target = target, .fusion = fusion}).item(), forward, inputs.tolerance, scale);
        }
}

}  // namespace derivatives
