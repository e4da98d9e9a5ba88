// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Stores at which threads may meet (schedule/card/scatters.hpp): by relaxed accesses, or by the thread that claims the
/// element.
#pragma once

#include "jit/gpu/emit/point.hpp"

#include <vector>

namespace sinter::gpu {

class Scattered {
  public:
    explicit Scattered(Point& point) : point_(point) {}

    void store(const card::Meeting& meeting);

    std::vector<llvm::Value*> claims;  ///< the arrays with a bit for each element

  private:
    void store_relaxed(const Inst& inst);
    void store_claimed(const card::Meeting& meeting);
    llvm::Value* claim(llvm::Value* bits, llvm::Value* offset);
    Value offset(const Inst& inst) const { return point_.emitter.scope.operand(inst, 0); }

    Point& point_;
    llvm::Value* owns_ = nullptr;  ///< where it is kept whether the thread has claimed its element
};

}  // namespace sinter::gpu
