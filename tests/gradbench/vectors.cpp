// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hello, lse, llsq, det and ode of GradBench.
#include "gradbench/functions/ode.hpp"
#include "gradbench/functions/smooth.hpp"

#include "gradbench/reference.hpp"

namespace gradbench::reference {

namespace {

template <class T>
T log_sum_exp(const List<T>& x) {
    double largest = real(x[0]);
    for (const T& e : x) largest = std::max(largest, real(e));
    T sum = 0;
    for (const T& e : x) sum += std::exp(e - largest);
    return std::log(sum) + largest;
}

template <class T>
T least_squares(const List<T>& x, Long n) {
    T total = 0;
    for (Long i = 0; i < n; ++i) {
        const double t = -1 + 2 * static_cast<double>(i) / static_cast<double>(n - 1);
        T residual = t > 0 ? 1 : t < 0 ? -1 : 0;
        for (std::size_t k = 0; k < x.size(); ++k) residual -= x[k] * std::pow(t, static_cast<double>(k));
        total += residual * residual;
    }
    return total / 2.0;
}

/// By expansion along the first row that is left; `columns` are those left.
template <class T>
T determinant(const List<T>& a, std::size_t n, const List<std::size_t>& columns) {
    if (columns.empty()) return 1;
    T total = 0;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        List<std::size_t> rest = columns;
        rest.erase(rest.begin() + static_cast<Long>(k));
        const T minor = a[(n - columns.size()) * n + columns[k]] * determinant(a, n, rest);
        total += k % 2 == 0 ? minor : -minor;
    }
    return total;
}

template <class T>
List<T> solution(const List<T>& x, Long steps) {
    const std::size_t n = x.size();
    const double h = 2.0 / static_cast<double>(steps);
    List<T> y(n);
    for (Long step = 0; step < steps; ++step) {
        const double part[] = {0, h / 2, h / 2, h}, weight[] = {1, 2, 2, 1};
        List<T> slope(n), sum(n);
        for (int stage = 0; stage < 4; ++stage) {
            List<T> at(n);
            for (std::size_t i = 0; i < n; ++i) at[i] = y[i] + part[stage] * slope[i];
            for (std::size_t i = 0; i < n; ++i) slope[i] = i == 0 ? x[0] : x[i] * at[i - 1];
            for (std::size_t i = 0; i < n; ++i) sum[i] += weight[stage] * slope[i];
        }
        for (std::size_t i = 0; i < n; ++i) y[i] += h / 6 * sum[i];
    }
    return y;
}

}  // namespace

TEST_CASE("hello of GradBench", "[gradbench]") {
    for (double x : {-1.5, 0.0, 3.0}) {
        check({x * x}, [](Real r) { return square(r); }, x);
        check({2 * x}, [](Real r) { return grad(square)(r); }, x);
    }
}

TEST_CASE("lse of GradBench", "[gradbench]") {
    for (Long n : {1, 2, 17, 1000}) {
        CAPTURE(n);
        const auto x = numbers(n, -20, 900);
        check({log_sum_exp(x)}, gradbench::log_sum_exp, from(x));
        check(gradient(log_sum_exp<Complex>, x), grad(gradbench::log_sum_exp), from(x));
    }
}

TEST_CASE("llsq of GradBench", "[gradbench]") {
    for (Long n : {2, 17, 300})
        for (Long m : {1, 2, 9}) {
            CAPTURE(n, m);
            const auto x = numbers(m, -1, 1);
            check({least_squares(x, n)}, gradbench::least_squares, from(x), n);
            const auto slope = gradient([=](const List<Complex>& z) { return least_squares(z, n); }, x);
            check(slope, grad(gradbench::least_squares), from(x), n);
        }
}

TEST_CASE("det of GradBench", "[gradbench]") {
    for (Long n : {1, 2, 3, 5, 6}) {
        CAPTURE(n);
        const auto a = numbers(n * n, -1, 1);
        List<std::size_t> columns(static_cast<std::size_t>(n));
        std::iota(columns.begin(), columns.end(), std::size_t(0));
        auto expanded = [&]<class T>(const List<T>& e) { return determinant(e, columns.size(), columns); };
        check({expanded(a)}, gradbench::determinant, from(a), n);
        check(gradient(expanded, a), grad(gradbench::determinant), from(a), n);
    }
}

TEST_CASE("ode of GradBench", "[gradbench]") {
    for (Long n : {1, 2, 9, 40})
        for (Long steps : {1, 2, 10, 50}) {
            CAPTURE(n, steps);
            const auto x = numbers(n, 0, 1);
            check(solution(x, steps), gradbench::solution, from(x), steps);
            const auto slope = gradient([=](const List<Complex>& z) { return solution(z, steps).back(); }, x);
            check(slope, grad(last_of_solution), from(x), steps);
        }
}

}  // namespace gradbench::reference
