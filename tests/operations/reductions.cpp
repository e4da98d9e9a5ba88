// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions.
#include "operations/support.hpp"

using namespace operations;

namespace {

const std::vector<int> none;

/// 1 to 6 in two rows of three.
Array<int, 2> matrix() { return from({1, 2, 3, 4, 5, 6}, shape(2, 3)); }

/// Associative, not commutative.
const auto last = [](auto, auto y) { return y; };

}  // namespace

OPERATION("Reductions", "innermost axis") {
    gives(fold(std::plus<>{}, 10, from({1, 2, 3})), 16);
    gives(fold(std::plus<>{}, 10, from(none)), 10);
    gives(fold(std::plus<>{}, 10, matrix()), {16, 25});
    gives(fold(std::plus<>{}, 10, matrix(), axis(0)), {15, 17, 19});
    gives(fold(std::plus<>{}, 10, matrix(), axes(0, 1)), 31);
    gives(fold(last, 10, matrix()), {3, 6});
}

OPERATION("Reductions", "innermost axis, commutative operator") {
    gives(fold([](auto x, auto y) { return max(x, y); }, 2, matrix()), {3, 6});
}

OPERATION("Reductions", "innermost axis, without initial value") {
    gives(fold1(last, from({7, 8, 9})), 9);
    gives(fold1(std::multiplies<>{}, matrix()), {6, 120});
    CHECK_THROWS_AS(run(fold1(std::plus<>{}, from(none))), ShapeError);
}

OPERATION("Reductions", "all axes") {
    gives(fold_all(std::plus<>{}, 10, matrix()), 31);
    gives(fold_all(last, 10, fill(shape(3, 0), 1)), 10);
    gives(fold_all(std::minus<>{}, 10, sum(from({1, 2, 3}))), 4);
}

OPERATION("Reductions", "all axes, without initial value") { gives(fold1(last, flatten(matrix())), 6); }

OPERATION("Reductions", "segments, by lengths") {
    Array<int> a = from({1, 2, 3, 4}), lengths = from({1, 0, 3});
    gives(fold_segments(std::plus<>{}, 10, a, lengths), {11, 10, 19});
    gives(fold_segments(std::plus<>{}, 10, from(none), from(none)), {});
    CHECK_THROWS_AS(run(fold_segments(std::plus<>{}, 10, a, from({1, 2}))), ShapeError);
}

OPERATION("Reductions", "segments, without initial value") {
    Array<int> a = from({1, 2, 3, 4}), lengths = from({1, 3});
    auto op = std::multiplies<>{};
    gives(gather(inclusive_scan(std::plus<>{}, lengths) - 1, inclusive_scan_segments(op, a, lengths)), {1, 24});
}

OPERATION("Reductions", "segments, by offsets") {
    Array<int> a = from({1, 2, 3, 4}), offsets = from({0, 1, 1, 4});
    const std::int64_t n = 3;
    gives(fold_segments(std::plus<>{}, 10, a, drop(offsets, 1) - take(offsets, n)), {11, 10, 19});
}

OPERATION("Reductions", "whether all hold") {
    auto f = [](auto x) { return x > 1; };
    gives(all(map(f, from({2, 3}))), true);
    gives(all(map(f, matrix())), {false, true});
    gives(all(from(std::vector<bool>{})), true);
}

OPERATION("Reductions", "whether any holds") {
    auto f = [](auto x) { return x > 3; };
    gives(any(map(f, matrix())), {false, true});
    gives(any(from({false, true})), true);
    gives(any(from(std::vector<bool>{})), false);
}

OPERATION("Reductions", "sum") {
    gives(sum(from({1, 2, 3})), 6);
    gives(sum(from(none)), 0);
    gives(sum(matrix()), {6, 15});
}

OPERATION("Reductions", "product") {
    gives(product(from({2.0, 3.0})), 6);
    gives(product(from(none)), 1);
    gives(product(matrix()), {6, 120});
}

OPERATION("Reductions", "least element") {
    gives(min(from({3, 1, 2})), 1);
    gives(min(matrix(), axis(0)), {1, 2, 3});
    gives(isnan(min(from({1.0, NAN + 0.0}))), true);
    CHECK_THROWS_AS(run(min(from(none))), ShapeError);
}

OPERATION("Reductions", "greatest element") {
    gives(max(from({3, 1, 2})), 3);
    gives(max(matrix()), {3, 6});
}

OPERATION("Reductions", "sequential left fold") {
    Array<int> a = from({1, 2, 3});
    auto f = [](auto s, auto x) { return s * 10 + x; };
    auto folded = [=](auto n, int init) {
        return map([=](auto) { return for_loop(n, [=](auto i, auto s) { return f(s, a(i)); }, init); }, iota(1));
    };
    gives(folded(3, 4), {4123});
    gives(folded(0, 4), {4});
}

OPERATION("Reductions", "sequential right fold") {
    Array<int> a = from({1, 2, 3});
    const std::int64_t n = 3;
    auto f = [](auto x, auto s) { return s * 10 + x; };
    auto folded = [=](auto) { return for_loop(n, [=](auto i, auto s) { return f(a(n - 1 - i), s); }, 4); };
    gives(map(folded, iota(1)), {4321});
}

OPERATION("Reductions", "chunks by the compiler's choice") {
    auto f = [](auto x) { return x * x; };
    gives(fold(std::plus<>{}, 1, map(f, from({1, 2, 3}))), 15);
}
