// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/card/register_tiles.hpp"

#include "lower/loops.hpp"
#include "schedule/card/tuning.hpp"
#include "schedule/facts/pattern.hpp"

#include <algorithm>

namespace sinter::schedule::card {

using ir::Op;
using lower::Block;
using lower::Inst;

std::int64_t RegisterTiles::block_rows() const { return tile.rows * tuning::tile_threads; }
std::int64_t RegisterTiles::block_columns() const { return tile.columns * tuning::tile_threads; }

RegisterTiles RegisterTiles::by_tensor_cores() const {
    RegisterTiles result = *this;
    result.kept = factors;
    result.tensor_cores = true;
    return result;
}

std::int64_t RegisterTiles::pitch(const Kept& value) const {
    const std::int64_t length = value.of_columns ? block_columns() : block_rows();
    return (tensor_cores ? steps() : length) * detail::size_of(value.type) + tuning::access_bytes;
}

std::vector<std::int64_t> RegisterTiles::offsets() const {
    std::vector<std::int64_t> result{0};
    for (const Kept& value : kept) {
        const std::int64_t along = value.of_columns ? block_columns() : block_rows();
        result.push_back(result.back() + (tensor_cores ? along : steps()) * pitch(value));
    }
    return result;
}

namespace {

/// Whether a value depends on the row, and on the column.
struct Dependence {
    bool row = false, column = false;
    void join(Dependence d) {
        row |= d.row;
        column |= d.column;
    }
    bool none() const { return !row && !column; }
};

class TileFinder {
  public:
    TileFinder(const lower::Kernel& kernel, const Facts& facts, std::size_t row_axis)
        : kernel_(kernel), facts_(facts), body_(kernel.body), axes_(kernel.space.size()) {
        tiles_.row_axis = row_axis;
    }

    std::optional<RegisterTiles> operator()() {
        for (std::size_t axis = 0; axis < axes_; ++axis) env_.push_back({axis == tiles_.row_axis, axis + 1 == axes_});
        definitions_.assign(axes_, nowhere);
        find_reduce();
        const Block& element = reduce().blocks[0];
        for (RegisterTiles::Slice* slice : {&tiles_.rows.slice, &tiles_.columns.slice, &tiles_.here}) {
            slice->body.assign(tiles_.reduce, false);
            slice->element.assign(element.insts.size(), false);
        }
        if (!choose_kept(element) || !needs_nothing_of_points() || !choose_shapes()) return std::nullopt;
        for (RegisterTiles::Side* side : {&tiles_.rows, &tiles_.columns}) choose_order(*side, side == &tiles_.columns);
        find_factors(element);
        return std::move(tiles_);
    }

  private:
    static constexpr std::size_t nowhere = ~std::size_t{0};
    const Inst& reduce() const { return body_.insts[tiles_.reduce]; }

    void find_reduce() {
        while (&body_.insts[tiles_.reduce] != facts_.loops[0].inst) {
            const Inst& inst = body_.insts[tiles_.reduce];
            Dependence d = of_operands(inst);
            if (!inst.blocks.empty()) d = {true, true};
            env_.insert(env_.end(), inst.types.size(), d);
            definitions_.insert(definitions_.end(), inst.types.size(), tiles_.reduce);
            ++tiles_.reduce;
        }
        base_ = env_.size();
        rank_ = lower::loop_rank(reduce());
        env_.insert(env_.end(), rank_, {});
    }

    Dependence of_operands(const Inst& inst) const {
        Dependence d;
        for (ir::Local l : inst.operands) d.join(env_[l.index]);
        return d;
    }

    bool is_input_load(const Inst& inst) const {
        return inst.op == Op::load && !kernel_.buffers[inst.bits].output && !kernel_.buffers[inst.bits].local;
    }

    /// What may be executed at any time, for any point that exists.
    bool is_plain(const Inst& inst) const {
        const bool reports = inst.op == Op::check_index || inst.op == Op::check_divisor || inst.op == Op::expect;
        if (inst.op == Op::load) return is_input_load(inst);
        return inst.blocks.empty() && !reports && inst.op != Op::print && !ir::has_effect(inst.op);
    }

