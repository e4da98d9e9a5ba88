// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cases in the standard library's parallel algorithms (par_unseq, on oneTBB).
#include "peer.hpp"

#include <algorithm>
#include <cmath>
#include <execution>
#include <functional>
#include <numeric>

namespace bench {
namespace {

constexpr auto policy = std::execution::par_unseq;

template <class T>
T phi(T x) {
    const T k = T(1) / (T(1) + T(0.2316419) * std::abs(x));
    const T p =
        k * (T(0.31938153) + k * (T(-0.356563782) + k * (T(1.781477937) + k * (T(-1.821255978) + k * T(1.330274429)))));
    const T t = T(0.39894228040143267794) * std::exp(-x * x / T(2)) * p;
    return x > T(0) ? T(1) - t : t;
}

template <class T>
void black_scholes(const Problem<T>& p) {
    const T rate = T(option_rate), vol = T(option_vol);
    const T *price = p.x.data(), *strike = p.y.data(), *years = p.z.data();
    T *call = p.out.data(), *put = p.out2.data();
    std::for_each(policy, price, price + p.n, [=](const T& at) {
        const index i = &at - price;
        const T spread = vol * std::sqrt(years[i]);
        const T d1 = (std::log(price[i] / strike[i]) + (rate + vol * vol / T(2)) * years[i]) / spread;
        const T disc = strike[i] * std::exp(-rate * years[i]), up1 = phi(d1), up2 = phi(d1 - spread);
        call[i] = price[i] * up1 - disc * up2;
        put[i] = disc * (T(1) - up2) - price[i] * (T(1) - up1);
    });
}

}  // namespace

template <class T>
std::vector<Contender> standard_contenders(const Problem<T>& p) {
    const char* name = "par_unseq";
    const T *x = p.x.data(), *y = p.y.data();
    T* out = p.out.data();
    const index n = p.n, rows = p.rows, columns = p.columns;
    if (p.name == "saxpy")
        return {
            writes(name, p, n, [=] { std::transform(policy, x, x + n, y, out, [](T a, T b) { return T(2) * a + b; }); })};
    if (p.name == "chain of 8 maps")
        return {writes(name, p, n, [=] {
            std::transform(policy, x, x + n, out, [](T a) {
                return std::max(std::sqrt(std::abs((a + T(1)) * T(1.1) - T(0.3))) * T(0.7) + T(0.25), T(0.5));
            });
        })};
    if (p.name == "dot") return {returns(name, p, [=] { return std::transform_reduce(policy, x, x + n, y, T(0)); })};
    if (p.name == "norm")
        return {returns(name, p, [=] {
            return std::transform_reduce(policy, x, x + n, y, T(0), std::plus<>{},
                                         [](T a, T b) { return std::sqrt(a * a + b * b); });
        })};
    if (p.name == "row sums")
        return {writes(name, p, rows, [=] {
            std::for_each(policy, out, out + rows, [=](T& sum) {
                const T* row = x + (&sum - out) * columns;
                sum = std::reduce(std::execution::unseq, row, row + columns, T(0));
            });
        })};
    if (p.name == "black-scholes") return {writes_two(name, p, [=] { black_scholes(p); })};
    return {};
}

template std::vector<Contender> standard_contenders(const Problem<float>&);
template std::vector<Contender> standard_contenders(const Problem<double>&);

}  // namespace bench
