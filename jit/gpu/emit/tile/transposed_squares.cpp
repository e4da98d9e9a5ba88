// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/tile/transposed_squares.hpp"

#include <algorithm>
#include <bit>

namespace sinter::gpu {

namespace {

using Tile = TilesOfPoints::Tile;

class TransposedSquares {
  public:
    TransposedSquares(Point& point, Grid& grid, const card::TransposedSquares& way, TilesOfPoints::Execute execute)
        : point_(point),
          code_(point.code),
          ir(code_.ir),
          way_(way),
          tiles_(point, grid, {way.row_axis, way.edge, way.edge}),
          execute_(execute),
          thread_(grid.thread()) {}

    void emit() {
        tiles_.each([&](const Tile& tile) {
            parts(card::tuning::loads_at_once, [&](llvm::Value* first, std::int64_t count) { load(tile, first, count); });
            point_.builtins.barrier();
            parts(card::tuning::points_at_once, [&](llvm::Value* first, std::int64_t count) {
                for (std::int64_t k = 0; k < count; ++k) execute(tile, ir.CreateAdd(first, code_.i64(k)));
            });
            point_.builtins.barrier();
        });
    }

  private:
    /// Points of a square for each thread.
    std::int64_t each() const { return way_.edge * way_.edge / block_threads; }

    /// Executes body(first, count) for parts of a thread's points.
    void parts(std::int64_t most, llvm::function_ref<void(llvm::Value*, std::int64_t)> body) {
        const std::int64_t count = std::min(most, each());
        if (count == each()) return body(code_.i64(0), count);
        Few none;
        code_.loop(code_.i64(0), code_.i64(each()), count, none, [&](llvm::Value* first) { body(first, count); });
    }

    /// The place of number k of this thread's points: neighbouring threads differ in `along`.
    struct Place {
        llvm::Value *along, *across;
    };
    Place place(llvm::Value* k) {
        const auto log = std::countr_zero(static_cast<std::uint64_t>(way_.edge));
        llvm::Value* first = ir.CreateLShr(thread_, code_.i64(log));
        llvm::Value* step = ir.CreateMul(k, code_.i64(block_threads / way_.edge));
        return {ir.CreateAnd(thread_, code_.i64(way_.edge - 1)), ir.CreateAdd(first, step)};
    }

    /// What `load` brought for a point.
    llvm::Value* slot(std::size_t load, llvm::Value* row, llvm::Value* column) {
        const card::TransposedSquares::Load& l = way_.loads[load];
        llvm::Value* memory = point_.builtins.shared(static_cast<std::size_t>(way_.bytes()));
        llvm::Value* at =
            ir.CreateAdd(ir.CreateMul(column, code_.i64(way_.pitch(l))), ir.CreateMul(row, code_.i64(l.bytes)));
        return ir.CreateInBoundsGEP(ir.getInt8Ty(), memory, ir.CreateAdd(at, code_.i64(way_.begin(load))));
    }

    void load(const Tile& tile, llvm::Value* first, std::int64_t count) {
        std::vector<ir::Local> locals;
        for (const card::TransposedSquares::Load& l : way_.loads) locals.push_back(l.local);
        const emit::Prepared addresses = only(point_.kernel.body, way_.addresses);
        std::vector<Place> places;
        std::vector<Values> loaded;
        for (std::int64_t k = 0; k < count; ++k) {
            places.push_back(place(ir.CreateAdd(first, code_.i64(k))));
            const Values indices = tiles_.at_or_last(tile, places.back().along, places.back().across);
            loaded.push_back(point_.emitter.locals_of(point_.kernel.body, indices, locals, &addresses));
        }
        for (std::size_t k = 0; k < loaded.size(); ++k)
            for (std::size_t n = 0; n < locals.size(); ++n) {
                llvm::Value* v = loaded[k][n].scalars[0];
                if (v->getType()->isIntegerTy(1)) v = ir.CreateZExt(v, ir.getInt8Ty());
                ir.CreateAlignedStore(v, slot(n, places[k].along, places[k].across), emit::align_of(loaded[k][n].type));
            }
    }

    void execute(const Tile& tile, llvm::Value* k) {
        const Place place = this->place(k);
        const Values indices = tiles_.at(tile, place.across, place.along);
        Few none;
        code_.when(tiles_.exists(indices), none, [&] {
            emit::Prepared known(point_.kernel.body.insts.size());
            for (std::size_t n = 0; n < way_.loads.size(); ++n) {
                const std::size_t inst = way_.loads[n].inst;
                known[inst] = Values{read(n, point_.kernel.body.insts[inst].type(), place)};
            }
            execute_(indices, &known);
        });
    }

    Value read(std::size_t n, ir::Scalar type, const Place& place) {
        llvm::Value* at = slot(n, place.across, place.along);
        llvm::Value* v = ir.CreateAlignedLoad(code_.memory_type(type), at, emit::align_of(type));
        return Value::uniform(type, type == ir::Scalar::boolean ? ir.CreateIsNotNull(v) : v);
    }

    Point& point_;
    emit::Code& code_;
    llvm::IRBuilder<>& ir;
    const card::TransposedSquares& way_;
    TilesOfPoints tiles_;
    TilesOfPoints::Execute execute_;
    llvm::Value* thread_;
};

}  // namespace

void emit_transposed_squares(Point& point, Grid& grid, const card::TransposedSquares& way, TilesOfPoints::Execute execute) {
    TransposedSquares(point, grid, way, execute).emit();
}

}  // namespace sinter::gpu
