// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/tile/stages.hpp"

#include "lower/loops.hpp"

#include <algorithm>
#include <utility>

namespace sinter::gpu {

using card::RegisterTiles;
namespace tuning = card::tuning;

Stages::Stages(Point& point, Grid& grid, TilesOfPoints& tiles, const RegisterTiles& way)
    : point_(point),
      code_(point.code),
      ir(code_.ir),
      tiles_(tiles),
      way_(way),
      reduce_(point.kernel.body.insts[way.reduce]),
      offsets_(way.offsets()),
      thread_(grid.thread()) {}

llvm::Value* Stages::count() {
    llvm::Value* count = code_.i64(1);
    for (std::size_t k = 0; k < lower::loop_rank(reduce_); ++k) {
        llvm::Value* extent = point_.emitter.scope.operand(reduce_, k).scalars[0];
        count = ir.CreateMul(count, ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, extent, code_.i64(0)));
    }
    return count;
}

void Stages::in_body(const Values& indices, const RegisterTiles::Slice& slice, llvm::function_ref<void()> then) {
    emit::Scope& scope = point_.emitter.scope;
    const emit::Scope::Frame frame(scope, indices);
    for (std::size_t k = 0; k < way_.reduce; ++k) {
        const Inst& inst = point_.kernel.body.insts[k];
        scope.add(slice.body[k] ? point_.emitter.emit(inst) : Values(inst.types.size()));
    }
    then();
}

/// Neighbouring threads load what lies beside each other in memory. The length of a tile's side divides the threads, so
/// places of different passes differ by a constant.
Stages::Place Stages::place(bool columns, std::int64_t pass) {
    const std::int64_t inner = side(columns).along_axis ? length(columns) : way_.steps() / together();
    llvm::Value* within = ir.CreateURem(thread_, code_.i64(inner));
    llvm::Value* first = ir.CreateUDiv(thread_, code_.i64(inner));
    llvm::Value* beyond = ir.CreateNUWAdd(first, code_.i64(pass * (block_threads / inner)));
    auto step = [&](llvm::Value* number) { return ir.CreateNUWMul(number, code_.i64(together())); };
    return side(columns).along_axis ? Place{within, step(beyond)} : Place{beyond, step(within)};
}

Few Stages::load(const Tile& tile, llvm::Value* first, llvm::Value* count) {
    Few values;
    for (bool columns : {false, true}) load_side(columns, tile, first, count, values);
    return values;
}

void Stages::load_side(bool columns, const Tile& tile, llvm::Value* first, llvm::Value* count, Few& values) {
    for (std::int64_t pass = 0; pass < passes(columns); ++pass)
        load_place(columns, tile, place(columns, pass), first, count, values);
}

void Stages::load_place(bool columns, const Tile& tile, Place p, llvm::Value* first, llvm::Value* count, Few& values) {
    emit::Emitter& e = point_.emitter;
    const lower::Block& element = reduce_.blocks[0];
    const RegisterTiles::Slice& slice = side(columns).slice;
    auto or_last = [&](llvm::Value* step) {
        return ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, step, ir.CreateSub(count, code_.i64(1)));
    };
    auto or_zero = [&](llvm::Value* step, llvm::Value* v) {
        return ir.CreateSelect(ir.CreateICmpSLT(step, count), v, llvm::Constant::getNullValue(v->getType()));
    };
    for (std::int64_t beyond = 0; beyond < together(); ++beyond) {
        llvm::Value* wanted = ir.CreateAdd(ir.CreateAdd(first, p.step), code_.i64(beyond));
        llvm::Value* step = count ? or_last(wanted) : wanted;
        llvm::Value* zero = code_.i64(0);
        const Values indices = tiles_.at_or_last(tile, columns ? zero : p.along, columns ? p.along : zero);
        in_body(indices, slice, [&] {
            const std::size_t rank = lower::loop_rank(reduce_);
            Values places(rank);
            for (std::size_t k = rank; k-- > 1;) {
                llvm::Value* extent = e.scope.operand(reduce_, k).scalars[0];
                places[k] = Value::index(ir.CreateURem(step, extent));
                step = ir.CreateUDiv(step, extent);
            }
            places[0] = Value::index(step);
            std::vector<Values> results;
            const emit::Scope::Frame frame(e.scope, places);
            for (std::size_t k = 0; k < element.insts.size(); ++k) {
                results.push_back(slice.element[k] ? e.emit(element.insts[k]) : Values(element.insts[k].types.size()));
                e.scope.add(results.back());
            }
            for (const RegisterTiles::Kept& kept : way_.kept) {
                if (kept.of_columns != columns) continue;
                llvm::Value* v = results[kept.inst][kept.result].scalars[0];
                values.push_back(way_.tensor_cores && count ? or_zero(wanted, v) : v);
            }
        });
    }
}

