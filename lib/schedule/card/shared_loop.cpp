// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/card/shared_loop.hpp"

#include <algorithm>

namespace sinter::schedule::card {

using ir::Op;

namespace {

/// True if the block is nothing but arithmetic, loads and stores, and not much of it.
bool is_straight(const lower::Block& block) {
    for (const lower::Inst& inst : block.insts)
        if (!inst.blocks.empty() || inst.op == Op::check_index || inst.op == Op::check_divisor || inst.op == Op::expect)
            return false;
    return block.insts.size() < tuning::most_straight_instructions;
}

std::int64_t instructions(const lower::Block& block) {
    auto count = static_cast<std::int64_t>(block.insts.size());
    for (const lower::Inst& inst : block.insts)
        for (const lower::Block& inner : inst.blocks) count += instructions(inner);
    return count;
}

std::int64_t register_bytes(lower::Scalar type) {
    return std::max<std::int64_t>(tuning::register_bytes, detail::size_of(type));
}

/// The number of bytes that a thread keeps per element.
std::int64_t bytes_of(const lower::Kernel& kernel, const lower::Inst& loop) {
    std::int64_t bytes = 0;
    if (loop.op == Op::scan)
        for (lower::Scalar type : loop.types) bytes += register_bytes(type);
    for (std::size_t k = 1; loop.op == Op::compact && k < loop.blocks[0].results.size(); ++k)
        bytes += register_bytes(kernel.buffers[loop.bits + k - 1].scalar);
    return bytes;
}

TileShape tile_shape(const lower::Kernel& kernel, const lower::Inst& loop, bool chunked) {
    TileShape shape;
    std::int64_t work = 1;
    for (const lower::Block& block : loop.blocks) work += instructions(block);
    shape.straight = is_straight(loop.blocks[0]) && (loop.op != Op::scan || is_straight(loop.blocks[2]));
    if (shape.straight || (chunked && work * tuning::group_elements <= tuning::most_tile_instructions))
        shape.group = tuning::group_elements;
    if (!chunked || !shape.straight) return shape;
    const std::int64_t most = tuning::tile_thread_bytes / std::max(tuning::register_bytes, bytes_of(kernel, loop));
    while (shape.elements() < most && 2 * shape.elements() * work <= tuning::most_tile_instructions) shape.rows *= 2;
    return shape;
}

Order order_of(const Facts::Loop& loop) {
    if (loop.inst->op == Op::reduce && !loop.commutative) return Order::kept;
    return is_straight(loop.inst->blocks[0]) ? Order::by_groups : Order::by_elements;
}

}  // namespace

SharedLoop share(const lower::Kernel& kernel, const Facts::Loop& loop, bool chunked) {
    const bool has_tiles = loop.inst->op == Op::scan || loop.inst->op == Op::compact;
    return {loop.inst, order_of(loop), has_tiles ? tile_shape(kernel, *loop.inst, chunked) : TileShape()};
}

}  // namespace sinter::schedule::card
