// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The values of a program's symbolic sizes in one execution.
#pragma once

#include "run/execute.hpp"
#include "support/stack_array.hpp"

namespace sinter::runtime {

/// Sizes known before anything runs are computed once; those that depend on computed values on demand.
class SizeValues {
  public:
    SizeValues(const Plan& plan, const Call& call);

    /// `read` gives the value of a rank-0 i64 variable.
    template <class Read>
    std::int64_t value(ir::SizeId id, Read&& read) const {
        if (!plan_.dynamic[id.index]) return statics_[id.index];
        const ir::Size& size = plan_.program.sizes[id];
        if (size.kind == ir::Size::Kind::value) return read(ir::ValueId(static_cast<std::size_t>(size.index)));
        return apply(size, value(size.left, read), value(size.right, read));
    }
    /// By size; those of dynamic sizes are meaningless.
    std::span<const std::int64_t> statics() const { return statics_; }

    /// A compound size of these operands.
    static std::int64_t apply(const ir::Size& size, std::int64_t left, std::int64_t right);

  private:
    const Plan& plan_;
    StackArray<std::int64_t, 16> statics_;
};

/// All entries of a kernel's size table, whose only symbols are its arguments, into `values`.
void evaluate_kernel_sizes(const ir::SizeTable& sizes, std::span<const std::int64_t> arguments,
                           std::span<std::int64_t> values);

}  // namespace sinter::runtime
