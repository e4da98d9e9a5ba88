// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/memory/transposition.hpp"

#include <llvm/Analysis/VectorUtils.h>

#include <algorithm>

namespace sinter::emit {

namespace {

std::size_t at(int k) { return static_cast<std::size_t>(k); }

/// Transposes the adjacent squares in `rows` by shuffling log2(side) times.
Few transposed(llvm::IRBuilder<>& ir, Few rows, int width) {
    const int side = static_cast<int>(rows.size()), half = side / 2;
    for (int steps = 1; steps < side; steps *= 2) {
        Few next(rows.size());
        for (int r = 0; r < half; ++r) {
            llvm::SmallVector<int, 64> low, high;
            for (int base = 0; base < width; base += side)
                for (int k = 0; k < half; ++k) {
                    low.append({base + k, width + base + k});
                    high.append({base + half + k, width + base + half + k});
                }
            next[at(2 * r)] = ir.CreateShuffleVector(rows[at(r)], rows[at(r + half)], low);
            next[at(2 * r + 1)] = ir.CreateShuffleVector(rows[at(r)], rows[at(r + half)], high);
        }
        rows = next;
    }
    return rows;
}

}  // namespace

/// The number of elements along a square's side, or 0 if accesses at this offset are not of this kind.
int Transposition::square_side(const Value& offset, int bytes) const {
    const Lanes& lanes = code_.lanes;
    auto* step = llvm::dyn_cast_or_null<llvm::ConstantInt>(offset.part_stride);
    if (!step || !step->isOne() || lanes.columns == 1 || lanes.rows > 1 || lanes.masked()) return 0;
    const int side = std::min(16 / bytes, lanes.columns);
    return side == 1 || lanes.columns % side || lanes.width % side ? 0 : side;
}

/// The addresses at which each lane's elements of these columns begin.
Few Transposition::lane_pointers(std::size_t buffer, const Value& offset, int column) {
    llvm::Type* type = code_.memory_type(addresses_.type(buffer));
    Few result{addresses_.element(buffer, code_.scalar(offset, column))};
    for (int lane = 1; lane < code_.lanes.width; ++lane)
        result.push_back(ir.CreateInBoundsGEP(type, result[0], code_.mul(offset.lane_stride, code_.i64(lane))));
    return result;
}

Value Transposition::load(const Inst& inst, const Value& offset) {
    const int bytes = detail::size_of(inst.type()), side = square_side(offset, bytes);
    if (side == 0) return Value{};
    Few parts;
    for (int column = 0; column < code_.lanes.columns; column += side)
        parts.append(squares_of_lanes(inst, lane_pointers(inst.bits, offset, column), side));
    return Value::varying(inst.type(), parts);
}

/// Elements 0 to side of all lanes, which begin at `pointers`.
Few Transposition::squares_of_lanes(Scalar scalar, const Few& pointers, int side, Mark mark) {
    const llvm::Align align = align_of(scalar);
    llvm::Type* type = llvm::FixedVectorType::get(code_.memory_type(scalar), static_cast<unsigned>(side));
    Few rows;  // row r: lanes r, r + side, .. side by side
    for (int r = 0; r < side; ++r) {
        Few squares;
        for (int lane = r; lane < code_.lanes.width; lane += side)
            squares.push_back(mark(ir.CreateAlignedLoad(type, pointers[at(lane)], align)));
        rows.push_back(squares.size() == 1 ? squares[0] : llvm::concatenateVectors(ir, squares));
    }
    Few parts;
    for (llvm::Value* v : transposed(ir, rows, code_.lanes.width))
        parts.push_back(scalar == Scalar::boolean ? ir.CreateIsNotNull(v) : v);
    return parts;
}

Few Transposition::squares_of_lanes(const Inst& inst, const Few& pointers, int side) {
    return squares_of_lanes(inst.type(), pointers, side,
                            [&](llvm::LoadInst* load) { return addresses_.unchanging(inst.bits, load); });
}

Few Transposition::load_columns(Scalar type, llvm::Value* first, std::int64_t row) {
    const int side = std::min({16 / static_cast<int>(detail::size_of(type)), code_.lanes.columns, code_.lanes.width});
    Few parts;
    for (int column = 0; column < code_.lanes.columns; column += side) {
        Few pointers;
        for (int lane = 0; lane < code_.lanes.width; ++lane)
            pointers.push_back(ir.CreateInBoundsGEP(code_.memory_type(type), first, code_.i64(lane * row + column)));
        parts.append(squares_of_lanes(type, pointers, side, [](llvm::LoadInst* load) { return load; }));
    }
    return parts;
}

Value Transposition::load_rows(const Inst& inst, const Value& offset) {
    return Value::varying(inst.type(), squares_of_lanes(inst, lane_pointers(inst.bits, offset, 0), code_.lanes.rows));
}

bool Transposition::store(const Inst& inst, const Value& offset, const Few& parts) {
    const int bytes = detail::size_of(addresses_.type(inst.bits)), side = square_side(offset, bytes);
    if (side == 0) return false;
    const llvm::Align align(static_cast<std::uint64_t>(bytes));
    for (int column = 0; column < code_.lanes.columns; column += side) {
        const Few pointers = lane_pointers(inst.bits, offset, column);
        const Few rows = transposed(ir, Few(parts.begin() + column, parts.begin() + column + side), code_.lanes.width);
        for (int lane = 0; lane < code_.lanes.width; ++lane) {
            llvm::SmallVector<int, 16> mine;
            for (int k = 0; k < side; ++k) mine.push_back(lane / side * side + k);
            ir.CreateAlignedStore(ir.CreateShuffleVector(rows[at(lane % side)], mine), pointers[at(lane)], align);
        }
    }
    return true;
}

}  // namespace sinter::emit
