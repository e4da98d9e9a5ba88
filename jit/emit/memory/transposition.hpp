// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Columns that are consecutive elements, in lanes that are far apart: every lane loads or stores 16 bytes of its elements,
/// which are columns, and square blocks of these are transposed in registers.
#pragma once

#include "jit/emit/memory/addresses.hpp"

namespace sinter::emit {

class Transposition {
  public:
    Transposition(Code& code, Addresses& addresses) : code_(code), ir(code.ir), addresses_(addresses) {}

    /// Returns an unknown value if the load is not of this kind.
    Value load(const lower::Inst& inst, const Value& offset);
    /// Loads rows of points whose elements are contiguous.
    Value load_rows(const lower::Inst& inst, const Value& offset);
    /// The lanes' columns of a matrix in memory of the function, of which each lane has a row of so many elements.
    Few load_columns(Scalar type, llvm::Value* first, std::int64_t row);
    /// Returns true if the store was of this kind.
    bool store(const lower::Inst& inst, const Value& offset, const Few& parts);

  private:
    using Inst = lower::Inst;
    int square_side(const Value& offset, int bytes) const;
    Few lane_pointers(std::size_t buffer, const Value& offset, int column);
    using Mark = llvm::function_ref<llvm::Value*(llvm::LoadInst*)>;
    Few squares_of_lanes(Scalar type, const Few& pointers, int side, Mark mark);
    Few squares_of_lanes(const Inst& inst, const Few& pointers, int side);

    Code& code_;
    llvm::IRBuilder<>& ir;
    Addresses& addresses_;
};

}  // namespace sinter::emit
