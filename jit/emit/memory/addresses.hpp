// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where the elements of a kernel's buffers are.
#pragma once

#include "jit/emit/memory/fields.hpp"

#include <vector>

namespace sinter::emit {

class Addresses {
  public:
    Addresses(Code& code, const lower::Kernel& kernel, Fields& fields) : code_(code), kernel_(kernel), fields_(fields) {}

    /// Sets the buffers, if the argument block has no table of them.
    void bind(std::vector<llvm::Value*> buffers) { buffers_ = std::move(buffers); }
    /// This many rows each have a copy of every local buffer, lane by lane.
    void share_locals(int lanes) { local_lanes_ = lanes; }
    /// Rows of a register tile have pointers of their own.
    void enter_register_tile() { in_register_tile_ = true; }

    bool in_register_tile() const { return in_register_tile_; }
    bool shares_locals() const { return local_lanes_ > 1; }
    bool is_shared_local(std::size_t buffer) const { return shares_locals() && kernel_.buffers[buffer].local; }
    Scalar type(std::size_t buffer) const { return kernel_.buffers[buffer].scalar; }

    llvm::Value* buffer(std::size_t index);
    llvm::Value* element(std::size_t buffer, llvm::Value* offset);
    /// An address from which an element of any type may be loaded, whatever its value: that of the table of buffers.
    llvm::Value* readable() { return fields_.argument(offsetof(Arguments, buffers), code_.ir.getPtrTy()); }
    /// The address for lane `lane_shift` of part `p` of an affine (or uniform) offset.
    llvm::Value* part(std::size_t buffer, const Value& offset, int p, std::int64_t lane_shift = 0);
    /// The address of the vector that is an element of a local buffer of several rows.
    llvm::Value* local_vector(std::size_t buffer, const Value& offset, int p);

    /// Marks a load of what does not change while the kernel runs: from all buffers but local ones and those that it
    /// updates.
    llvm::LoadInst* unchanging(std::size_t buffer, llvm::LoadInst* load) const;

  private:
    llvm::Value* local_buffer(std::size_t index);
    llvm::Value* of_sum(std::size_t buffer, llvm::BinaryOperator* sum);

    Code& code_;
    const lower::Kernel& kernel_;
    Fields& fields_;
    std::vector<llvm::Value*> buffers_;
    int local_lanes_ = 1;
    bool in_register_tile_ = false;
};

inline llvm::Align align_of(Scalar type) { return llvm::Align(static_cast<std::uint64_t>(detail::size_of(type))); }

}  // namespace sinter::emit
