// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Equations between sizes that are made of each other, and random ones against an assignment that satisfies them.
#include "convert/sizes/equalities.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace sinter;
using convert::Equalities;
using convert::Size;
using convert::SizeId;
using ir::ValueId;
using Outcome = Equalities::Outcome;

namespace {

struct Sizes : Equalities {
    SizeId n(std::size_t input) { return table.input_extent(input, 0); }
    SizeId v(std::size_t variable) { return table.value(ValueId(variable)); }
    SizeId c(std::int64_t value) { return table.constant(value); }
    void equal(SizeId a, SizeId b) { REQUIRE(unify(a, b).outcome != Outcome::contradiction); }
    bool same(SizeId a, SizeId b) { return resolve(a) == resolve(b); }
};

}  // namespace

TEST_CASE("equalities: an expression follows what its operands become", "[convert]") {
    Sizes e;
    SizeId product = e.table.mul(e.v(5), e.v(6)), other = e.table.mul(e.v(3), e.v(6));
    e.equal(product, e.v(4));
    e.equal(e.v(5), e.v(3));
    CHECK(e.same(product, e.v(4)));
    CHECK(e.same(other, e.v(4)));
}

TEST_CASE("equalities: equal operands make equal expressions, in any order", "[convert]") {
    Sizes e;
    SizeId a = e.table.add(e.v(1), e.v(4)), b = e.table.add(e.v(2), e.v(3));
    e.equal(e.v(1), e.v(3));
    CHECK_FALSE(e.same(a, b));
    e.equal(e.v(4), e.v(2));
    CHECK(e.same(a, b));
    CHECK(e.unify(a, b).outcome == Outcome::proved);
}

TEST_CASE("equalities: a variable that is made of an expression it defines", "[convert]") {
    Sizes e;  // f(b) = s, s = g(f(b)), then b = a
    SizeId fb = e.table.mul(e.v(3), e.c(2)), fa = e.table.mul(e.v(2), e.c(2));
    SizeId s = e.v(7), g = e.table.maximum(fb, e.n(0));
    e.equal(fa, s);
    e.equal(s, g);
    e.equal(e.v(3), e.v(2));
    for (SizeId each : {fa, s, g}) CHECK(e.resolve(each) == e.resolve(fb));
}

TEST_CASE("equalities: two sizes made of each other", "[convert]") {
    Sizes e;
    SizeId x = e.v(1), y = e.v(2);
    e.equal(x, e.table.maximum(y, e.n(0)));
    e.equal(y, e.table.maximum(x, e.n(1)));
    CHECK(e.same(x, e.table.maximum(y, e.n(0))));
    CHECK(e.same(y, e.table.maximum(x, e.n(1))));
    e.equal(x, y);
    CHECK(e.same(e.table.maximum(x, e.n(0)), e.table.maximum(y, e.n(1))));
}

TEST_CASE("equalities: what follows from equations of inner sizes is to be checked outside", "[convert]") {
    Sizes e;
    SizeId inner = e.v(12), w = e.v(9), of_inner = e.table.mul(inner, e.n(1)), of_outer = e.table.mul(e.n(0), e.n(1));
    e.equal(of_inner, w);
    CHECK(e.take_implied().empty());
    e.equal(inner, e.n(0));
    CHECK(e.same(w, of_outer));
    auto implied = e.take_implied();
    REQUIRE(implied.size() == 1);
    CHECK(std::minmax(implied[0].first, implied[0].second) == std::minmax(w, of_outer));
    CHECK(e.take_implied().empty());
}

TEST_CASE("equalities: what can be used in more places represents", "[convert]") {
    Sizes e;
    SizeId outer = e.v(9), inner = e.v(3);
    e.set_place(inner, std::int64_t{1} << 32 | 3);
    e.equal(inner, outer);
    CHECK(e.resolve(inner) == outer);
}

TEST_CASE("equalities: what is proved by normal forms", "[convert]") {
    Sizes e;
    SizeId difference = e.table.sub(e.n(0), e.v(4));
    e.equal(e.v(4), e.n(0));
    CHECK(e.resolve(difference) == e.c(0));
    e.equal(e.n(1), e.table.sub(e.n(0), e.c(2)));
    CHECK(e.same(e.table.add(e.n(1), e.c(2)), e.n(0)));
}

