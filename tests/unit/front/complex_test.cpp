// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <complex>

#include <catch2/catch.hpp>

#include "tests/unit/front/build.hpp"

using namespace sinter;
using Complex = std::complex<float>;

namespace {

std::size_t operations(const Delayed<Complex>& a) {
    std::size_t count = 0;
    for (const ir::Inst& inst : op_of<front::Map>(a).fn.body.insts) count += inst.op != detail::Op::constant;
    return count;
}

}  // namespace

TEST_CASE("complex arithmetic is on pairs") {
    Array<Complex> z = from(std::vector<Complex>{{1, 2}});
    Array<float> x = from({2.f});
    CHECK(operations(z + z) == 2);
    CHECK(operations(z * z) >= 5);
    CHECK(operations(z * x) == 2);  // componentwise: no 0 * infinity
    CHECK(operations(2 * z) == 2);
    CHECK(operations(z / 2) == 2);
    static_assert(std::is_same_v<decltype(x * Complex(0, 1)), Delayed<Complex>>);
    static_assert(std::is_same_v<decltype(abs(z)), Delayed<float>>);
    static_assert(std::is_same_v<decltype(map([](auto v) { return real(v) + imag(conj(v)); }, z)), Delayed<float>>);
    CHECK(leaf_of(imag(z)).node.get() == leaf_of(z, 1).node.get());
}
