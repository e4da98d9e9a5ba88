// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/loops/blocked_steps.hpp"

#include "enable/loops/known_facts.hpp"
#include "enable/loops/partial_steps.hpp"
#include "same_results.hpp"

using namespace sinter;
using interp::ArrayValue;
using ir::Scalar;

namespace {

const std::string large = "guard max(n0, 256) = n0 \"large\"\n";

/// A loop of a few steps over a matrix; x2 is the element, x3 the counter.
std::string loop(const std::string& guards, const std::string& shape, const std::string& function) {
    return guards + "%0 : i64[" + shape +
           "] = input\n%1 : i64 = map (; ; %0) {@0: i64^2 -> x0 = extent @0^0; x1: i64 = constant 250; x2 = sub x0 x1; "
           "x2}\n%2 : i64[" +
           shape + "] = for %1 (%0) {\n  %2 : i64 = param\n  %3 : i64[" + shape + "] = param\n  %4 : i64[" + shape +
           "] = map_indexed (%3; %2; %3) {@0: i64^2, x0: i64, x1: i64, x2: i64, x3: i64 -> " + function +
           "}\n  return %4\n}\nreturn %2\n";
}

const std::string behind = "x4 = greater x0 x3; x5 = greater x1 x3; x6 = bit_and x4 x5; ";
const std::string product = "x7: i64 = read @0 x0 x3; x8: i64 = read @0 x3 x1; x9 = mul x7 x8; x10 = sub x2 x9; ";
const std::string elimination = behind + product + "x11 = select x6 x10 x2; x11";

ir::Program both(ir::Program program) { return enable::blocked_steps(enable::partial_steps(std::move(program))); }

std::string after_both(const std::string& program) {
    auto inputs = [](const enable::test::Sizes& size) {
        ArrayValue array(Scalar::i64, {size[0], size[0]});
        for (std::int64_t i = 0; i < array.count(); ++i) array.set(i, static_cast<std::uint64_t>(i * 7 % 23));
        return std::vector<ArrayValue>{array};
    };
    return enable::test::after(both, program, {{256}, {259}}, inputs);
}

bool is_blocked(const std::string& program) { return program.find("i64[32, n0]") != std::string::npos; }

}  // namespace

TEST_CASE("blocked_steps: an elimination of a large matrix keeps rows and columns of 32 steps") {
    const std::string blocked = after_both(loop(large, "n0, n0", elimination));
    CHECK(is_blocked(blocked));
    CHECK(blocked.find("for_loop") != std::string::npos);
}

TEST_CASE("blocked_steps: conditions on the counter hold behind the panel") {
    const std::string blocked = after_both(loop(large, "n0, n0", elimination));
    const std::size_t rest = blocked.find("for_loop");
    REQUIRE(rest != std::string::npos);
    CHECK(blocked.find("select", rest) == std::string::npos);
    CHECK(blocked.find("greater", rest) == std::string::npos);
}

TEST_CASE("blocked_steps: a condition that is the same for all steps chooses behind the loop over them") {
    const std::string by_index = "x4 = greater x1 x3; x5 = greater_equal x0 x1; x6 = bit_and x4 x5; " + product;
    const std::string by_place =
        "x4 = greater x0 x3; x5 = greater x1 x3; x6 = bit_and x4 x5; x7 = sub x0 x3; x8 = sub x1 x3; "
        "x9 = greater_equal x7 x8; x10 = bit_and x6 x9; x11: i64 = read @0 x0 x3; x12: i64 = read @0 x3 x1; "
        "x13 = mul x11 x12; x14 = sub x2 x13; ";
    for (const std::string& function :
         {by_index + "x11 = select x6 x10 x2; x11", by_place + "x15 = select x10 x14 x2; x15"}) {
        const std::string blocked = after_both(loop(large, "n0, n0", function));
        const std::size_t rest = blocked.find("for_loop"), end = blocked.find('}', rest);
        REQUIRE(end != std::string::npos);
        CHECK(blocked.find("mul", rest) < end);
        CHECK(blocked.find("select", rest) > end);
        CHECK(blocked.find("select", rest) != std::string::npos);
    }
}

TEST_CASE("blocked_steps: elements that no step of a block changes are left alone") {
    const auto updates = [](const std::string& program) {
        std::size_t count = 0;
        for (std::size_t at = 0; (at = program.find("scatter (", at)) != std::string::npos; ++at) ++count;
        return count;
    };
    const std::string lower = "x4 = greater x1 x3; x5 = greater_equal x0 x1; x6 = bit_and x4 x5; ";
    const std::string all = after_both(loop(large, "n0, n0", elimination));
    const std::string below = after_both(loop(large, "n0, n0", lower + product + "x11 = select x6 x10 x2; x11"));
    CHECK(is_blocked(below));
    CHECK(updates(below) == updates(all) - 1);  // the rows of the block to the right of it
}

TEST_CASE("blocked_steps: not of matrices of unknown size, which are wished to be large") {
    const std::string text = loop("", "n0, n0", elimination);
    ir::Program program = ir::parse(text);
    CHECK(!is_blocked(ir::print(both(program))));
    program = enable::partial_steps(std::move(program));
    const auto wishes = enable::wishes_of_blocked_steps(program);
    REQUIRE(wishes.size() == 1);
    CHECK(wishes[0].at_most.size() == 1);
    enable::assume_for_steps(program, wishes);
    CHECK(program.body.guards.size() == 1);
    CHECK(is_blocked(ir::print(enable::blocked_steps(program))));
    CHECK(enable::wishes_of_blocked_steps(program).empty());
}

TEST_CASE("blocked_steps: matrices that are not square are wished to be as long as there are steps") {
    ir::Program program = ir::parse(loop("", "n0, n0.1", elimination));
    CHECK(!is_blocked(ir::print(both(program))));
    std::size_t most = 0;
    for (const enable::Wish& wish : enable::wishes_of_blocked_steps(program)) {
        if (!wish.equal.empty()) continue;
        most = std::max(most, wish.at_most.size());
        for (const ir::AtMost& fact : wish.at_most) enable::add_known(program, fact);
    }
    CHECK(most == 3);  // both axes are large, and the second one as long as there are steps
    CHECK(ir::print(both(program)).find("i64[32, n0.1]") != std::string::npos);
}

TEST_CASE("blocked_steps: not of steps that need other elements of the box, or may fail") {
    const std::string other = "x7: i64 = read @0 x0 x3; x8: i64 = read @0 x3 x1; x9 = div x7 x8; x10 = sub x2 x9; ";
    const std::string turned = "x7: i64 = read @0 x1 x0; x8 = sub x2 x7; x9 = select x6 x8 x2; x9";
    for (const std::string& function : {other + "x11 = select x6 x10 x2; x11", turned})
        CHECK(!is_blocked(ir::print(both(ir::parse(loop(large, "n0, n0", behind + function))))));
}
