// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/ways/register_tile.hpp"

#include "ir/walk.hpp"
#include "lower/loops.hpp"
#include "schedule/facts/scalar_work.hpp"
#include "schedule/tuning.hpp"
#include "support/check.hpp"

#include <algorithm>

namespace sinter::schedule {

using ir::Op;
using ir::Scalar;
using lower::Block;
using lower::Inst;

const TileLoop* RegisterTile::find(const Inst& inst) const {
    for (const TileLoop& loop : loops)
        if (loop.inst == &inst) return &loop;
    return nullptr;
}

namespace {

double weight(Op op) { return op == Op::div || op == Op::rem || op == Op::sqrt ? tuning::division_in_tile : 1; }

bool is_index_arithmetic(const Inst& inst) {
    const bool sum = inst.op == Op::add || inst.op == Op::sub || inst.op == Op::mul || inst.op == Op::negate;
    return sum && inst.type() == Scalar::i64;
}

/// Arithmetic on indices that costs less than keeping its result does.
bool is_place(const Inst& inst) {
    return is_index_arithmetic(inst) || (inst.op == Op::check_index && inst.type() == Scalar::i64);
}

/// Follows through the body what depends on the row and what on the column.
class Finder {
  public:
    /// `keeps_places`: where the elements of a row are is computed once and kept, as other values of a row are.
    Finder(const lower::Kernel& kernel, const Facts::OrderedFold* ordered, std::size_t row_axis, bool keeps_places)
        : kernel_(kernel), ordered_(ordered), keeps_places_(keeps_places) {
        tile_.row_axis = row_axis;
        for (std::size_t axis = 0; axis < kernel.space.size(); ++axis)
            env_.push_back({axis == row_axis, axis + 1 == kernel.space.size(), true});
        loops_ =
            std::count_if(kernel.body.insts.begin(), kernel.body.insts.end(), [&](auto& inst) { return reduce_of(inst); });
    }

    /// Returns true if there are loops that gain; then tile() is complete except for its shape.
    bool operator()() {
        for (const Inst& inst : kernel_.body.insts) {
            const Inst* fold = reduce_of(inst);
            tile_.body.push_back(fold ? reduce(inst, *fold) : of_body(inst));
            if (!fits_) return false;
            env_.insert(env_.end(), inst.types.size(), tile_.body.back());
        }
        return gains_ && tile_.arithmetic <= tuning::expensive_element && tile_.of_scalars <= tuning::most_scalars &&
               row_loads_ > 0;
    }

    RegisterTile& tile() { return tile_; }
    double row_loads() const { return row_loads_; }
    std::size_t states() const { return states_; }
    std::size_t widest() const { return widest_; }

  private:
    /// What an instruction of the body is as a reduce; null if it is none.
    const Inst* reduce_of(const Inst& inst) const {
        if (ordered_ && ordered_->inst == &inst) return ordered_->reduce.get();
        return inst.op == Op::reduce ? &inst : nullptr;
    }

    static void join(Dependence& to, Dependence d) {
        to.row |= d.row;
        to.column |= d.column;
    }

    /// Everything that an instruction uses, including its blocks.
    Dependence uses(const Inst& inst) {
        Dependence result;
        for (ir::Local l : inst.operands)
            if (l.index < env_.size()) join(result, env_[l.index]);
        for (const Block& block : inst.blocks) {
            for (const Inst& inner : block.insts) join(result, uses(inner));
            for (ir::Local l : block.results)
                if (l.index < env_.size()) join(result, env_[l.index]);
        }
        return result;
    }

    static bool has_effects(const Inst& inst) {
        auto is_effect = [](const Inst& inner) { return ir::has_effect(inner.op); };
        return is_effect(inst) || std::any_of(inst.blocks.begin(), inst.blocks.end(),
                                              [&](const Block& block) { return ir::any_inst(block, is_effect); });
    }

    Dependence plain(const Inst& inst) {
        Dependence d = uses(inst);
        d.number = inst.op == Op::constant;
        d.index = inst.op == Op::size || (d.number && inst.type() == Scalar::i64);
        if (is_index_arithmetic(inst))
            d.index =
                std::all_of(inst.operands.begin(), inst.operands.end(), [&](ir::Local l) { return env_[l.index].index; });
        return d;
    }

    /// Instructions outside reduces: stores, and control flow that all rows share.
    Dependence of_body(const Inst& inst) {
        const Dependence d = plain(inst);
        const bool store = inst.op == Op::store;
        fits_ = fits_ && (store || !has_effects(inst)) && (inst.blocks.empty() || !d.row);
        if (store && !d.row) fits_ = false;
        return d;
    }

    Dependence reduce(const Inst& of_body, const Inst& inst) {
        const std::size_t rank = lower::loop_rank(inst);
        Dependence all = uses(inst);
        fits_ = fits_ && !has_effects(inst);
        if (!all.row) return all;
        for (std::size_t k = 0; k < rank; ++k) {
            const Dependence extent = env_[inst.operands[k].index];
            fits_ = fits_ && !extent.row && !extent.column;
        }
        TileLoop loop{&of_body, &inst, {}, {}, {}, {}};
        const std::size_t base = env_.size();
        env_.insert(env_.end(), rank, Dependence{false, false, true});
        for (const Inst& i : inst.blocks[0].insts) {
            loop.element.push_back(plain(i));
            env_.insert(env_.end(), i.types.size(), loop.element.back());
        }
        choose_kept(loop, inst.blocks[0], base + rank, rank == 1 && loops_ == 1);
        for (std::size_t k = 0; k < loop.element.size(); ++k) count(inst.blocks[0].insts[k], loop.element[k], loop.here[k]);
        env_.resize(base);
        for (const Inst& i : inst.blocks[1].insts) {
            fits_ = fits_ && i.blocks.empty();
            tile_.arithmetic += weight(i.op);
        }
        all.column = true;
        states_ = std::max(states_, inst.types.size());
        for (Scalar type : inst.types) widest_ = std::max(widest_, static_cast<std::size_t>(detail::size_of(type)));
        tile_.loops.push_back(std::move(loop));
        return all;
    }

