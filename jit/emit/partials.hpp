// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Partial results of a chunked reduce: one array a reduced value, [chunk][point].
#pragma once

#include "jit/emit/emitter.hpp"

namespace sinter::emit {

class Partials {
  public:
    Partials(Emitter& emitter, const Inst& inst) : e_(emitter), c_(emitter.code_), ir(emitter.ir), inst_(inst) {}

    /// The tile's Start.
    llvm::Value* start() { return e_.tile(offsetof(Tile, start)); }
    /// Whether the tile completes its points.
    llvm::Value* completes() { return ir.CreateICmpEQ(start(), c_.i64(static_cast<std::int64_t>(Start::init))); }
    /// Those of `chunk` for the point being emitted.
    Values load(llvm::Value* chunk);
    /// Unless the tile completes its points: stores the values as its partial results and leaves the point.
    void store_and_leave(const Values& values);

  private:
    Value offset(llvm::Value* chunk);
    llvm::Value* pointer(std::size_t k, llvm::Value* offset);

    Emitter& e_;
    Code& c_;
    llvm::IRBuilder<>& ir;
    const Inst& inst_;
};

}  // namespace sinter::emit
