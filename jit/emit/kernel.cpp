// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/kernel.hpp"

#include "jit/emit/entry/inner_rows.hpp"
#include "jit/emit/entry/register_tile.hpp"
#include "jit/emit/entry/ways.hpp"
#include "schedule/tuning.hpp"
#include "support/check.hpp"
#include "support/match.hpp"

#include <algorithm>

namespace sinter::emit {

using schedule::RegisterTile;
using schedule::RowBlocks;
using schedule::RowsTogether;
using schedule::Squares;

namespace {

class Entry {
  public:
    Entry(llvm::Function& function, const lower::Kernel& kernel, const Machine& machine, const Schedule& schedule, Part part)
        : code_(function, machine),
          ir(code_.ir),
          emitter_(code_, kernel, function.getArg(0), function.getArg(1)),
          kernel_(kernel),
          way_(schedule.way),
          row_borders_(schedule.row_borders),
          lanes_on_points_(schedule::has_lanes_on_points(way_)) {
        emitter_.chunked = {schedule.chunked, part, lanes_on_points_, {}, nullptr};
        emitter_.follow(schedule);
    }

    void emit() {
        if (const auto* squares = std::get_if<Squares>(&way_)) return in_squares(*squares, good_rows(*squares));
        if (const auto* rows = std::get_if<RowsTogether>(&way_)) return in_squares(rows->blocks, ir.getTrue());
        each_row(first_row(), row_behind());
        emitter_.finish();
        ir.CreateBr(code_.leave());
    }

  private:
    llvm::Value* first_row() { return emitter_.fields.tile(offsetof(Tile, row_begin)); }
    llvm::Value* row_behind() { return emitter_.fields.tile(offsetof(Tile, row_end)); }

    void each_row(llvm::Value* first, llvm::Value* behind) {
        rows(first, behind, [&](llvm::Value* row, const Values& outer) {
            if (row_borders_) return apart(row, outer);
            if (lanes_on_points_) return lanes(row, outer);
            emitter_.chunked.row = Value::index(row);
            if (emitter_.chunked.loop) emitter_.chunked.point_done = code_.block();
            emitter_.block(kernel_.body, outer);
            if (!emitter_.chunked.loop) return;
            ir.CreateBr(emitter_.chunked.point_done);
            code_.enter(emitter_.chunked.point_done);
        });
    }

    /// Says if squares pay. They have to store whole lines, but for narrow elements in the caches: loading these one by one
    /// costs more than storing parts of two lines. Beyond the caches, squares that are smaller than a line pay only where
    /// rows that go one by one would displace what the next row needs.
    llvm::Value* good_rows(const Squares& plan) {
        constexpr int line = schedule::tuning::line_bytes;
        llvm::Value* length = code_.i64(0);  // the low bits of the length of rows
        for (const lower::Buffer& buffer : kernel_.buffers)
            if (buffer.output)
                length = ir.CreateOr(length,
                                     code_.mul(extent(kernel_.space.size() - 1), code_.i64(detail::size_of(buffer.scalar))));
        llvm::Value* whole_lines = ir.CreateIsNull(ir.CreateAnd(length, code_.i64(line - 1)));
        llvm::Value* ordinary =
            ir.CreateIsNotNull(emitter_.fields.argument(offsetof(Arguments, ordinary_stores), ir.getInt64Ty()));
        llvm::Value* far = plan.beside == 1 ? whole_lines : ir.CreateAnd(whole_lines, rows_compete(plan));
        return ir.CreateSelect(ordinary, plan.narrow ? ir.getTrue() : whole_lines, far);
    }

    /// Says if rows of what is loaded against the grain lie in few sets of a cache, provided that it is a transposed array.
    llvm::Value* rows_compete(const Squares& plan) {
        const std::int64_t size = detail::size_of(plan.loads[0]->type());
        llvm::Value* bytes = code_.mul(extent(kernel_.space.size() - 2), code_.i64(size));
        return ir.CreateIsNull(ir.CreateAnd(bytes, code_.i64(schedule::tuning::competing_row_bytes - 1)));
    }