    /// Goes from the results of an element to the operands: what depends on the row or the column alone is kept, what
    /// depends on both is executed by every point.
    bool choose_kept(const Block& element) {
        for (const Inst& inst : element.insts) {
            if (!is_plain(inst)) return false;
            env_.insert(env_.end(), inst.types.size(), of_operands(inst));
        }
        std::vector<bool> needed(env_.size(), false);
        for (ir::Local l : element.results) needed[l.index] = true;
        std::size_t level = env_.size();
        for (std::size_t k = element.insts.size(); k-- > 0;) {
            const Inst& inst = element.insts[k];
            level -= inst.types.size();
            for (std::size_t r = 0; r < inst.types.size(); ++r)
                if (needed[level + r] && !use(inst, k, r, env_[level + r], needed)) return false;
        }
        // The place in the reduce, and what the body has computed for the point, are not at hand.
        for (std::size_t l = 0; l < base_ + rank_; ++l)
            if (needed[l] && (l < axes_ || l >= base_ || !env_[l].none() || !needs(tiles_.here, l))) return false;
        const auto of_columns = [](const RegisterTiles::Kept& value) { return value.of_columns; };
        return std::any_of(tiles_.kept.begin(), tiles_.kept.end(), of_columns) &&
               !std::all_of(tiles_.kept.begin(), tiles_.kept.end(), of_columns);
    }

    bool use(const Inst& inst, std::size_t k, std::size_t result, Dependence d, std::vector<bool>& needed) {
        const bool fixed = inst.op == Op::constant || inst.op == Op::size;
        if (fixed || (d.row && d.column)) {
            if (inst.op == Op::load) return false;
            tiles_.here.element[k] = true;
            tiles_.arithmetic += fixed ? 0 : 1;
            for (ir::Local l : inst.operands) needed[l.index] = true;
            return true;
        }
        tiles_.kept.push_back({k, result, inst.types[result], d.column});
        return needs_element((d.column ? tiles_.columns : tiles_.rows).slice, k);
    }

    /// Marks an instruction of the element and all that it is computed from.
    bool needs_element(RegisterTiles::Slice& slice, std::size_t k) {
        if (slice.element[k]) return true;
        slice.element[k] = true;
        const Block& element = reduce().blocks[0];
        for (ir::Local l : element.insts[k].operands) {
            if (l.index >= base_ + rank_) {
                if (!needs_element(slice, number_in_element(l.index))) return false;
            } else if (l.index < base_ && !needs(slice, l.index)) {
                return false;
            }
        }
        return true;
    }

    std::size_t number_in_element(std::size_t local) const {
        std::size_t at = base_ + rank_, k = 0;
        for (const Inst& inst : reduce().blocks[0].insts) {
            at += inst.types.size();
            if (local < at) break;
            ++k;
        }
        return k;
    }

    /// The same for a local of the body.
    bool needs(RegisterTiles::Slice& slice, std::size_t local) {
        const std::size_t k = definitions_[local];
        if (k == nowhere || slice.body[k]) return true;
        const Inst& inst = body_.insts[k];
        if (!is_plain(inst)) return false;
        slice.body[k] = true;
        return std::all_of(inst.operands.begin(), inst.operands.end(), [&](ir::Local l) { return needs(slice, l.index); });
    }

    /// Extents and initial values are the same for all points; combining is nothing but arithmetic.
    bool needs_nothing_of_points() {
        for (ir::Local l : reduce().operands)
            if (l.index < axes_ || !env_[l.index].none() || !needs(tiles_.here, l.index)) return false;
        for (const Inst& inst : reduce().blocks[1].insts) {
            if (inst.op == Op::load || !is_plain(inst)) return false;
            for (ir::Local l : inst.operands)
                if (l.index < base_ && (l.index < axes_ || !env_[l.index].none() || !needs(tiles_.here, l.index)))
                    return false;
            tiles_.arithmetic += inst.op == Op::constant ? 0 : 1;
        }
        return tiles_.arithmetic <= tuning::most_tile_arithmetic && tiles_.kept.size() <= tuning::most_kept;
    }

    bool choose_shapes() {
        std::int64_t registers = 0;
        for (ir::Scalar type : reduce().types) registers += detail::size_of(type) > tuning::register_bytes ? 2 : 1;
        if (registers > tuning::most_result_registers) return false;
        tiles_.wide = {registers > 2 ? 4 : 8, registers > 1 ? 4 : 8};
        tiles_.narrow = {4, 4};
        tiles_.broad = {tiles_.wide.rows, tuning::broad_columns};
        tiles_.tile = tiles_.wide;
        return tiles_.bytes() <= tuning::tile_bytes;
    }

