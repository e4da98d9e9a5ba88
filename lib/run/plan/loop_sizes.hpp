// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The sizes of a loop kernel: those that are known before the loop begins are in its table; the others are computed by
/// instructions, in the body that asks for them first.
#pragma once

#include "lower/compose/append_kernel.hpp"
#include "run/plan/loop_kernel.hpp"

#include <map>
#include <optional>
#include <vector>

namespace sinter::runtime {

/// Thrown where a loop cannot be one kernel.
struct Impossible {};

/// The variables of a body of a loop kernel: a local, or the buffer of the kernel that has the array.
struct LoopScope {
    LoopScope* parent;  ///< null around the loop
    std::size_t base;
    std::vector<lower::Place> variables;
    std::map<ir::SizeId, ir::Local> sizes = {};  ///< that have been computed in this body

    lower::Place& find(ir::ValueId id);
};

/// The local that a place is; `Impossible` for an array.
ir::Local local_at(const lower::Place& place);

class LoopSizes {
  public:
    /// Adds to the table of `kernel`, and to the sizes of the result's step.
    LoopSizes(const ir::Program& program, const LoopStep& loop, LoopKernel& result, lower::Kernel& kernel,
              lower::BlockWriter& to);

    /// The largest value of a number that is known before the loop begins.
    std::int64_t most_of_number(ir::ValueId id) const;
    bool is_known(ir::SizeId id) const { return result_.is_known(id); }
    /// The number of elements, in the kernel's table.
    ir::SizeId elements(const ir::Type& type);
    /// A number that is known before the loop and never less than the number of elements, in the kernel's table.
    ir::SizeId most_elements(const ir::Type& type, LoopScope& scope);
    /// The counter of a loop goes up to `count` - 1.
    void count(ir::ValueId counter, ir::ValueId count) { counts_[counter] = count; }
    /// The loop ends: what follows it has variables of the same names.
    void forget(ir::ValueId counter) { counts_.erase(counter); }
    ir::Local size(ir::SizeId id, LoopScope& scope);
    ir::Local compute(ir::Size::Kind kind, ir::Local left, ir::Local right);

    // Of a kernel that becomes a part of this one.

    /// Whether sizes of the part are computed in the loop. Its folds must not be so long that a launch would cut them.
    bool varies(const KernelStep& step) const;
    /// An entry of the part's table, in this kernel's.
    ir::SizeId known_entry(const KernelStep& step, ir::SizeId id);
    /// Those that the part needs, by position in its table.
    std::vector<std::optional<ir::Local>> of_part(const KernelStep& step, LoopScope& scope);

  private:
    void find_known(const LoopStep& loop);
    ir::SizeId known(ir::SizeId id);
    std::optional<ir::SizeId> most(ir::SizeId id, LoopScope& scope);
    std::optional<ir::SizeId> least(ir::SizeId id, LoopScope& scope);
    std::optional<ir::SizeId> most_of(ir::ValueId value);
    std::optional<ir::SizeId> size_of(ir::ValueId number) const;
    bool is_negative(ir::SizeId id, LoopScope& scope);
    ir::Local entry(ir::SizeId id);
    ir::Local new_size(ir::SizeId id, LoopScope& scope);
    bool is_known_entry(const KernelStep& step, ir::SizeId id) const;

    const ir::Program& program_;
    LoopKernel& result_;
    lower::Kernel& kernel_;
    lower::BlockWriter& to_;
    std::map<ir::ValueId, ir::ValueId> counts_;  ///< by counter, of the loops around
};

}  // namespace sinter::runtime
