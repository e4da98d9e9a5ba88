// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/pipeline.hpp"

#include "ad/loops/strip_mine.hpp"
#include "ir/text/print.hpp"
#include "ir/verify/verify.hpp"
#include "pipeline/lists.hpp"
#include "support/text/dump.hpp"
#include "support/verifying.hpp"

#include <chrono>
#include <utility>

namespace sinter::pipeline {

namespace {

void inspect(std::string_view stage, const ir::Program& program) {
    if (dumps(stage)) dump(stage, ir::print(program));
    if (is_verifying()) ir::verify(program);
}

}  // namespace

ir::Program run(ir::Program program, std::span<const Pass> passes, std::vector<PassTime>* times) {
    for (const Pass& pass : passes) {
        const auto start = std::chrono::steady_clock::now();
        program = pass.function(std::move(program));
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        if (times != nullptr) times->push_back({pass.name, elapsed.count()});
        inspect(pass.name, program);
    }
    return program;
}

ir::Program optimise(ir::Program program, std::vector<PassTime>* times) {
    inspect("program", program);
    program = run(std::move(program), optimisation(), times);
    if (dumps("opt")) dump("opt", ir::print(program));
    return program;
}

ir::Program differentiate(ir::Program program, std::int64_t tape) {
    while (ir::contains_derivative(program.body)) {
        program = run(std::move(program), before_differentiation());
        program = ad::strip_mine(std::move(program), tape);  // after lift, which makes loops over arrays of loops in slices
        inspect("strip_mine", program);
        program = run(std::move(program), differentiation());
    }
    return ir::contains_custom(program.body) ? run(std::move(program), after_differentiation()) : program;
}

ir::Program prepare(ir::Program program, const Options& options) {
    if (dumps("convert")) dump("convert", ir::print(program));
    program = run(differentiate(std::move(program), options.tape), flattening());
    program = run(optimise(std::move(program)), enabling());
    if (options.widen_late) program = run(std::move(program), widening());
    return options.merge_scatters ? run(std::move(program), merging()) : program;
}

std::vector<enable::SliceBySlice> slice_by_slice(ir::Program program) {
    std::vector<enable::SliceBySlice> found;
    const auto through = [&](std::span<const Pass> passes) {
        for (const Pass& pass : passes)
            program = pass.name == "lift" ? enable::lift(std::move(program), found) : pass.function(std::move(program));
    };
    while (ir::contains_derivative(program.body)) through(before_differentiation()), through(differentiation());
    if (ir::contains_custom(program.body)) through(after_differentiation());
    through(flattening());
    return found;
}

ir::Program specialise(ir::Program program, std::span<const enable::Wish> holding) {
    program = enable::assume(std::move(program), holding);
    return run(optimise(std::move(program)), enabling());
}

}  // namespace sinter::pipeline