    /// A sum of products of a row's and a column's number, where products may stay exact (Options::contract): both widened
    /// from halves, since floats hold such a product exactly, or any floats where these may be rounded (Options::tf32).
    void find_factors(const Block& element) {
        const Block& combine = reduce().blocks[1];
        const bool is_sum = rank_ == 1 && reduce().types == std::vector{ir::Scalar::f32} && combine.insts.size() == 1 &&
                            is_exact(combine.insts[0], Op::add);
        if (!is_sum || tiles_.kept.size() != 2 || tiles_.kept[0].of_columns == tiles_.kept[1].of_columns) return;
        const std::size_t result = element.results[0].index;
        if (result < base_ + rank_) return;
        const Inst& product = element.insts[number_in_element(result)];
        if (!is_exact(product, Op::mul)) return;
        std::vector<RegisterTiles::Kept> halves;
        for (const RegisterTiles::Kept& factor : tiles_.kept) {
            const bool is_factor = std::any_of(product.operands.begin(), product.operands.end(), [&](ir::Local l) {
                return l.index >= base_ + rank_ && number_in_element(l.index) == factor.inst;
            });
            if (!is_factor) return;
            if (const auto half = narrow(element, element.insts[factor.inst]))
                halves.push_back({*half, 0, ir::Scalar::f16, factor.of_columns});
        }
        if (halves.size() == tiles_.kept.size())
            tiles_.factors = std::move(halves);
        else if (product.bits == ir::tf32_bits)
            tiles_.factors = tiles_.kept;
    }

    /// The instruction of the element whose result, a half, is widened; nothing if that is not so.
    std::optional<std::size_t> narrow(const Block& element, const Inst& widened) const {
        if (widened.op != Op::cast || widened.operands[0].index < base_ + rank_) return std::nullopt;
        const std::size_t half = number_in_element(widened.operands[0].index);
        if (element.insts[half].types != std::vector{ir::Scalar::f16}) return std::nullopt;
        return half;
    }

    static bool is_exact(const Inst& inst, Op op) { return inst.op == op && inst.bits != 0 && ir::is_contractible(inst); }

    /// Looks whether any load is contiguous along the axis.
    void choose_order(RegisterTiles::Side& side, bool of_columns) {
        std::vector<Pattern> params(axes_), place(rank_);
        params[of_columns ? axes_ - 1 : tiles_.row_axis] = Pattern::lane();
        std::vector<Pattern> outside = body_patterns(kernel_, facts_.control, params);
        outside.resize(base_);
        const Block& element = reduce().blocks[0];
        const std::vector<Pattern> inside = block_patterns(kernel_, facts_.control, element, outside, place);
        for (std::size_t k = 0; k < element.insts.size(); ++k) {
            const Inst& inst = element.insts[k];
            if (!side.slice.element[k] || inst.op != Op::load) continue;
            const Pattern& offset = inside[inst.operands[0].index];
            side.along_axis |= offset.kind == Pattern::Kind::affine && offset.number == 1;
        }
    }

    const lower::Kernel& kernel_;
    const Facts& facts_;
    const Block& body_;
    const std::size_t axes_;
    std::vector<Dependence> env_;           ///< by local, of the body before the reduce and then of its element
    std::vector<std::size_t> definitions_;  ///< by local of the body: the instruction
    std::size_t base_ = 0, rank_ = 0;       ///< number of locals before the reduce, number of its axes
    RegisterTiles tiles_;
};

}  // namespace

std::optional<RegisterTiles> register_tiles(const lower::Kernel& kernel, const Facts& facts) {
    const bool fits = facts.loops.size() == 1 && facts.loops[0].inst->op == Op::reduce && !facts.nested_loops;
    if (!fits || !facts.updates.empty()) return std::nullopt;
    for (std::size_t axis = kernel.space.size(); axis-- > 1;)
        if (auto tiles = TileFinder(kernel, facts, axis - 1)()) return tiles;
    return std::nullopt;
}

}  // namespace sinter::schedule::card
