// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Squares of points (schedule/squares.hpp).
#include "jit/emit/body/emitter.hpp"

namespace sinter::emit {

/// A row of points for every scalar of the rows' index; lanes are open.
void Emitter::square(const Values& outer, llvm::Value* row, llvm::Value* column, const Squares& squares) {
    Lanes lanes;
    lanes.width = squares.width;
    lanes.rows = squares.rows;
    lanes.open = true;
    const WithLanes with(code_, lanes);
    Values params = outer;
    params.push_back(index(row));
    for (int r = 1; r < squares.rows; ++r) params.back().scalars.push_back(ir.CreateAdd(row, code_.i64(r)));
    params.push_back(index(column));
    params.back().lane_stride = code_.i64(1);
    params.back().part_stride = code_.i64(squares.width);
    against_grain_.insert(squares.loads.begin(), squares.loads.end());
    block(kernel_.body, params);
    against_grain_.clear();
}

/// The points [begin, end) x [lo, hi) of the two inner axes, in squares; the last ones overlap those before them. Nothing is
/// lost by that: points of a map are stored again as they are.
void Emitter::in_squares(const Values& outer, llvm::Value* begin, llvm::Value* end, llvm::Value* lo, llvm::Value* hi,
                         const Squares& squares) {
    Few none;
    llvm::Value* last_row = code_.sub(end, code_.i64(squares.rows));
    llvm::Value* last_column = code_.sub(hi, code_.i64(squares.width));
    code_.loop(lo, hi, squares.width, none, [&](llvm::Value* j) {
        llvm::Value* column = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, j, last_column);
        code_.loop(begin, end, squares.rows, none, [&](llvm::Value* i) {
            square(outer, ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, i, last_row), column, squares);
        });
    });
}

}  // namespace sinter::emit
