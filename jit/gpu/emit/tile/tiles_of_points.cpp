// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/tile/tiles_of_points.hpp"

namespace sinter::gpu {

llvm::Value* TilesOfPoints::extent(std::size_t axis) {
    return point_.is_cut(axis) ? point_.part.extent : point_.emitter.fields.size(point_.kernel.space[axis]);
}

llvm::Value* TilesOfPoints::end(std::size_t axis) {
    return point_.is_cut(axis) ? point_.ir().CreateAdd(point_.part.first, point_.part.extent) : extent(axis);
}

llvm::Value* TilesOfPoints::tiles_along(std::size_t axis, std::int64_t length) {
    emit::Code& code = point_.code;
    return code.ir.CreateUDiv(code.ir.CreateAdd(extent(axis), code.i64(length - 1)), code.i64(length));
}

/// Neighbouring tiles of a row follow each other, so that blocks that run together read the same rows.
void TilesOfPoints::each(llvm::function_ref<void(const Tile&)> body) {
    emit::Code& code = point_.code;
    llvm::IRBuilder<>& ir = code.ir;
    const std::size_t axes = point_.kernel.space.size();
    llvm::Value *across = tiles_along(column_axis(), shape_.columns), *down = tiles_along(shape_.row_axis, shape_.rows);
    llvm::Value* count = ir.CreateMul(across, down);
    for (std::size_t axis = 0; axis + 1 < axes; ++axis)
        if (axis != shape_.row_axis) count = ir.CreateMul(count, extent(axis));
    grid_.stride(grid_.block(), grid_.blocks(), count, [&](llvm::Value* number) {
        Tile tile{Values(axes), nullptr, nullptr};
        tile.column = ir.CreateMul(ir.CreateURem(number, across), code.i64(shape_.columns));
        llvm::Value* rest = ir.CreateUDiv(number, across);
        tile.row = ir.CreateMul(axes > 2 ? ir.CreateURem(rest, down) : rest, code.i64(shape_.rows));
        if (axes > 2) rest = ir.CreateUDiv(rest, down);
        for (std::size_t axis = axes - 1; axis-- > 0;) {
            if (axis == shape_.row_axis) continue;
            tile.indices[axis] = Value::index(ir.CreateURem(rest, extent(axis)));
            rest = ir.CreateUDiv(rest, extent(axis));
        }
        if (point_.is_cut(0)) {
            llvm::Value*& index = shape_.row_axis == 0 ? tile.row : tile.indices[0].scalars[0];
            index = ir.CreateAdd(index, point_.part.first);
        }
        body(tile);
    });
}

Values TilesOfPoints::at(const Tile& tile, llvm::Value* row, llvm::Value* column) const {
    Values indices = tile.indices;
    indices[shape_.row_axis] = Value::index(point_.ir().CreateNSWAdd(tile.row, row));
    indices[column_axis()] = Value::index(point_.ir().CreateNSWAdd(tile.column, column));
    return indices;
}

Values TilesOfPoints::at_or_last(const Tile& tile, llvm::Value* row, llvm::Value* column) {
    Values indices = at(tile, row, column);
    for (std::size_t axis : {shape_.row_axis, column_axis()}) {
        llvm::Value* last = point_.ir().CreateSub(end(axis), point_.code.i64(1));
        llvm::Value*& index = indices[axis].scalars[0];
        index = point_.ir().CreateBinaryIntrinsic(llvm::Intrinsic::smin, index, last);
    }
    return indices;
}

llvm::Value* TilesOfPoints::exists(const Values& indices) {
    llvm::IRBuilder<>& ir = point_.ir();
    auto inside = [&](std::size_t axis) { return ir.CreateICmpSLT(indices[axis].scalars[0], end(axis)); };
    return ir.CreateAnd(inside(shape_.row_axis), inside(column_axis()));
}

emit::Prepared only(const lower::Block& body, const std::vector<bool>& wanted) {
    emit::Prepared result;
    for (std::size_t k = 0; k < body.insts.size(); ++k)
        result.push_back(wanted[k] ? std::nullopt : std::optional(Values(body.insts[k].types.size())));
    return result;
}

}  // namespace sinter::gpu
