// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.hpp"

#include <fmt/format.h>

#include <chrono>
#include <thread>

using namespace jit_test;

namespace {

const std::vector<std::vector<std::int64_t>> lengths = {{0},  {1},   {3},    {8},     {9},      {31},    {32},
                                                        {33}, {100}, {1000}, {70000}, {140000}, {333333}};

/// A fold of n elements of `type` with `combine` on x-numbered locals (a, b: k values each).
std::string fold_text(const std::string& type, const std::string& combine, const std::string& init, bool commutative) {
    return fmt::format(
        "kernel fold\nsize s0 = a0\nsize s1 = 1\nbuffer 0 : {0}[s0] in\nbuffer 1 : {0}[s1] out\nspace\n"
        "{{-> x0: i64 = constant 0; x1: i64 = size #0; x2: {0} = constant {2};\n"
        "x3: {0} = reduce #{3} x1 x2 {{x3: i64 -> x4: {0} = load #0 x3; x4}} {{x3: {0}, x4: {0} -> {1}}};\nstore #1 x0 "
        "x3;}}\n",
        type, combine, init, commutative ? 257 : 1);
}

}  // namespace

TEST_CASE("folds with known operators") {
    for (const char* type : {"f32", "f64", "i32", "u8", "i64", "f16"})
        for (const char* op : {"add", "minimum", "maximum"}) {
            if (std::string(type) == "f16" && std::string(op) == "add") continue;
            check_kernel(fold_text(type, fmt::format("x5 = {} x3 x4; x5", op), "2", true), lengths, Fill::small);
        }
    for (const char* op : {"bit_and", "bit_or", "bit_xor"}) {
        check_kernel(fold_text("bool", fmt::format("x5 = {} x3 x4; x5", op), "true", true), lengths);
        check_kernel(fold_text("u32", fmt::format("x5 = {} x4 x3; x5", op), "9", false), lengths);
    }
    check_kernel(fold_text("f32", "x5 = fmin x3 x4; x5", "2", true), lengths);
    check_kernel(fold_text("u32", "x5 = mul x3 x4; x5", "3", true), lengths);
}

TEST_CASE("folds with commutative operators without neutral element") {
    check_kernel(fold_text("i32", "x5 = mul x3 x4; x6 = add x3 x4; x7 = add x5 x6; x7", "5", true), lengths, Fill::wild);
    check_kernel(fold_text("u8", "x5 = mul x3 x4; x6 = add x3 x4; x7 = add x5 x6; x7", "5", true), lengths, Fill::wild);
}

TEST_CASE("folds with operators that are not commutative") {
    check_kernel(fold_text("i32", "x4", "5", false), lengths, Fill::wild);
    check_kernel(fold_text("f64", "x4", "5", false), lengths, Fill::wild);
    check_kernel(fold_text("u8", "x3", "5", false), lengths, Fill::wild);
    // composition of affine maps a x + b
    check_kernel(
        "kernel affine\nsize s0 = a0\nsize s1 = 1\nbuffer 0 : i32[s0] in\nbuffer 1 : i32[s0] in\nbuffer 2 : i32[s1] "
        "out\nbuffer 3 : i32[s1] out\nspace\n"
        "{-> x0: i64 = constant 0; x1: i64 = size #0; x2: i32 = constant 7; x3: i32 = constant 2;\n"
        "x4: i32, x5: i32 = reduce #1 x1 x2 x3 {x4: i64 -> x5: i32 = load #0 x4; x6: i32 = load #1 x4; x5, x6} "
        "{x4: i32, x5: i32, x6: i32, x7: i32 -> x8 = mul x4 x6; x9 = mul x5 x6; x10 = add x9 x7; x8, x10};\nstore #2 x0 x4; "
        "store #3 x0 x5;}\n",
        lengths, Fill::wild);
}

