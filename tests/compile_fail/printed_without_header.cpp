// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays are printed by a header of its own.
// expect: include <sinter/print\.hpp>
#ifndef SINTER_BAD
#include <sinter/print.hpp>
#endif
#include <sinter/sinter.hpp>

#include <iostream>

void f(sinter::Array<float> v) { std::cout << v; }
