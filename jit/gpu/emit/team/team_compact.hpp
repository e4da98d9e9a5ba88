// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Compaction: a team finds the positions of a tile's elements by counting those kept before each. If there are many tiles,
/// each learns from those before it how many they keep.
#pragma once

#include "jit/gpu/emit/team/tiles.hpp"

namespace sinter::gpu {

class TeamCompact {
  public:
    TeamCompact(Point& point, const Inst& inst);
    Values emit();

  private:
    Few add(const Few& a, const Few& b) { return {ir.CreateAdd(a[0], b[0])}; }
    Few compact(const Tiles::Tile& tile, llvm::function_ref<Few(const Few& total)> before);
    void move(llvm::Value* bit, const Few& values, llvm::Value* at);
    Few kept(llvm::Value* index);
    Few dropped();

    Point& point_;
    llvm::IRBuilder<>& ir;
    const Inst& inst_;
    Elements elements_;
    Tiles tiles_;
};

}  // namespace sinter::gpu
