// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Examples for the rows of docs/reference/operations.tsv: OPERATION("group", "operation") { ... } for each that Sinter has.
/// scripts/make_operations_table.py --check compares the names, and that an example calls what its row names.
#pragma once

#include <sinter/sinter.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

#define OPERATION(group, operation) TEST_CASE(group ": " operation)

namespace operations {

using namespace sinter;

template <class T, std::size_t Rank>
struct NestedVector {
    using type = std::vector<typename NestedVector<T, Rank - 1>::type>;
};
template <class T>
struct NestedVector<T, 0> {
    using type = T;
};

/// How the elements of an array of type A are written: lists of lists, or for rank 0 the element itself.
template <class A>
using Nested = typename NestedVector<element_t<A>, rank_v<A>>::type;

template <std::size_t Axis, class Next, std::size_t Rank>
auto nest(Next& next, const std::array<std::int64_t, Rank>& shape) {
    using T = typename std::iterator_traits<Next>::value_type;
    if constexpr (Axis == Rank) {
        return static_cast<T>(*next++);
    } else {
        typename NestedVector<T, Rank - Axis>::type lines;
        for (std::int64_t i = 0; i < shape[Axis]; ++i) lines.push_back(nest<Axis + 1>(next, shape));
        return lines;
    }
}

template <class T, int Rank>
auto nested(const Array<T, Rank>& a) {
    auto elements = a.to_vector();
    auto next = elements.cbegin();
    return nest<0>(next, a.shape());
}

/// check(result) for what the interpreter computes, and the host with one and with two threads.
template <class E, class Check>
void on_every_target(const E& expression, location where, Check check) {
    for (Target target : {Target::interpreter(), Target::host(1), Target::host(2)}) {
        INFO("line " << where.line() << ", target " << static_cast<int>(target.kind) << ", threads " << target.number);
        check(nested(run(expression, {.target = target})));
    }
}

/// `expression` has these elements on every target.
template <ArrayLike E>
void gives(const E& expression, const Nested<E>& expected, location where = location::current()) {
    on_every_target(expression, where, [&](const auto& result) { CHECK(result == expected); });
}

/// The same within four roundings of the element type; NaN is equal to itself.
template <ArrayLike E>
void nearly_gives(const E& expression, const Nested<E>& expected, location where = location::current()) {
    using T = element_t<E>;
    on_every_target(expression, where, [&](const std::vector<T>& result) {
        REQUIRE(result.size() == expected.size());
        for (std::size_t i = 0; i < result.size(); ++i) {
            CAPTURE(i, result[i], expected[i]);
            T tolerance = 4 * std::numeric_limits<T>::epsilon() * std::abs(expected[i]);
            CHECK((std::isnan(expected[i]) ? std::isnan(result[i]) : std::abs(result[i] - expected[i]) <= tolerance));
        }
    });
}

/// f on every x is what `reference`, a function of double, computes.
template <class F, class Reference>
void agrees(F f, Reference reference, const std::vector<double>& xs, location where = location::current()) {
    std::vector<double> expected;
    for (double x : xs) expected.push_back(reference(x));
    nearly_gives(map(f, from(xs)), expected, where);
}

}  // namespace operations
