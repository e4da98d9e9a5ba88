// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs three programs on the host (with the argument gpu: on the gpu) and compares with the interpreter. Exit status 0: all
// results are right.
#include <sinter/sinter.hpp>

#include <cstdio>
#include <functional>
#include <string_view>
#include <vector>

using namespace sinter;

namespace {

bool equal(const Array<float>& a, const Array<float>& b) { return a.to_vector() == b.to_vector(); }

template <class E>
bool same(const E& expression, Target target) {
    return equal(run(expression, {.target = target}), run(expression, {.target = Target::interpreter()}));
}

}  // namespace

int main(int count, char** arguments) {
    const Target target = count > 1 && std::string_view(arguments[1]) == "gpu" ? Target::gpu() : Target::host(2);
    std::vector<float> values;
    for (int k = 0; k < 1000; ++k) values.push_back(static_cast<float>(k % 17));
    const Array<float> x = from(values);
    bool right = same(2.f * x + x, target);
    right = same(exp(x) / (1.f + exp(x)), target) && right;
    right = same(inclusive_scan(std::plus<>{}, x), target) && right;
    std::puts(right ? "right" : "wrong");
    return right ? 0 : 1;
}