TEST_CASE("argument of the maximum") {
    check_kernel(
        "kernel argmax\nsize s0 = a0\nsize s1 = 1\nbuffer 0 : f32[s0] in\nbuffer 1 : f32[s1] out\nbuffer 2 : i64[s1] "
        "out\nspace\n"
        "{-> x0: i64 = constant 0; x1: i64 = size #0; x2: f32 = constant -100; x3: i64 = constant -1;\n"
        "x4: f32, x5: i64 = reduce #257 x1 x2 x3 {x4: i64 -> x5: f32 = load #0 x4; x5, x4} "
        "{x4: f32, x5: i64, x6: f32, x7: i64 -> x8 = less x4 x6; x9 = equal x4 x6; x10 = less x7 x5; x11 = bit_and x9 x10; "
        "x12 = bit_or x8 x11; "
        "x13 = select x12 x6 x4; x14 = select x12 x7 x5; x13, x14};\nstore #1 x0 x4; store #2 x0 x5;}\n",
        lengths, Fill::small);
}

TEST_CASE("several folds of one pass, elements stored") {
    check_kernel(
        "kernel two\nsize s0 = a0\nsize s1 = 1\nbuffer 0 : f32[s0] in\nbuffer 1 : f32[s1] out\nbuffer 2 : f32[s1] "
        "out\nbuffer 3 : f32[s0] out\nspace\n"
        "{-> x0: i64 = constant 0; x1: i64 = size #0; x2: f32 = constant 0;\n"
        "x3: f32, x4: f32 = reduce #257 x1 x2 x2 {x3: i64 -> x4: f32 = load #0 x3; x5 = mul x4 x4; store #3 x3 x5; x4, x5} "
        "{x3: f32, x4: f32, x5: f32, x6: f32 -> x7 = add x3 x5; x8 = maximum x4 x6; x7, x8};\nx5 = sqrt x4; store #1 x0 x3; "
        "store #2 x0 x5;}\n",
        lengths, Fill::small);
}

TEST_CASE("rows") {
    const std::vector<std::vector<std::int64_t>> shapes = {
        {0, 5}, {5, 0}, {1, 1}, {3, 5}, {7, 33}, {100, 3}, {1000, 2}, {2, 1000}, {3, 200000}, {1, 70000}, {70, 4000}};
    for (const char* type : {"f32", "i64", "u8"})
        for (int commutative : {0, 256})
            for (const char* combine : {"x7: {0}, x8: {0} -> x9 = add x7 x8; x9",
                                        "x7: {0}, x8: {0} -> x9 = mul x7 x8; x10 = add x7 x8; x11 = add x9 x10; x11"}) {
                if (std::string(type) == "f32" && std::string(combine).find("mul") != std::string::npos) continue;
                check_kernel(fmt::format("kernel rows\nsize s0 = a0\nsize s1 = a1\nsize s2 = (s0 * s1)\nbuffer 0 : {0}[s2] "
                                         "in\nbuffer 1 : {0}[s0] out\nbuffer 2 : {0}[s0] in\nspace s0\n"
                                         "{{x0: i64 -> x1: i64 = size #1; x2 = mul x0 x1; x3: {0} = load #2 x0; x4 = add x3 "
                                         "x3; x5: {0} = constant 2; x6: bool = constant true;\n"
                                         "x7: {0} = reduce #{1} x1 x4 {{x7: i64 -> x8 = add x2 x7; x9: {0} = load #0 x8; "
                                         "x9}} {{{2}}};\nx8 = mul x7 x5; store #1 x0 x8;}}\n",
                                         type, 1 + commutative, fmt::format(fmt::runtime(combine), type)),
                             shapes, Fill::small);
            }
}

