// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/tile/register_tiles.hpp"

#include "jit/emit/loop/combiner.hpp"
#include "jit/gpu/emit/tile/stages.hpp"

namespace sinter::gpu {

namespace {

using Tile = TilesOfPoints::Tile;
namespace tuning = card::tuning;

class RegisterTileWriter {
  public:
    RegisterTileWriter(Point& point, Grid& grid, const card::RegisterTiles& way, TilesOfPoints::Execute execute)
        : point_(point),
          code_(point.code),
          ir(code_.ir),
          way_(way),
          reduce_(point.kernel.body.insts[way.reduce]),
          tiles_(point, grid, {way.row_axis, way.block_rows(), way.block_columns()}),
          stages_(point, grid, tiles_, way),
          execute_(execute) {}

    void emit() {
        tiles_.each([&](const Tile& tile) {
            Few results;
            llvm::Value* count = nullptr;
            here([&] {
                count = stages_.count();
                const Few init =
                    emit::Combiner(point_.emitter, reduce_).pack(emit::Combiner(point_.emitter, reduce_).init());
                for (std::int64_t k = 0; k < points(); ++k) results.append(init.begin(), init.end());
            });
            code_.when(ir.CreateICmpSGT(count, code_.i64(0)), results,
                       [&] { way_.tensor_cores ? multiply(tile, count, results) : go_through(tile, count, results); });
            finish(tile, results);
            if (!way_.tensor_cores) point_.builtins.barrier();  // multiply() ends with one
        });
    }

  private:
    std::int64_t points() const { return way_.tile.rows * way_.tile.columns; }
    std::size_t width() const { return reduce_.types.size(); }  ///< values of a result

    /// The scope that points need for an element: what is the same for all of them.
    void here(llvm::function_ref<void()> then) { stages_.in_body(Values(point_.kernel.space.size()), way_.here, then); }

    void go_through(const Tile& tile, llvm::Value* count, Few& results) {
        stages_.store(stages_.load(tile, code_.i64(0), count), code_.i64(0));
        point_.builtins.barrier();
        llvm::Value* whole = ir.CreateAnd(count, code_.i64(-tuning::tile_steps));
        Few carried = results;
        carried.push_back(code_.i64(0));  // where the stage is
        code_.loop(code_.i64(0), whole, tuning::tile_steps, carried, [&](llvm::Value* first) {
            llvm::Value* at = carried.pop_back_val();
            const Few next = stages_.load(tile, ir.CreateAdd(first, code_.i64(tuning::tile_steps)), count);
            for (std::int64_t step = 0; step < tuning::tile_steps; ++step) combine(at, code_.i64(step), carried);
            llvm::Value* other = ir.CreateSub(code_.i64(stages_.stage_bytes()), at);
            stages_.store(next, other);
            point_.builtins.barrier();
            carried.push_back(other);
        });
        llvm::Value* at = carried.pop_back_val();
        code_.loop(code_.i64(0), ir.CreateSub(count, whole), 1, carried,
                   [&](llvm::Value* step) { combine(at, step, carried); });
        results = carried;
    }

    /// By tensor cores. Beyond the end of the reduce, both factors are 0. That end is looked for from the last whole stage
    /// on: before, there is one more.
    void multiply(const Tile& tile, llvm::Value* count, Few& results) {
        stages_.store(stages_.load(tile, code_.i64(0), count), code_.i64(0));
        point_.builtins.barrier();
        results.push_back(code_.i64(0));  // where the stage is
        llvm::Value* before_last = ir.CreateSub(ir.CreateAnd(count, code_.i64(-way_.steps())), code_.i64(way_.steps()));
        llvm::Value* early = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, before_last, code_.i64(0));
        multiply_stages(tile, code_.i64(0), early, nullptr, results);
        multiply_stages(tile, early, count, count, results);
        results.pop_back();
    }

    /// The stages that begin in [begin, end); those behind them have elements up to `count`, or are whole if it is null.
    void multiply_stages(const Tile& tile, llvm::Value* begin, llvm::Value* end, llvm::Value* count, Few& results) {
        code_.loop(begin, end, way_.steps(), results, [&](llvm::Value* first) {
            llvm::Value* at = results.pop_back_val();
            const Few next = stages_.load(tile, ir.CreateAdd(first, code_.i64(way_.steps())), count);
            multiply_stage(at, results);
            llvm::Value* other = ir.CreateSub(code_.i64(stages_.stage_bytes()), at);
            stages_.store(next, other);
            point_.builtins.barrier();
            results.push_back(other);
        });
    }

