// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.hpp"

#include <programs/tridiagonal.hpp>

using namespace programs;
using conform::everywhere_near;

namespace {

/// Elimination and substitution, one after another.
std::vector<double> solved(const std::vector<double>& a, std::vector<double> b, const std::vector<double>& c,
                           std::vector<double> y) {
    const std::size_t n = b.size();
    for (std::size_t i = 1; i < n; ++i) {
        const double w = a[i] / b[i - 1];
        b[i] -= w * c[i - 1];
        y[i] -= w * y[i - 1];
    }
    for (std::size_t i = n; i-- > 0;) y[i] = (y[i] - (i + 1 < n ? c[i] * y[i + 1] : 0)) / b[i];
    return y;
}

}  // namespace

TEST_CASE("tridiagonal systems of every size") {
    for (const std::int64_t n : {0, 1, 2, 3, 16, 17, 1000, 100003}) {
        CAPTURE(n);
        const auto a = make_input(n, [](Exp<std::int64_t> i) { return select(i == 0, 0., symmetric64(1, i)); });
        const auto b = make_input(n, [](Exp<std::int64_t> i) { return 2.1 + unit64(2, i); });
        const auto c = make_input(n, [=](Exp<std::int64_t> i) { return select(i == n - 1, 0., symmetric64(3, i)); });
        const auto y = make_input(n, [](Exp<std::int64_t> i) { return symmetric64(4, i); });
        const auto x = everywhere_near(solve_tridiagonal<double, 1>(a, b, c, y), 1e-13);
        conform::require_near(solved(a.to_vector(), b.to_vector(), c.to_vector(), y.to_vector()), x.to_vector(), 1e-13);
    }
}

TEST_CASE("tridiagonal systems, many at once") {
    const auto side = [](std::int64_t none) {
        return run(generate(shape(7, 20), [=](Exp<std::int64_t> k, Exp<std::int64_t> i) {
            return select(i == none, 0., 0.01 * cast<double>(k) - 1);
        }));
    };
    const auto a = side(0), c = side(19), b = run(fill(shape(7, 20), 2.5)),
               y = make_input<2>({7, 20}, [](Exp<std::int64_t> i) { return unit64(1, i); });
    const auto x = everywhere_near(solve_tridiagonal<double, 2>(a, b, c, y), 1e-13).to_vector();
    for (std::size_t k = 0; k < 7; ++k) {
        const auto line = [&](const std::vector<double>& all) {
            const auto begin = all.begin() + static_cast<std::ptrdiff_t>(20 * k);
            return std::vector<double>(begin, begin + 20);
        };
        conform::require_near(solved(line(a.to_vector()), line(b.to_vector()), line(c.to_vector()), line(y.to_vector())),
                              line(x), 1e-13);
    }
    for (int along : {0, 1}) {
        auto turned = [=](const Delayed<double, 2>& m) { return along == 0 ? Delayed<double, 2>(transpose(m)) : m; };
        const auto by_steps = turned(solve_tridiagonals<double>(turned(a), turned(b), turned(c), turned(y), along));
        conform::require_near(x, everywhere_near(by_steps, 1e-13).to_vector(), 1e-13);
    }
}

TEST_CASE("tridiagonal systems, nested") {
    const auto b = make_input<2>({7, 20}, [](Exp<std::int64_t> i) { return 2.1 + unit64(2, i); });
    const auto y = make_input<2>({7, 20}, [](Exp<std::int64_t> i) { return symmetric64(4, i); });
    const auto side = [](std::int64_t none) {
        return make_input(20, [=](Exp<std::int64_t> i) { return select(i == none, Exp<double>(0), -1.); });
    };
    const auto a = side(0), c = side(19);
    const auto nested = vmap(
        [=](Delayed<double> diagonal, Delayed<double> right) { return solve_tridiagonal<double, 1>(a, diagonal, c, right); },
        b, y);
    const auto flat = solve_tridiagonal<double, 2>(replicate(7, a), b, replicate(7, c), y);
    conform::require_near(run(flat).to_vector(), everywhere_near(nested, 1e-13).to_vector(), 1e-13);
}
