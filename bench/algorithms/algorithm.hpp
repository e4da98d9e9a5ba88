// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Algorithms other than maps and folds: each in Sinter, hand-written on OpenMP threads, and with std::execution::par if the
/// standard library has it.
#pragma once

#include "sinter_contender.hpp"

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

namespace bench {

using index = std::int64_t;

struct Algorithm {
    const char* name;
    std::vector<index> sizes;
    /// The least that a call moves, in bytes, or computes, in operations.
    double (*work)(index n);
    const char* unit;  ///< unit for 1e9 of these per second
    std::vector<Contender> (*contenders)(index n);
};

/// In the order of the table. Each of these is defined in a file of its own.
std::vector<Algorithm> scans();
std::vector<Algorithm> filters();
std::vector<Algorithm> histograms();
std::vector<Algorithm> sorts();
std::vector<Algorithm> gathers();
std::vector<Algorithm> stencils();
std::vector<Algorithm> softmaxes();
std::vector<Algorithm> narrow_rows();
std::vector<Algorithm> kmeans_steps();
std::vector<Algorithm> segment_sums();
std::vector<Algorithm> matrix_products();
std::vector<Algorithm> nbody_steps();
std::vector<Algorithm> attentions();

template <class T>
using Shared = std::shared_ptr<std::vector<T>>;

template <class T>
Shared<T> zeros(index n) {
    return std::make_shared<std::vector<T>>(static_cast<std::size_t>(n));
}

/// The same for every run: whole numbers in [low, high), divided by `scale`.
template <class T>
Shared<T> random_numbers(index n, index low, index high, T scale = T(1)) {
    auto result = zeros<T>(n);
    std::mt19937_64 random(5);
    for (T& x : *result)
        x = static_cast<T>(low + static_cast<index>(random() % static_cast<std::uint64_t>(high - low))) / scale;
    return result;
}

template <class T>
double total_of(const Shared<T>& values) {
    double sum = 0;
    for (const T& x : *values) sum += double(x);
    return sum;
}

/// A contender that leaves its result in `out`.
template <class T, class F>
Contender writes(const char* name, Shared<T> out, F call) {
    return {name, call, [out] { return total_of(out); }};
}

}  // namespace bench