TEST_CASE("columns") {
    const std::vector<std::vector<std::int64_t>> shapes = {
        {0, 5}, {5, 0}, {1, 1}, {3, 5}, {7, 33}, {100, 3}, {1000, 40}, {40, 1000}, {5000, 64}, {3, 20000}, {300, 1500}};
    for (const char* type : {"f32", "i64", "u8"})
        for (const char* combine :
             {"x4: {0}, x5: {0} -> x6 = add x4 x5; x6",
              "x4: {0}, x5: {0} -> x6 = mul x4 x5; x7 = add x4 x5; x8 = add x6 x7; x8", "x4: {0}, x5: {0} -> x5"}) {
            if (std::string(type) == "f32" && std::string(combine).find("mul") != std::string::npos) continue;
            check_kernel(fmt::format("kernel columns\nsize s0 = a0\nsize s1 = a1\nsize s2 = (s0 * s1)\nbuffer 0 : {0}[s2] "
                                     "in\nbuffer 1 : {0}[s1] out\nspace s1\n"
                                     "{{x0: i64 -> x1: i64 = size #0; x2: i64 = size #1; x3: {0} = constant 2;\n"
                                     "x4: {0} = reduce #1 x1 x3 {{x4: i64 -> x5 = mul x4 x2; x6 = add x5 x0; x7: {0} = load "
                                     "#0 x6; x7}} {{{1}}};\nx5 = mul x4 x3; store #1 x0 x5;}}\n",
                                     type, fmt::format(fmt::runtime(combine), type)),
                         shapes, Fill::small);
        }
}

TEST_CASE("matrix product") {
    check_kernel(
        "kernel product\nsize s0 = a0\nsize s1 = a1\nsize s2 = a2\nsize s3 = (s0 * s2)\nsize s4 = (s2 * s1)\nsize s5 = (s0 "
        "* s1)\nbuffer 0 : f32[s3] in\nbuffer 1 : f32[s4] in\n"
        "buffer 2 : f32[s5] out\nspace s0 s1\n{x0: i64, x1: i64 -> x2: i64 = size #1; x3: i64 = size #2; x4 = mul x0 x3; "
        "x5: f32 = constant 0; x6 = mul x0 x2; x7 = add x6 x1;\n"
        "x8: f32 = reduce #257 x3 x5 {x8: i64 -> x9 = add x4 x8; x10: f32 = load #0 x9; x11 = mul x8 x2; x12 = add x11 x1; "
        "x13: f32 = load #1 x12; x14 = mul x10 x13; x14} "
        "{x8: f32, x9: f32 -> x10 = add x8 x9; x10};\nstore #2 x7 x8;}\n",
        {{1, 1, 1}, {3, 5, 7}, {17, 33, 20}, {64, 64, 64}, {5, 200, 0}, {100, 3, 50}, {33, 70, 19}}, Fill::small);
}

TEST_CASE("reduce over two axes, softmax rows") {
    check_kernel(
        "kernel outer\nsize s0 = a0\nsize s1 = a1\nsize s2 = a2\nsize s3 = (s0 * s1)\nsize s4 = (s3 * s2)\nbuffer 0 : "
        "i32[s4] in\nbuffer 1 : i32[s1] out\nspace s1\n"
        "{x0: i64 -> x1: i64 = size #0; x2: i64 = size #1; x3: i64 = size #2; x4: i32 = constant 1;\n"
        "x5: i32 = reduce #2 x1 x3 x4 {x5: i64, x6: i64 -> x7 = mul x5 x2; x8 = add x7 x0; x9 = mul x8 x3; x10 = add x9 x6; "
        "x11: i32 = load #0 x10; x11} "
        "{x5: i32, x6: i32 -> x7 = mul x5 x6; x8 = add x7 x6; x9 = add x8 x5; x9};\nstore #1 x0 x5;}\n",
        {{3, 4, 5}, {0, 3, 5}, {3, 3, 0}, {20, 2, 100}, {300, 1, 300}, {9, 33, 17}});
    check_kernel(
        "kernel rescale\nsize s0 = a0\nsize s1 = a1\nsize s2 = (s0 * s1)\nbuffer 0 : f32[s2] in\nbuffer 1 : f32[s2] "
        "out\nspace s0\n"
        "{x0: i64 -> x1: i64 = size #1; x2 = mul x0 x1; x3: f32 = constant -1000;\n"
        "x4: f32 = reduce #257 x1 x3 {x4: i64 -> x5 = add x2 x4; x6: f32 = load #0 x5; x6} {x4: f32, x5: f32 -> x6 = "
        "maximum x4 x5; x6};\n"
        "x5: f32 = constant 0;\n"
        "x6: f32 = reduce #257 x1 x5 {x6: i64 -> x7 = add x2 x6; x8: f32 = load #0 x7; x9 = sub x8 x4; x9} {x6: f32, x7: "
        "f32 -> x8 = add x6 x7; x8};\n"
        "for_each #1 x1 {x7: i64 -> x8 = add x2 x7; x9: f32 = load #0 x8; x10 = sub x9 x4; x11 = add x10 x6; store #1 x8 "
        "x11;};}\n",
        {{3, 5}, {1, 1}, {4, 0}, {10, 100}, {100, 10}, {2, 1000}}, Fill::small);
}

