// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// tests/golden/opt/*.txt, tests/golden/ad/*.txt: what it shows, "# run: pass,pass", a program, "# expect", the program
/// after these passes.
#include "ad/loops/strip_mine.hpp"
#include "ir/text/parse.hpp"
#include "ir/text/print.hpp"
#include "ir/verify/verify.hpp"
#include "pipeline/lists.hpp"
#include "pipeline/pipeline.hpp"
#include "tests/golden_files.hpp"

#include <algorithm>
#include <sstream>

using namespace sinter;

namespace {

ir::Program run(std::string name, ir::Program program) {
    name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
    if (name == "optimise") return pipeline::optimise(std::move(program));
    if (name == "strip_mine") return ad::strip_mine(std::move(program), 0);
    for (const auto& passes : {pipeline::before_differentiation(), pipeline::differentiation(),
                               pipeline::after_differentiation(), pipeline::optimisation(), pipeline::enabling()})
        for (const pipeline::Pass& pass : passes)
            if (pass.name == name) return pass.function(std::move(program));
    FAIL("no pass is called '" << name << "'");
    return program;
}

std::string outcome(const std::string& heading) {
    ir::Program program = ir::parse(test::without_comments(heading));
    ir::verify(program);
    std::istringstream passes(test::field(heading, "run"));
    for (std::string name; std::getline(passes, name, ',');) {
        program = run(name, std::move(program));
        ir::verify(program);
    }
    std::string result = ir::print(program);
    CHECK(ir::print(ir::parse(result)) == result);
    return result;
}

}  // namespace

TEST_CASE("golden derivatives", "[ad]") { test::check_golden("tests/golden/ad", 6, outcome); }
TEST_CASE("golden", "[opt]") { test::check_golden("tests/golden/opt", 25, outcome); }
