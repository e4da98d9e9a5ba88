// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/prepare.hpp"

#include "enable/filter.hpp"
#include "enable/index_reads.hpp"
#include "enable/interchange.hpp"
#include "enable/lift.hpp"
#include "enable/red_flat.hpp"
#include "opt/pipeline.hpp"

#include <span>
#include <utility>

namespace sinter::enable {

namespace {

struct Pass {
    const char* name;
    ir::Program (*function)(ir::Program);
};

constexpr Pass table[] = {
    {"scalar_control", scalar_control},             // before lift: every slice keeps control flow of its own
    {"filters_of_slices", fold_filters_of_slices},  // before lift, which has no arrays of other extents in every slice
    {"lift", lift},
    {"optimise", [](ir::Program program) { return opt::optimise(std::move(program)); }},
    {"interchange", interchange},  // after optimise, which moves out of loops what need not be in them
    {"index_reads", index_reads},  // after interchange, which wants loops of maps without views
    {"red_flat", red_flat},
    {"filter", push_filters},
};

constexpr std::size_t after_lift = 2;

ir::Program run(ir::Program program, std::span<const Pass> passes) {
    for (const Pass& pass : passes) {
        program = pass.function(std::move(program));
        opt::inspect(pass.name, program);
    }
    return program;
}

}  // namespace

ir::Program prepare(ir::Program program) { return run(std::move(program), table); }

ir::Program prepare_again(ir::Program program) { return run(std::move(program), std::span(table).subspan(after_lift)); }

}  // namespace sinter::enable
