// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Cluster text in, kernel text out.
#pragma once

#include "ir/text/parse.hpp"
#include "ir/verify/verify.hpp"
#include "lower/lower.hpp"
#include "lower/text/parse.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <string_view>

namespace sinter::test {

inline lower::Kernel kernel_of(std::string_view cluster, lower::Options options = {}) {
    ir::Program program = ir::parse(cluster);
    ir::verify(program);
    return lower::lower(program, options);
}

/// The kernel's text with whitespace made uniform.
inline std::string text_of(std::string_view kernel) { return lower::print(lower::parse(kernel)); }

}  // namespace sinter::test
