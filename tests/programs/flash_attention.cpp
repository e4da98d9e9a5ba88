// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.hpp"

#include <programs/flash_attention.hpp>

using namespace programs;
using conform::everywhere_near;

namespace {

struct Input {
    Array<float, 2> q, k, v;
    Input(std::int64_t n, std::int64_t d)
        : q(attention_input(81, n, d)), k(attention_input(82, n, d)), v(attention_input(83, n, d)) {}
};

Array<double, 2> exact(std::int64_t n, std::int64_t d) {
    return run(attention<double>(n, d, attention_input<double>(81, n, d), attention_input<double>(82, n, d),
                                 attention_input<double>(83, n, d)));
}

void require_exact(const Array<float, 2>& o, const Array<double, 2>& expected) {
    const auto difference = map([](Exp<float> a, Exp<double> b) { return abs(cast<double>(a) - b); }, o, expected);
    CHECK(run(max(flatten(difference))).item() <= 1e-5);
}

}  // namespace

TEST_CASE("attention: by the formula, in double") {
    const auto small = exact(64, 16), large = exact(512, 64);
    CHECK(small(0, 0) == Approx(-0.161391501086).epsilon(1e-10));
    CHECK(small(0, 1) == Approx(-0.2764018547).epsilon(1e-9));
    CHECK(small(63, 15) == Approx(-0.173719399073).epsilon(1e-10));
    CHECK(run(sum(flatten(small))).item() == Approx(-6.03823665567).epsilon(1e-10));
    CHECK(large(0, 0) == Approx(0.417714109344).epsilon(1e-10));
    CHECK(large(511, 63) == Approx(-0.324149365291).epsilon(1e-10));
    CHECK(run(sum(flatten(large))).item() == Approx(-129.12532986).epsilon(1e-9));
}

TEST_CASE("flash attention: small, everywhere") {
    const Input in(64, 16);
    const auto expected = exact(64, 16);
    for (const std::int64_t m : {512, 1024, 4096})
        for (const Division division : {Division::early, Division::late}) {
            CAPTURE(m, division == Division::early);
            require_exact(everywhere_near(flash_attention(tiling(64, 16, m), in.q, in.k, in.v, division), 1e-6), expected);
        }
    require_exact(everywhere_near(attention<float>(64, 16, in.q, in.k, in.v), 1e-6), expected);
}

TEST_CASE("flash attention: larger tiles") {
    const Input in(512, 64);
    const auto expected = exact(512, 64);
    for (const std::int64_t m : {1024, 16384, 131072}) {
        CAPTURE(m);
        for (const Fusion fusion : {Fusion::greedy_down, Fusion::t2, Fusion::optimal})
            require_exact(
                run(flash_attention(tiling(512, 64, m), in.q, in.k, in.v), {.target = Target::host(2), .fusion = fusion}),
                expected);
    }
}

TEST_CASE("flash attention: of ones") {
    const auto ones = run(fill(shape(64, 16), 1.f));
    for (const std::int64_t m : {512, 1024, 4096}) {
        const auto o = run(flash_attention(tiling(64, 16, m), ones, ones, ones));
        CHECK(run(max(flatten(abs(o - 1.f)))).item() <= 2e-6f);
    }
}

TEST_CASE("attention: nested") {
    const Input in(64, 16);
    const auto expected = exact(64, 16);
    require_exact(everywhere_near(attention_nested<float>(in.q, in.k, in.v), 1e-6), expected);
    for (const std::int64_t m : {512, 1024, 4096})
        require_exact(everywhere_near(flash_attention_nested(tiling(64, 16, m), in.q, in.k, in.v), 1e-6), expected);
}
