// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A gradient is a function: the arguments come after it.
// expect: make functions: write grad\(f\)\(x\), with the arguments after the function
#include <sinter/sinter.hpp>

using namespace sinter;

#ifdef SINTER_BAD
auto slope(Delayed<float> a) {
    return grad([](Delayed<float> x) { return sum(x * x)(); }, a);
}
#else
auto slope(Delayed<float> a) {
    return grad([](Delayed<float> x) { return sum(x * x)(); })(a);
}
#endif
