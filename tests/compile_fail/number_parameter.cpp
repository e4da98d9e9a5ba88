// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function in a program is given expressions.
// expect: declare variables and parameters as auto or Exp<T>
#include <sinter/sinter.hpp>

using namespace sinter;

auto f(Array<float> v) {
#ifdef SINTER_BAD
    return map([](float e) { return e + 1; }, v);
#else
    return map([](Exp<float> e) { return e + 1; }, v);
#endif
}
