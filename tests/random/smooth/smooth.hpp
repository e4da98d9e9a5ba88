// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A random program of smooth functions, of which derivatives are taken. It grows, of vectors of one extent, rows of another,
// matrices of both, and numbers. All values stay small. Kinds of steps are functions, below.
#pragma once

#include <sinter/sinter.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <vector>

namespace random_programs {

using namespace sinter;

using Long = std::int64_t;
using D0 = Exp<double>;
using D1 = Delayed<double>;
using D2 = Delayed<double, 2>;
using Number = Delayed<double, 0>;
using Two = std::tuple<double, double>;
using I = Exp<Long>;

class Smooth {
  public:
    static constexpr Long columns = 3;  ///< the extent of rows

    Smooth(std::uint64_t seed, D1 x, Long extent)
        : extent(extent), vectors{x}, random_(std::make_shared<std::mt19937_64>(seed)) {}

    // Choices.
    void reseed(std::uint64_t seed) { random_->seed(seed); }
    std::size_t pick(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(*random_); }
    Long between(Long low, Long high) { return low + static_cast<Long>(pick(static_cast<std::size_t>(high - low + 1))); }
    bool chance(int percent) { return between(0, 99) < percent; }
    int few() { return 1 + static_cast<int>(pick(2)); }
    /// Late ones more often, so that programs grow deep as well as wide.
    template <class T>
    T any_of(const std::vector<T>& all) {
        const std::size_t a = pick(all.size()), b = pick(all.size());
        return all[std::max(a, b)];
    }

    // Arrays.
    Long extent;  ///< of vectors; matrices have as many rows
    std::vector<D1> vectors, rows;
    std::vector<D2> matrices;
    std::vector<Number> scalars;  ///< of any size: products of all elements; what uses them takes their tanh
    std::vector<I> counters;      ///< of the loops around

    D1 vector() { return any_of(vectors); }
    D1 row();
    D2 matrix();
    D0 number();
    void add_scalar(const Number& s) { scalars.push_back(s); }
    /// Of the sum of many values.
    void add_sum(const Number& s) { scalars.push_back(Number(s * (1.0 / static_cast<double>(extent)))); }

    // Functions: smooth almost everywhere, of small values and derivatives.
    D0 unary(D0 a);
    D0 binary(D0 a, D0 b);
    /// Associative, and for most of them commutative; with a number that is captured, for some of them.
    std::function<D0(D0, D0)> monoid();
    /// Associative, on pairs.
    std::function<Exp<Two>(Exp<Two>, Exp<Two>)> pair_monoid();
    /// Numbers from 0 to n - 1, by position or by value.
    Delayed<Long> places(Long n);

    // Where it is.
    int depth = 0;        ///< of bodies
    bool sliced = false;  ///< in a function of slices
    void grow(int steps);
    /// The results of a few steps in an inner scope that also has x.
    template <class A, class F>
    auto inside(const A& x, int steps, F result) const {
        Smooth copy = *this;
        ++copy.depth;
        copy.add(x);
        copy.grow(steps);
        return result(copy);
    }
    D1 inside(const D1& x, int steps) const;
    void add(const D1& x) { vectors.push_back(x); }
    void add(const D2& x) { matrices.push_back(x); }
    void add(const Number& x) { scalars.push_back(x); }

  private:
    std::shared_ptr<std::mt19937_64> random_;
};

D1 bounded(const D1& x);
D2 bounded(const D2& x);

using Step = void (*)(Smooth&);
void maps(Smooth& program);
void reads(Smooth& program);
void smooth_views(Smooth& program);
void products(Smooth& program);
void smooth_folds(Smooth& program);
void smooth_scans(Smooth& program);
void smooth_segments(Smooth& program);
void smooth_sorts(Smooth& program);
void smooth_recurrences(Smooth& program);
void smooth_scatters(Smooth& program);
void smooth_updates(Smooth& program);
void smooth_filters(Smooth& program);
void smooth_stencils(Smooth& program);
void loops_in_functions(Smooth& program);
void loops(Smooth& program);
void loops_of_elements(Smooth& program);
void branches(Smooth& program);
void smooth_slices(Smooth& program);
void ragged_slices(Smooth& program);
void rules(Smooth& program);
void checkpoints(Smooth& program);
void inner_derivatives(Smooth& program);

}  // namespace random_programs
