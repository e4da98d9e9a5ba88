// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Panels of columns as wide as a register tile are processed one after another. For each, what its rows share is computed
// and kept in memory that stays in the nearest cache; then all rows go over it, a few at a time (Goto and van de Geijn,
// Anatomy of High-Performance Matrix Multiplication, 2008, section 4). Here this works for any elements, and only what is
// shared is packed.
//
// Columns beyond the end are masked where something is stored; rows beyond the end repeat the last row.
#include "jit/emit/entry/register_tile.hpp"

#include "jit/emit/code/masks.hpp"
#include "jit/emit/emitter.hpp"
#include "jit/emit/loop/tiled_reduce.hpp"
#include "lower/loops.hpp"

#include <algorithm>

namespace sinter::emit {

using ir::Op;
using schedule::Dependence;
using schedule::RegisterTile;

namespace {

class Tiles {
  public:
    Tiles(llvm::Function& function, const lower::Kernel& kernel, const Machine& machine, const Schedule& schedule)
        : c_(function, machine),
          ir(c_.ir),
          e_(c_, kernel, function.getArg(0), function.getArg(1)),
          kernel_(kernel),
          plan_(std::get<RegisterTile>(schedule.way)) {
        e_.follow(schedule);
        e_.chunked.loop = schedule.chunked;
        e_.in_tile.plan = &plan_;
        e_.addresses.enter_register_tile();
    }

    void emit() {
        runs([&](const Values& params, const Run& run) {
            keep_rows(params, run);
            columns([&](const Value& column, llvm::Value* sums) { panel(params, column, run, sums); });
        });
        ir.CreateBr(c_.leave());
    }

  private:
    /// Rows that differ in the row axis alone: their range, and the number of the first among the rows of the tile.
    struct Run {
        llvm::Value *begin, *end, *place;
    };

    llvm::Value* field(std::size_t offset) { return e_.fields.tile(offset); }
    llvm::Value* extent(std::size_t axis) { return e_.fields.size(kernel_.space[axis]); }
    llvm::Value* memory(std::size_t offset) { return ir.CreateIntToPtr(field(offset), ir.getPtrTy()); }
    llvm::Value* ahead(llvm::Value* pointer, llvm::Value* bytes) {
        return ir.CreateInBoundsGEP(ir.getInt8Ty(), pointer, bytes);
    }

    Nest nest(const Inst& reduce) { return Nest(c_, e_.scope, e_.fields, e_.chunked, reduce); }

    /// Calls `body` with the indices of all axes; those of rows and columns are not set.
    void runs(llvm::function_ref<void(const Values& params, const Run& run)> body) {
        llvm::Value *first = field(offsetof(Tile, row_begin)), *last = field(offsetof(Tile, row_end));
        llvm::Value* n = extent(plan_.row_axis);
        Few carried{first};
        c_.loop_while(carried, [&] {
            llvm::Value* row = carried[0];
            const bool alone = kernel_.space.size() == 2;
            llvm::Value* begin = alone ? row : ir.CreateURem(row, n);
            llvm::Value* end = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, n, c_.add(begin, c_.sub(last, row)));
            Values params(kernel_.space.size());
            if (!alone) outer_indices(params, ir.CreateUDiv(row, n));
            body(params, {begin, end, ir.CreateSub(row, first)});
            carried[0] = ir.CreateAdd(row, ir.CreateSub(end, begin));
            return ir.CreateICmpSLT(carried[0], last);
        });
    }

    void outer_indices(Values& params, llvm::Value* row) {
        for (std::size_t axis = kernel_.space.size() - 1; axis-- > 0;) {
            if (axis == plan_.row_axis) continue;
            params[axis] = Value::index(ir.CreateURem(row, extent(axis)));
            row = ir.CreateUDiv(row, extent(axis));
        }
    }

    /// Calls `body` with the column index and the memory for accumulators of its columns.
    void columns(llvm::function_ref<void(const Value& column, llvm::Value* sums)> body) {
        const std::int64_t step = plan_.width * plan_.columns;
        llvm::Value* end = field(offsetof(Tile, end));
        llvm::Value* rows = ir.CreateSub(field(offsetof(Tile, row_end)), field(offsetof(Tile, row_begin)));
        llvm::Value* bytes = c_.mul(rows, c_.i64(sums_bytes()));
        Few carried{memory(offsetof(Tile, sums))};
        c_.loop(field(offsetof(Tile, begin)), end, step, carried, [&](llvm::Value* i) {
            Lanes lanes = shape();
            const WithLanes with(c_, lanes);
            llvm::Value* remaining = ir.CreateSub(end, i);
            c_.lanes.mask = tail_mask(c_, remaining);
            c_.lanes.full = ir.CreateICmpSGE(remaining, c_.i64(step));
            body(c_.lane_index(i), carried[0]);
            carried[0] = ahead(carried[0], bytes);
        });
    }

