// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A pass on programs given as text.
#pragma once

#include "interp/program.hpp"
#include "ir/text/parse.hpp"
#include "ir/text/print.hpp"
#include "ir/verify/verify.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace sinter::enable::test {

using Sizes = std::vector<std::int64_t>;

/// The program after `pass`, as text: it is valid, and its results are what they were, for all `sizes` (the program's
/// arguments) and inputs(sizes).
template <class Pass, class Inputs>
std::string after(Pass pass, const std::string& program, const std::vector<Sizes>& sizes, Inputs inputs) {
    ir::Program before = ir::parse(program);
    ir::verify(before);
    ir::Program after = pass(before);
    std::string text = ir::print(after);
    INFO(text);
    ir::verify(after);
    for (const Sizes& size : sizes) {
        const std::vector<interp::ArrayValue> values = inputs(size);
        const auto expected = interp::interpret(before, values, size), actual = interp::interpret(after, values, size);
        for (std::size_t k = 0; k < expected.size(); ++k) CHECK(same_values(expected[k], actual[k]));
    }
    return text;
}

}  // namespace sinter::enable::test
