// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Launches kernels of a plan on the variables of a frame, and finds memory for what they write.
#pragma once

#include "run/execute/context.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace sinter::runtime {

using Numbers = StackArray<std::int64_t, 16>;

class Launcher {
  public:
    explicit Launcher(const Context& context) : context_(context) {}

    /// Launches the kernel of a step. `dying`: variables of the frame that nothing reads after the step.
    void launch(const KernelStep& step, const std::vector<ValueId>& dying, const BodyPlan& plan, Frame& frame) const;

  private:
    void place_buffers(const KernelStep& step, const std::vector<ValueId>& dying, const BodyPlan& plan, Frame& frame,
                       const Numbers& sizes, StackArray<void*, 16>& buffers) const;
    /// `room`: the number of elements, if the extents are results of the kernel itself.
    void* allocate_variable(ValueId id, const BodyPlan& plan, std::int64_t room, Frame& frame, const KernelStep& step) const;
    /// Takes the memory of the destination if nothing else can see it any more, else copies it.
    void* updated_variable(ValueId id, std::size_t input, const KernelStep& step, const std::vector<ValueId>& dying,
                           const BodyPlan& plan, Frame& frame) const;

    const Context& context_;
};

/// True if a shape has a negative extent or too many elements. `extent_of` gives the value of a size.
template <class F>
bool is_bad_shape(const std::vector<SizeId>& shape, F extent_of) {
    bool negative = false;
    std::int64_t elements = 1;
    for (SizeId id : shape) {
        const std::int64_t extent = extent_of(id);
        negative = negative || extent < 0;
        elements = ir::sizes::mul(elements, extent);
    }
    return negative || ir::is_huge(elements);
}

/// A shape that the step would make with a negative extent or too many elements; null if there is none.
const fuse::Made* find_bad_shape(const Context& context, const KernelStep& step, const Frame& frame);

/// Throws the error of a check that has failed. `size` gives the value of a size that was known before.
[[noreturn]] void throw_failure(const Context& context, const KernelStep& step, const ErrorSlot& error,
                                const std::function<std::int64_t(SizeId)>& size);

/// Whether an extent is a result of the step itself.
bool is_output(const ir::SizeTable& sizes, SizeId id, const KernelStep& step);

/// Whether an output may have the memory of the input that it begins as a copy of, if nobody reads that afterwards.
bool may_overwrite(const KernelStep& step, ValueId dest);
/// Whether it may take that memory, if nobody outside sees that.
bool may_take(const KernelStep& step, ValueId dest, const std::vector<ValueId>& dying);

}  // namespace sinter::runtime
