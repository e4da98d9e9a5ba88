// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A reduce or for_each whose elements the threads of a team share. If a reduce is cut into chunks, one kernel leaves the
/// results of the chunks in arrays, [chunk][point], and another one combines them.
#pragma once

#include "jit/gpu/emit/team/elements.hpp"
#include "jit/gpu/emit/update/operator.hpp"

namespace sinter::gpu {

class TeamReduce {
  public:
    TeamReduce(Point& point, const Inst& inst);
    Values emit();

  private:
    using Element = llvm::function_ref<Values(llvm::Value* index)>;
    Few accumulate(Range range, Element element);
    llvm::Value* partial(std::size_t k, llvm::Value* chunk);
    Values load_partials(llvm::Value* chunk);
    void store_partials(llvm::Value* chunk, const Values& values);

    Point& point_;
    llvm::IRBuilder<>& ir;
    const Inst& inst_;
    Elements elements_;
    Operator op_;
};

void emit_for_each(Point& point, const Inst& inst);

}  // namespace sinter::gpu
