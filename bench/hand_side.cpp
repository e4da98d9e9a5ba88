// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hand-written kernels on OpenMP threads.
#include "problem.hpp"

#include <omp.h>

#include <algorithm>
#include <functional>

namespace bench {
namespace {

constexpr index small = index{1} << 18;  // up to here one thread may win

/// f(begin, end) for one even part of [0, n) a thread, parts being multiples of a cache line.
template <class F>
void split(index n, int threads, F f) {
    if (threads == 1) return f(index{0}, n);
#pragma omp parallel num_threads(threads)
    {
        const index part = (n / threads + 63) / 64 * 64;
        const index begin = std::min(part * omp_get_thread_num(), n);
        const bool last = omp_get_thread_num() == threads - 1;
        f(begin, last ? n : std::min(begin + part, n));
    }
}

template <class T, class F>
T split_sum(index n, int threads, F f) {
    if (threads == 1) return f(index{0}, n);
    T sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    {
        const index part = n / threads;
        const index begin = part * omp_get_thread_num();
        sum += f(begin, omp_get_thread_num() == threads - 1 ? n : begin + part);
    }
    return sum;
}

/// f(begin, end) for one index at a time, handed out dynamically: for work that varies.
template <class F>
void deal(index n, int threads, F f) {
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (index i = 0; i < n; ++i) f(i, i + 1);
}

template <class T>
double total(const Buffer<T>& b, index n) {
    const T* p = b.data();
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (index i = 0; i < n; ++i) sum += double(p[i]);
    return sum;
}

/// A call that leaves its result in the problem's output buffers, or in *scalar.
template <class T>
std::function<void()> call_of(const Problem<T>& p, const Kernels<T>& k, int threads, const std::shared_ptr<T>& scalar) {
    const T *x = p.x.data(), *y = p.y.data();
    T* out = p.out.data();
    const index rows = p.rows, columns = p.columns, n = p.n;
    const OptionData<T> options{x, y, p.z.data(), out, p.out2.data(), T(option_rate), T(option_vol)};
    const auto sum = [=](auto kernel) {
        return [=] { *scalar = split_sum<T>(n, threads, [=](index b, index e) { return kernel(b, e, x, y); }); };
    };
    const auto price = [=](auto kernel) {
        return [=] { split(n, threads, [&](index b, index e) { kernel(b, e, options); }); };
    };
    if (p.name == "saxpy") return [=] { split(n, threads, [=](index b, index e) { k.saxpy(b, e, T(2), x, y, out); }); };
    if (p.name == "chain of 8 maps") return [=] { split(n, threads, [=](index b, index e) { k.chain(b, e, x, out); }); };
    if (p.name == "dot") return sum(k.dot);
    if (p.name == "norm") return sum(k.norm);
    if (p.name == "row sums")
        return [=] { split(rows, threads, [=](index b, index e) { k.row_sums(b, e, columns, x, out); }); };
    if (p.name == "column sums")
        return [=] { split(columns, threads, [=](index b, index e) { k.column_sums(b, e, rows, columns, x, out); }); };
    if (p.name == "black-scholes") return price(k.black_scholes);
    if (p.name == "black-scholes erf") return price(k.black_scholes_erf);
    return [=, counts = p.counts.data(), view = p.view] {
        deal(rows, threads, [&](index b, index e) { k.mandelbrot(b, e, view, counts); });
    };
}

template <class T>
std::function<double()> check_of(const Problem<T>& p, const std::shared_ptr<T>& scalar) {
    if (p.name == "dot" || p.name == "norm") return [=] { return double(*scalar); };
    if (p.name == "row sums") return [p] { return total(p.out, p.rows); };
    if (p.name == "column sums") return [p] { return total(p.out, p.columns); };
    if (p.name == "mandelbrot") return [p] { return total(p.counts, p.n); };
    if (p.name.starts_with("black")) return [p] { return total(p.out, p.n) + total(p.out2, p.n); };
    return [p] { return total(p.out, p.n); };
}

bool streams(const std::string& name) { return name == "saxpy" || name == "chain of 8 maps" || name.starts_with("black"); }

template <class T>
const Variants<T>& variants_of(const Table& table) {
    if constexpr (sizeof(T) == 4) return table.f32;
    if constexpr (sizeof(T) == 8) return table.f64;
}

std::vector<const Table*> tables() {
    return {
#ifdef HAVE_HAND_gcc
        hand_table_gcc(),
#endif
#ifdef HAVE_HAND_clang
        hand_table_clang(),
#endif
    };
}

std::vector<int> thread_counts(index n) {
    const int most = omp_get_max_threads();
    return n <= small && most > 1 ? std::vector<int>{most, 1} : std::vector<int>{most};
}

std::string suffix(int threads) { return threads == 1 ? " x1" : ""; }

}  // namespace

template <class T>
std::vector<Contender> hand_contenders(const Problem<T>& p) {
    std::vector<Contender> all;
    const auto scalar = std::make_shared<T>();
    for (const Table* table : tables())
        for (const int threads : thread_counts(p.n)) {
            const Variants<T>& v = variants_of<T>(*table);
            const auto add = [&](const char* variant, const Kernels<T>& k) {
                all.push_back({table->compiler + std::string(" ") + variant + suffix(threads),
                               call_of(p, k, threads, scalar), check_of(p, scalar)});
            };
            add("plain", v.plain);
            add("simd", v.simd);
            if (streams(p.name)) add("stream", v.stream);
        }
    return all;
}

template <class T>
std::vector<Contender> machine_limits(const Problem<T>& p) {
    std::vector<Contender> all;
    const Variants<T>& v = variants_of<T>(*tables().front());
    const Buffer<T> in(p.n), out(p.n);
    const auto copy = [&](const Kernels<T>& k, int threads) {
        return [=] { split(in.size(), threads, [&](index b, index e) { k.copy(b, e, in.data(), out.data()); }); };
    };
    for (const int threads : thread_counts(p.n)) {
        all.push_back({"copy" + suffix(threads), copy(v.simd, threads), {}});
        all.push_back({"copy stream" + suffix(threads), copy(v.stream, threads), {}});
        const auto read = [=, &v] {
            [[maybe_unused]] volatile T sum =
                split_sum<T>(in.size(), threads, [&](index b, index e) { return v.simd.read(b, e, in.data()); });
        };
        all.push_back({"read" + suffix(threads), read, {}});
    }
    return all;
}

template std::vector<Contender> hand_contenders(const Problem<float>&);
template std::vector<Contender> hand_contenders(const Problem<double>&);
template std::vector<Contender> machine_limits(const Problem<float>&);
template std::vector<Contender> machine_limits(const Problem<double>&);

}  // namespace bench
