// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels look like.
#include "tests/unit/lower/golden.hpp"

using namespace sinter;

namespace {

void check_kernel(std::string_view cluster, std::string_view kernel) {
    CHECK(lower::print(test::kernel_of(cluster)) == test::text_of(kernel));
}

}  // namespace

TEST_CASE("an element-wise kernel of rank 3 counts along one axis") {
    check_kernel(R"(arguments 3
%0 : f32[a0, a1, a2] = input
%1 : f32 = input
%2 : f32[a0, a1, a2] = map (%0; %1) {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}
return %2
)",
                 R"(kernel map
size s0 = a2
size s1 = a0
size s2 = a1
size s3 = (s1 * s2)
size s4 = (s0 * s3)
size s5 = 1
buffer 0 : f32[s4] in
buffer 1 : f32[s5] in
buffer 2 : f32[s4] out
space s4
{x0: i64 -> x1: i64 = constant 0; x2: f32 = load #0 x0; x3: f32 = load #1 x1; x4 = mul x2 x3; store #2 x0 x4;}
)");
}

TEST_CASE("a row that is broadcast keeps the axes apart") {
    check_kernel(R"(arguments 2
%0 : f32[a0, a1] = input
%1 : f32[a1] = input
%2 : f32[a0, a1] = broadcast [1] %1
%3 : f32[a0, a1] = map (%0, %2) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
return %3
)",
                 R"(kernel map
size s0 = a0
size s1 = a1
size s2 = (s0 * s1)
buffer 0 : f32[s2] in
buffer 1 : f32[s1] in
buffer 2 : f32[s2] out
space s0 s1
{x0: i64, x1: i64 -> x2 = size #1; x3 = mul x0 x2; x4 = add x3 x1; x5: f32 = load #0 x4; x6: f32 = load #1 x1; x7 = add x5 x6; store #2 x4 x7;}
)");
}

TEST_CASE("a transposed argument keeps the axes apart") {
    check_kernel(R"(arguments 2
%0 : f32[a0, a1] = input
%1 : f32[a1, a0] = input
%2 : f32[a0, a1] = transpose [1, 0] %1
%3 : f32[a0, a1] = map (%0, %2) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
return %3
)",
                 R"(kernel map
size s0 = a0
size s1 = a1
size s2 = (s0 * s1)
buffer 0 : f32[s2] in
buffer 1 : f32[s2] in
buffer 2 : f32[s2] out
space s0 s1
{x0: i64, x1: i64 ->
  x2 = size #1;
  x3 = mul x0 x2;
  x4 = add x3 x1;
  x5: f32 = load #0 x4;
  x6 = size #0;
  x7 = mul x1 x6;
  x8 = add x7 x0;
  x9: f32 = load #1 x8;
  x10 = add x5 x9;
  store #2 x4 x10;
}
)");
}

TEST_CASE("a fold of the innermost of three axes: one parallel axis, one reduced") {
    check_kernel(R"(arguments 3
%0 : f32[a0, a1, a2] = input
%1 : f32 = input
%2 : f32[a0, a1] = fold commutative [2] (%0) from (%1) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
return %2
)",
                 R"(kernel fold
size s0 = a0
size s1 = a1
size s2 = (s0 * s1)
size s3 = a2
size s4 = (s3 * s2)
size s5 = 1
buffer 0 : f32[s4] in
buffer 1 : f32[s5] in
buffer 2 : f32[s2] out
space s2
{x0: i64 ->
  x1 = size #3;
  x2: i64 = constant 0;
  x3: f32 = load #1 x2;
  x4 = mul x0 x1;
  x5: f32 = reduce #257 x1 x3 {x5: i64 -> x6 = add x4 x5; x7: f32 = load #0 x6; x7} {x5: f32, x6: f32 -> x7 = add x5 x6; x7};
  store #2 x0 x5;
}
)");
}

