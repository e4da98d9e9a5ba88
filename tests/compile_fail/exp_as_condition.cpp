// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An expression has no value while its function is traced: the message names what to write instead.
// expect: select\(c, a, b\)
// expect: cond\(c, f, g\)
#include <sinter/sinter.hpp>

#include <functional>
#include <string>
#include <vector>

using namespace sinter;

Delayed<float> positive_part(Delayed<float> x) {
    return map(
        [](Exp<float> v) {
#ifdef SINTER_BAD
            if (v < 0.f) return Exp<float>(0.f);
            return v;
#else
            return select(v < 0.f, Exp<float>(0.f), v);
#endif
        },
        x);
}
