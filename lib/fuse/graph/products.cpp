// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/graph/products.hpp"

#include "fuse/tuning.hpp"
#include "ir/walk.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace sinter::fuse {

using ir::Inst;
using ir::Op;

namespace {

/// Axes that a local depends on, a bit each.
using Axes = std::uint64_t;
constexpr Axes all_axes = ~Axes{0};

bool has_loop(const ir::Block& block) {
    return ir::any_inst(block, [](const Inst& inst) { return inst.op == Op::for_loop; });
}

/// True if some reads are the same for all columns, and others for all of the rows that the former depend on.
bool are_shared(const std::vector<Axes>& reads, Axes column) {
    return std::any_of(reads.begin(), reads.end(), [&](Axes of_rows) {
        if (of_rows & column) return false;
        return std::any_of(reads.begin(), reads.end(),
                           [&](Axes of_columns) { return (of_columns & column) && (of_rows & ~of_columns); });
    });
}

class Reads {
  public:
    explicit Reads(std::size_t rank) : rank_(rank) {}

    bool are_shared(const ir::Block& body) {
        for (std::size_t k = 0; k < body.params.size(); ++k) axes_.push_back(k < rank_ ? Axes{1} << k : all_axes);
        walk(body, false, 1);
        return fuse::are_shared(found_, Axes{1} << (rank_ - 1));
    }

  private:
    /// `steps`: of the loops around, as far as they are constants.
    void walk(const ir::Block& block, bool in_loop, std::int64_t steps) {
        for (const Inst& inst : block.insts) {
            Axes axes = 0;
            for (ir::Local l : inst.operands) axes |= axes_[l.index];
            if (inst.op == Op::read && in_loop) found_.push_back(axes);
            if (inst.op == Op::constant) constants_.emplace_back(axes_.size(), static_cast<std::int64_t>(inst.bits));
            if (inst.op == Op::for_loop) loop(inst, steps);
            axes_.resize(axes_.size() + inst.types.size(), inst.blocks.empty() ? axes : all_axes);
        }
    }

    void loop(const Inst& inst, std::int64_t steps) {
        steps *= steps_of(inst);
        const std::size_t level = axes_.size();
        const ir::Block& body = inst.blocks[0];
        axes_.push_back(axes_[inst.operands[0].index]);
        axes_.resize(level + body.params.size(), all_axes);
        walk(body, steps >= tuning::least_product_steps, steps);
        axes_.resize(level);
    }

    std::int64_t steps_of(const Inst& loop) const {
        for (const auto& [level, value] : constants_)
            if (level == loop.operands[0].index) return std::clamp<std::int64_t>(value, 1, tuning::least_product_steps);
        return tuning::least_product_steps;
    }

    const std::size_t rank_;
    std::vector<Axes> axes_;                                       ///< by local in scope
    std::vector<std::pair<std::size_t, std::int64_t>> constants_;  ///< with their levels
    std::vector<Axes> found_;                                      ///< of reads in loops
};

/// What the maps of an argument of a fold read.
class Sides {
  public:
    explicit Sides(const Maker& maker) : maker_(maker) {}

    void follow(ir::ValueId id, int maps) {
        const ir::Binding* binding = maker_(id);
        const auto* map = binding ? std::get_if<ir::Map>(&binding->op) : nullptr;
        if (map && !map->indexed && maps > 0) {
            for (ir::ValueId arg : map->args) follow(arg, maps - 1);
        } else {
            found_.push_back(binding ? axes_of(*binding) : all_axes);
        }
    }

    const std::vector<Axes>& found() const { return found_; }

  private:
    static Axes axes_of(const ir::Binding& binding) {
        const auto* view = std::get_if<ir::View>(&binding.op);
        const auto* broadcast = view ? std::get_if<ir::Broadcast>(&view->function) : nullptr;
        if (!broadcast) return all_axes;
        Axes axes = 0;
        for (std::size_t axis : broadcast->axes) axes |= Axes{1} << axis;
        return axes;
    }

    const Maker& maker_;
    std::vector<Axes> found_;
};

}  // namespace

bool is_product_of_broadcasts(const ir::ArrayOp& op, std::size_t rank, const Maker& maker) {
    const auto* fold = std::get_if<ir::Fold>(&op);
    if (!fold || rank >= 64 || rank < fold->axes.size() + 2) return false;
    Axes kept = (Axes{1} << rank) - 1;
    for (std::size_t axis : fold->axes) kept &= ~(Axes{1} << axis);
    Axes column = Axes{1} << (rank - 1);
    while (!(kept & column)) column >>= 1;
    Sides sides(maker);
    for (ir::ValueId arg : fold->args) sides.follow(arg, tuning::most_maps_of_product);
    const auto has_all = [&](Axes axes) { return (axes & kept) == kept; };
    if (std::any_of(sides.found().begin(), sides.found().end(), has_all)) return false;
    std::vector<Axes> reads;
    for (Axes axes : sides.found()) reads.push_back(axes & kept);
    return are_shared(reads, column);
}

bool is_product(const ir::ArrayOp& op, std::size_t rank) {
    const auto* map = std::get_if<ir::Map>(&op);
    if (!map || !map->indexed || rank < 2 || map->captures.arrays.empty() || !has_loop(map->fn.body)) return false;
    return Reads(rank).are_shared(map->fn.body);
}

}  // namespace sinter::fuse