TEST_CASE("a fold of everything reduces one axis") {
    check_kernel(R"(arguments 2
%0 : f32[a0, a1] = input
%1 : f32 = input
%2 : f32 = fold [0, 1] (%0) from (%1) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
return %2
)",
                 R"(kernel fold
size s0 = a0
size s1 = a1
size s2 = (s0 * s1)
size s3 = 1
buffer 0 : f32[s2] in
buffer 1 : f32[s3] in
buffer 2 : f32[s3] out
space
{->
  x0 = size #2;
  x1: i64 = constant 0;
  x2: f32 = load #1 x1;
  x3: f32 = reduce #1 x0 x2 {x3: i64 -> x4: f32 = load #0 x3; x4} {x3: f32, x4: f32 -> x5 = add x3 x4; x5};
  store #2 x1 x3;
}
)");
}

TEST_CASE("a fold of the outer axis walks down the columns") {
    check_kernel(R"(arguments 2
%0 : f32[a0, a1] = input
%1 : f32 = input
%2 : f32[a1] = fold [0] (%0) from (%1) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
return %2
)",
                 R"(kernel fold
size s0 = a1
size s1 = a0
size s2 = (s1 * s0)
size s3 = 1
buffer 0 : f32[s2] in
buffer 1 : f32[s3] in
buffer 2 : f32[s0] out
space s0
{x0: i64 ->
  x1 = size #1;
  x2: i64 = constant 0;
  x3: f32 = load #1 x2;
  x4 = size #0;
  x5: f32 = reduce #1 x1 x3 {x5: i64 -> x6 = mul x5 x4; x7 = add x0 x6; x8: f32 = load #0 x7; x8} {x5: f32, x6: f32 -> x7 = add x5 x6; x7};
  store #2 x0 x5;
}
)");
}

TEST_CASE("indices given to a function keep the axes apart") {
    check_kernel(R"(arguments 2
%0 : i64[a0, a1] = generate () {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
return %0
)",
                 R"(kernel generate
size s0 = a0
size s1 = a1
size s2 = (s0 * s1)
buffer 0 : i64[s2] out
space s0 s1
{x0: i64, x1: i64 -> x2 = add x0 x1; x3 = size #1; x4 = mul x0 x3; x5 = add x4 x1; store #0 x5 x2;}
)");
}

TEST_CASE("only the flat index is used: one axis") {
    check_kernel(R"(arguments 2
%0 : i64[(a0 * a1)] = generate () {x0: i64 -> x0}
%1 : i64[a0, a1] = reshape %0
return %1
)",
                 R"(kernel generate
size s0 = a0
size s1 = a1
size s2 = (s0 * s1)
buffer 0 : i64[s2] out
space s2
{x0: i64 -> store #0 x0 x0;}
)");
}

TEST_CASE(
    "folds of one space are one reduce; what does not change in it stands before it, element results are stored in it") {
    check_kernel(R"(arguments 2
%0 : f32[a0, a1] = input
%1 : f32 = input
%2 : f32[a0] = input
%3 : f32[a0, a1] = broadcast [0] %2
%4 : f32[a0, a1] = map (%0, %3; %1) {x0: f32, x1: f32, x2: f32 -> x3 = sub x0 x1; x4 = sqrt x2; x5 = mul x3 x4; x5}
%5 : f32[a0] = fold commutative [1] (%4) from (%1) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
%6 : f32[a0] = fold [1] (%0) from (%1) {x0: f32, x1: f32 -> x2 = maximum x0 x1; x2}
%7 : f32[a0] = map (%5, %6, %2) {x0: f32, x1: f32, x2: f32 -> x3 = fma x0 x1 x2; x3}
return %4, %6, %7
)",
                 R"(kernel map_fold_fold_map
size s0 = a0
size s1 = a1
size s2 = (s0 * s1)
size s3 = 1
buffer 0 : f32[s2] in
buffer 1 : f32[s3] in
buffer 2 : f32[s0] in
buffer 3 : f32[s2] out
buffer 4 : f32[s0] out
buffer 5 : f32[s0] out
space s0
{x0: i64 ->
  x1 = size #1;
  x2: i64 = constant 0;
  x3: f32 = load #1 x2;
  x4 = mul x0 x1;
  x5: f32 = load #2 x0;
  x6 = sqrt x3;
  x7: f32, x8: f32 = reduce #1 x1 x3 x3 {x7: i64 -> x8 = add x4 x7; x9: f32 = load #0 x8; x10 = sub x9 x5; x11 = mul x10 x6; store #3 x8 x11; x11, x9} {x7: f32, x8: f32, x9: f32, x10: f32 -> x11 = add x7 x9; x12 = maximum x8 x10; x11, x12};
  store #4 x0 x8;
  x9 = fma x7 x8 x5;
  store #5 x0 x9;
}
)");
}

