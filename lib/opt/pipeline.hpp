// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The order of passes, as data, and their driver.
#pragma once

#include "ir/program.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace sinter::opt {

struct Pass {
    std::string_view name;
    ir::Program (*function)(ir::Program);
};

/// The table, in the order of execution (a pass may occur more than once).
std::span<const Pass> passes();

struct PassTime {
    std::string_view pass;
    double seconds;
};

/// Dumps the program if SINTER_DUMP names the stage; verifies it in debug builds and under SINTER_VERIFY=1.
void inspect(std::string_view stage, const ir::Program& program);

/// Runs the table. Verifies the program before and after each pass in debug builds and under SINTER_VERIFY=1; dumps it after
/// each pass that SINTER_DUMP names ("program": before the first, "opt": after the last). Appends to `times` if given.
ir::Program optimise(ir::Program program, std::vector<PassTime>* times = nullptr);

}  // namespace sinter::opt
