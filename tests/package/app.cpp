// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program outside the project: the dot product of (1, 2, 3) with itself is 14.
#include <sinter/sinter.hpp>
#include <sinter/version.hpp>

#include <cstdio>
#include <functional>
#include <vector>

int main() {
    sinter::Array<float> x = sinter::from(std::vector<float>{1, 2, 3});
    const float dot = sinter::run(sinter::fold(std::plus<>{}, 0.f, sinter::map(std::multiplies<>{}, x, x))).item();
    std::printf("sinter %s: %g\n", SINTER_VERSION_STRING, dot);
    return dot == 14 ? 0 : 1;
}