TEST_CASE("a matrix product") {
    check_kernel(R"(arguments 3
%0 : f32[a0, a1] = input
%1 : f32[a1, a2] = input
%2 : f32 = input
%3 : f32[a0, a1, a2] = broadcast [0, 1] %0
%4 : f32[a0, a1, a2] = broadcast [1, 2] %1
%5 : f32[a0, a1, a2] = map (%3, %4) {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}
%6 : f32[a0, a2] = fold commutative [1] (%5) from (%2) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
return %6
)",
                 R"(kernel map_fold
size s0 = a0
size s1 = a2
size s2 = a1
size s3 = (s0 * s2)
size s4 = (s2 * s1)
size s5 = 1
size s6 = (s0 * s1)
buffer 0 : f32[s3] in
buffer 1 : f32[s4] in
buffer 2 : f32[s5] in
buffer 3 : f32[s6] out
space s0 s1
{x0: i64, x1: i64 ->
  x2 = size #2;
  x3: i64 = constant 0;
  x4: f32 = load #2 x3;
  x5 = mul x0 x2;
  x6 = size #1;
  x7: f32 = reduce #257 x2 x4 {x7: i64 -> x8 = add x5 x7; x9: f32 = load #0 x8; x10 = mul x7 x6; x11 = add x1 x10; x12: f32 = load #1 x11; x13 = mul x9 x12; x13} {x7: f32, x8: f32 -> x9 = add x7 x8; x9};
  x8 = mul x0 x6;
  x9 = add x8 x1;
  store #3 x9 x7;
}
)");
}

TEST_CASE("what only a branch needs stays there, as do checks; indices in range are not checked") {
    check_kernel(R"(arguments 1
%0 : i64[a0] = input
%1 : i64[a0] = input
%2 : i64 = input
%3 : i64[a0] = map_indexed (%0; %2; %1) {@0: i64^1, x0: i64, x1: i64, x2: i64 -> x3: i64 = constant 0; x4 = less x1 x3; x5: i64 = cond x4 {-> x5: i64 = read @0 x0; x6 = rem x5 x2; x6} {-> x5: i64 = read @0 x1; x6 = mul x2 x2; x7 = add x6 x5; x7}; x5}
return %3
)",
                 R"(kernel map_indexed
size s0 = a0
size s1 = 1
buffer 0 : i64[s0] in
buffer 1 : i64[s0] in
buffer 2 : i64[s1] in
buffer 3 : i64[s0] out
check 0 : divisor
check 1 : index 0
nonempty s0
space s0
{x0: i64 ->
  x1: i64 = constant 0;
  x2: i64 = load #0 x0;
  x3: i64 = load #2 x1;
  x4 = less x2 x1;
  x5 = size #0;
  x6: i64 = cond x4 {-> x6: i64 = load #1 x0; x7 = check_divisor #0 x3; x8 = rem x6 x7; x8} {-> x6 = check_index #1 x2 x5; x7: i64 = load #1 x6; x8 = mul x3 x3; x9 = add x8 x7; x9};
  store #3 x0 x6;
}
)");
}

