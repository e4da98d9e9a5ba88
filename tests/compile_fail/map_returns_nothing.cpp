// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function given to map has to give a value.
// expect: a function given to a combinator returns an Exp, a literal, or a tuple or pair of them
#include <sinter/sinter.hpp>

#include <functional>
#include <string>
#include <vector>

using namespace sinter;

auto shifted(Delayed<float> x) {
    return map(
        [](Exp<float> v) {
#ifdef SINTER_BAD
            v + 1.f;
#else
            return v + 1.f;
#endif
        },
        x);
}
