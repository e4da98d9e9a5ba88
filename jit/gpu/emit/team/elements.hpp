// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The elements of a loop that a team shares, and the choice of those that each thread executes.
#pragma once

#include "jit/gpu/emit/point.hpp"

namespace sinter::gpu {

/// The indices [lo, hi) of a loop's elements, in row-major order.
struct Range {
    llvm::Value *lo, *hi;
};

class Elements {
  public:
    using Body = llvm::function_ref<void(llvm::Value* index)>;

    Elements(Point& point, const Inst& loop);

    Range all();
    /// The elements that this kernel executes.
    Range own();
    /// The results of the first block for element number `flat`.
    Values operator()(llvm::Value* flat);
    /// The results of a block of the loop, for element number `flat`.
    Values execute(const lower::Block& block, const Values& parameters, llvm::Value* flat);

    /// Executes body(i) for this thread's elements of the range.
    void each(Range range, card::Order order, Few& carried, Body body);

  private:
    void strided(Range range, bool grouped, Few& carried, Body body);
    void consecutive(Range range, Few& carried, Body body);
    llvm::Value* extent(std::size_t axis) { return point_.emitter.scope.operand(loop_, axis).scalars[0]; }

    Point& point_;
    emit::Code& c_;
    llvm::IRBuilder<>& ir;
    const Inst& loop_;
    std::size_t rank_;
};

}  // namespace sinter::gpu
