// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "problem.hpp"

#include <sys/mman.h>

#include <cstring>
#include <new>

namespace bench {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

/// Output i of the generator SplitMix64 seeded with `stream`.
std::uint64_t bits(std::uint64_t stream, std::uint64_t i) {
    std::uint64_t z = stream + (i + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/// In [0, 1), exact.
template <class T>
T unit(std::uint64_t stream, index i) {
    if constexpr (sizeof(T) == 4) return T(bits(stream, std::uint64_t(i)) >> 40) * 0x1p-24f;
    return T(bits(stream, std::uint64_t(i)) >> 11) * T(0x1p-53);
}

template <class T>
void fill(const Buffer<T>& b, std::uint64_t stream, T low, T width) {
    T* p = b.data();
#pragma omp parallel for
    for (index i = 0; i < b.size(); ++i) p[i] = low + width * unit<T>(stream, i);
}

/// The largest power of two whose square is at most n, so that a matrix is at most twice as wide as high.
index rows_of(index n) {
    index rows = 1;
    while (4 * rows * rows <= n) rows *= 2;
    return rows;
}

}  // namespace

template <class T>
Buffer<T>::Buffer(index n) : size_(n) {
    const std::size_t bytes = (std::size_t(n) * sizeof(T) + huge_page - 1) / huge_page * huge_page;
    void* p = std::aligned_alloc(huge_page, bytes > 0 ? bytes : huge_page);
    if (p == nullptr) throw std::bad_alloc();
    madvise(p, bytes, MADV_HUGEPAGE);
    std::memset(p, 0, bytes);
    data_.reset(static_cast<T*>(p), [](T* q) { std::free(q); });
}

template <class T>
Problem<T> make_problem(const std::string& name, index n) {
    const bool options = name.starts_with("black"), points = name == "mandelbrot", writes = name != "dot" && name != "norm";
    const bool two = options || name == "saxpy" || name == "dot" || name == "norm";
    const index rows = rows_of(n), columns = n / rows;
    const T width = T(3.067), height = T(1) / (T(columns) / T(rows)) * width;
    Problem<T> p{name,
                 n,
                 rows,
                 columns,
                 Buffer<T>(points ? 0 : n),
                 Buffer<T>(two ? n : 0),
                 Buffer<T>(options ? n : 0),
                 Buffer<T>(writes && !points ? n : 0),
                 Buffer<T>(options ? n : 0),
                 Buffer<std::int32_t>(points ? n : 0),
                 {columns, rows, T(-0.7) - width / 2, -height / 2, width, height, T(16), 256}};
    fill(p.x, 21, T(5), T(25));
    fill(p.y, 22, T(1), T(99));
    fill(p.z, 23, T(0.25), T(9.75));
    return p;
}

template <class T>
double bytes_written(const Problem<T>& p) {
    const double n = double(p.n) * sizeof(T);
    if (p.name == "dot" || p.name == "norm") return 0;
    if (p.name == "row sums") return double(p.rows) * sizeof(T);
    if (p.name == "column sums") return double(p.columns) * sizeof(T);
    if (p.name == "mandelbrot") return double(p.n) * sizeof(std::int32_t);
    return p.name.starts_with("black") ? 2 * n : n;
}

template <class T>
double bytes_of(const Problem<T>& p) {
    double read = 0;
    for (const Buffer<T>& input : {p.x, p.y, p.z}) read += double(input.size()) * sizeof(T);
    return read + bytes_written(p);
}

template class Buffer<float>;
template class Buffer<double>;
template class Buffer<std::int32_t>;
template Problem<float> make_problem(const std::string&, index);
template Problem<double> make_problem(const std::string&, index);
template double bytes_of(const Problem<float>&);
template double bytes_of(const Problem<double>&);
template double bytes_written(const Problem<float>&);
template double bytes_written(const Problem<double>&);

}  // namespace bench
