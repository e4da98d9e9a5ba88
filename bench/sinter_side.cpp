// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cases in Sinter. Each is compiled once; a call passes arrays and scalars and leaves the results in `result`.
#include "problem.hpp"
#include "sinter_contender.hpp"

#include <sinter/sinter.hpp>

#include <functional>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

namespace bench {
namespace {

using namespace sinter;

template <class T>
Array<T> array_of(const Buffer<T>& b) {
    return from(std::span<const T>(b.data(), std::size_t(b.size())));
}

template <class T>
Array<T, 2> matrix_of(const Problem<T>& p) {
    return from(std::span<const T>(p.x.data(), std::size_t(p.n)), shape(p.rows, p.columns));
}

template <class T>
Delayed<T> chain(Delayed<T> x) {
    Delayed<T> shifted = x + T(1);
    Delayed<T> scaled = shifted * T(1.1);
    Delayed<T> centred = scaled - T(0.3);
    Delayed<T> root = sqrt(abs(centred));
    return max(root * T(0.7) + T(0.25), T(0.5));
}

template <class T>
auto phi_polynomial(Delayed<T> x) {
    auto k = T(1) / (T(1) + T(0.2316419) * abs(x));
    auto p = k * (T(0.31938153) + k * (T(-0.356563782) + k * (T(1.781477937) + k * (T(-1.821255978) + k * T(1.330274429)))));
    auto t = T(0.39894228040143267794) * exp(-x * x / T(2)) * p;
    return select(x > T(0), T(1) - t, t);
}

template <class T>
auto phi_exact(Delayed<T> x) {
    return erfc(x * T(-0.70710678118654752440)) / T(2);
}

/// Calls and puts as whole-array formulas; `phi` is the normal distribution function.
template <class T, class Phi>
auto black_scholes(Phi phi) {
    return compile([phi](Delayed<T> price, Delayed<T> strike, Delayed<T> years, Exp<T> rate, Exp<T> vol) {
        Delayed<T> spread = vol * sqrt(years);
        Delayed<T> d1 = (log(price / strike) + (rate + vol * vol / T(2)) * years) / spread;
        Delayed<T> d2 = d1 - spread;
        Delayed<T> disc = strike * exp(-rate * years);
        auto [up1, up2, down1, down2] = phi(d1, d2);
        return std::tuple(price * up1 - disc * up2, disc * down2 - price * down1);
    });
}

template <class T>
Contender price_options(const Problem<T>& p, bool exact) {
    const auto x = array_of(p.x), y = array_of(p.y), z = array_of(p.z);
    if (exact) {
        const auto phi = [](Delayed<T> d1, Delayed<T> d2) {
            return std::tuple(phi_exact<T>(d1), phi_exact<T>(d2), phi_exact<T>(-d1), phi_exact<T>(-d2));
        };
        return contender(black_scholes<T>(phi), x, y, z, T(option_rate), T(option_vol));
    }
    const auto phi = [](Delayed<T> d1, Delayed<T> d2) {
        Delayed<T> up1 = phi_polynomial<T>(d1), up2 = phi_polynomial<T>(d2);
        return std::tuple(up1, up2, T(1) - up1, T(1) - up2);
    };
    return contender(black_scholes<T>(phi), x, y, z, T(option_rate), T(option_vol));
}

template <class T>
Contender mandelbrot(const Problem<T>& p) {
    using Int = Exp<std::int64_t>;
    const auto picture = compile([](Int height, Int width, Exp<T> xmin, Exp<T> ymin, Exp<T> dx, Exp<T> dy, Exp<T> radius,
                                    Exp<std::int32_t> limit) {
        return generate(shape(height, width), [=](Int i, Int j) {
            Exp<T> cr = xmin + cast<T>(j) * dx / cast<T>(width), ci = ymin + cast<T>(i) * dy / cast<T>(height);
            auto [n, zr, zi] = while_loop(
                [=](Exp<std::int32_t> k, Exp<T> re, Exp<T> im) { return k < limit && re * re + im * im < radius * radius; },
                [=](Exp<std::int32_t> k, Exp<T> re, Exp<T> im) {
                    return std::tuple(k + 1, cr + (re * re - im * im), ci + (re * im + im * re));
                },
                Exp<std::int32_t>(0), cr, ci);
            return n;
        });
    });
    const MandelbrotView<T>& v = p.view;
    return contender(picture, v.height, v.width, v.xmin, v.ymin, v.dx, v.dy, v.radius, v.limit);
}

template <class T>
Contender contender_of(const Problem<T>& p) {
    using Vector = Delayed<T>;
    if (p.name == "saxpy")
        return contender(compile([](Exp<T> a, Vector x, Vector y) { return a * x + y; }), T(2), array_of(p.x),
                         array_of(p.y));
    if (p.name == "chain of 8 maps") return contender(compile(chain<T>), array_of(p.x));
    if (p.name == "dot")
        return contender(compile([](Vector x, Vector y) { return sum(x * y); }), array_of(p.x), array_of(p.y));
    if (p.name == "norm")
        return contender(compile([](Vector x, Vector y) { return sum(sqrt(x * x + y * y)); }), array_of(p.x), array_of(p.y));
    if (p.name == "row sums") return contender(compile([](Delayed<T, 2> a) { return sum(a, axis(1)); }), matrix_of(p));
    if (p.name == "column sums") return contender(compile([](Delayed<T, 2> a) { return sum(a, axis(0)); }), matrix_of(p));
    if (p.name == "mandelbrot") return mandelbrot(p);
    return price_options(p, p.name == "black-scholes erf");
}

}  // namespace

template <class T>
std::vector<Contender> sinter_contenders(const Problem<T>& p) {
    return {contender_of(p)};
}

template std::vector<Contender> sinter_contenders(const Problem<float>&);
template std::vector<Contender> sinter_contenders(const Problem<double>&);

}  // namespace bench
