// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/loop/partials.hpp"

#include "jit/emit/llvm/metadata.hpp"

namespace sinter::emit {

Value Partials::offset(llvm::Value* chunk) {
    llvm::Value* points = e_.fields.argument(offsetof(Arguments, points), ir.getInt64Ty());
    const Value& row = e_.chunked.row;
    const Value base = Value::index(c_.mul(chunk, points));
    const Value point =
        e_.chunked.lanes_on_points ? affine_sum(c_, row, e_.scope[ir::Local{e_.kernel.space.size() - 1}]) : row;
    return affine_sum(c_, point, base);
}

llvm::Value* Partials::pointer(std::size_t k, llvm::Value* offset) {
    llvm::Value* table = e_.fields.argument(offsetof(Arguments, partials), ir.getPtrTy());
    // Loaded here and not earlier: there is no table unless the tile makes or combines partial results.
    llvm::Value* array = invariant(ir.CreateLoad(ir.getPtrTy(), ir.CreateConstGEP1_64(ir.getPtrTy(), table, first_ + k)));
    return ir.CreateInBoundsGEP(c_.memory_type(inst_.types[k]), array, offset);
}

Values Partials::load(llvm::Value* chunk) {
    const Value at = offset(chunk);
    Values result;
    for (std::size_t k = 0; k < inst_.types.size(); ++k) {
        const Scalar s = inst_.types[k];
        const llvm::Align align(static_cast<std::uint64_t>(detail::size_of(s)));
        Few parts;
        for (int p = 0; p < (c_.lanes.vector() ? c_.lanes.parts() : 1); ++p) {
            llvm::Value* from = pointer(k, c_.scalar(at, p));
            llvm::Type* type = c_.lanes.vector() ? c_.vector_of(c_.memory_type(s)) : c_.memory_type(s);
            llvm::Value* mask = c_.mask(p);
            llvm::Value* v = mask ? static_cast<llvm::Value*>(
                                        ir.CreateMaskedLoad(type, from, align, mask, llvm::Constant::getNullValue(type)))
                                  : ir.CreateAlignedLoad(type, from, align);
            parts.push_back(s == Scalar::boolean ? ir.CreateIsNotNull(v) : v);
        }
        result.push_back(c_.lanes.vector() ? Value::varying(s, parts) : Value::uniform(s, parts[0]));
    }
    return result;
}

void Partials::store_and_leave(const Values& values) {
    llvm::BasicBlock *partial = c_.block(), *complete = c_.block();
    ir.CreateCondBr(completes(), complete, partial);
    c_.enter(partial);
    store(e_.fields.tile(offsetof(Tile, chunk)), values);
    ir.CreateBr(e_.chunked.point_done);
    c_.enter(complete);
}

void Partials::store(llvm::Value* chunk, const Values& values) {
    const Value at = offset(chunk);
    for (std::size_t k = 0; k < values.size(); ++k) {
        const Scalar s = inst_.types[k];
        const llvm::Align align(static_cast<std::uint64_t>(detail::size_of(s)));
        for (int p = 0; p < (c_.lanes.vector() ? c_.lanes.parts() : 1); ++p) {
            llvm::Value* v = c_.lanes.vector() ? c_.vector(values[k], p) : values[k].scalars[0];
            if (s == Scalar::boolean) v = ir.CreateZExt(v, v->getType()->getWithNewType(ir.getInt8Ty()));
            llvm::Value* to = pointer(k, c_.scalar(at, p));
            if (llvm::Value* mask = c_.mask(p))
                ir.CreateMaskedStore(v, to, align, mask);
            else
                ir.CreateAlignedStore(v, to, align);
        }
    }
}

}  // namespace sinter::emit
