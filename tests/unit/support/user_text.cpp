// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/text/user_text.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sinter;

TEST_CASE("texts that a program refers to by number are listed, each once") {
    const location here = location::current();
    const auto positive = std::to_string(remember_text("positive", here) + 1);  // of rank 1
    const auto half = std::to_string(remember_text("half", here));
    const std::string at = std::string(" (") + here.file_name() + ":" + std::to_string(here.line()) + ")\n";
    const std::string program = "{x0 -> x1 = expect #" + positive + " x0 x0; x2 = debug_print #" + half +
                                " x0; x3 = expect #" + positive + " x0 x0; x1}\ncheck expect " + positive + " : 1\n";
    CHECK(texts_in(program) == "#" + positive + " \"positive\"" + at + "#" + half + " \"half\"" + at);
    CHECK(texts_in("expect #7 x0 print 8 : f32, expect").empty());
}
