// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Scans: a team scans tile after tile. A line of many tiles is scanned by many teams, one tile each, in one pass: each
/// learns from the tiles before it what comes before its own.
#pragma once

#include "jit/gpu/emit/team/tiles.hpp"
#include "jit/gpu/emit/update/operator.hpp"

namespace sinter::gpu {

class TeamScan {
  public:
    TeamScan(Point& point, const Inst& inst);
    Values emit();

  private:
    Few merge(const Few& a, const Few& b) { return op_.merge(a, b); }
    Few scan(const Tiles::Tile& tile, llvm::function_ref<Few(const Few& total)> before);
    void show(llvm::Value* i, const Values& prefix);

    Point& point_;
    const Inst& inst_;
    Elements elements_;
    Tiles tiles_;
    Operator op_;
};

}  // namespace sinter::gpu
