// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which axes are counted as two, and what is left of the divisions by which a program takes them apart.
#include "lower/index/split_axes.hpp"

#include "ir/walk.hpp"
#include "tests/unit/lower/kernel_of.hpp"

using namespace sinter;

namespace {

std::size_t count(const lower::Kernel& kernel, std::initializer_list<ir::Op> ops) {
    std::size_t found = 0;
    ir::for_each_inst(kernel.body, [&](const ir::Inst& inst) {
        for (ir::Op op : ops) found += inst.op == op ? 1 : 0;
    });
    return found;
}

std::size_t divisions(const lower::Kernel& kernel) { return count(kernel, {ir::Op::div, ir::Op::rem}); }
std::size_t checks(const lower::Kernel& kernel) { return count(kernel, {ir::Op::check_index, ir::Op::check_divisor}); }

/// Of a map over `extent` indices x0 that reads arrays of a0 and of a1 elements at x3 and x5, which `body` computes from x0
/// and x1, the extent of the first.
lower::Kernel reader(const std::string& extent, const std::string& body, const std::string& more = "") {
    return test::kernel_of("arguments 3\n%0 : f32[a0] = input\n%1 : f32[a1] = input\n" + more + "%2 : f32[" + extent +
                           "] = generate (; ; %0, %1) {@0: f32^1, @1: f32^1, x0: i64 -> x1: i64 = extent @0^0; " + body +
                           "x4: f32 = read @1 x2; x5: f32 = read @0 x3; x6 = mul x4 x5; x6}\nreturn %2\n");
}

constexpr const char* rows_and_columns = "x2 = div x0 x1; x3 = rem x0 x1; ";

}  // namespace

TEST_CASE("an index that is only divided counts two axes", "[lower]") {
    const lower::Kernel kernel = reader("(a0 * a1)", rows_and_columns);
    REQUIRE(kernel.space.size() == 2);
    REQUIRE(divisions(kernel) == 0);
    REQUIRE(checks(kernel) == 0);
}

TEST_CASE("an extent that may be no multiple is not split, but in launches where it is", "[lower]") {
    const lower::Kernel kernel = reader("a2", rows_and_columns);
    REQUIRE(kernel.space.size() == 1);
    REQUIRE(divisions(kernel) == 2);
    const auto split = lower::split_if_exact(kernel);
    REQUIRE(split);
    REQUIRE(split->of_points);
    REQUIRE(split->kernel.space.size() == 2);
    REQUIRE(divisions(split->kernel) == 0);
    const auto fits = [&](std::int64_t columns, std::int64_t all) {
        std::vector<std::int64_t> sizes;
        for (std::size_t k = 0; k < kernel.sizes.count(); ++k) {
            const ir::Size& size = kernel.sizes[ir::SizeId(k)];
            REQUIRE(size.kind == ir::Size::Kind::argument);
            sizes.push_back(size.index == 0 ? columns : size.index == 1 ? 5 : all);
        }
        return lower::split_sizes(*split, sizes).has_value();
    };
    REQUIRE(fits(100, 500));
    REQUIRE(fits(100, 0));
    REQUIRE_FALSE(fits(100, 501));
    REQUIRE_FALSE(fits(3, 15));  // lanes would go along rows of three
    REQUIRE_FALSE(fits(0, 500));
}

TEST_CASE("two factors that may be negative together are not split in all launches", "[lower]") {
    const std::string product = "((a2 - 4) * (a2 - 4))";
    const lower::Kernel kernel =
        test::kernel_of("arguments 3\n%0 : i64[a2] = input\n%1 : i64[" + product +
                        "] = generate (; ; %0) {@0: i64^1, x0: i64 -> x1: i64 = extent @0^0; x2: i64 = constant 4; x3 = "
                        "sub x1 x2; x4 = div x0 x3; x5 = rem x0 x3; x6 = mul x4 x5; x6}\nreturn %1\n");
    REQUIRE(kernel.space.size() == 1);
    REQUIRE(lower::split_if_exact(kernel));
}

TEST_CASE("short rows are no axis along which lanes go", "[lower]") {
    REQUIRE(reader("(a0 * 3)", "x2: i64 = constant 3; x3 = div x0 x2; ").space.size() == 1);
    const lower::Kernel fold = test::kernel_of(R"(arguments 2
%0 : f32[a0, 75] = input
%1 : f32 = map () {-> x0: f32 = constant 0; x0}
%2 : f32[a0, 75] = generate (; ; %0) {@0: f32^2, x0: i64, x1: i64 -> x2: i64 = constant 15; x3 = div x1 x2; x4: f32 = read @0 x0 x3; x5 = rem x1 x2; x6: f32 = read @0 x0 x5; x7 = mul x4 x6; x7}
%3 : f32[a0] = fold [1] (%2) from (%1) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
return %3
)");
    REQUIRE(fold.space.size() == 1);
    REQUIRE(divisions(fold) == 0);  // it does not matter for a fold of 75 elements
}
