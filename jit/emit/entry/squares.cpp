// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/entry/ways.hpp"

namespace sinter::emit {

namespace {

/// Emits one row of points for every scalar of the rows' index; lanes are open.
void emit_square(Emitter& emitter, const Values& outer, llvm::Value* row, llvm::Value* column,
                 const schedule::Squares& squares) {
    Code& code = emitter.code;
    Lanes lanes;
    lanes.width = squares.width;
    lanes.rows = squares.rows;
    lanes.open = true;
    const WithLanes with(code, lanes);
    Values params = outer;
    params.push_back(Value::index(row));
    for (int r = 1; r < squares.rows; ++r) params.back().scalars.push_back(code.ir.CreateAdd(row, code.i64(r)));
    params.push_back(code.lane_index(column));
    emitter.memory.against_grain.insert(squares.loads.begin(), squares.loads.end());
    emitter.block(emitter.kernel.body, params);
    emitter.memory.against_grain.clear();
}

}  // namespace

/// The last squares overlap those before them, which does no harm: points of a map are stored again with the same values.
void emit_squares(Emitter& emitter, const Values& outer, llvm::Value* begin, llvm::Value* end, llvm::Value* lo,
                  llvm::Value* hi, const schedule::Squares& squares) {
    Code& code = emitter.code;
    llvm::IRBuilder<>& ir = code.ir;
    Few none;
    llvm::Value* last_row = code.sub(end, code.i64(squares.rows));
    llvm::Value* last_column = code.sub(hi, code.i64(squares.width));
    // The squares of a block along one axis.
    const auto part = [&](llvm::Value* first, llvm::Value* end, int size, int count,
                          llvm::function_ref<void(llvm::Value*)> body) {
        if (count == 1) return body(first);
        llvm::Value* behind =
            ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, ir.CreateAdd(first, code.i64(size * count)), end);
        code.loop(first, behind, size, none, body);
    };
    code.loop(lo, hi, squares.width * squares.beside, none, [&](llvm::Value* left) {
        code.loop(begin, end, squares.rows * squares.below, none, [&](llvm::Value* top) {
            part(top, end, squares.rows, squares.below, [&](llvm::Value* i) {
                llvm::Value* row = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, i, last_row);
                part(left, hi, squares.width, squares.beside, [&](llvm::Value* j) {
                    llvm::Value* column = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, j, last_column);
                    emit_square(emitter, outer, row, column, squares);
                });
            });
        });
    });
}

}  // namespace sinter::emit