    /// Rows that differ only in the axis before the innermost are a run, and a tile may have parts of several. What is
    /// smaller than a square is executed row after row.
    void in_squares(const Squares& plan, llvm::Value* pays) {
        llvm::Value *lo = emitter_.fields.tile(offsetof(Tile, begin)), *hi = emitter_.fields.tile(offsetof(Tile, end));
        llvm::Value* wide = ir.CreateAnd(pays, ir.CreateICmpSGE(ir.CreateSub(hi, lo), code_.i64(plan.width)));
        const std::size_t axes = kernel_.space.size() - 1;
        llvm::Value *n = extent(axes - 1), *last = row_behind();
        Few carried{first_row()};
        code_.loop_while(carried, [&] {
            llvm::Value *first = carried[0], *begin = axes == 1 ? first : ir.CreateURem(first, n);
            llvm::Value* rest = ir.CreateSub(last, first);
            llvm::Value* run = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, rest, ir.CreateSub(n, begin));
            llvm::Value *behind = ir.CreateAdd(first, run), *high = ir.CreateICmpSGE(run, code_.i64(plan.rows));
            code_.either(
                ir.CreateAnd(wide, high),
                [&] {
                    Values outer;
                    const Few indices = first_indices(first, axes);
                    for (std::size_t k = 0; k + 1 < axes; ++k) outer.push_back(Value::index(indices[k]));
                    emit_squares(emitter_, outer, begin, ir.CreateAdd(begin, run), lo, hi, plan);
                    return Few{};
                },
                [&] {
                    each_row(first, behind);
                    return Few{};
                });
            carried[0] = behind;
            return ir.CreateICmpSLT(behind, last);
        });
        ir.CreateBr(code_.leave());
    }

    /// Rows that reach no border are executed by code of their own.
    void apart(llvm::Value* row, const Values& outer) {
        const auto execute = [&] {
            lanes(row, outer);
            return Few{};
        };
        const auto inside = [&] {
            const Blocks::WithIdle with(emitter_, idle_in_inner_rows(*row_borders_));
            return execute();
        };
        code_.either(is_inner_row(emitter_, *row_borders_, outer), inside, execute);
    }

    void lanes(llvm::Value* row, const Values& outer) {
        llvm::Value* n = emitter_.fields.size(kernel_.space.back());
        emitter_.chunked.row = Value::index(code_.mul(row, n));
        const LaneLoop loop{kernel_.body, outer, emitter_.fields.tile(offsetof(Tile, begin)),
                            emitter_.fields.tile(offsetof(Tile, end))};
        match(
            way_, [&](const schedule::Points& way) { emitter_.lanes.for_effects(loop, way.lanes); },
            [&](const Squares& way) { emitter_.lanes.for_effects(loop, way.rest); },
            [&](const RowsTogether& way) { emitter_.lanes.for_effects(loop, way.blocks.rest); },
            [&](const RowBlocks& way) { emit_row_groups(emitter_, loop, way); },
            [](const schedule::Inner&) { check(false, "points of this way have no lanes"); },
            [](const RegisterTile&) { check(false, "register tiles have an entry of their own"); });
    }

    using Body = llvm::function_ref<void(llvm::Value* row, const Values& outer)>;

    /// Loops over rows with the indices of the axes that make them up; these are carried along instead of being
    /// computed by divisions.
    void rows(llvm::Value* first, llvm::Value* end, Body body) {
        const std::size_t axes = kernel_.space.size() - (lanes_on_points_ ? 1 : 0);
        if (axes == 0) return body(code_.i64(0), {});
        Few carried = axes == 1 ? Few{} : first_indices(first, axes);
        carried.push_back(first);
        code_.loop_while(carried, [&] {
            llvm::Value* row = carried.pop_back_val();
            if (axes == 1) carried.push_back(row);
            Values outer;
            for (llvm::Value* i : carried) outer.push_back(Value::index(i));
            body(row, outer);
            advance(carried);
            if (axes == 1) carried.pop_back();
            carried.push_back(ir.CreateAdd(row, code_.i64(1)));
            return ir.CreateICmpSLT(carried.back(), end);
        });
    }

    llvm::Value* extent(std::size_t axis) { return emitter_.fields.size(kernel_.space[axis]); }

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
    const schedule::Way& way_;
    const schedule::RowBorders* row_borders_;
    bool lanes_on_points_;
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
    if (std::holds_alternative<RegisterTile>(schedule.way))
        emit_register_tile(*function, kernel, machine, schedule);
    else
        Entry(*function, kernel, machine, schedule, part).emit();
}

}  // namespace

void emit_kernel(llvm::Module& module, const lower::Kernel& kernel, const Machine& machine, const Schedule& schedule) {
    emit_entry(module, kernel_name, kernel, machine, schedule, Part::tile);
    if (!schedule.chunked || std::holds_alternative<RegisterTile>(schedule.way)) return;
    emit_entry(module, finish_name, kernel, machine, schedule, Part::finish);
    if (schedule.chunked->op == ir::Op::scan) emit_entry(module, chain_name, kernel, machine, schedule, Part::chain);
}

}  // namespace sinter::emit