void Stages::store(const Few& values, llvm::Value* at) {
    const auto* next = values.begin();
    for (bool columns : {false, true})
        for (std::int64_t pass = 0; pass < passes(columns); ++pass) {
            const Place p = place(columns, pass);
            for (std::size_t k = 0; k < way_.kept.size(); ++k) {
                if (way_.kept[k].of_columns != columns) continue;
                llvm::Value* v = stored(llvm::ArrayRef(next, static_cast<std::size_t>(together())));
                next += together();
                const llvm::Align align = way_.tensor_cores ? llvm::Align(4) : emit::align_of(way_.kept[k].type);
                ir.CreateAlignedStore(v, address(k, at, p.step, p.along), align);
            }
        }
}

/// What a block's memory has for elements together.
llvm::Value* Stages::stored(llvm::ArrayRef<llvm::Value*> values) {
    llvm::Value* v = values[0];
    if (way_.tf32()) return point_.builtins.to_tf32(v);
    if (v->getType()->isIntegerTy(1)) return ir.CreateZExt(v, ir.getInt8Ty());
    if (values.size() == 1) return v;
    llvm::Value* pair =
        llvm::PoisonValue::get(llvm::FixedVectorType::get(v->getType(), static_cast<unsigned>(values.size())));
    for (std::size_t k = 0; k < values.size(); ++k) pair = ir.CreateInsertElement(pair, values[k], std::uint64_t{k});
    return pair;
}

llvm::Value* Stages::address(std::size_t kept, llvm::Value* at, llvm::Value* step, llvm::Value* along) {
    const RegisterTiles::Kept& value = way_.kept[kept];
    if (way_.tensor_cores) std::swap(step, along);  // two elements of a row or column are beside each other
    llvm::Value* memory = point_.builtins.shared(static_cast<std::size_t>(way_.bytes()));
    llvm::Value* offset = ir.CreateAdd(ir.CreateMul(step, code_.i64(way_.pitch(value))),
                                       ir.CreateMul(along, code_.i64(detail::size_of(value.type))));
    offset = ir.CreateAdd(ir.CreateAdd(offset, code_.i64(offsets_[kept])), at);
    return ir.CreateInBoundsGEP(ir.getInt8Ty(), memory, offset);
}

/// Neighbouring columns of a thread: as many of the widest values as one access transfers.
std::int64_t Stages::run() const {
    std::int64_t widest = 4;
    for (const RegisterTiles::Kept& kept : way_.kept)
        if (kept.of_columns) widest = std::max<std::int64_t>(widest, detail::size_of(kept.type));
    return tuning::access_bytes / widest;
}

llvm::Value* Stages::row(llvm::Value* k) {
    if (way_.tensor_cores) {
        llvm::Value* tile = ir.CreateMul(ir.CreateLShr(k, 1), code_.i64(tuning::tensor_rows));
        llvm::Value* half = ir.CreateMul(ir.CreateAnd(k, 1), code_.i64(tuning::tensor_rows / 2));
        return ir.CreateAdd(ir.CreateAdd(warp_row(), quad()), ir.CreateAdd(tile, half));
    }
    llvm::Value* first = ir.CreateMul(ir.CreateLShr(thread_, 4), code_.i64(way_.tile.rows));
    return ir.CreateAdd(first, k);
}

/// Runs of neighbours; those of all threads follow each other, so that the threads of a warp read all banks of memory.
llvm::Value* Stages::column(std::int64_t k) {
    if (way_.tensor_cores) {
        llvm::Value* first = ir.CreateAdd(warp_column(), ir.CreateShl(in_quad(), 1));
        return ir.CreateAdd(first, code_.i64(k / 2 * tuning::tensor_columns + k % 2));
    }
    llvm::Value* own = ir.CreateMul(ir.CreateAnd(thread_, tuning::tile_threads - 1), code_.i64(run()));
    return ir.CreateAdd(own, code_.i64(k / run() * run() * tuning::tile_threads + k % run()));
}

