// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A pass: a function from programs to programs with the same results. The pass, its function and its file have the same
/// name, and `SINTER_DUMP` uses it for the program after the pass.
#pragma once

#include "ir/program.hpp"

#include <string_view>

namespace sinter::pipeline {

struct Pass {
    std::string_view name;
    ir::Program (*function)(ir::Program);
};

}  // namespace sinter::pipeline
