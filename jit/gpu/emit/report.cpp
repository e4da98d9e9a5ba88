// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/report.hpp"

#include "jit/emit/code/code.hpp"
#include "jit/gpu/device/failure.hpp"
#include "jit/gpu/emit/builtins.hpp"

#include <cstddef>

namespace sinter::gpu {

namespace {

class Report {
  public:
    explicit Report(llvm::Function& function)
        : code_(function, machine_), ir(code_.ir), builtins_(ir, *function.getParent()), function_(function) {}

    /// A thread whose failure is not the first leaves at once. The others take the lock, each in an iteration of its own.
    void emit() {
        emit::Few none;
        code_.when(is_before(load(offsetof(Failure, point))), none,
                   [&] { code_.loop_while(none, [&] { return attempt(); }); });
        ir.CreateBr(code_.leave());
    }

  private:
    /// Returns true if the thread has to try again.
    llvm::Value* attempt() {
        constexpr auto order = llvm::AtomicOrdering::Monotonic;
        llvm::Value* old = ir.CreateExtractValue(
            ir.CreateAtomicCmpXchg(field(offsetof(Failure, lock)), ir.getInt32(0), ir.getInt32(1), {}, order, order), 0);
        llvm::Value* taken = ir.CreateIsNull(old);
        emit::Few none;
        code_.when(taken, none, [&] {
            builtins_.fence();
            record();
            builtins_.fence();
            ir.CreateAtomicRMW(llvm::AtomicRMWInst::Xchg, field(offsetof(Failure, lock)), ir.getInt32(0), {}, order);
        });
        return ir.CreateNot(taken);
    }

    void record() {
        llvm::Value* point = load(offsetof(Failure, point));
        llvm::Value* earlier = ir.CreateICmpSLT(function_.getArg(2), load(offsetof(Failure, element)));
        llvm::Value* same = ir.CreateICmpEQ(function_.getArg(1), point);
        llvm::Value* first = ir.CreateOr(ir.CreateICmpSLT(function_.getArg(1), point), ir.CreateAnd(same, earlier));
        emit::Few none;
        code_.when(first, none, [&] {
            store(offsetof(Failure, point), 1);
            store(offsetof(Failure, element), 2);
            store(offsetof(Failure, check), 3);
            store(offsetof(Failure, index), 4);
            store(offsetof(Failure, extent), 5);
        });
    }

    llvm::Value* is_before(llvm::Value* point) { return ir.CreateICmpSLE(function_.getArg(1), point); }
    llvm::Value* field(std::size_t offset) { return ir.CreateConstGEP1_64(ir.getInt8Ty(), function_.getArg(0), offset); }
    llvm::Value* load(std::size_t offset) { return ir.CreateLoad(ir.getInt64Ty(), field(offset), true); }
    void store(std::size_t offset, unsigned argument) { ir.CreateStore(function_.getArg(argument), field(offset), true); }

    emit::Machine machine_;
    emit::Code code_;
    llvm::IRBuilder<>& ir;
    Builtins builtins_;
    llvm::Function& function_;
};

}  // namespace

llvm::Function* report_function(llvm::Module& module) {
    constexpr const char* name = "report";
    if (llvm::Function* made = module.getFunction(name)) return made;
    llvm::LLVMContext& context = module.getContext();
    auto *i64 = llvm::Type::getInt64Ty(context), *i32 = llvm::Type::getInt32Ty(context);
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                         {llvm::PointerType::get(context, 0), i64, i64, i32, i64, i64}, false);
    auto* function = llvm::Function::Create(type, llvm::Function::InternalLinkage, name, module);
    function->setDoesNotThrow();
    function->addFnAttr(llvm::Attribute::NoInline);
    function->addFnAttr(llvm::Attribute::Cold);
    Report(*function).emit();
    return function;
}

}  // namespace sinter::gpu
