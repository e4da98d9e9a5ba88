// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of the test driver: that one cell stands for a word hides no race, and makes none up; pending stores; the
// instructions that have functions of their own; and products of tiles.
#include "driver/arithmetic.hpp"
#include "driver/pending.hpp"
#include "driver/races.hpp"
#include "driver/tensor.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>

namespace {

using namespace driver;

constexpr std::uint32_t launch = 1;

Access store_of(std::uint32_t thread, std::uint32_t epoch = 0) { return {{thread, epoch, 0}, 0, 256, true}; }
Access load_of(std::uint32_t thread, std::uint32_t epoch = 0) { return {{thread, epoch, 0}, 0, 256}; }

int failures = 0;

void expect(bool condition, const char* what) {
    if (condition) return;
    std::printf("not so: %s\n", what);
    ++failures;
}

void parts_of_a_word() {
    Cells cells(16);
    expect(!cells.note(4, 1, launch, store_of(1)), "a byte may be stored");
    expect(!cells.note(5, 1, launch, store_of(2)), "another thread may store its neighbour");
    expect(cells.note(5, 1, launch, load_of(1)), "a load of what another thread stored is a race");
    expect(!cells.note(6, 2, launch, load_of(3)), "the rest of the word is untouched");
    expect(cells.note(6, 1, launch, store_of(1)), "a store to what another thread loaded is a race");
}

void words_before_and_after_parts() {
    Cells cells(16);
    expect(!cells.note(0, 16, launch, store_of(1)), "16 bytes may be stored");
    expect(cells.note(9, 1, launch, load_of(2)), "each byte of them was");
    expect(!cells.note(9, 1, launch, load_of(3, 1)), "after a barrier it may be loaded");
    expect(cells.note(8, 4, launch, store_of(4, 1)), "a store to the word then meets that load");
    expect(!cells.note(12, 4, launch, store_of(4, 1)), "and one to the next word meets nothing");
}

void launches() {
    Cells cells(8);
    cells.note(1, 1, launch, store_of(1));
    expect(!cells.note(0, 8, launch + 1, load_of(2)), "the next launch begins afresh");
    expect(cells.note(2, 2, launch + 1, store_of(3)), "a part of a word that was loaded meets that load");
}

Access relaxed(Access access) {
    access.is_strong = true;
    return access;
}

void relaxed_accesses() {
    Cells cells(16);
    expect(!cells.note(0, 4, launch, relaxed(store_of(1))), "a relaxed store");
    expect(!cells.note(0, 4, launch, relaxed(store_of(2))), "may meet another one");
    expect(!cells.note(0, 4, launch, relaxed(load_of(40))), "and a relaxed load");
    expect(cells.note(0, 4, launch, store_of(3)), "a plain store may not meet them");
    expect(!cells.note(4, 1, launch, relaxed(store_of(1))), "bytes are stored in the same way");
    expect(cells.note(4, 1, launch, load_of(2)), "a plain load may not meet such a store");
    expect(!cells.note(8, 4, launch, store_of(1)), "a plain store");
    expect(cells.note(8, 4, launch, relaxed(store_of(2))), "meets no relaxed one either");
}

void pending_stores() {
    constexpr std::uint64_t begin = 4096;
    constexpr std::uint32_t words = 50, rounds = 20;
    Pending pending;
    Seen seen;
    for (std::uint32_t k = 0; k < words * rounds; ++k) pending.add({begin + k % words * 4, k, 0, &seen, 4});
    std::uint64_t value = 0;
    pending.overlay(begin, 8, value);
    expect(value == (((words * (rounds - 1) + 1ull) << 32) | (words * (rounds - 1))),
           "a load sees the last stores to its bytes");
    const std::vector<Store> third = pending.take(begin + 12, 4);
    expect(third.size() == rounds, "all stores to a word are taken");
    for (std::uint32_t k = 0; k < third.size(); ++k) expect(third[k].value == k * words + 3, "in their order");
    std::uint64_t last[words] = {}, taken = 0;
    bool in_order = true, any_is_late = false;
    for (; pending.size() > words; ++taken) {
        const Store store = pending.take_any();
        std::uint64_t& before = last[store.value % words];
        in_order &= store.value >= before;
        before = store.value;
        any_is_late |= store.value < taken;
    }
    expect(in_order, "stores to a word stay in order");
    expect(any_is_late, "others do not");
    expect(pending.take_all().size() == words && pending.empty(), "the rest is taken together");
}

bool is_nan(std::uint64_t bits, Type type) {
    if (!type.is_float()) return false;
    float narrow = 0;
    double wide = 0;
    std::memcpy(&narrow, &bits, sizeof narrow);
    std::memcpy(&wide, &bits, sizeof wide);
    return type.bytes == 4 ? std::isnan(narrow) : std::isnan(wide);
}

/// Compares what the two leave in registers.
bool same_in(Lanes lanes, const Instruction& in, Compute own, const std::uint64_t (&registers)[4 * warp_threads]) {
    std::uint64_t expected[4 * warp_threads], actual[4 * warp_threads];
    std::copy(std::begin(registers), std::end(registers), expected);
    std::copy(std::begin(registers), std::end(registers), actual);
    compute(in, expected, lanes);
    own(in, actual, lanes);
    for (std::uint32_t k = 0; k < 4 * warp_threads; ++k) {
        if (expected[k] == actual[k] || (is_nan(expected[k], in.type) && is_nan(actual[k], in.type))) continue;
        std::printf("op %d of %c%d, lanes %x: %llx, not %llx\n", static_cast<int>(in.op), in.type.kind, in.type.bytes, lanes,
                    static_cast<unsigned long long>(actual[k]), static_cast<unsigned long long>(expected[k]));
        ++failures;
        return false;
    }
    return true;
}

/// Compares the function of an instruction with the one for all instructions. Returns whether they are two.
bool same(Instruction in) {
    constexpr std::uint64_t values[] = {0,
                                        1,
                                        2,
                                        31,
                                        32,
                                        33,
                                        63,
                                        64,
                                        0x7fffffff,
                                        0x80000000,
                                        0xffffffff,
                                        0x3f800000,
                                        0x7f800000,
                                        0x7fc00000,
                                        0xff800001,
                                        0x00000001,
                                        0x7fffffffffffffff,
                                        0x8000000000000000,
                                        0xffffffffffffffff,
                                        0x3ff0000000000000,
                                        0x7ff8000000000000};
    in.operand = {0, 1, in.op == Op::mul ? 3u : 2u, 3};
    in.results = 1;
    in.operands = 3;
    const Compute own = compute_of(in);
    if (own == compute) return false;
    for (std::uint64_t a : values)
        for (std::uint64_t b : values) {
            std::uint64_t expected[4 * warp_threads] = {};
            const unsigned bits = in.type.bits();
            for (std::uint32_t lane = 0; lane < warp_threads; ++lane) {
                const std::uint64_t c = values[lane % std::size(values)];
                column(expected, 0)[lane] = low(a, bits);
                column(expected, 1)[lane] = low(b, bits);
                column(expected, 2)[lane] = in.op == Op::selp ? c & 1 : c;
            }
            for (Lanes lanes : {all_lanes, Lanes{1} << 7, Lanes{0x0ff01234}})
                if (!same_in(lanes, in, own, expected)) return true;
        }
    return true;
}

void instructions_with_functions_of_their_own() {
    int number = 0;
    auto vary = [&](Op op, char kind, std::uint8_t bytes) {
        Instruction in;
        in.op = op;
        in.type = {kind, bytes};
        if (op == Op::setp) {
            for (int c = 0; c <= static_cast<int>(Compare::geu); ++c) {
                in.compare = static_cast<Compare>(c);
                if (kind == 'f' || in.compare <= Compare::ge) number += same(in);
            }
            return;
        }
        number += same(in);
        if (kind == 'f' || (op != Op::mul && op != Op::mad)) return;
        in.wide = true;
        number += same(in);
        in.wide = false;
        in.high = true;
        number += same(in);
    };
    for (std::uint8_t bytes : {2, 4, 8}) {
        for (Op op : {Op::add, Op::sub, Op::mul, Op::fma, Op::setp, Op::mov, Op::selp}) vary(op, 'f', bytes);
        for (char kind : {'b', 'u', 's'})
            for (Op op : {Op::add, Op::sub, Op::mul, Op::mad, Op::and_, Op::or_, Op::xor_, Op::shl, Op::shr, Op::setp,
                          Op::mov, Op::selp})
                vary(op, kind, bytes);
    }
    for (char to : {'u', 's', 'b'})
        for (char from : {'u', 's', 'b'})
            for (std::uint8_t bytes : {4, 8}) {
                Instruction in;
                in.op = Op::cvt;
                in.type = {to, bytes};
                in.from = {from, static_cast<std::uint8_t>(12 - bytes)};
                number += same(in);
            }
    expect(number > 100, "the most frequent instructions have functions of their own");
}

/// The lane and the word of it that has an element of a factor or of the sums, and which half of the word it is.
struct Place {
    std::size_t lane, word, half;
};
Place in_left(std::size_t row, std::size_t k) { return {row % 8 * 4 + k % 8 / 2, row / 8 + k / 8 * 2, k % 2}; }
Place in_right(std::size_t k, std::size_t column) { return {column * 4 + k % 8 / 2, k / 8, k % 2}; }
Place in_sums(std::size_t row, std::size_t column) { return {row % 8 * 4 + column / 2, row / 8 * 2 + column % 2, 0}; }

/// The same of TF32, where a word has one number.
Place in_left_tf32(std::size_t row, std::size_t k) { return {row % 8 * 4 + k % 4, row / 8 + k / 4 * 2, 0}; }
Place in_right_tf32(std::size_t k, std::size_t column) { return {column * 4 + k % 4, k / 4, 0}; }

/// Factors are small integers, whose patterns as halves are these; sums are exact in any order.
void products_of_tiles(bool tf32) {
    constexpr std::uint64_t halves[] = {0xc200, 0xc000, 0xbc00, 0, 0x3c00, 0x4000, 0x4200, 0x3800};  // -3 to 3, and 1/2
    constexpr float values[] = {-3, -2, -1, 0, 1, 2, 3, 0.5f};
    constexpr std::size_t rows = 16, columns = 8, registers_used = 14;
    const std::size_t steps = tf32 ? 8 : 16;
    Instruction in;
    in.op = Op::mma;
    in.from = {'f', static_cast<std::uint8_t>(tf32 ? 4 : 2)};
    for (Register k = 0; k < in.operand.size(); ++k) in.operand[k] = k;
    for (Register k = 0; k < in.result.size(); ++k) in.result[k] = static_cast<Register>(in.operand.size()) + k;
    std::uint64_t registers[registers_used * warp_threads] = {};
    auto left = [](std::size_t row, std::size_t k) { return (row * 5 + k * 3 + row * k) % 8; };
    auto right = [](std::size_t k, std::size_t column) { return (k * 7 + column * 2 + k / 3 * column) % 8; };
    auto put = [&](std::size_t first, Place p, std::size_t number) {
        const std::uint64_t bits = tf32 ? std::bit_cast<std::uint32_t>(values[number]) : halves[number];
        column(registers, static_cast<std::uint32_t>(first + p.word))[p.lane] |= bits << 16 * p.half;
    };
    for (std::size_t k = 0; k < steps; ++k) {
        for (std::size_t row = 0; row < rows; ++row) put(0, tf32 ? in_left_tf32(row, k) : in_left(row, k), left(row, k));
        for (std::size_t c = 0; c < columns; ++c) put(4, tf32 ? in_right_tf32(k, c) : in_right(k, c), right(k, c));
    }
    for (std::uint32_t n = 6; n < 10; ++n)
        for (std::size_t lane = 0; lane < warp_threads; ++lane)
            column(registers, n)[lane] = std::bit_cast<std::uint32_t>(100.f);
    multiply_add(in, registers);
    bool are_right = true;
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t c = 0; c < columns; ++c) {
            float expected = 100;
            for (std::size_t k = 0; k < steps; ++k) expected += values[left(row, k)] * values[right(k, c)];
            const Place p = in_sums(row, c);
            const std::uint64_t found = column(registers, static_cast<std::uint32_t>(10 + p.word))[p.lane];
            are_right &= found == std::bit_cast<std::uint32_t>(expected);
        }
    expect(are_right, tf32 ? "a warp multiplies tiles of TF32" : "a warp multiplies tiles");
}

/// To nearest, away from zero between two; beyond the greatest there is infinity.
void numbers_of_tf32() {
    constexpr std::uint64_t pairs[][2] = {{0x3f800000, 0x3f800000}, {0x3f800fff, 0x3f800000}, {0x3f801000, 0x3f802000},
                                          {0xbf801000, 0xbf802000}, {0x3fffffff, 0x40000000}, {0x00000fff, 0},
                                          {0x80001000, 0x80002000}, {0x7f7fffff, 0x7f800000}, {0xff800000, 0xff800000}};
    bool are_right = true;
    for (const auto& [bits, rounded] : pairs) are_right &= to_tf32(bits) == rounded;
    for (const std::uint64_t nan : {0x7f800001u, 0xffffffffu}) are_right &= (to_tf32(nan) & 0x7fffffff) > 0x7f800000;
    expect(are_right, "floats are rounded to TF32");
}

}  // namespace

int main() {
    parts_of_a_word();
    words_before_and_after_parts();
    launches();
    relaxed_accesses();
    pending_stores();
    instructions_with_functions_of_their_own();
    for (const bool tf32 : {false, true}) products_of_tiles(tf32);
    numbers_of_tf32();
    return failures == 0 ? 0 : 1;
}
