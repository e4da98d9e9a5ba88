// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The fields of the blocks of memory through which the host calls generated code (arguments.hpp), each loaded once.
#pragma once

#include "jit/emit/arguments.hpp"
#include "jit/emit/code/code.hpp"
#include "lower/kernel.hpp"

namespace sinter::emit {

class Fields {
  public:
    /// `arguments` and `tile`: pointers to them; not used if all sizes are bound.
    Fields(Code& code, llvm::Value* arguments, llvm::Value* tile) : code_(code), arguments_(arguments), tile_(tile) {}

    /// A field by its offset in Arguments.
    llvm::Value* argument(std::size_t offset, llvm::Type* type);
    /// A field by its offset in Tile, whose fields are i64.
    llvm::Value* tile(std::size_t offset);
    /// The number of chunks of the chunked loop.
    llvm::Value* chunks() { return argument(offsetof(Arguments, chunks), code_.ir.getInt64Ty()); }
    llvm::Value* size(std::size_t index);
    llvm::Value* size(ir::SizeId id) { return size(id.index); }

    /// Sets a size that is known without the argument block.
    void bind_size(std::size_t index, llvm::Value* value) { sizes_[index] = value; }

  private:
    Code& code_;
    llvm::Value *arguments_, *tile_;
    llvm::DenseMap<std::size_t, llvm::Value*> of_arguments_, of_tile_, sizes_;
};

}  // namespace sinter::emit
