// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The values of a program's symbolic sizes in one execution.
#pragma once

#include "ir/sizes/size_arithmetic.hpp"
#include "run/execute/execute.hpp"
#include "support/stack_array.hpp"

#include <vector>

namespace sinter::runtime {

/// Sizes that are known before anything runs are computed once; those that depend on computed values, on demand.
class SizeValues {
  public:
    SizeValues(const Plan& plan, const Call& call);

    /// `read` gives the value of a rank-0 i64 variable.
    template <class Read>
    std::int64_t value(ir::SizeId id, Read&& read) const {
        if (!plan_.dynamic[id.index]) return statics_[id.index];
        const ir::Size& size = plan_.program.sizes[id];
        if (size.kind == ir::Size::Kind::value) return read(ir::ValueId(static_cast<std::size_t>(size.index)));
        if (plan_.large[id.index]) return value_of_all(id, read);
        return ir::apply(size.kind, value(size.left, read), value(size.right, read));
    }
    /// By size; the values of dynamic sizes are meaningless.
    std::span<const std::int64_t> statics() const { return statics_; }

  private:
    /// Evaluates each of the parts that `id` needs once, in the table's order.
    template <class Read>
    std::int64_t value_of_all(ir::SizeId id, Read&& read) const {
        const ir::SizeTable& sizes = plan_.program.sizes;
        std::vector<bool> needed(std::size_t{id.index} + 1);
        std::vector<std::int64_t> values(needed.size());
        needed[id.index] = true;
        for (std::size_t k = needed.size(); k-- > 0;)
            if (const ir::Size& size = sizes[ir::SizeId(k)]; needed[k] && plan_.dynamic[k] && size.left.valid())
                needed[size.left.index] = needed[size.right.index] = true;
        for (std::size_t k = 0; k < needed.size(); ++k) {
            const ir::Size& size = sizes[ir::SizeId(k)];
            if (!needed[k]) continue;
            const bool compound = plan_.dynamic[k] && size.left.valid();
            values[k] = compound ? ir::apply(size.kind, values[size.left.index], values[size.right.index])
                                 : value(ir::SizeId(k), read);
        }
        return values[id.index];
    }

    const Plan& plan_;
    StackArray<std::int64_t, 16> statics_;
};

/// Evaluates all entries of a kernel's size table, whose only symbols are its arguments, into `values`.
void evaluate_kernel_sizes(const ir::SizeTable& sizes, std::span<const std::int64_t> arguments,
                           std::span<std::int64_t> values);

/// True if a kernel may be launched with these sizes: generated code assumes that they are below 2^47. A kernel without
/// points may be launched with any sizes.
bool are_small(const lower::Kernel& kernel, std::span<const std::int64_t> sizes);

}  // namespace sinter::runtime
