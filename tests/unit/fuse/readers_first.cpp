// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.hpp"

#include <catch2/catch.hpp>

using namespace sinter;
using namespace sinter::fuse::test;

namespace {

const std::string updated =
    "%0 : f32[n0] = input\n"
    "%1 : i64[3] = input\n"
    "%2 : f32[3] = input\n"
    "%3 : f32[n0] = scatter (%0) at (%1) (%2)\n";

std::string order(const std::string& rest, fuse::Strategy strategy) {
    const ir::Program program = ir::parse(updated + rest);
    return text(program, partition_of(program, strategy));
}

}  // namespace

TEST_CASE("what reads an array comes before what overwrites a part of it") {
    const std::string rest =
        "%4 : f32[n0] = map (%0) {x0: f32 -> x1 = exp x0; x1}\n%5 : f32[n0] = force (%4)\nreturn %3, %5\n";
    for (auto [name, strategy] : strategies) {
        CAPTURE(name);
        const std::string text = order(rest, strategy);
        CHECK(text.find("%4") < text.find("%3"));
    }
}

TEST_CASE("what needs the result of an update comes after it, even if it reads the array, too") {
    const std::string rest =
        "%4 : f32[n0] = force (%3)\n%5 : f32[n0] = map (%0, %4) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}\nreturn %5\n";
    for (auto [name, strategy] : strategies) {
        CAPTURE(name);
        const std::string text = order(rest, strategy);
        CHECK(text.find("%3") < text.find("%5"));
    }
}
