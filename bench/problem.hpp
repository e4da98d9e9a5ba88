// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A case at one size: its data, and the implementations of it that compete.
#pragma once

#include "hand/table.hpp"
#include "measure.hpp"

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace bench {

/// An array aligned to huge pages, every page touched.
template <class T>
class Buffer {
  public:
    explicit Buffer(index n);
    T* data() const { return data_.get(); }
    index size() const { return size_; }

  private:
    std::shared_ptr<T[]> data_;
    index size_;
};

template <class T>
struct Problem {
    std::string name;
    index n;              ///< elements
    index rows, columns;  ///< of the matrix with n elements
    Buffer<T> x, y, z;    ///< inputs: price, strike and years where options are priced
    Buffer<T> out, out2;
    Buffer<std::int32_t> counts;
    MandelbrotView<T> view;
};

inline constexpr double option_rate = 0.02, option_vol = 0.3;

/// The cases, in the order of the table.
inline constexpr const char* case_names[] = {"saxpy",         "chain of 8 maps",   "dot",
                                             "norm",          "row sums",          "column sums",
                                             "black-scholes", "black-scholes erf", "mandelbrot"};

/// Generated inputs, the same for every implementation.
template <class T>
Problem<T> make_problem(const std::string& name, index n);

/// Bytes that have to cross the memory interface, and those among them that are written.
template <class T>
double bytes_of(const Problem<T>& p);
template <class T>
double bytes_written(const Problem<T>& p);

/// Hand-written code of every compiler and variant, on all threads and, for small sizes, on one.
template <class T>
std::vector<Contender> hand_contenders(const Problem<T>& p);

/// Copying and reading arrays of p.n elements: "copy", "copy stream", "read".
/// Other libraries' versions.
template <class T>
std::vector<Contender> peer_contenders(const Problem<T>& p);

template <class T>
std::vector<Contender> machine_limits(const Problem<T>& p);

/// The same in Sinter, compiled once and called with the data.
template <class T>
std::vector<Contender> sinter_contenders(const Problem<T>& p);

}  // namespace bench
