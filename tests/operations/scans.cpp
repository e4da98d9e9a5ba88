// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans and stencils.
#include "operations/support.hpp"

using namespace operations;

namespace {

const std::vector<int> none;
const std::plus<> op;

}  // namespace

OPERATION("Scans", "inclusive") {
    gives(inclusive_scan(op, 10, from({1, 2, 3})), {11, 13, 16});
    gives(inclusive_scan(op, 10, from(none)), {});
}

OPERATION("Scans", "inclusive, without initial value") {
    gives(inclusive_scan(op, from({1, 2, 3})), {1, 3, 6});
    gives(inclusive_scan(op, from({1, 2, 3, 4}, shape(2, 2))), {{1, 3}, {3, 7}});
    gives(inclusive_scan(op, from({1, 2, 3, 4}, shape(2, 2)), axis(0)), {{1, 2}, {4, 6}});
}

OPERATION("Scans", "exclusive") {
    gives(exclusive_scan(op, 10, from({1, 2, 3})), {10, 11, 13});
    gives(exclusive_scan(op, 10, from(none)), {});
}

OPERATION("Scans", "exclusive and total") {
    auto [before, total] = scan_with_total(op, 10, from({1, 2, 3}));
    gives(before, {10, 11, 13});
    gives(total, 16);
    auto [nothing, init] = scan_with_total(op, 10, from(none));
    gives(nothing, {});
    gives(init, 10);
}

OPERATION("Scans", "exclusive with the total at the end") {
    auto [before, total] = scan_with_total(op, 10, from({1, 2, 3}));
    gives(concat(before, replicate(1, total)), {10, 11, 13, 16});
}

OPERATION("Scans", "from the right") {
    Array<int> a = from({1, 2, 3});
    gives(inclusive_scan(op, a, from_right), {6, 5, 3});
    gives(inclusive_scan(op, 10, a, from_right), {16, 15, 13});
    gives(exclusive_scan(op, 10, a, from_right), {15, 13, 10});
    auto [after, total] = scan_with_total(op, 10, a, from_right);
    gives(after, {15, 13, 10});
    gives(total, 16);
}

OPERATION("Scans", "recurrence, of any function") {
    auto f = [](auto s, auto x) { return x - s; };
    gives(recur(f, 10, from({1, 2, 3})), {-9, 11, -8});
    gives(recur(f, 10, from({1, 2, 3}), from_right), {-8, 9, -7});
    gives(recur(f, from({10, 20}), from({1, 2, 3, 4}, shape(2, 2))), {{-9, 11}, {-17, 21}});
    gives(recur(f, 10, from(none)), {});
}

OPERATION("Scans", "recurrence, the last state") {
    auto f = [](auto s, auto x) { return x - s; };
    gives(fold_left(f, 10, from({1, 2, 3})), -8);
    gives(fold_left(f, 10, from({1, 2, 3, 4}, shape(2, 2)), axis(0)), {12, 12});
    gives(fold_left(f, 10, from(none)), 10);
}

OPERATION("Scans", "of segments: inclusive") {
    Array<int> a = from({1, 2, 3, 4});
    gives(inclusive_scan_segments(op, 10, a, from({1, 0, 3})), {11, 12, 15, 19});
    gives(inclusive_scan_segments(op, 10, from(none), from({0, 0})), {});
}

OPERATION("Scans", "of segments: inclusive, without initial value") {
    Array<int> a = from({1, 2, 3, 4});
    gives(inclusive_scan_segments(op, a, from({1, 0, 3})), {1, 2, 5, 9});
    gives(inclusive_scan_segments(op, from(none), from({0, 0})), {});
    CHECK_THROWS_AS(run(inclusive_scan_segments(op, a, from({1, 2}))), ShapeError);
}

OPERATION("Scans", "of segments: exclusive") {
    Array<int> a = from({1, 2, 3, 4});
    gives(exclusive_scan_segments(op, 10, a, from({1, 0, 3})), {10, 10, 12, 15});
    CHECK_THROWS_AS(run(exclusive_scan_segments(op, 10, a, from({1, 2}))), ShapeError);
}