TEST_CASE("a gather is checked axis by axis") {
    check_kernel(R"(arguments 3
%0 : i64[a0] = input
%1 : i64[a0] = input
%2 : f32[a1, a2] = input
%3 : f32[a0] = gather (%0, %1) (%2)
return %3
)",
                 R"(kernel gather
size s0 = a0
size s1 = a1
size s2 = a2
size s3 = (s1 * s2)
buffer 0 : i64[s0] in
buffer 1 : i64[s0] in
buffer 2 : f32[s3] in
buffer 3 : f32[s0] out
check 0 : index 0
check 1 : index 1
nonempty s3
space s0
{x0: i64 ->
  x1: i64 = load #0 x0;
  x2: i64 = load #1 x0;
  x3 = size #1;
  x4 = check_index #0 x1 x3;
  x5 = size #2;
  x6 = check_index #1 x2 x5;
  x7 = mul x4 x5;
  x8 = add x7 x6;
  x9: f32 = load #2 x8;
  store #3 x0 x9;
}
)");
}

TEST_CASE("a loop up to an extent reads without checks; what does not change in it stands before it") {
    check_kernel(R"(arguments 2
%0 : f32[a0] = input
%1 : f32[a1] = input
%2 : f32[a0] = map (%0; ; %1) {@0: f32^1, x0: f32 -> x1 = extent @0^0; x2: f32 = for_loop x1 x0 {x2: i64, x3: f32 -> x4 = sqrt x0; x5: f32 = read @0 x2; x6 = fma x4 x5 x3; x6}; x2}
return %2
)",
                 R"(kernel map
size s0 = a0
size s1 = a1
buffer 0 : f32[s0] in
buffer 1 : f32[s1] in
buffer 2 : f32[s0] out
space s0
{x0: i64 ->
  x1: f32 = load #0 x0;
  x2 = size #1;
  x3 = sqrt x1;
  x4: f32 = for_loop x2 x1 {x4: i64, x5: f32 -> x6: f32 = load #1 x4; x7 = fma x3 x6 x5; x7};
  store #2 x0 x4;
}
)");
}

TEST_CASE("a slice of rows shifts, a reversed axis is apart") {
    check_kernel(R"(arguments 2
%0 : f32[(a0 + 2), a1] = input
%1 : f32[a0, a1] = input
%2 : f32[a0, a1] = slice [2:1, 0:1] %0
%3 : f32[a0, a1] = slice [0:1, (a1 - 1):-1] %1
return %2, %3
)",
                 R"(kernel slice
size s0 = a0
size s1 = a1
size s2 = 2
size s3 = (s0 + s2)
size s4 = (s1 * s3)
size s5 = (s0 * s1)
size s6 = -1
size s7 = (s1 + s6)
buffer 0 : f32[s4] in
buffer 1 : f32[s5] in
buffer 2 : f32[s5] out
buffer 3 : f32[s5] out
space s0 s1
{x0: i64, x1: i64 ->
  x2: i64 = constant 2;
  x3 = add x0 x2;
  x4 = size #1;
  x5 = mul x3 x4;
  x6 = add x5 x1;
  x7: f32 = load #0 x6;
  x8 = mul x0 x4;
  x9 = add x8 x1;
  store #2 x9 x7;
  x10: i64 = constant -1;
  x11 = mul x1 x10;
  x12 = size #7;
  x13 = add x11 x12;
  x14 = add x8 x13;
  x15: f32 = load #1 x14;
  store #3 x9 x15;
}
)");
}

TEST_CASE("an interior row of a grid is contiguous") {
    check_kernel(R"(arguments 2
%0 : f32[(a0 + 2), a1] = input
%1 : f32[a0, a1] = slice [1:1, 0:1] %0
return %1
)",
                 R"(kernel slice
size s0 = a0
size s1 = a1
size s2 = (s0 * s1)
size s3 = 2
size s4 = (s0 + s3)
size s5 = (s1 * s4)
buffer 0 : f32[s5] in
buffer 1 : f32[s2] out
space s2
{x0: i64 -> x1 = size #1; x2 = add x0 x1; x3: f32 = load #0 x2; store #1 x0 x3;}
)");
}
