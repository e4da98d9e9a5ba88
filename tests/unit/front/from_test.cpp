// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch.hpp>

#include <complex>
#include <span>

#include "tests/unit/front/build.hpp"

using namespace sinter;

namespace {

struct Inner {
    std::int16_t a;
    std::array<double, 2> b;
    bool operator==(const Inner&) const = default;
};
struct Outer {
    Inner inner;
    bool flag;
    std::complex<float> z;
    bool operator==(const Outer&) const = default;
};

}  // namespace

BOOST_HANA_ADAPT_STRUCT(Inner, a, b);
BOOST_HANA_ADAPT_STRUCT(Outer, inner, flag, z);

TEST_CASE("arrays of structures go to structures of arrays and back") {
    std::vector<Outer> host{{{1, {2, 3}}, true, {4, 5}}, {{-6, {7, 8}}, false, {9, 10}}};
    Array<Outer> a = from(host);
    static_assert(detail::leaf_count<Outer> == 6);
    CHECK(a.to_vector() == host);
    CHECK(a(1) == host[1]);
    CHECK(static_cast<const double*>(detail::data(a.leaves().leaf[2], sinter::location::current()))[1] == 8);
    auto pairs = std::vector{std::pair(1, std::tuple(true, 2.5))};
    CHECK(from(pairs).to_vector() == pairs);
}

TEST_CASE("all kinds of ranges") {
    std::array<double, 3> array{1, 2, 3};
    float plain[] = {1, 2};
    CHECK(from(array).to_vector() == std::vector<double>{1, 2, 3});
    CHECK(from(plain).size() == 2);
    CHECK(from(std::span<const double>(array).first(2)).size() == 2);
    CHECK(from(std::vector{true, false, true}).to_vector() == std::vector{true, false, true});
    CHECK(from({1, 2, 3}).shape() == std::array<std::int64_t, 1>{3});
    CHECK(from(std::vector<float>()).size() == 0);
    Array<float, 2> m = from(std::vector{1.f, 2.f}, shape(2, 1));
    CHECK(m.shape() == std::array<std::int64_t, 2>{2, 1});
    CHECK(from(std::vector{4}, shape()).item() == 4);
}

TEST_CASE("borrowed memory is not copied") {
    std::vector<float> host{1, 2, 3};
    Array<float> a = borrow(host);
    CHECK(a.data() == host.data());
    host[1] = 5;
    CHECK(a(1) == 5);
    CHECK(from(host).data() != host.data());
}

TEST_CASE("half is rounded once and read exactly") {
    CHECK(half(1.0).bits() == 0x3c00);
    CHECK(half(65519.0).bits() == 0x7bff);
    CHECK(half(65520.0).bits() == 0x7c00);
    CHECK(half(1 + 0x1p-11).bits() == 0x3c00);            // a tie, to even
    CHECK(half(1 + 0x1p-11 + 0x1p-40).bits() == 0x3c01);  // not a tie: rounding to float first would make it one
    CHECK(half(0x1p-24).bits() == 1);
    CHECK(static_cast<float>(half::from_bits(1)) == 0x1p-24f);
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        half h = half::from_bits(static_cast<std::uint16_t>(bits));
        float f = h;
        if (f == f)
            REQUIRE(half(f).bits() == bits);
        else
            REQUIRE((half(f).bits() & 0x7e00) == 0x7e00);
    }
}
