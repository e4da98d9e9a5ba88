// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Rows of the table that sinter_derivatives prints: a function, and the same with its derivatives.
#pragma once

#include <sinter/sinter.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace derivatives {

using namespace sinter;

using Long = std::int64_t;

/// `f`'s value and its gradients with respect to several arguments, as one tuple.
template <std::size_t... I>
constexpr auto value_and_gradients = [](auto f) {
    return [f](const auto&... arguments) {
        const auto [value, gradients] = value_and_grad<I...>(f)(arguments...);
        return std::tuple_cat(std::tuple(value), gradients);
    };
};

/// `g` with the parameters of the function given.
template <class G, class R, class... P>
auto with_parameters_of(R (*)(P...), const G& g) {
    return [g](P... parameters) { return g(parameters...); };
}
template <class G, class F>
    requires requires { &F::operator(); }
auto with_parameters_of(const F&, const G& g) {
    return [&]<class R, class... P>(R (F::*)(P...) const) {
        return [g](P... parameters) { return g(parameters...); };
    }(&F::operator());
}

/// What a row should cost at most.
struct Goal {
    double ratio = 0;                 ///< of the times; 0: none is set
    std::optional<double> megabytes;  ///< of arrays, beside arguments and results

    Goal(double times_of_function) : ratio(times_of_function) {}
    Goal(double times_of_function, double mb) : ratio(times_of_function), megabytes(mb) {}
};

/// The megabytes of results that are arrays.
inline double megabytes_of(double) { return 0; }
template <class T, int Rank>
double megabytes_of(const Array<T, Rank>& result) {
    return static_cast<double>(result.size()) * sizeof(T) * 1e-6;
}
template <class... R>
double megabytes_of(const std::tuple<R...>& results) {
    return std::apply([](const auto&... each) { return (0.0 + ... + megabytes_of(each)); }, results);
}
template <class A, class B>
double megabytes_of(const std::pair<A, B>& results) {
    return megabytes_of(results.first) + megabytes_of(results.second);
}

/// Calls a function once.
using Call = std::function<void()>;
/// The same, which gives the megabytes of the results.
using MeasuredCall = std::function<double()>;

struct Table {
    std::vector<std::string> wanted;  ///< parts of names; none: all rows
    int turns = 9;
    bool once = false;          ///< calls each function twice and takes no time, to be looked at with SINTER_LOG=launch
    bool of_processor = false;  ///< processor time instead of time

    bool wants(const std::string& name) const;
    /// Times both, one after the other in turn.
    void row(const std::string& name, const Goal& goal, const Call& primal, const MeasuredCall& derivative) const;
    /// The row of two functions of the same arguments.
    template <class F, class G, class... A>
    void compare(const std::string& name, const Goal& goal, const F& primal, const G& derivative,
                 const A&... arguments) const {
        if (!wants(name)) return;
        const auto typed = with_parameters_of(primal, derivative);
        const auto p = compile(primal);
        const auto d = compile(typed);
        row(name, goal, [&] { p(arguments...); }, [&] { return megabytes_of(d(arguments...)); });
    }

  private:
    double milliseconds(const Call& call, int times) const;
    /// How often to call within one turn: for 10 ms.
    int repetitions(const Call& call) const;
};

/// `count` numbers from `low` to `high`, without an order.
std::vector<double> numbers(Long count, double low, double high, unsigned seed = 0);
inline Array<double> vector(Long n, double low, double high, unsigned seed = 0) { return from(numbers(n, low, high, seed)); }
inline Array<double, 2> matrix(Long rows, Long columns, double low, double high, unsigned seed = 0) {
    return from(numbers(rows * columns, low, high, seed), shape(rows, columns));
}

void rows_of_vectors(const Table&);
void rows_of_models(const Table&);
void rows_of_scenes(const Table&);
void rows_of_loops(const Table&);
void rows_of_physics(const Table&);

}  // namespace derivatives
