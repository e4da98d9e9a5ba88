// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Updates that are noted first, then sorted by their destinations, then applied to each destination in order: one after
/// another, as the interpreter does it.
#pragma once

#include "jit/gpu/emit/operator.hpp"
#include "jit/gpu/emit/update.hpp"

#include <vector>

namespace sinter::gpu {

/// Arrays of a launch, an element a point: the destination of its update, or `none`; these in order; the points in that
/// order; the values, an array each.
namespace note_array {
inline constexpr std::size_t destinations = 0, sorted = 1, order = 2, values = 3;
}

class Notes {
  public:
    static constexpr std::uint32_t none = 0xffffffff;

    Notes(emit::Code& code, emit::Emitter& emitter, const Captured& captured, std::vector<llvm::Value*> arrays,
          llvm::Value* points)
        : c_(code),
          ir(code.ir),
          e_(emitter),
          captured_(captured),
          op_(code, emitter, captured.fold),
          arrays_(std::move(arrays)),
          points_(points) {}

    /// The point updates nothing, yet.
    void begin(llvm::Value* point);
    void update(emit::Emitter& emitter, const lower::Inst& inst, llvm::Value* point);
    /// All updates of a destination, if the first of them stands at `place` in their order.
    void apply(llvm::Value* place);

  private:
    llvm::Value* word(std::size_t array, llvm::Value* at) {
        return ir.CreateInBoundsGEP(ir.getInt32Ty(), arrays_[array], at);
    }
    llvm::Value* load_word(std::size_t array, llvm::Value* at) { return ir.CreateLoad(ir.getInt32Ty(), word(array, at)); }
    llvm::Value* value(std::size_t k, llvm::Value* point);
    Values load(llvm::Value* point);

    emit::Code& c_;
    llvm::IRBuilder<>& ir;
    emit::Emitter& e_;
    const Captured& captured_;
    Operator op_;
    std::vector<llvm::Value*> arrays_;
    llvm::Value* points_;
};

}  // namespace sinter::gpu