OPERATION("Scans", "of segments: exclusive and totals") {
    auto [before, totals] = scan_with_total_segments(op, 10, from({1, 2, 3, 4}), from({1, 0, 3}));
    gives(before, {10, 10, 12, 15});
    gives(totals, {11, 10, 19});
}

OPERATION("Scans", "of segments: exclusive with the total at the end of each") {
    Array<int> a = from({1, 2, 3, 4}), lengths = from({1, 0, 3});
    auto starts = exclusive_scan(std::plus<>{}, 0, lengths);
    auto element = [=](auto segment, auto j) {
        auto [start, length] = segment;
        return cond(j < length, [&, start = start] { return a(start + j); }, [] { return Exp<int>(0); });
    };
    gives(exclusive_scan_segments(op, 10, expand(lengths + 1, element, zip(starts, lengths)), lengths + 1),
          {10, 11, 10, 10, 12, 15, 19});
}

OPERATION("Scans", "of segments: from the right") {
    Array<int> a = from({1, 2, 3, 4}), lengths = from({1, 0, 3});
    gives(inclusive_scan_segments(op, a, lengths, from_right), {1, 9, 7, 4});
    gives(inclusive_scan_segments(op, 10, a, lengths, from_right), {11, 19, 17, 14});
    gives(exclusive_scan_segments(op, 10, a, lengths, from_right), {10, 17, 14, 10});
    auto [after, totals] = scan_with_total_segments(op, 10, a, lengths, from_right);
    gives(after, {10, 17, 14, 10});
    gives(totals, {11, 10, 19});
}

OPERATION("Stencils", "stencil") {
    auto f = [](auto s) { return s(-1) + s(0) + s(1); };
    gives(stencil(f, boundary::clamp, from({1, 2, 3, 4})), {4, 6, 9, 11});
    gives(stencil(f, boundary::clamp, from(none)), {});
    auto above = [](auto s) { return s(-1, 0); };
    gives(stencil(above, boundary::clamp, from({1, 2, 3, 4}, shape(2, 2))), {{1, 2}, {1, 2}});
}

OPERATION("Stencils", "of the interior") {
    auto f = [](auto s) { return s(-1) * 10 + s(2); };
    gives(stencil(f, boundary::keep, from({1, 2, 3, 4, 5})), {1, 14, 25, 4, 5});
    auto cross = [](auto s) { return s(-1, 0) + s(1, 0) + s(0, -1) + s(0, 1); };
    gives(stencil(cross, boundary::keep, from({1, 2, 3, 4, 5, 6, 7, 8, 9}, shape(3, 3))),
          {{1, 2, 3}, {4, 20, 6}, {7, 8, 9}});
}

OPERATION("Stencils", "of two arrays") {
    Array<int> a = from({1, 2, 3}), b = from({10, 20, 30});
    auto f = [](auto s) { return get<0>(s(-1)) + get<1>(s(1)); };
    gives(stencil(f, boundary::clamp, zip(a, b)), {21, 31, 32});
}

OPERATION("Stencils", "behaviour at the edge") {
    Array<int> a = from({1, 2, 3});
    auto f = [](auto s) { return s(-1) * 10 + s(2); };
    gives(stencil(f, boundary::clamp, a), {13, 13, 23});
    gives(stencil(f, boundary::reflect, a), {23, 12, 21});
    gives(stencil(f, boundary::wrap, a), {33, 11, 22});
    gives(stencil(f, boundary::constant(7), a), {73, 17, 27});
}

OPERATION("Stencils", "the border element repeated by reflection") {
    Array<int> a = from({1, 2, 3});
    auto f = [](auto s) { return s(-1) * 10 + s(2); };
    gives(stencil(f, boundary::symmetric, a), {13, 13, 22});
    gives(stencil(f, boundary::mirror, a), {13, 13, 22});
}

OPERATION("Stencils", "shapes of neighbourhoods") {
    Array<int, 2> a = from({1, 2, 3, 4, 5, 6}, shape(2, 3));
    gives(stencil([](auto s) { return s(1, -1) * 10 + s(0, 2); }, boundary::constant(0), a), {{3, 40, 50}, {6, 0, 0}});
}
