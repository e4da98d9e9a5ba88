// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loads and stores. Code under a mask is executed only if some lane is active. Therefore what all lanes share may be loaded
/// without a mask. Inactive lanes touch no element of a buffer, because a part of a launch may have only some of them.
///
/// Vectors of neighbours are loaded and stored contiguously, reversed if the lane's index runs backwards. Lanes that are far
/// apart, but whose columns are neighbours, are transposed in registers (transposition.hpp). Whole registers that go to
/// neighbours may bypass the caches (nontemporal_stores.hpp). Everything else is gathered and scattered, by instructions of
/// the machine or lane by lane.
#pragma once

#include "jit/emit/memory/nontemporal_stores.hpp"
#include "jit/emit/memory/transposition.hpp"

#include <llvm/ADT/SmallPtrSet.h>

namespace sinter::emit {

class Memory {
  public:
    Memory(Code& code, const lower::Kernel& kernel, Fields& fields, Addresses& addresses)
        : code_(code),
          ir(code.ir),
          addresses_(addresses),
          transposition_(code, addresses),
          nontemporal_(code, kernel, fields, addresses) {}

    /// The loads of a square whose rows lie along what is loaded (schedule/ways/squares.hpp).
    llvm::SmallPtrSet<const lower::Inst*, 4> against_grain;

    /// Whether loops that store less than a line at a time may bypass the caches.
    void parts_of_lines_past_caches(bool may) { nontemporal_.parts_of_lines = may; }

    Value load(const lower::Inst& inst, const Value& offset);
    void store(const lower::Inst& inst, const Value& offset, const Value& value);

    /// Fetches the lines of neighbours into the caches; they need not be inside the buffer.
    void fetch(const lower::Inst& inst, const Value& offset);

    /// Loads one element.
    Value load_element(std::size_t buffer, llvm::Value* offset);
    void store_element(std::size_t buffer, llvm::Value* offset, llvm::Value* value);
    /// Loads neighbours, which may change while the kernel runs.
    Value load_neighbours(std::size_t buffer, const Value& offset);
    /// See Transposition.
    Few load_columns(Scalar type, llvm::Value* first, std::int64_t row) {
        return transposition_.load_columns(type, first, row);
    }
    /// Stores the active lanes of part `p`, which have the type used in memory.
    void store_part(std::size_t buffer, const Value& offset, llvm::Value* value, int p);

  private:
    using Inst = lower::Inst;
    llvm::Value* lane_of(llvm::Value* vector, int lane);
    Value load_local(const Inst& inst, const Value& offset);
    llvm::Value* load_scalar(const Inst& inst, llvm::Value* offset);
    llvm::Value* load_contiguous(const Inst& inst, const Value& offset, int p);
    llvm::Value* load_interleaved(const Inst& inst, const Value& offset, int p);
    llvm::Value* load_active(const Inst& inst, llvm::Value* pointers, llvm::Value* mask);
    llvm::Value* widened_here(llvm::Value* numbers);
    llvm::Value* load_gathered(const Inst& inst, const Value& offset, int p);
    void store_parts(const Inst& inst, const Value& offset, const Few& parts);
    void store_local(const Inst& inst, const Value& offset, const Few& parts);
    void store_scattered(std::size_t buffer, const Value& offset, llvm::Value* value, int p);

    Code& code_;
    llvm::IRBuilder<>& ir;
    Addresses& addresses_;
    Transposition transposition_;
    NontemporalStores nontemporal_;
};

}  // namespace sinter::emit
