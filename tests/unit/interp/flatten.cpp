// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two axes counted as one: the same stores, at every point.
#include "lower/index/flatten.hpp"

#include "interp/kernel.hpp"
#include "tests/unit/lower/kernel_of.hpp"

#include <cstdint>
#include <vector>

using namespace sinter;

namespace {

constexpr const char* outer_sum = R"(arguments 2
%0 : i64[a0] = input
%1 : i64[a1] = input
%2 : i64[a0, a1] = broadcast [0] %0
%3 : i64[a0, a1] = broadcast [1] %1
%4 : i64[a0, a1] = map (%2, %3) {x0: i64, x1: i64 -> x2: i64 = constant 100; x3 = mul x0 x2; x4 = add x3 x1; x4}
return %4
)";

constexpr const char* rank_three = R"(arguments 3
%0 : i64[a0, a1, a2] = input
%1 : i64[a2] = input
%2 : i64[a0, a1, a2] = slice [0:1, (a1 - 1):-1, 0:1] %0
%3 : i64[a0, a1, a2] = broadcast [2] %1
%4 : i64[a0, a1, a2] = map (%0, %2, %3) {x0: i64, x1: i64, x2: i64 -> x3: i64 = constant 7; x4 = mul x0 x3; x5 = sub x4 x1; x6 = mul x5 x2; x6}
return %4
)";

constexpr const char* product = R"(arguments 3
%0 : i64[a0, a1] = input
%1 : i64[a1, a2] = input
%2 : i64[a0, a2, a1] = broadcast [0, 2] %0
%3 : i64[a2, a1] = transpose [1, 0] %1
%4 : i64[a0, a2, a1] = broadcast [1, 2] %3
%5 : i64[a0, a2, a1] = map (%2, %4) {x0: i64, x1: i64 -> x2 = mul x0 x1; x2}
%6 : i64 = map () {-> x0: i64 = constant 0; x0}
%7 : i64[a0, a2] = fold [2] (%5) from (%6) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
return %7
)";

/// What a kernel of integers stores, its only output, for these arguments of the cluster.
std::vector<std::int64_t> stored(const lower::Kernel& kernel, const std::vector<std::int64_t>& arguments) {
    std::vector<std::int64_t> sizes;
    for (std::size_t k = 0; k < kernel.sizes.count(); ++k) {
        const ir::Size& size = kernel.sizes[ir::SizeId(k)];
        auto part = [&](ir::SizeId id) { return sizes[id.index]; };
        switch (size.kind) {
            case ir::Size::Kind::argument:
                sizes.push_back(arguments[static_cast<std::size_t>(size.index)]);
                break;
            case ir::Size::Kind::constant:
                sizes.push_back(size.index);
                break;
            case ir::Size::Kind::add:
                sizes.push_back(part(size.left) + part(size.right));
                break;
            case ir::Size::Kind::sub:
                sizes.push_back(part(size.left) - part(size.right));
                break;
            case ir::Size::Kind::mul:
                sizes.push_back(part(size.left) * part(size.right));
                break;
            default:
                FAIL("another kind of size");
        }
    }
    std::vector<std::vector<std::int64_t>> memory;
    std::vector<void*> buffers;
    for (const lower::Buffer& buffer : kernel.buffers) {
        std::vector<std::int64_t> values(static_cast<std::size_t>(sizes[buffer.elements.index]));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = buffer.output ? -1 : static_cast<std::int64_t>(3 * i * i + 11 * i + memory.size()) % 97;
        memory.push_back(std::move(values));
    }
    for (auto& values : memory) buffers.push_back(values.data());
    REQUIRE(!interp::interpret(kernel, buffers, sizes));
    return memory.back();
}

void check_same(const char* cluster, std::vector<std::int64_t> arguments) {
    const lower::Kernel kernel = test::kernel_of(cluster);
    const lower::Kernel flat = lower::flatten(kernel);
    CHECK(flat.space.size() + 1 == kernel.space.size());
    CHECK(flat.sizes.count() <= kernel.sizes.count() + 1);
    CHECK(stored(flat, arguments) == stored(kernel, arguments));
}

std::size_t count(const lower::Kernel& kernel, ir::Op op) {
    std::size_t found = 0;
    for (const lower::Inst& inst : kernel.body.insts) found += inst.op == op;
    return found;
}

}  // namespace

TEST_CASE("a flattened kernel stores the same") {
    for (std::int64_t columns : {1, 2, 3, 8, 13})
        for (std::int64_t rows : {1, 2, 7}) {
            check_same(outer_sum, {rows, columns});
            check_same(rank_three, {rows, columns, 3});
            check_same(rank_three, {2, rows, columns});
            for (std::int64_t inner : {0, 1, 5}) check_same(product, {rows, inner, columns});
        }
}

TEST_CASE("row-major positions in the flattened axes are the new index") {
    const lower::Kernel flat = lower::flatten(test::kernel_of(outer_sum));
    const lower::Inst& store = flat.body.insts.back();
    REQUIRE(store.op == ir::Op::store);
    CHECK(store.operands[0] == lower::Local(0));
    CHECK(count(flat, ir::Op::div) == 1);
    CHECK(count(flat, ir::Op::rem) == 1);
}
