// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of one vector.
#include "functions/ode.hpp"
#include "functions/smooth.hpp"
#include "module.hpp"

namespace gradbench {

Module hello() {
    auto of_number = [](auto f) -> Function {
        return [f](const Json& input) { return call(f, number, input.get<double>()); };
    };
    return {{"square", of_number(compile([](Real x) { return square(x); }))},
            {"double", of_number(compile([](Real x) { return grad(square)(x); }))}};
}

Module lse() {
    auto of_x = [](auto f, auto write) -> Function {
        return [=](const Json& input) { return call(f, write, vector_of(input.at("x"))); };
    };
    return {{"primal", of_x(compile(log_sum_exp), number)}, {"gradient", of_x(compile(grad(log_sum_exp)), numbers)}};
}

namespace {

/// A function of a vector and a number.
template <class F, class W>
Function of_vector(F f, W write, const char* vector, const char* size) {
    return [=](const Json& input) { return call(f, write, vector_of(input.at(vector)), input.at(size).get<Long>()); };
}

}  // namespace

Module llsq() {
    return {{"primal", of_vector(compile(least_squares), number, "x", "n")},
            {"gradient", of_vector(compile(grad(least_squares)), numbers, "x", "n")}};
}

Module det() {
    return {{"primal", of_vector(compile(determinant), number, "A", "ell")},
            {"gradient", of_vector(compile(grad(determinant)), numbers, "A", "ell")}};
}

Module ode() {
    return {{"primal", of_vector(compile(solution), numbers, "x", "s")},
            {"gradient", of_vector(compile(grad(last_of_solution)), numbers, "x", "s")}};
}

}  // namespace gradbench
