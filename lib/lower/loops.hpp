// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The loops of kernels, and the meaning of their `bits` (lower/kernel.hpp).
#pragma once

#include "lower/kernel.hpp"

namespace sinter::lower {

/// True if the operation executes blocks for the points of an index range: reduce, for_each, scan, compact.
inline bool is_loop(ir::Op op) { return ir::info(op).traits == ir::Traits::loop; }

/// The number of axes of a loop, whose extents are its first operands.
inline std::size_t loop_rank(const Inst& loop) {
    return loop.op == ir::Op::compact ? 1 : static_cast<std::size_t>(loop.bits & 0xff);
}

/// For a reduce: true if its operator is marked as commutative.
inline bool is_commutative(const Inst& reduce) { return (reduce.bits >> 8 & 1) != 0; }

/// For a scan: true if prefix i ends before element i.
inline bool is_exclusive(const Inst& scan) { return (scan.bits >> 8 & 1) != 0; }

constexpr std::uint64_t reduce_bits(std::size_t rank, bool commutative) { return rank | std::uint64_t{commutative} << 8; }
constexpr std::uint64_t scan_bits(bool exclusive) { return 1 | std::uint64_t{exclusive} << 8; }

}  // namespace sinter::lower
