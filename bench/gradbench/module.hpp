// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Modules of functions, as the protocol of GradBench names them.
#pragma once

#include "functions/common.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gradbench {

using Json = nlohmann::json;

/// A function with its arguments, to be evaluated as often as wanted.
struct Call {
    std::function<void()> evaluate;
    std::function<Json()> output;  ///< of the last evaluation
};
using Function = std::function<Call(const Json& input)>;
using Module = std::map<std::string, Function>;

Module hello();
Module lse();
Module llsq();
Module det();
Module ode();
Module gmm();
Module kmeans();
Module lstm();
Module ba();
Module ht();
Module particle();
Module saddle();

/// `f`: a compiled function; `write` makes JSON of its results.
template <class F, class W, class... A>
Call call(const F& f, W write, A... arguments) {
    using R = decltype(f(arguments...));
    auto result = std::make_shared<std::optional<R>>();
    return {[f, result, arguments...] { result->emplace(f(arguments...)); }, [write, result] { return write(**result); }};
}

// Arguments

inline Array<double> vector_of(const Json& json) { return from(json.get<std::vector<double>>()); }
/// `columns`: where there is no row that has them.
inline Array<double, 2> matrix_of(const Json& rows, Long columns = 0) {
    if (!rows.empty()) columns = static_cast<Long>(rows.at(0).size());
    std::vector<double> elements;
    for (const Json& row : rows)
        for (const Json& element : row) elements.push_back(element.get<double>());
    return from(elements, shape(static_cast<Long>(rows.size()), columns));
}

// Results

constexpr auto number = [](const auto& value) {
    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>)
        return Json(value);
    else
        return Json(value.item());
};
inline Json numbers(const Array<double>& a) { return a.to_vector(); }
inline Json rows(const Array<double, 2>& a) {
    const std::vector<double> elements = a.to_vector();
    const auto columns = a.shape()[1];
    Json made = Json::array();
    for (Long i = 0; i < a.shape()[0]; ++i)
        made.push_back(std::vector<double>(elements.begin() + i * columns, elements.begin() + (i + 1) * columns));
    return made;
}

}  // namespace gradbench
