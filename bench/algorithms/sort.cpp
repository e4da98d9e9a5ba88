// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "algorithm.hpp"

#include <algorithm>
#include <execution>

namespace bench {
namespace {

std::vector<Contender> contenders(index n) {
    auto x = random_numbers<float>(n, -(1 << 24), 1 << 24);
    auto out = zeros<float>(n);
    auto sorted = sinter::compile([](sinter::Delayed<float> v) { return sort(v); });
    auto check = [=] { return double((*out)[out->size() / 3]) + double(out->back()); };
    auto result = std::make_shared<sinter::Array<float>>(sinter::from(*x));
    auto read = [=] { return double((*result)(result->size() / 3)) + double((*result)(result->size() - 1)); };
    return {
        {"hand x1", [=] { *out = *x, std::sort(out->begin(), out->end()); }, check},
        {"par", [=] { *out = *x, std::sort(std::execution::par, out->begin(), out->end()); }, check},
        {"sinter", [=, keys = sinter::from(*x)] { *result = sorted(keys); }, read},
    };
}

}  // namespace

std::vector<Algorithm> sorts() {
    return {{"sort", {1 << 20, 1 << 24}, [](index n) { return 4.0 * double(n); }, "GB/s", contenders}};
}

}  // namespace bench
