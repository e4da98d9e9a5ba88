// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What LLVM is told about memory.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Metadata.h>

namespace sinter::emit {

/// Nothing writes what this load reads while the kernel runs.
inline llvm::LoadInst* invariant(llvm::LoadInst* load) {
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load->getContext(), {}));
    return load;
}

/// A store past the caches.
inline llvm::StoreInst* nontemporal(llvm::StoreInst* store) {
    auto* one = llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(store->getContext()), 1));
    store->setMetadata(llvm::LLVMContext::MD_nontemporal, llvm::MDNode::get(store->getContext(), one));
    return store;
}

/// For a branch that mostly goes to the other block.
inline llvm::MDNode* unlikely(llvm::LLVMContext& context) { return llvm::MDBuilder(context).createBranchWeights(1, 2000); }

}  // namespace sinter::emit
