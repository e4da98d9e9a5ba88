// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// tests/golden/opt/*.txt: what it shows, "# run: pass,pass", a program, "# expect", the program after these passes.
/// SINTER_BLESS=1 writes what came out into the files; read the difference before committing it.
#include "ir/parse.hpp"
#include "ir/print.hpp"
#include "ir/verify.hpp"
#include "pipeline/lists.hpp"
#include "pipeline/pipeline.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace sinter;

namespace {

struct Golden {
    std::string heading;  ///< up to and including the line "# run: ..."
    std::string passes, input, expected;
};

Golden split(const std::string& text) {
    Golden golden;
    std::size_t run = text.find("# run:"), input = text.find('\n', run) + 1, expect = text.find("# expect\n", input);
    REQUIRE(run != std::string::npos);
    REQUIRE(expect != std::string::npos);
    golden.heading = text.substr(0, input);
    golden.passes = text.substr(run + 6, input - run - 7);
    golden.input = text.substr(input, expect - input);
    golden.expected = text.substr(expect + 9);
    return golden;
}

ir::Program run(std::string name, ir::Program program) {
    name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
    if (name == "optimise") return pipeline::optimise(std::move(program));
    for (const pipeline::Pass& pass : pipeline::optimisation())
        if (pass.name == name) return pass.function(std::move(program));
    FAIL("no pass is called '" << name << "'");
    return program;
}

std::string outcome(const Golden& golden) {
    ir::Program program = ir::parse(golden.input);
    ir::verify(program);
    std::istringstream passes(golden.passes);
    for (std::string name; std::getline(passes, name, ',');) {
        program = run(name, std::move(program));
        ir::verify(program);
    }
    return ir::print(program);
}

}  // namespace

TEST_CASE("golden", "[opt]") {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator("tests/golden/opt")) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    REQUIRE(files.size() >= 25);
    bool bless = std::getenv("SINTER_BLESS") != nullptr;
    for (const auto& path : files) {
        std::ostringstream text;
        text << std::ifstream(path).rdbuf();
        INFO(path.string());
        Golden golden = split(text.str());
        std::string result = outcome(golden);
        CHECK(ir::print(ir::parse(result)) == result);
        if (bless)
            std::ofstream(path) << golden.heading << golden.input << "# expect\n" << result;
        else
            CHECK(result == golden.expected);
    }
}
