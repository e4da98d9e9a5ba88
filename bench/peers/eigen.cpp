// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cases in Eigen: array expressions, which it vectorises and runs on one thread.
#include "peer.hpp"

#include <Eigen/Core>

namespace bench {
namespace {

template <class T>
using Vector = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>;
template <class T>
using Matrix = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

template <class T>
Vector<T> all_of(const Buffer<T>& b) {
    return {b.data(), b.size()};
}

template <class T>
Eigen::Array<T, Eigen::Dynamic, 1> phi(const Eigen::Array<T, Eigen::Dynamic, 1>& x) {
    const auto k = (T(1) + T(0.2316419) * x.abs()).inverse().eval();
    const auto p =
        k * (T(0.31938153) + k * (T(-0.356563782) + k * (T(1.781477937) + k * (T(-1.821255978) + k * T(1.330274429)))));
    const auto t = (T(0.39894228040143267794) * (-x * x / T(2)).exp() * p).eval();
    return (x > T(0)).select(T(1) - t, t);
}

/// In blocks that stay in the nearest cache, as its documentation advises for what needs temporaries.
template <class T>
void black_scholes(const Problem<T>& p) {
    constexpr index block = 2048;
    for (index at = 0; at < p.n; at += block) {
        const index n = std::min(block, p.n - at);
        const auto price = all_of(p.x).segment(at, n), strike = all_of(p.y).segment(at, n),
                   years = all_of(p.z).segment(at, n);
        const T rate = T(option_rate), vol = T(option_vol);
        const auto spread = (vol * years.sqrt()).eval();
        const auto d1 = (((price / strike).log() + (rate + vol * vol / T(2)) * years) / spread).eval();
        const auto disc = (strike * (-rate * years).exp()).eval();
        const auto up1 = phi<T>(d1), up2 = phi<T>(d1 - spread);
        all_of(p.out).segment(at, n) = price * up1 - disc * up2;
        all_of(p.out2).segment(at, n) = disc * (T(1) - up2) - price * (T(1) - up1);
    }
}

}  // namespace

template <class T>
std::vector<Contender> eigen_contenders(const Problem<T>& p) {
    const char* name = "eigen";
    const auto x = all_of(p.x), y = all_of(p.y);
    if (p.name == "saxpy") return {writes(name, p, p.n, [=] { all_of(p.out) = T(2) * x + y; })};
    if (p.name == "dot") return {returns(name, p, [=] { return (x * y).sum(); })};
    if (p.name == "norm") return {returns(name, p, [=] { return (x * x + y * y).sqrt().sum(); })};
    if (p.name == "chain of 8 maps")
        return {writes(name, p, p.n, [=] {
            const auto root = ((x + T(1)) * T(1.1) - T(0.3)).abs().sqrt();
            all_of(p.out) = (root * T(0.7) + T(0.25)).max(T(0.5));
        })};
    const Matrix<T> m(p.x.data(), p.name.ends_with("sums") ? p.rows : 0, p.name.ends_with("sums") ? p.columns : 0);
    if (p.name == "row sums") return {writes(name, p, p.rows, [=] { all_of(p.out).head(p.rows) = m.rowwise().sum(); })};
    if (p.name == "column sums")
        return {writes(name, p, p.columns, [=] { all_of(p.out).head(p.columns) = m.colwise().sum().transpose(); })};
    if (p.name == "black-scholes") return {writes_two(name, p, [=] { black_scholes(p); })};
    return {};
}

template std::vector<Contender> eigen_contenders(const Problem<float>&);
template std::vector<Contender> eigen_contenders(const Problem<double>&);

}  // namespace bench
