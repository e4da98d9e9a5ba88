// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernels run in register tiles, and that these give what the interpreter gives, to the last bit: they keep its order.
#include "schedule/ways/register_tile.hpp"
#include "support.hpp"

using namespace jit_test;
using sinter::schedule::Machine;
using sinter::schedule::register_tile;
using sinter::schedule::RegisterTile;

namespace {

/// x0 rows, x1 columns; `element` computes x12 of x8: f32 (row, index) and x11: f32 (index, column).
std::string product(const std::string& element, const std::string& combine = "x8 = add x6 x7; x8") {
    return "kernel product\nsize s0 = a0\nsize s1 = a1\nsize s2 = a2\nsize s3 = (s0 * s2)\nsize s4 = (s2 * s1)\n"
           "size s5 = (s0 * s1)\nbuffer 0 : f32[s3] in\nbuffer 1 : f32[s4] in\nbuffer 2 : f32[s5] out\nspace s0 s1\n"
           "{x0: i64, x1: i64 -> x2 = size #2; x3: f32 = constant 1; x4 = mul x0 x2; x5 = size #1;"
           "x6: f32 = reduce #1 x2 x3 {x6: i64 -> x7 = add x4 x6; x8: f32 = load #0 x7; x9 = mul x6 x5; x10 = add x1 x9;"
           "x11: f32 = load #1 x10; " +
           element + "} {x6: f32, x7: f32 -> " + combine + "}; x7 = mul x0 x5; x8 = add x7 x1; store #2 x8 x6;}";
}

Machine machine(int bits) {
    Machine m;
    m.vector_bits = bits;
    m.x86 = true;
    m.registers = bits == 512 ? 32 : 16;
    m.mask_registers = bits == 512;
    m.masked_memory = bits >= 256;
    return m;
}

/// The same with a sequential loop whose step makes the next state of `x9` (row, index), x12 (index, column) and x7.
std::string sequential(const std::string& step) {
    return "kernel product\nsize s0 = a0\nsize s1 = a1\nsize s2 = a2\nsize s3 = (s0 * s2)\nsize s4 = (s2 * s1)\n"
           "size s5 = (s0 * s1)\nbuffer 0 : f32[s3] in\nbuffer 1 : f32[s4] in\nbuffer 2 : f32[s5] out\nspace s0 s1\n"
           "{x0: i64, x1: i64 -> x2 = size #2; x3: f32 = constant 1; x4 = mul x0 x2; x5 = size #1;"
           "x6: f32 = for_loop x2 x3 {x6: i64, x7: f32 -> x8 = add x4 x6; x9: f32 = load #0 x8; x10 = mul x6 x5;"
           "x11 = add x1 x10; x12: f32 = load #1 x11; " +
           step + "}; x7 = mul x0 x5; x8 = add x7 x1; store #2 x8 x6;}";
}

std::optional<RegisterTile> tile_of(const std::string& text, int bits = 256) {
    struct Known {
        sinter::lower::Kernel kernel;
        sinter::schedule::Facts facts;
    };
    static std::vector<std::unique_ptr<Known>> all;  // tiles refer to them
    all.push_back(std::make_unique<Known>(Known{sinter::lower::parse(text), {}}));
    all.back()->facts = sinter::schedule::facts_of(all.back()->kernel);
    return register_tile(machine(bits), all.back()->kernel, all.back()->facts.ordered);
}

/// As check_kernel, with vectors of 256 bits.
void check_in_tiles(const std::string& text, const std::vector<std::vector<std::int64_t>>& arguments) {
    REQUIRE(tile_of(text));
    if (!__builtin_cpu_supports("avx2")) return;
    const auto kernel = sinter::lower::parse(text);
    const auto compiled = backend(256).compile(kernel);
    for (const auto& a : arguments) {
        const auto sizes = evaluate_sizes(kernel.sizes, a);
        Data expected = make_data(kernel, sizes, Fill::wild, 7), got = expected;
        got.pointers.clear();
        for (auto& m : got.memory) got.pointers.push_back(m.data());
        sinter::interp::interpret(kernel, expected.pointers, sizes);
        sinter::runtime::ErrorSlot error;
        compiled->launch({got.pointers.data(), sizes.data(), &error, 2});
        REQUIRE(error.check.load() == 0);
        INFO(text << "\nsizes " << Catch::StringMaker<std::vector<std::int64_t>>::convert(a));
        compare(kernel, sizes, expected, got, 0);
    }
}

const std::string simple = product("x12 = mul x8 x11; x12");
/// Rows, columns, elements; wide enough that tiles are chosen.
const std::vector<std::vector<std::int64_t>> sizes = {{6, 16, 20},   {7, 17, 20},    {12, 40, 1},  {13, 100, 300},
                                                      {61, 33, 600}, {300, 270, 40}, {40, 520, 3}, {30, 40, 0}};

}  // namespace