    /// Goes from the results to the operands: what is needed is either kept, or executed for every element and needs its own
    /// operands.
    void choose_kept(TileLoop& loop, const Block& block, std::size_t first, bool rows) {
        std::vector<bool> needed(env_.size(), false);
        for (ir::Local l : block.results) needed[l.index] = true;
        loop.here.assign(block.insts.size(), false);
        std::size_t level = env_.size();
        for (std::size_t k = block.insts.size(); k-- > 0;) {
            const Inst& inst = block.insts[k];
            const Dependence d = loop.element[k];
            level -= inst.types.size();
            const bool of_columns = d.column && !d.row && !d.index;
            const bool of_rows =
                rows && d.row && !d.column && !d.index && inst.op != Op::load && (keeps_places_ || !is_place(inst));
            bool used = false;
            for (std::size_t r = 0; r < inst.types.size(); ++r) {
                if (!needed[level + r]) continue;
                used = true;
                if (of_columns) loop.of_columns.push_back({k, r, inst.types[r]});
                if (of_rows) loop.of_rows.push_back({k, r, inst.types[r]});
            }
            if (!used || of_columns || of_rows) continue;
            loop.here[k] = true;
            for (ir::Local l : inst.operands) needed[l.index] = true;
        }
        check(level == first, "every instruction of the element has been looked at");
        for (const TileLoop::Kept& kept : loop.of_columns)
            widest_ = std::max(widest_, static_cast<std::size_t>(detail::size_of(kept.type)));
    }

    void count(const Inst& inst, Dependence d, bool here) {
        if (here && d.row && (!inst.blocks.empty() || (inst.op == Op::load && d.column))) fits_ = false;
        if (inst.op == Op::constant || d.index) return;
        if (!here) (d.column ? tile_.of_columns : tile_.of_rows) += weight(inst.op);
        if (here && d.row && d.column) tile_.arithmetic += weight(inst.op), gains_ = true;
        if (here && !d.column && inst.op != Op::load) count_scalar(inst, d);
        if (here && !d.column && inst.op == Op::load) (d.row ? row_loads_ : tile_.of_index) += 1;
        if (!here && !d.column && d.row) row_loads_ += tuning::kept_row_load;
    }

    void count_scalar(const Inst& inst, Dependence d) {
        const bool by_number = !inst.operands.empty() && env_[inst.operands.back().index].number;
        const double instructions = scalar_instructions(inst, by_number);
        d.row ? tile_.of_scalars += std::max(1.0, instructions) : tile_.of_index += instructions;
    }

    const lower::Kernel& kernel_;
    const Facts::OrderedFold* ordered_;  ///< null if there is none
    const bool keeps_places_;
    std::vector<Dependence> env_;
    RegisterTile tile_;
    bool fits_ = true, gains_ = false;
    std::ptrdiff_t loops_ = 0;
    double row_loads_ = 0;
    std::size_t states_ = 0, widest_ = 1;
};

/// Chooses the shape with the fewest loads per arithmetic instruction among those whose accumulators, shared values, values
/// of one row and one result fit in the registers.
bool choose_shape(const Machine& machine, RegisterTile& tile, double states, double row_loads, TileSide most) {
    double shared = 1, best = 0;
    for (const TileLoop& loop : tile.loops) shared = std::max(shared, static_cast<double>(loop.of_columns.size()));
    for (int columns = 1; columns <= most.columns; ++columns) {
        const double room = machine.registers - tuning::spare_registers - columns * shared;
        const int rows = std::min(most.rows, static_cast<int>(room / (columns * states)));
        const double reuse = rows * columns / (rows * row_loads + columns * shared);
        if (rows < tuning::least_tile_rows || reuse <= best) continue;
        best = reuse;
        tile.rows = rows;
        tile.columns = columns;
    }
    return best > 0;
}

}  // namespace

std::optional<RegisterTile> register_tile(const Machine& machine, const lower::Kernel& kernel,
                                          const std::optional<Facts::OrderedFold>& ordered, TileSide most) {
    if (machine.vector_bits == 0 || machine.single_tail(false)) return std::nullopt;
    if (std::any_of(kernel.buffers.begin(), kernel.buffers.end(), [](auto& buffer) { return buffer.local; }))
        return std::nullopt;
    auto tile_along = [&](std::size_t row_axis, bool keeps_places) -> std::optional<RegisterTile> {
        Finder finder(kernel, ordered ? &*ordered : nullptr, row_axis, keeps_places);
        if (!finder()) return std::nullopt;
        RegisterTile& tile = finder.tile();
        const double row_loads = finder.row_loads() / static_cast<double>(tile.loops.size());
        if (!choose_shape(machine, tile, static_cast<double>(finder.states()), row_loads, most)) return std::nullopt;
        tile.unit = machine.vector_bits / 8;
        tile.width = tile.unit / static_cast<int>(finder.widest());
        return std::move(tile);
    };
    for (std::size_t axis = kernel.space.size(); axis-- > 1;)
        for (const bool keeps_places : {false, true})
            if (auto tile = tile_along(axis - 1, keeps_places)) return tile;
    return std::nullopt;
}

}  // namespace sinter::schedule
