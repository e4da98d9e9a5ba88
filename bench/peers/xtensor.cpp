// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cases in xtensor, with xsimd and oneTBB.
#include "peer.hpp"

#define XTENSOR_USE_XSIMD
#define XTENSOR_USE_TBB
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xtensor.hpp>

#include <array>

namespace bench {
namespace {

template <class T, std::size_t Rank>
auto view(const Buffer<T>& b, std::array<std::size_t, Rank> shape) {
    std::size_t n = 1;
    for (std::size_t extent : shape) n *= extent;
    return xt::adapt(b.data(), n, xt::no_ownership(), shape);
}

template <class T>
auto all_of(const Buffer<T>& b) {
    return view(b, std::array{std::size_t(b.size())});
}

}  // namespace

template <class T>
std::vector<Contender> xtensor_contenders(const Problem<T>& p) {
    const char* name = "xtensor";
    if (p.name == "saxpy")
        return {writes(name, p, p.n, [=] {
            auto out = all_of(p.out);
            xt::noalias(out) = T(2) * all_of(p.x) + all_of(p.y);
        })};
    if (p.name == "chain of 8 maps")
        return {writes(name, p, p.n, [=] {
            auto out = all_of(p.out), x = all_of(p.x);
            xt::noalias(out) = xt::maximum(xt::sqrt(xt::abs((x + T(1)) * T(1.1) - T(0.3))) * T(0.7) + T(0.25), T(0.5));
        })};
    if (p.name == "dot")
        return {returns(name, p, [=] { return xt::sum(all_of(p.x) * all_of(p.y), xt::evaluation_strategy::immediate)(); })};
    if (p.name == "norm")
        return {returns(name, p, [=] {
            auto x = all_of(p.x), y = all_of(p.y);
            return xt::sum(xt::sqrt(x * x + y * y), xt::evaluation_strategy::immediate)();
        })};
    const std::array matrix{std::size_t(p.rows), std::size_t(p.columns)};
    if (p.name == "row sums")
        return {writes(name, p, p.rows, [=] {
            auto out = view(p.out, std::array{std::size_t(p.rows)});
            xt::noalias(out) = xt::sum(view(p.x, matrix), {1}, xt::evaluation_strategy::immediate);
        })};
    if (p.name == "column sums")
        return {writes(name, p, p.columns, [=] {
            auto out = view(p.out, std::array{std::size_t(p.columns)});
            xt::noalias(out) = xt::sum(view(p.x, matrix), {0}, xt::evaluation_strategy::immediate);
        })};
    return {};
}

template std::vector<Contender> xtensor_contenders(const Problem<float>&);
template std::vector<Contender> xtensor_contenders(const Problem<double>&);

}  // namespace bench