    /// The bytes of accumulators of the chunked reduce for one row.
    std::int64_t sums_bytes() const { return e_.chunked.loop ? plan_.vectors(e_.chunked.loop->types.size()) : 0; }

    Lanes shape() const {
        Lanes lanes;
        lanes.width = plan_.width;
        lanes.columns = plan_.columns;
        lanes.open = true;
        return lanes;
    }

    void panel(Values params, const Value& column, const Run& run, llvm::Value* sums) {
        params.back() = column;
        e_.in_tile.sums = sums;
        const Prepared prepared = shared_part(params);
        Lanes lanes = c_.lanes;
        lanes.rows = plan_.rows;
        for (int row = 1; row < plan_.rows; ++row) lanes.mask.append(c_.lanes.mask.begin(), c_.lanes.mask.end());
        const WithLanes with(c_, lanes);
        Few none;
        llvm::Value* last = c_.sub(run.end, c_.i64(1));
        c_.loop(run.begin, run.end, plan_.rows, none, [&](llvm::Value* i) {
            Value rows = Value::index(i), place = Value::index(ir.CreateAdd(run.place, ir.CreateSub(i, run.begin)));
            for (int r = 1; r < plan_.rows; ++r) {
                rows.scalars.push_back(ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, ir.CreateAdd(i, c_.i64(r)), last));
                place.scalars.push_back(ir.CreateAdd(run.place, ir.CreateSub(rows.scalars.back(), run.begin)));
            }
            params[plan_.row_axis] = rows;
            e_.in_tile.place = place;
            e_.chunked.point_done = c_.block();
            e_.block(kernel_.body, params, &prepared);
            ir.CreateBr(e_.chunked.point_done);
            c_.enter(e_.chunked.point_done);
        });
    }

    /// Emits what the rows share: the part of the body, whose results are returned, and that of the elements of its reduces,
    /// which are kept in memory.
    Prepared shared_part(const Values& params) {
        const Scope::Frame frame(e_.scope, params);
        e_.in_tile.of_columns.clear();
        Prepared prepared;
        llvm::Value* free = columns_kept_;
        for (std::size_t k = 0; k < kernel_.body.insts.size(); ++k) {
            const Inst& inst = kernel_.body.insts[k];
            if (const TileLoop* loop = plan_.find(inst)) {
                e_.in_tile.of_columns.push_back(free);
                free = keep_columns(*loop, free);
            }
            Values results(inst.types.size());
            const bool known = !plan_.body[k].row;
            if (known) results = e_.emit(inst);
            e_.scope.add(results);
            prepared.push_back(known ? std::optional(for_all_rows(results)) : std::nullopt);
        }
        return prepared;
    }

    Values for_all_rows(Values values) {
        for (Value& v : values) {
            const Few one = v.parts;
            for (int row = 1; row < plan_.rows; ++row) v.parts.append(one.begin(), one.end());
        }
        return values;
    }

    /// Returns the address after the memory used.
    llvm::Value* keep_columns(const TileLoop& loop, llvm::Value* to) {
        if (loop.of_columns.empty()) return to;
        auto emit = [&] {
            Few carried{to};
            Nest nest = this->nest(*loop.reduce);
            Values indices;
            nest.outer_loops(lower::loop_rank(*loop.reduce), indices, carried, [&] { keep_record(loop, indices, carried); });
            return carried;
        };
        return c_.either(
            c_.lanes.full,
            [&] {
                const WithLanes with(c_, shape());
                return emit();
            },
            emit)[0];
    }

    void keep_record(const TileLoop& loop, const Values& indices, Few& carried) {
        const std::vector<Values> results = element(loop, indices, [](const Dependence& d) { return !d.row; });
        std::int64_t at = 0;
        for (const TileLoop::Kept& kept : loop.of_columns)
            for (int p = 0; p < plan_.columns; ++p, at += plan_.unit)
                store(results[kept.inst][kept.result], p, ahead(carried[0], c_.i64(at)), plan_.unit);
        carried[0] = ahead(carried[0], c_.i64(at));
    }

    void store(const Value& value, int part, llvm::Value* to, int align) {
        llvm::Value* v = c_.vector(value, part);
        if (value.type == Scalar::boolean) v = ir.CreateZExt(v, v->getType()->getWithNewType(ir.getInt8Ty()));
        ir.CreateAlignedStore(v, to, llvm::Align(static_cast<std::uint64_t>(align)));
    }

