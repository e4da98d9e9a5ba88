// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function is traced, once, before anything is computed.
// expect: print what run\(\) returns
#include <sinter/sinter.hpp>

#include <iostream>

using namespace sinter;

auto f(Array<float> v) {
    auto same = [](Exp<float> e) {
#ifdef SINTER_BAD
        std::cout << e;
        return e;
#else
        return e;
#endif
    };
    return map(same, v);
}
