// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A pass: a function from programs to programs with the same results. Its name is that of its function and of its file,
/// and what `SINTER_DUMP` calls the program behind it.
#pragma once

#include "ir/program.hpp"

#include <string_view>

namespace sinter::pipeline {

struct Pass {
    std::string_view name;
    ir::Program (*function)(ir::Program);
};

}  // namespace sinter::pipeline