/// The first row and column of a thread's warp in a tile.
llvm::Value* Stages::warp_row() {
    llvm::Value* warp = ir.CreateLShr(thread_, code_.i64(5));
    return ir.CreateMul(ir.CreateUDiv(warp, code_.i64(tuning::warps_across)),
                        code_.i64(way_.block_rows() / tuning::warps_down));
}

llvm::Value* Stages::warp_column() {
    llvm::Value* warp = ir.CreateLShr(thread_, code_.i64(5));
    return ir.CreateMul(ir.CreateURem(warp, code_.i64(tuning::warps_across)),
                        code_.i64(way_.block_columns() / tuning::warps_across));
}

Few Stages::words(llvm::Value* at, bool columns) {
    const std::size_t kept = way_.kept[0].of_columns == columns ? 0 : 1;
    const std::int64_t count =
        columns ? way_.block_columns() / tuning::warps_across : way_.block_rows() / tuning::warps_down;
    llvm::Value* first = ir.CreateAdd(columns ? warp_column() : warp_row(), quad());
    Few result;
    constexpr std::int64_t lines = 8, half = tuning::tensor_bytes / 4 / 2;  // of a warp, and words between its two
    for (std::int64_t k = 0; k < count; k += columns ? tuning::tensor_columns : tuning::tensor_rows)
        for (const std::int64_t beyond : {std::int64_t{0}, half})
            for (std::int64_t line = 0; line < (columns ? tuning::tensor_columns : tuning::tensor_rows); line += lines)
                result.push_back(read_word(kept, at, ir.CreateAdd(first, code_.i64(k + line)), beyond));
    return result;
}

/// A pair of halves, or one number of TF32.
llvm::Value* Stages::read_word(std::size_t kept, llvm::Value* at, llvm::Value* along, std::int64_t beyond) {
    const std::int64_t elements = 4 / detail::size_of(way_.kept[kept].type);
    llvm::Value* step = ir.CreateMul(ir.CreateAdd(in_quad(), code_.i64(beyond)), code_.i64(elements));
    return ir.CreateAlignedLoad(ir.getInt32Ty(), address(kept, at, step, along), llvm::Align(4));
}

std::vector<Few> Stages::fragments(llvm::Value* at, llvm::Value* step) {
    std::vector<Few> result;
    for (std::size_t k = 0; k < way_.kept.size(); ++k) {
        Few& values = result.emplace_back();
        if (!way_.kept[k].of_columns) {
            read_run(values, k, address(k, at, step, row(code_.i64(0))), way_.tile.rows);
            continue;
        }
        for (std::int64_t j = 0; j < way_.tile.columns; j += run())
            read_run(values, k, address(k, at, step, column(j)), run());
    }
    return result;
}

void Stages::read_run(Few& values, std::size_t kept, llvm::Value* from, std::int64_t count) {
    const ir::Scalar type = way_.kept[kept].type;
    llvm::Type* element = code_.memory_type(type);
    const std::int64_t bytes = detail::size_of(type), width = bytes < 4 ? 1 : std::min(count, tuning::access_bytes / bytes);
    for (std::int64_t i = 0; i < count; i += width) {
        llvm::Value* place = ir.CreateConstInBoundsGEP1_64(element, from, static_cast<std::uint64_t>(i));
        const llvm::Align align(static_cast<std::uint64_t>(width * bytes));
        if (width == 1) {
            llvm::Value* v = ir.CreateAlignedLoad(element, place, align);
            values.push_back(type == ir::Scalar::boolean ? ir.CreateIsNotNull(v) : v);
            continue;
        }
        auto* vector = llvm::FixedVectorType::get(element, static_cast<unsigned>(width));
        llvm::Value* all = ir.CreateAlignedLoad(vector, place, align);
        for (std::int64_t k = 0; k < width; ++k)
            values.push_back(ir.CreateExtractElement(all, static_cast<std::uint64_t>(k)));
    }
}

}  // namespace sinter::gpu
