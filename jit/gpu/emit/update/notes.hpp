// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Updates that are first noted, then sorted by destination, and then applied to each destination in order, one after
/// another, as the interpreter does.
#pragma once

#include "jit/emit/emitter.hpp"
#include "jit/gpu/emit/update/operator.hpp"
#include "schedule/card/launch.hpp"

#include <vector>

namespace sinter::gpu {

namespace card = schedule::card;
namespace note_array = card::note_array;
using schedule::CapturedUpdate;

class Notes {
  public:
    static constexpr auto none = static_cast<std::uint32_t>(card::tuning::most_sorted);

    Notes(emit::Code& code, emit::Emitter& emitter, const CapturedUpdate& captured, std::vector<llvm::Value*> arrays,
          llvm::Value* points)
        : c_(code),
          ir(code.ir),
          e_(emitter),
          captured_(captured),
          op_(code, emitter, captured.fold),
          arrays_(std::move(arrays)),
          points_(points) {}

    /// The point has not updated anything yet.
    void begin(llvm::Value* point);
    void update(emit::Emitter& emitter, const lower::Inst& inst, llvm::Value* point);
    /// Applies all updates of a destination, if the first of them is at `place` in their order.
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
    const CapturedUpdate& captured_;
    Operator op_;
    std::vector<llvm::Value*> arrays_;
    llvm::Value* points_;
};

}  // namespace sinter::gpu