TEST_CASE("the tile of a product has as many accumulators as registers allow") {
    const auto narrow = tile_of(simple), wide = tile_of(simple, 512);
    REQUIRE(narrow);
    REQUIRE(narrow->row_axis == 0);
    REQUIRE(narrow->width == 8);
    REQUIRE(narrow->rows * narrow->columns == 12);
    REQUIRE(narrow->loops.size() == 1);
    REQUIRE(narrow->loops[0].of_columns.size() == 1);
    REQUIRE(narrow->loops[0].of_rows.empty());
    REQUIRE(narrow->arithmetic == 2);
    REQUIRE(wide);
    REQUIRE(wide->width == 16);
    REQUIRE(wide->rows * wide->columns + wide->columns + 2 <= 32);
}

TEST_CASE("what is computed of one factor is kept") {
    const auto of_row = tile_of(product("x12 = mul x8 x8; x13 = mul x12 x11; x13"));
    REQUIRE(of_row);
    REQUIRE(of_row->loops[0].of_rows.size() == 1);
    REQUIRE(of_row->arithmetic == 2);
    const auto of_column = tile_of(product("x12 = mul x11 x11; x13 = mul x8 x12; x13"));
    REQUIRE(of_column);
    REQUIRE(of_column->loops[0].of_columns.size() == 1);
    REQUIRE(of_column->arithmetic == 2);
}

TEST_CASE("no tiles where nothing is shared, or an element is a loop of its own") {
    const std::string own =
        "kernel own\nsize s0 = a0\nsize s1 = a1\nsize s2 = (s0 * s1)\nbuffer 0 : f32[s2] in\n"
        "buffer 1 : f32[s0] out\nspace s0\n"
        "{x0: i64 -> x1 = size #1; x2: f32 = constant 0; x3 = mul x0 x1; x4: f32 = reduce #1 x1 x2 "
        "{x4: i64 -> x5 = add x3 x4; x6: f32 = load #0 x5; x6} "
        "{x4: f32, x5: f32 -> x6 = add x4 x5; x6}; store #1 x0 x4;}";
    REQUIRE_FALSE(tile_of(own));
    REQUIRE_FALSE(tile_of(product("x12: f32 = for_loop x6 x11 {x12: i64, x13: f32 -> x14 = mul x13 x8; x14}; x12")));
    REQUIRE_FALSE(tile_of(simple, 128));
}

TEST_CASE("products in register tiles") {
    check_in_tiles(simple, sizes);
    check_in_tiles(product("x12 = sub x8 x11; x13 = mul x12 x12; x13"), sizes);
    check_in_tiles(product("x12 = add x8 x11; x12", "x8 = minimum x6 x7; x8"), sizes);
    check_in_tiles(product("x12 = add x8 x11; x12", "x8 = sub x7 x6; x9 = sub x7 x8; x9"), sizes);
}

TEST_CASE("sequential loops in register tiles") {
    check_in_tiles(sequential("x13 = mul x9 x12; x14 = add x7 x13; x14"), sizes);
    check_in_tiles(sequential("x13 = sub x9 x12; x14 = sqrt x7; x15 = sub x13 x14; x15"), sizes);
    check_in_tiles(sequential("x13 = mul x12 x12; x14 = mul x9 x13; x15 = mul x7 x3; x16 = sub x15 x14; x16"), sizes);
    REQUIRE_FALSE(tile_of(sequential("x13 = mul x7 x9; x14 = add x13 x12; x14")));
    REQUIRE_FALSE(tile_of(sequential("x13 = add x7 x12; x13")));
}

TEST_CASE("kept rows and columns in register tiles") {
    check_in_tiles(product("x12 = sqrt x8; x13 = mul x11 x11; x14 = mul x12 x13; x14"), sizes);
    check_in_tiles(product("x12 = less x8 x3; x13 = less x11 x3; x14 = bit_and x12 x13; x15 = select x14 x8 x11; x15"),
                   sizes);
}

TEST_CASE("register tiles for AVX-512 are generated anywhere on x86") {
#ifdef __x86_64__
    const auto wide = sinter::host::make_host_backend({512, sinter::codegen::Effort::full});
    const std::string assembly = wide->texts(sinter::lower::parse(simple)).assembly;
    REQUIRE(assembly.find("zmm") != std::string::npos);
#endif
}
