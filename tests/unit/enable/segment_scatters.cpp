// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/segment_scatters.hpp"

#include "same_results.hpp"

using namespace sinter;
using interp::ArrayValue;
using ir::Scalar;

namespace {

ArrayValue ints(const std::vector<std::int64_t>& values) {
    ArrayValue array(Scalar::i64, {static_cast<std::int64_t>(values.size())});
    for (std::size_t i = 0; i < values.size(); ++i)
        array.set(static_cast<std::int64_t>(i), static_cast<std::uint64_t>(values[i]));
    return array;
}

/// The sums of segments; some lines of the program can be replaced.
struct Sums {
    std::string start = "x3 = segment_end x1 x2 x0; x4 = sub x3 x2; x4";
    std::string total = "x1: i64 = constant 0; x2: i64 = read @0 x1; x3 = maximum x0 x2; x3";
    std::string place = "x2: i64 = constant 0; x3 = greater x0 x2; x4: i64 = constant -1; x5 = select x3 x1 x4; x5";

    std::string text() const {
        return "guard max(%7, 0) = n1 \"histogram: indices and values: arguments 0 and 1, axis 0\"\n"
               "%0 : i64[n0] = input\n%1 : i64[n1] = input\n%2 : i64[n0] = input\n"
               "%3 : i64 = map () {-> x0: i64 = constant 0; x0}\n"
               "%4 : i64[n0], %5 : i64 = scan exclusive totals [0] (%0) from (%3) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}\n"
               "%6 : i64[n0] = map_indexed (%4, %0) {x0: i64, x1: i64, x2: i64 -> " +
               start + "}\n%7 : i64 = map (%5; ; %6) {@0: i64^1, x0: i64 -> " + total +
               "}\n%8 : i64[n1] = map () {-> x0: i64 = constant 0; x0}\n%9 : i64[n0] = map (%0, %6) {x0: i64, x1: i64 -> " +
               place +
               "}\n%10 : i64[n0] = generate () {x0: i64 -> x0}\n%11 : i64[n1] = scatter drops (%8) at (%9) (%10)\n"
               "%12 : i64[n1] = scan [0] (%11) from () {x0: i64, x1: i64 -> x2 = maximum x0 x1; x2}\n%13 : i64[n1] = gather "
               "(%12) (%10)\n"
               "%14 : i64[n0] = scatter drops (%2) at (%13) (%1) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}\nreturn %14\n";
    }
};

bool is_folds(const Sums& sums) {
    auto inputs = [](const enable::test::Sizes& size) {
        std::vector<std::int64_t> lengths{2, 0, 3, size[0], 1, 0}, values;
        for (std::int64_t i = 0; i < 6 + size[0]; ++i) values.push_back(i * 7 % 23);
        return std::vector<ArrayValue>{ints(lengths), ints(values), ints({10, 20, 30, 40, 50, 60})};
    };
    const std::string after = enable::test::after(enable::segment_scatters, sums.text(), {{0}, {1}, {1500}, {5000}}, inputs);
    return after.find("scatter drops (%2)") == std::string::npos;
}

}  // namespace

TEST_CASE("segment_scatters: sums by the numbers of segments are folds") { CHECK(is_folds({})); }

TEST_CASE("segment_scatters: only what is known to be numbers of segments") {
    CHECK(!is_folds({.start = "x3 = segment_end x1 x2 x0; x4 = sub x3 x2; x5 = minimum x4 x1; x5"}));
    CHECK(!is_folds({.total = "x1: i64 = constant 0; x2: i64 = read @0 x1; x3 = sub x2 x2; x4 = add x3 x0; x4"}));
    CHECK(!is_folds(
        {.place =
             "x2: i64 = constant 0; x3 = greater x0 x2; x4: i64 = constant -1; x5 = select x3 x1 x4; x6 = add x5 x2; x6"}));
}
