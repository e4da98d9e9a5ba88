// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Writes the instructions of a kernel one after another, with the blocks that they contain, and keeps account of levels.
#pragma once

#include "ir/builder.hpp"
#include "lower/kernel.hpp"

#include <limits>
#include <vector>

namespace sinter::lower {

/// The values that an i64 may have.
struct Range {
    std::int64_t least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();

    bool contains(const Range& other) const { return least <= other.least && other.most <= most; }
};

/// Nothing if a result may not fit in an i64.
std::optional<Range> range_of(ir::Op op, const Range& a, const Range& b);

class BlockWriter {
  public:
    BlockWriter() { builder_.open({}); }

    /// Begins a block inside of the current one and returns its parameters.
    std::vector<Local> open(const std::vector<Scalar>& params);
    /// Ends it, and returns it for the instruction that is appended next. The outermost block is closed last.
    Block close(std::vector<Local> results);

    /// Returns the first result.
    Local append(Inst inst);
    /// An operation on i64.
    Local append(ir::Op op, Local left, Local right);
    Local index(std::int64_t value);

    /// Of an i64. Ranges of arithmetic follow from those of the operands, and of casts from their types.
    const Range& range(Local local) const { return ranges_[local.index]; }
    void set_range(Local local, Range range) { ranges_[local.index] = range; }

  private:
    Range range_of_result(const Inst& inst) const;

    ir::BlockBuilder builder_{false};  // loads are not shared: stores may lie between them
    std::vector<Range> ranges_;        ///< by local in scope
};

}  // namespace sinter::lower
