// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels of NPBench (Ziogas et al. 2021), each as plain C++ with OpenMP and in the forms in which somebody new to Sinter
/// would write it. A slow form is a finding, so the forms are the natural ones, not those known to be fast.
#pragma once

#include <sinter/npy.hpp>
#include <sinter/sinter.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace bench::npb {

using index = std::int64_t;
using I = sinter::Exp<index>;
using R = sinter::Exp<double>;
using D1 = sinter::Delayed<double>;
using D2 = sinter::Delayed<double, 2>;
using D3 = sinter::Delayed<double, 3>;
using A1 = sinter::Array<double>;
using A2 = sinter::Array<double, 2>;
using A3 = sinter::Array<double, 3>;

/// One way to write a kernel.
struct Form {
    std::string name;                             ///< "c++", "c++ tiled", or the idiom
    std::function<void()> call;                   ///< what is timed
    std::function<std::vector<double>()> result;  ///< all elements of all results of the last call
};

/// An argument in the form in which Python's libraries get it: a file, or a number.
struct Input {
    std::string name;
    std::function<void(const std::string& path)> save;
};

struct Kernel {
    std::string name;
    std::string size;
    double tolerance;  ///< largest difference from plain C++, relative to the largest element
    std::vector<Input> inputs;
    std::vector<Form> forms;  ///< the first is plain C++
};

/// In the order of the table. Each of these is defined in a file of its own.
Kernel jacobi_1d();
Kernel jacobi_2d();
Kernel heat_3d();
Kernel hdiff();
Kernel vadv();
Kernel fdtd_2d();
Kernel atax();
Kernel bicg();
Kernel mvt();
Kernel gemver();
Kernel lu();
Kernel cholesky();
Kernel softmax();
Kernel mlp();
Kernel conv2d();
Kernel nbody();
Kernel mandelbrot();
Kernel spmv();
Kernel azimint();
Kernel floyd_warshall();
Kernel go_fast();

template <class T>
using Buffer = std::shared_ptr<std::vector<T>>;

template <class T = double>
Buffer<T> buffer(index n) {
    return std::make_shared<std::vector<T>>(static_cast<std::size_t>(n));
}

/// The same for every run: numbers in [low, high).
template <class T = double, class... Extent>
auto random_array(T low, T high, Extent... extent) {
    static std::mt19937_64 random(7);
    std::vector<T> values(static_cast<std::size_t>((index(extent) * ...)));
    for (T& x : values) x = low + (high - low) * static_cast<T>(static_cast<double>(random() >> 11) * 0x1p-53);
    return sinter::Array<T, sizeof...(Extent)>(sinter::from(values, sinter::shape(index(extent)...)));
}

template <class T, int Rank>
Input input(std::string name, const sinter::Array<T, Rank>& a) {
    return {std::move(name), [=](const std::string& path) { sinter::save_npy(path, a); }};
}
template <class T>
Input number(std::string name, T value) {
    return input(std::move(name), sinter::Array<T>(sinter::from({value})));
}

template <class T, int Rank>
void append(std::vector<double>& all, const sinter::Array<T, Rank>& a) {
    const T* p = a.data();
    for (index i = 0; i < a.size(); ++i) all.push_back(static_cast<double>(p[i]));
}
template <class T>
void append(std::vector<double>& all, const std::vector<T>& v) {
    for (const T& x : v) all.push_back(static_cast<double>(x));
}
template <class... A>
void append(std::vector<double>& all, const std::tuple<A...>& results) {
    std::apply([&](const auto&... a) { (append(all, a), ...); }, results);
}

/// Plain C++ that leaves its results in `outputs`.
template <class F, class... T>
Form plain(std::string name, F call, Buffer<T>... outputs) {
    const auto result = [=] {
        std::vector<double> all;
        (append(all, *outputs), ...);
        return all;
    };
    return {std::move(name), call, result};
}

/// A call that returns an array, or a tuple of arrays. Its result is released before the next call, just as C++ overwrites
/// its output.
template <class F>
Form form(std::string name, F call) {
    const auto last = std::make_shared<std::optional<decltype(call())>>();
    const auto again = [=] {
        last->reset();
        last->emplace(call());
    };
    const auto result = [=] {
        std::vector<double> all;
        append(all, **last);
        return all;
    };
    return {std::move(name), again, result};
}

/// Plain C++ that replaces a matrix: the timed call copies it first, because a call that returns an array leaves its
/// argument unchanged.
inline Form plain_on_copy(std::string name, const A2& a, void (*f)(double*), const Buffer<double>& to) {
    const auto call = [=] {
        std::copy_n(a.data(), a.size(), to->data());
        f(to->data());
    };
    return plain(std::move(name), call, to);
}

/// A compiled function of one matrix.
inline Form form_of(std::string name, const A2& a, D2 (*f)(D2)) {
    return form(std::move(name), [=, f = sinter::compile(f)] { return f(a); });
}

}  // namespace bench::npb