    using Wanted = llvm::function_ref<bool(const Dependence&)>;

    /// The results of those instructions of the element block that are wanted.
    std::vector<Values> element(const TileLoop& loop, const Values& indices, Wanted wanted) {
        const Block& block = loop.reduce->blocks[0];
        const Scope::Frame frame(e_.scope, indices);
        std::vector<Values> results;
        for (std::size_t k = 0; k < block.insts.size(); ++k) {
            results.push_back(wanted(loop.element[k]) ? e_.emit(block.insts[k]) : Values(block.insts[k].types.size()));
            e_.scope.add(results.back());
        }
        return results;
    }

    // Rows: one after another, with lanes along the reduced axis.

    void keep_rows(Values params, const Run& run) {
        e_.in_tile.of_rows.clear();
        columns_kept_ = memory(offsetof(Tile, shared));
        const bool any =
            std::any_of(plan_.loops.begin(), plan_.loops.end(), [](auto& loop) { return !loop.of_rows.empty(); });
        for (const TileLoop& loop : plan_.loops) {
            e_.in_tile.of_rows.push_back(columns_kept_);
            columns_kept_ = behind_rows(loop, columns_kept_);
        }
        if (!any) return;
        Few none;
        c_.loop(run.begin, run.end, 1, none, [&](llvm::Value* i) {
            params[plan_.row_axis] = Value::index(i);
            e_.in_tile.place = Value::index(ir.CreateAdd(run.place, ir.CreateSub(i, run.begin)));
            keep_row(params);
        });
    }

    llvm::Value* behind_rows(const TileLoop& loop, llvm::Value* from) {
        if (loop.of_rows.empty()) return from;
        llvm::Value* rows = c_.sub(field(offsetof(Tile, row_end)), field(offsetof(Tile, row_begin)));
        llvm::Value* length = c_.sub(field(offsetof(Tile, reduce_end)), field(offsetof(Tile, reduce_begin)));
        for (const TileLoop::Kept& kept : loop.of_rows) from = ahead(from, c_.mul(rows, row_stride(c_, length, kept.type)));
        return from;
    }

    void keep_row(const Values& params) {
        const Scope::Frame frame(e_.scope, params);
        Lanes lanes = shape();
        lanes.columns = 1;
        const WithLanes with(c_, lanes);
        for (std::size_t k = 0; k < kernel_.body.insts.size(); ++k) {
            const Inst& inst = kernel_.body.insts[k];
            const TileLoop* loop = plan_.find(inst);
            if (loop && !loop->of_rows.empty()) keep_row(*loop);
            const Values results = plan_.body[k].column ? Values(inst.types.size()) : e_.emit(inst);
            e_.scope.add(results);
        }
    }

    void keep_row(const TileLoop& loop) {
        Nest nest = this->nest(*loop.reduce);
        const auto number = static_cast<std::size_t>(&loop - plan_.loops.data());
        const std::vector<Few> rows = kept_rows(e_, nest, loop, e_.in_tile.of_rows[number]);
        llvm::Value* end = nest.hi(0);
        Few none;
        c_.loop(nest.lo(0), end, plan_.width, none, [&](llvm::Value* i) {
            auto keep = [&] {
                const std::vector<Values> results =
                    element(loop, {c_.lane_index(i)}, [](const Dependence& d) { return !d.column; });
                for (std::size_t k = 0; k < rows.size(); ++k) {
                    const TileLoop::Kept& kept = loop.of_rows[k];
                    llvm::Type* type = c_.memory_type(kept.type);
                    store(results[kept.inst][kept.result], 0, ir.CreateInBoundsGEP(type, rows[k][0], i),
                          detail::size_of(kept.type));
                }
                return Few{};
            };
            llvm::Value* remaining = ir.CreateSub(end, i);
            c_.either(ir.CreateICmpSGE(remaining, c_.i64(plan_.width)), keep, [&] {
                Lanes lanes = c_.lanes;
                lanes.mask = tail_mask(c_, remaining);
                const WithLanes with(c_, lanes);
                return keep();
            });
        });
    }

    Code c_;
    llvm::IRBuilder<>& ir;
    Emitter e_;
    const lower::Kernel& kernel_;
    const RegisterTile& plan_;
    llvm::Value* columns_kept_ = nullptr;  ///< where the values kept for columns begin
};

}  // namespace

void emit_register_tile(llvm::Function& function, const lower::Kernel& kernel, const Machine& machine,
                        const Schedule& schedule) {
    Tiles(function, kernel, machine, schedule).emit();
}

}  // namespace sinter::emit
