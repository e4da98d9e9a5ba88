// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs lifted, and held against what they were.
#pragma once

#include "enable/lift/lift.hpp"

#include "interp/program.hpp"
#include "ir/evaluate.hpp"
#include "ir/text/parse.hpp"
#include "ir/text/print.hpp"
#include "ir/verify/verify.hpp"
#include "pipeline/pipeline.hpp"

#include <catch2/catch.hpp>

namespace lifting {

using namespace sinter;
using interp::ArrayValue;
using ir::Scalar;

using Extents = std::vector<std::int64_t>;

/// Elements 0, 7, 14, .. modulo 11, minus 5.
inline ArrayValue numbers(Scalar scalar, Extents shape) {
    ArrayValue array(scalar, std::move(shape));
    for (std::int64_t i = 0; i < array.count(); ++i) {
        std::int64_t value = i * 7 % 11 - 5;
        array.set(i, detail::is_float(scalar) ? ir::from_double(scalar, 0.5 * static_cast<double>(value))
                                              : ir::from_int64(scalar, value));
    }
    return array;
}
inline ArrayValue ints(Extents shape) { return numbers(Scalar::i64, std::move(shape)); }
inline ArrayValue floats(Extents shape) { return numbers(Scalar::f32, std::move(shape)); }
inline ArrayValue bools(const std::vector<std::uint64_t>& values) {
    return ArrayValue(Scalar::boolean, {static_cast<std::int64_t>(values.size())}, values);
}

inline ir::Program program(std::string_view text) {
    ir::Program made = ir::parse(text);
    ir::verify(made);
    return made;
}

inline std::vector<ArrayValue> check_lifted(std::string_view text, const std::vector<ArrayValue>& inputs,
                                            const Extents& sizes = {}) {
    ir::Program before = program(text), after = enable::lift(before);
    std::string printed = ir::print(after);
    INFO(text << "\nlifted\n" << printed);
    ir::verify(after);
    CHECK(printed.find("vmap") == std::string::npos);
    std::vector<ArrayValue> expected = interpret(before, inputs, sizes), actual = interpret(after, inputs, sizes);
    std::vector<ArrayValue> optimised = interpret(pipeline::optimise(after), inputs, sizes);
    REQUIRE(actual.size() == expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
        INFO("result " << i);
        CHECK(same_values(actual[i], expected[i]));
        CHECK(same_values(optimised[i], expected[i]));
    }
    return actual;
}

/// %0, %1: i64[n, m], of which %3, %4 are slices; %2: i64[k], the same for all slices.
inline void check_body(std::string body, std::string_view type = "i64[n0, n0.1]", const Extents& sizes = {}) {
    std::string text = R"(%0 : i64[n0, n0.1] = input
%1 : i64[n0, n0.1] = input
%2 : i64[n0.1] = input
%3 : )" + std::string(type) +
                       R"( = vmap (%0, %1) {
  %3 : i64[n0.1] = param
  %4 : i64[n0.1] = param
)" + body + "}\nreturn %3\n";
    if (!sizes.empty()) text = "arguments " + std::to_string(sizes.size()) + "\n" + text;
    for (Extents shape : {Extents{3, 4}, Extents{1, 4}, Extents{0, 4}, Extents{5, 1}, Extents{2, 5}})
        check_lifted(text, {ints(shape), ints(shape), ints({shape[1]})}, sizes);
    CHECK_NOTHROW(check_lifted(text, {ints({3, 4}), ints({3, 4}), ints({4})}, sizes));
}

inline std::string limitation_of(std::string_view text) {
    ir::Program made = program(text);
    auto mark = [&](auto& self, ir::Body& body) -> void {
        for (ir::Binding& binding : body.bindings) {
            binding.site = ir::SiteId(made.sites.size());
            made.sites.push_back({location::current()});
            if (auto* bodies = ir::bodies_of(binding.op))
                for (ir::Body& nested : *bodies) self(self, nested);
        }
    };
    mark(mark, made.body);
    try {
        enable::lift(made);
    } catch (const Limitation& error) {
        CHECK(error.where().line() > 0);
        return error.what();
    }
    return "";
}

}  // namespace lifting
