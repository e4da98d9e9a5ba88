// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs three programs and compares with the interpreter. Exit status 0: all results are right.
#include <sinter/sinter.hpp>

#include <cstdio>
#include <functional>
#include <vector>

using namespace sinter;

namespace {

bool equal(const Array<float>& a, const Array<float>& b) { return a.to_vector() == b.to_vector(); }

template <class E>
bool same(const E& expression) {
    return equal(run(expression, {.target = Target::host(2)}), run(expression, {.target = Target::interpreter()}));
}

}  // namespace

int main() {
    std::vector<float> values;
    for (int k = 0; k < 1000; ++k) values.push_back(static_cast<float>(k % 17));
    const Array<float> x = from(values);
    bool right = same(2.f * x + x);
    right = same(exp(x) / (1.f + exp(x))) && right;
    right = same(inclusive_scan(std::plus<>{}, x)) && right;
    std::puts(right ? "right" : "wrong");
    return right ? 0 : 1;
}