TEST_CASE("the same bits on one and on several threads") {
    const auto kernel = sinter::lower::parse(fold_text("f32", "x5 = add x3 x4; x5", "0", true));
    auto compiled = backend(0).compile(kernel);
    const auto sizes = evaluate_sizes(kernel.sizes, {1 << 20});
    std::vector<float> x(1 << 20);
    std::mt19937 random(3);
    for (auto& v : x) v = std::ldexp(float(random() % 1000), int(random() % 20) - 10);
    float results[3];
    for (int threads = 1; threads <= 3; ++threads) {
        void* pointers[] = {x.data(), &results[threads - 1]};
        sinter::runtime::ErrorSlot error;
        compiled->launch({pointers, sizes.data(), &error, threads});
    }
    CHECK(results[0] == results[1]);
    CHECK(results[0] == results[2]);
    double exact = 0;
    for (float v : x) exact += double(v);
    CHECK(std::abs(double(results[0]) - exact) < 1e-5 * exact);
}

TEST_CASE("code for 512 bit vectors") {
    auto wide = sinter::host::make_host_backend({512, sinter::codegen::Effort::full});
    if (wide->identity().find("vectors 512") == std::string::npos) return;  // another architecture
    for (const char* type : {"f32", "f64", "i32", "u8", "bool"})
        for (const char* combine : {"x5 = bit_xor x3 x4; x5", "x4"}) {
            if (std::string(combine) != "x4" && (type[0] == 'f')) continue;
            const auto texts =
                wide->texts(sinter::lower::parse(fold_text(type, combine, type[0] == 'b' ? "true" : "2", false)));
            CHECK(texts.assembly.find("zmm") != std::string::npos);
        }
}

// A launch that combined partial results asked for threads again, and where that question was the one that they would have
// been woken for, they never were: a single task combines.
TEST_CASE("launches that come soon after each other wake threads together, and share with them") {
    const sinter::lower::Kernel kernel = sinter::lower::parse(fold_text("f32", "x5 = add x3 x4; x5", "0", true));
    auto compiled = backend(256).compile(kernel);
    for (std::int64_t n = 60000; n < 100000; n += 2500) {
        const std::vector<std::int64_t> sizes = evaluate_sizes(kernel.sizes, {n});
        Data data = make_data(kernel, sizes, Fill::small, 1);
        auto repeated = compiled->repeat(2);
        repeated->resize(sizes.data(), false);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));  // longer than threads wait awake
        sinter::runtime::ErrorSlot error;
        int shared = 0;
        for (int k = 0; k < 300; ++k)
            shared += repeated->launch(data.pointers.data(), error, nullptr, sinter::runtime::ThreadUse::worthwhile);
        CAPTURE(n, repeated->work());
        CHECK(shared > 0);
    }
}
