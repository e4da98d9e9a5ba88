// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
}

namespace sinter::codegen {

/// Of loads in a loop whose offsets are a value that is the same in all iterations plus one that several of them share: adds
/// the first to the address before the loop. Then one register pair is added per load and iteration, where LLVM computes the
/// sum, scales it and adds it to the address: two instructions of a card instead of six. Registers stay as many.
void share_offsets(llvm::Module& module);

}  // namespace sinter::codegen