    /// A thread has two rows and two columns of the sums of an instruction.
    void multiply_stage(llvm::Value* at, Few& results) {
        const Few rows = stages_.words(at, false), columns = stages_.words(at, true);
        auto* four = llvm::FixedVectorType::get(ir.getFloatTy(), 4);
        for (std::int64_t row = 0; row < way_.tile.rows; row += 2)
            for (std::int64_t column = 0; column < way_.tile.columns; column += 2) {
                auto place = [&](std::int64_t k) {
                    return static_cast<std::size_t>((row + k / 2) * way_.tile.columns + column + k % 2);
                };
                llvm::Value* sums = llvm::PoisonValue::get(four);
                for (std::int64_t k = 0; k < 4; ++k)
                    sums = ir.CreateInsertElement(sums, results[place(k)], static_cast<std::uint64_t>(k));
                Few factors(rows.begin() + row * 2, rows.begin() + row * 2 + 4);
                factors.append(columns.begin() + column, columns.begin() + column + 2);
                sums = point_.builtins.multiply_add(sums, factors, way_.tf32());
                for (std::int64_t k = 0; k < 4; ++k)
                    results[place(k)] = ir.CreateExtractElement(sums, static_cast<std::uint64_t>(k));
            }
    }

    /// Combines the results of all points of this thread with one element each.
    void combine(llvm::Value* at, llvm::Value* step, Few& results) {
        const std::vector<Few> fragments = stages_.fragments(at, step);
        here([&] {
            emit::Combiner combiner(point_.emitter, reduce_);
            for (std::int64_t row = 0; row < way_.tile.rows; ++row)
                for (std::int64_t column = 0; column < way_.tile.columns; ++column) {
                    const auto k = static_cast<std::size_t>(row * way_.tile.columns + column) * width();
                    const Values left = combiner.unpack(llvm::ArrayRef(results).slice(k, width()), 1);
                    const Few both = combiner.pack(combiner.combine(left, element(fragments, row, column)));
                    std::copy(both.begin(), both.end(), results.begin() + k);
                }
        });
    }

    Values element(const std::vector<Few>& fragments, std::int64_t row, std::int64_t column) {
        const lower::Block& block = reduce_.blocks[0];
        emit::Scope& scope = point_.emitter.scope;
        const emit::Scope::Frame frame(scope, Values(block.params.size()));
        for (std::size_t k = 0; k < block.insts.size(); ++k) {
            Values values(block.insts[k].types.size());
            if (way_.here.element[k]) values = point_.emitter.emit(block.insts[k]);
            for (std::size_t n = 0; n < way_.kept.size(); ++n) {
                const card::RegisterTiles::Kept& kept = way_.kept[n];
                const auto place = static_cast<std::size_t>(kept.of_columns ? column : row);
                if (kept.inst == k) values[kept.result] = Value::uniform(kept.type, fragments[n][place]);
            }
            scope.add(values);
        }
        Values results;
        for (ir::Local l : block.results) results.push_back(scope[l]);
        return results;
    }

    /// Executes the rest of the body, row by row: the results of the next row move to where those of this one were, so that
    /// the code for a row is there only once.
    void finish(const Tile& tile, Few results) {
        const std::size_t of_row = static_cast<std::size_t>(way_.tile.columns) * width();
        code_.loop(code_.i64(0), code_.i64(way_.tile.rows), 1, results, [&](llvm::Value* row) {
            for (std::int64_t column = 0; column < way_.tile.columns; ++column) {
                const Values indices = tiles_.at(tile, stages_.row(row), stages_.column(column));
                Few none;
                code_.when(tiles_.exists(indices), none, [&] {
                    emit::Prepared known(point_.kernel.body.insts.size());
                    const auto first = static_cast<std::size_t>(column) * width();
                    known[way_.reduce] = values(llvm::ArrayRef(results).slice(first, width()));
                    execute_(indices, &known);
                });
            }
            std::copy(results.begin() + of_row, results.end(), results.begin());
        });
    }

    Values values(llvm::ArrayRef<llvm::Value*> flat) {
        Values result;
        for (std::size_t k = 0; k < width(); ++k) result.push_back(code_.from_phi(reduce_.types[k], flat.slice(k, 1)));
        return result;
    }

    Point& point_;
    emit::Code& code_;
    llvm::IRBuilder<>& ir;
    const card::RegisterTiles& way_;
    const Inst& reduce_;
    TilesOfPoints tiles_;
    Stages stages_;
    TilesOfPoints::Execute execute_;
};

}  // namespace

void emit_register_tiles(Point& point, Grid& grid, const card::RegisterTiles& way, TilesOfPoints::Execute execute) {
    RegisterTileWriter(point, grid, way, execute).emit();
}

}  // namespace sinter::gpu
