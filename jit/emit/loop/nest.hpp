// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The axes of a reduce or scan. If tiles execute the range of the loop in parts, the outermost axis is limited to the
/// tile's part of it.
#pragma once

#include "jit/emit/body/chunked.hpp"
#include "jit/emit/memory/fields.hpp"
#include "lower/loops.hpp"

namespace sinter::emit {

class Nest {
  public:
    Nest(Code& code, const Scope& scope, Fields& fields, const Chunked& chunked, const Inst& inst)
        : c_(code), scope_(scope), fields_(fields), is_chunked_(chunked.is(inst)), inst_(inst) {}

    bool is_chunked() const { return is_chunked_; }
    std::size_t rank() const { return lower::loop_rank(inst_); }
    llvm::Value* extent(std::size_t axis) const { return scope_.operand(inst_, axis).scalars[0]; }
    llvm::Value* lo(std::size_t axis) {
        return axis == 0 && is_chunked_ ? fields_.tile(offsetof(Tile, reduce_begin)) : c_.i64(0);
    }
    llvm::Value* hi(std::size_t axis) {
        return axis == 0 && is_chunked_ ? fields_.tile(offsetof(Tile, reduce_end)) : extent(axis);
    }

    /// Nested loops over the outer axes; `inner` is executed for all their indices.
    void outer_loops(std::size_t axes, Values& indices, Few& carried, llvm::function_ref<void()> inner) {
        if (indices.size() == axes) return inner();
        const std::size_t axis = indices.size();
        c_.loop(lo(axis), hi(axis), 1, carried, [&](llvm::Value* i) {
            indices.push_back(Value::index(i));
            outer_loops(axes, indices, carried, inner);
            indices.pop_back();
        });
    }

  private:
    Code& c_;
    const Scope& scope_;
    Fields& fields_;
    bool is_chunked_;
    const Inst& inst_;
};

}  // namespace sinter::emit
