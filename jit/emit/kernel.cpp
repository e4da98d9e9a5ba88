// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/kernel.hpp"

#include "jit/emit/emitter.hpp"

#include <llvm/IR/IntrinsicsX86.h>

namespace sinter::emit {

namespace {

class Entry {
  public:
    Entry(llvm::Function& function, const lower::Kernel& kernel, const Machine& machine, const Schedule& schedule, bool finish)
        : code_(function, machine), ir(code_.ir), emitter_(code_, kernel, function.getArg(0), function.getArg(1)),
          kernel_(kernel), lanes_on_points_(schedule.mode == Mode::points && !kernel.space.empty()) {
        emitter_.chunked = {schedule.chunked, finish, lanes_on_points_, nullptr, nullptr};
    }

    void emit() {
        rows([&](llvm::Value* row, const Values& outer) {
            if (lanes_on_points_) return lanes(row, outer);
            emitter_.chunked.row = row;
            if (emitter_.chunked.reduce) emitter_.chunked.point_done = code_.block();
            emitter_.block(kernel_.body, outer);
            if (!emitter_.chunked.reduce) return;
            ir.CreateBr(emitter_.chunked.point_done);
            code_.enter(emitter_.chunked.point_done);
        });
        ir.CreateBr(code_.leave());
    }

  private:
    void lanes(llvm::Value* row, const Values& outer) {
        emitter_.chunked.row = code_.mul(row, emitter_.size(kernel_.space.back()));
        emitter_.for_lanes({kernel_.body, outer, emitter_.tile(offsetof(Tile, begin)), emitter_.tile(offsetof(Tile, end))});
    }

    /// Loops over the tile's rows with the indices of the axes that make them, carried along instead of divided for.
    void rows(llvm::function_ref<void(llvm::Value*, const Values&)> body) {
        const std::size_t axes = kernel_.space.size() - (lanes_on_points_ ? 1 : 0);
        if (axes == 0) return body(code_.i64(0), {});
        llvm::Value* first = emitter_.tile(offsetof(Tile, row_begin));
        Few carried = axes == 1 ? Few{} : first_indices(first, axes);
        code_.loop(first, emitter_.tile(offsetof(Tile, row_end)), 1, carried, [&](llvm::Value* row) {
            Values outer;
            if (axes == 1) outer.push_back(emitter_.index(row));
            for (llvm::Value* i : carried) outer.push_back(emitter_.index(i));
            body(row, outer);
            advance(carried);
        });
    }

    llvm::Value* extent(std::size_t axis) { return emitter_.size(kernel_.space[axis]); }

    Few first_indices(llvm::Value* row, std::size_t axes) {
        Few indices(axes);
        for (std::size_t axis = axes; axis-- > 0;) {
            indices[axis] = axis == 0 ? row : ir.CreateURem(row, extent(axis));
            if (axis > 0) row = ir.CreateUDiv(row, extent(axis));
        }
        return indices;
    }

    void advance(Few& indices) {
        llvm::Value* carry = code_.i64(1);
        for (std::size_t axis = indices.size(); axis-- > 0;) {
            llvm::Value* next = ir.CreateAdd(indices[axis], carry);
            if (axis > 0) {
                llvm::Value* wraps = ir.CreateICmpEQ(next, extent(axis));
                carry = ir.CreateZExt(wraps, ir.getInt64Ty());
                next = ir.CreateSelect(wraps, code_.i64(0), next);
            }
            indices[axis] = next;
        }
    }

    Code code_;
    llvm::IRBuilder<>& ir;
    Emitter emitter_;
    const lower::Kernel& kernel_;
    bool lanes_on_points_;
};

void emit_entry(llvm::Module& module, const char* name, const lower::Kernel& kernel, const Machine& machine,
                const Schedule& schedule, bool finish) {
    llvm::LLVMContext& context = module.getContext();
    auto* pointer = llvm::PointerType::get(context, 0);
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, pointer}, false);
    auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
    function->setDoesNotThrow();
    for (llvm::Argument& argument : function->args()) {
        argument.addAttr(llvm::Attribute::NoAlias);
        argument.addAttr(llvm::Attribute::ReadOnly);
    }
    Entry(*function, kernel, machine, schedule, finish).emit();
}

}  // namespace

void emit_kernel(llvm::Module& module, const lower::Kernel& kernel, const Machine& machine, const Schedule& schedule) {
    emit_entry(module, kernel_name, kernel, machine, schedule, false);
    if (schedule.chunked) emit_entry(module, finish_name, kernel, machine, schedule, true);
}

}  // namespace sinter::emit
