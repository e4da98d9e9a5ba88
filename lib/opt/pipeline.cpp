// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opt/pipeline.hpp"

#include "ir/print.hpp"
#include "ir/verify.hpp"
#include "opt/passes.hpp"
#include "support/dump.hpp"
#include "support/verifying.hpp"

#include <chrono>
#include <string>

namespace sinter::opt {

namespace {

constexpr Pass table[] = {
    {"simplify", simplify},                  // first: it makes constants, copies and equal functions visible
    {"scalars", scalars},                    // after simplify: which finds the rank-0 constants that it spreads
    {"simplify", simplify},                  // again: with the constants that scalars has put into functions
    {"copy_propagation", copy_propagation},  // after simplify: x * 1 is a copy now; before hoist: states that never change
                                             // make more bindings independent of the iteration
    {"hoist", hoist},                        // before cse: equal scalars hoisted from several functions are merged
    {"cse", cse},                            // after everything that makes bindings equal
    {"sink", sink},                          // after cse: which names what is made in a body after what is made outside
    {"dead_code", dead_code},                // last: all others leave unused bindings, arguments and captures
};

}  // namespace

void inspect(std::string_view stage, const ir::Program& program) {
    if (dumps(stage)) dump(stage, ir::print(program));
    if (is_verifying()) ir::verify(program);
}

std::span<const Pass> passes() { return table; }

ir::Program optimise(ir::Program program, std::vector<PassTime>* times) {
    inspect("program", program);
    for (const Pass& pass : table) {
        auto start = std::chrono::steady_clock::now();
        program = pass.function(std::move(program));
        std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        if (times != nullptr) times->push_back({pass.name, elapsed.count()});
        inspect(pass.name, program);
    }
    if (dumps("opt")) dump("opt", ir::print(program));
    return program;
}

}  // namespace sinter::opt
