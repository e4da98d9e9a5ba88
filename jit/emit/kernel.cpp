// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/kernel.hpp"

#include "jit/emit/emitter.hpp"
#include "jit/emit/tiles.hpp"

#include <llvm/IR/IntrinsicsX86.h>

namespace sinter::emit {

namespace {

class Entry {
  public:
    Entry(llvm::Function& function, const lower::Kernel& kernel, const Machine& machine, const Schedule& schedule, Part part)
        : code_(function, machine),
          ir(code_.ir),
          emitter_(code_, kernel, function.getArg(0), function.getArg(1)),
          kernel_(kernel),
          lanes_on_points_(schedule.mode != Mode::inner && !kernel.space.empty()),
          blocks_(schedule.mode == Mode::rows) {
        emitter_.chunked = {schedule.chunked, part, lanes_on_points_, {}, nullptr};
    }

    void emit() {
        rows([&](llvm::Value* row, const Values& outer) {
            if (lanes_on_points_) return lanes(row, outer);
            emitter_.chunked.row = emitter_.index(row);
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
        llvm::Value* n = emitter_.size(kernel_.space.back());
        emitter_.chunked.row = emitter_.index(code_.mul(row, n));
        const LaneLoop loop{kernel_.body, outer, emitter_.tile(offsetof(Tile, begin)), emitter_.tile(offsetof(Tile, end))};
        blocks_ ? emitter_.row_groups(loop) : emitter_.for_lanes(loop);
    }

    using Body = llvm::function_ref<void(llvm::Value* row, const Values& outer)>;

    /// Loops over the tile's rows with the indices of the axes that make them, carried along instead of divided for.
    void rows(Body body) {
        const std::size_t axes = kernel_.space.size() - (lanes_on_points_ ? 1 : 0);
        if (axes == 0) return body(code_.i64(0), {});
        llvm::Value *first = emitter_.tile(offsetof(Tile, row_begin)), *end = emitter_.tile(offsetof(Tile, row_end));
        Few carried = axes == 1 ? Few{} : first_indices(first, axes);
        carried.push_back(first);
        code_.loop_while(carried, [&] {
            llvm::Value* row = carried.pop_back_val();
            if (axes == 1) carried.push_back(row);
            Values outer;
            for (llvm::Value* i : carried) outer.push_back(emitter_.index(i));
            body(row, outer);
            advance(carried);
            if (axes == 1) carried.pop_back();
            carried.push_back(ir.CreateAdd(row, code_.i64(1)));
            return ir.CreateICmpSLT(carried.back(), end);
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
    bool lanes_on_points_, blocks_;
};

void emit_entry(llvm::Module& module, const char* name, const lower::Kernel& kernel, const Machine& machine,
                const Schedule& schedule, Part part) {
    llvm::LLVMContext& context = module.getContext();
    auto* pointer = llvm::PointerType::get(context, 0);
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, pointer}, false);
    auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
    function->setDoesNotThrow();
    for (llvm::Argument& argument : function->args()) {
        argument.addAttr(llvm::Attribute::NoAlias);
        argument.addAttr(llvm::Attribute::ReadOnly);
    }
    if (schedule.mode == Mode::tiles)
        emit_tiles(*function, kernel, machine, schedule);
    else
        Entry(*function, kernel, machine, schedule, part).emit();
}

}  // namespace

void emit_kernel(llvm::Module& module, const lower::Kernel& kernel, const Machine& machine, const Schedule& schedule) {
    emit_entry(module, kernel_name, kernel, machine, schedule, Part::tile);
    if (!schedule.chunked || schedule.mode == Mode::tiles) return;
    emit_entry(module, finish_name, kernel, machine, schedule, Part::finish);
    if (schedule.chunked->op == ir::Op::scan) emit_entry(module, chain_name, kernel, machine, schedule, Part::chain);
}

}  // namespace sinter::emit