TEST_CASE("equalities: linear chains", "[convert]") {
    Sizes e;
    const std::size_t many = 30'000;
    for (std::size_t k = 1; k < many; ++k) e.equal(e.table.mul(e.v(k), e.n(0)), e.table.mul(e.v(k + 1), e.n(1)));
    for (std::size_t k = many; k > 1; --k) e.equal(e.v(k), e.v(k - 1));
    CHECK(e.same(e.table.mul(e.v(many), e.n(0)), e.table.mul(e.v(1), e.n(1))));
    CHECK(e.table.count() < 5 * many);
}

namespace {

/// Terms over few symbols, whose values are `value_of`.
class RandomSizes : public Equalities {
  public:
    explicit RandomSizes(unsigned seed) : random_(seed) {
        for (std::size_t k = 0; k < 3; ++k) add(table.input_extent(k, 0));
        for (std::size_t k = 0; k < 2; ++k) add(table.argument(k));
        for (std::size_t k = 0; k < 6; ++k) add(table.value(ValueId(k)));
        set_place(table.value(ValueId(0)), -1);
        for (int k = -1; k < 4; ++k) add(table.constant(k));
    }

    void add_compound() {
        constexpr Size::Kind kinds[] = {Size::Kind::add,      Size::Kind::sub,     Size::Kind::mul,
                                        Size::Kind::ceil_div, Size::Kind::minimum, Size::Kind::maximum};
        add(table.intern({kinds[pick(std::size(kinds))], 0, 0, any(), any()}));
    }

    SizeId any() { return terms_[pick(terms_.size())]; }
    std::size_t pick(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_); }
    const std::vector<SizeId>& terms() const { return terms_; }

    std::int64_t value_of(SizeId id) {
        auto symbol = [](const Size& s) { return (s.index * 5 + static_cast<std::int64_t>(s.kind) * 3 + 1) % 4; };
        return ir::evaluate(table, symbol)[id.index];
    }
    /// The last variable it mentions that is not known before the program runs.
    std::int64_t last_local(SizeId id) {
        std::int64_t last = -1;
        convert::for_each_part(table, id, [&](SizeId part) {
            if (table[part].kind == Size::Kind::value && table[part].index > 0) last = std::max(last, table[part].index);
            return true;
        });
        return last;
    }

  private:
    void add(SizeId id) { terms_.push_back(id); }

    std::mt19937 random_;
    std::vector<SizeId> terms_;
};

}  // namespace

TEST_CASE("equalities: random equations that hold", "[convert]") {
    for (unsigned seed = 0; seed < 400; ++seed) {
        CAPTURE(seed);
        RandomSizes e(seed);
        std::vector<Equalities::Equation> equations;
        for (int step = 0; step < 60; ++step) {
            e.add_compound();
            SizeId a = e.any(), b = e.any();
            if (e.value_of(a) != e.value_of(b)) continue;
            REQUIRE(e.unify(a, b).outcome != Outcome::contradiction);
            equations.emplace_back(a, b);
        }
        for (auto [a, b] : equations) REQUIRE(e.resolve(a) == e.resolve(b));
        for (SizeId term : e.terms()) {
            SizeId form = e.resolve(term);
            REQUIRE(e.value_of(form) == e.value_of(term));
            REQUIRE(e.last_local(form) <= e.last_local(term));
            REQUIRE(e.resolve(form) == form);
        }
    }
}

TEST_CASE("equalities: any random equations end, in few sizes", "[convert]") {
    for (unsigned seed = 0; seed < 400; ++seed) {
        CAPTURE(seed);
        RandomSizes e(seed);
        std::vector<Equalities::Equation> equations;
        for (int step = 0; step < 200; ++step) {
            e.add_compound();
            SizeId a = e.any(), b = e.any();
            if (e.unify(a, b).outcome != Outcome::contradiction) equations.emplace_back(a, b);
        }
        for (auto [a, b] : equations) REQUIRE(e.resolve(a) == e.resolve(b));
        for (SizeId term : e.terms()) e.resolve(term);
        CHECK(e.table.count() < 2000);
    }
}
