// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/index/fix_sizes.hpp"

#include "ir/walk.hpp"
#include "lower/verify.hpp"

#include <cstddef>

namespace sinter::lower {

namespace {

using ir::Op;
using ir::Size;

bool is_leaf(const Size& size) {
    return size.kind == Size::Kind::input_extent || size.kind == Size::Kind::argument || size.kind == Size::Kind::value;
}

void mark(const ir::SizeTable& table, SizeId id, std::vector<bool>& used) {
    if (used[id.index]) return;
    used[id.index] = true;
    const Size& size = table[id];
    if (is_leaf(size) || size.kind == Size::Kind::constant) return;
    mark(table, size.left, used);
    mark(table, size.right, used);
}

}  // namespace

Kernel fix_sizes(Kernel kernel, const std::vector<SizeId>& fixed, const std::int64_t* sizes) {
    std::vector<bool> known(kernel.sizes.count(), false);
    for (SizeId id : fixed) known[id.index] = true;
    for (std::size_t k = 0; k < known.size(); ++k) {  // operands come first
        const Size& size = kernel.sizes[SizeId(k)];
        if (size.kind == Size::Kind::constant)
            known[k] = true;
        else if (!is_leaf(size))
            known[k] = known[size.left.index] && known[size.right.index];
    }
    ir::for_each_inst(kernel.body, [&](Inst& inst) {
        if (inst.op != Op::size || !known[inst.bits]) return;
        inst.op = Op::constant;
        inst.bits = static_cast<std::uint64_t>(sizes[inst.bits]);
    });
    verify(kernel);
    return kernel;
}

std::vector<SizeId> sizes_used(const Kernel& kernel) {
    std::vector<bool> used(kernel.sizes.count(), false);
    ir::for_each_inst(kernel.body, [&](const Inst& inst) {
        if (inst.op == Op::size) mark(kernel.sizes, SizeId(inst.bits), used);
    });
    std::vector<SizeId> result;
    for (std::size_t k = 0; k < used.size(); ++k)
        if (used[k] && is_leaf(kernel.sizes[SizeId(k)])) result.emplace_back(k);
    return result;
}

}  // namespace sinter::lower
