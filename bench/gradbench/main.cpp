// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sinter as a tool of GradBench (https://github.com/gradbench/gradbench): answers the messages of an evaluation, which come
// on the standard input, one JSON object a line. From the folder of the suite:
//     ./gradbench run --eval "./gradbench repo eval gmm" --tool path/to/build/bench/sinter_gradbench
#include "session.hpp"

#include <iostream>

int main() {
    gradbench::Session session;
    for (std::string line; std::getline(std::cin, line);) std::cout << session.answer_line(line) << std::endl;
}
