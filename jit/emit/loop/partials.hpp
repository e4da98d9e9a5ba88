// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The partial results of a chunked reduce or scan: one array per reduced value, [chunk][point]. For a scan these are
/// followed by what comes before each chunk, and after the last.
#pragma once

#include "jit/emit/emitter.hpp"

namespace sinter::emit {

class Partials {
  public:
    /// `first`: the position of the first of its arrays in Arguments::partials.
    Partials(Emitter& emitter, const Inst& inst, std::size_t first = 0)
        : e_(emitter), c_(emitter.code), ir(emitter.code.ir), inst_(inst), first_(first) {}

    /// The tile's Start.
    llvm::Value* start() { return e_.fields.tile(offsetof(Tile, start)); }
    /// True if the tile completes its points.
    llvm::Value* completes() { return ir.CreateICmpEQ(start(), c_.i64(static_cast<std::int64_t>(Start::init))); }
    /// The partial results of `chunk` for the point being emitted.
    Values load(llvm::Value* chunk);
    void store(llvm::Value* chunk, const Values& values);
    /// Unless the tile completes its points, stores the values as its partial results and leaves the point.
    void store_and_leave(const Values& values);

  private:
    Value offset(llvm::Value* chunk);
    llvm::Value* pointer(std::size_t k, llvm::Value* offset);

    Emitter& e_;
    Code& c_;
    llvm::IRBuilder<>& ir;
    const Inst& inst_;
    std::size_t first_;
};

}  // namespace sinter::emit
