// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/tile_shape.hpp"

#include <algorithm>

namespace sinter::gpu {

using ir::Op;

namespace {

constexpr std::int64_t group_elements = 4;  ///< 16 bytes of most types
constexpr std::int64_t most_copies = 240;   ///< of the instructions of an element, in a thread

std::int64_t instructions(const lower::Block& block) {
    auto count = static_cast<std::int64_t>(block.insts.size());
    for (const lower::Inst& inst : block.insts)
        for (const lower::Block& inner : inst.blocks) count += instructions(inner);
    return count;
}

/// Of what a thread keeps of an element.
std::int64_t bytes_of(const lower::Kernel& kernel, const lower::Inst& loop) {
    std::int64_t bytes = 0;
    if (loop.op == Op::scan)
        for (lower::Scalar type : loop.types) bytes += std::max(4, detail::size_of(type));
    for (std::size_t k = 1; loop.op == Op::compact && k < loop.blocks[0].results.size(); ++k)
        bytes += std::max(4, detail::size_of(kernel.buffers[loop.bits + k - 1].scalar));
    return bytes;
}

}  // namespace

bool is_straight(const lower::Block& block) {
    for (const lower::Inst& inst : block.insts)
        if (!inst.blocks.empty() || inst.op == Op::check_index || inst.op == Op::check_divisor) return false;
    return block.insts.size() < 100;
}

TileShape tile_shape(const lower::Kernel& kernel, const lower::Inst& loop, bool chunked) {
    TileShape shape;
    std::int64_t work = 1;
    for (const lower::Block& block : loop.blocks) work += instructions(block);
    shape.straight = is_straight(loop.blocks[0]) && (loop.op != Op::scan || is_straight(loop.blocks[2]));
    if (shape.straight || (chunked && work * group_elements <= most_copies)) shape.group = group_elements;
    if (!chunked || !shape.straight) return shape;
    const std::int64_t registers = 64 / std::max<std::int64_t>(4, bytes_of(kernel, loop));
    while (shape.elements() < registers && 2 * shape.elements() * work <= most_copies) shape.rows *= 2;
    return shape;
}

}  // namespace sinter::gpu
