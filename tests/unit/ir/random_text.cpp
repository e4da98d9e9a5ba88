// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/text/parse.hpp"
#include "ir/text/print.hpp"
#include "ir/verify/verify.hpp"
#include "tests/unit/ir/random_program.hpp"

#include <catch2/catch.hpp>

using namespace sinter::test;

TEST_CASE("random: printed functions are read back exactly", "[ir]") {
    for (unsigned seed = 0; seed < 500; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        RandomFunction functions(random, {});
        Fn fn =
            functions.make({{Scalar::f32, 1}, {Scalar::i8, 0}}, {Scalar::f32, Scalar::i64}, {Scalar::f32, Scalar::boolean});
        verify(fn);
        REQUIRE(parse_fn(print(fn)) == fn);
        Fn once = canonical(fn);
        verify(once);
        REQUIRE(canonical(once) == once);
        REQUIRE(result_types(once) == result_types(fn));
    }
}

TEST_CASE("random: printed programs are read back exactly", "[ir]") {
    for (unsigned seed = 0; seed < 500; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        Program program = RandomProgram(random, {}).make();
        verify(program);
        std::string text = print(program);
        Program again = parse(text);
        verify(again);
        REQUIRE(print(again) == text);
        REQUIRE(again.body.guards.size() == program.body.guards.size());
        REQUIRE(again.body.bindings.size() == program.body.bindings.size());
    }
}
