// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel is several operations of the user's program in one; the last of them gives the line.
#include "jit/codegen/debug_info.hpp"

#include "jit/emit/arguments.hpp"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfoMetadata.h>

namespace sinter::codegen {

void add_debug_info(llvm::Module& module, const Origin& origin) {
    llvm::DIBuilder builder(module);
    llvm::DIFile* file = builder.createFile(origin.file, "");
    builder.createCompileUnit(llvm::dwarf::DW_LANG_C_plus_plus_14, file, "sinter", true, "", 0);
    llvm::DISubroutineType* type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
    for (llvm::Function& function : module) {
        if (function.isDeclaration()) continue;
        std::string name = origin.operations;
        if (function.getName() != emit::kernel_name) name += " (" + function.getName().str() + ")";
        llvm::DISubprogram* subprogram =
            builder.createFunction(file, name, "", file, origin.line, type, origin.line, llvm::DINode::FlagZero,
                                   llvm::DISubprogram::SPFlagDefinition);
        function.setSubprogram(subprogram);
        const llvm::DebugLoc place = llvm::DILocation::get(module.getContext(), origin.line, 1, subprogram);
        for (llvm::BasicBlock& block : function)
            for (llvm::Instruction& instruction : block) instruction.setDebugLoc(place);
    }
    builder.finalize();
    module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
    module.addModuleFlag(llvm::Module::Warning, "Dwarf Version", 4);
}

}  // namespace sinter::codegen
