// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/candidates.hpp"

#include "schedule/tuning.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <bit>

namespace sinter::schedule {

using ir::Op;

namespace {

class CandidateFinder {
  public:
    CandidateFinder(const lower::Kernel& kernel, const Machine& machine) : kernel_(kernel), machine_(machine) {}

    Candidates operator()() {
        result_.facts = facts_of(kernel_);
        result_.points = price(result_.facts.points);
        for (const Facts::Loop& loop : result_.facts.loops) {
            result_.loops.push_back(price(loop.element));
            const auto lanes = static_cast<unsigned>(result_.loops.back().lanes);
            const double times = loop.inst->op == Op::scan ? std::bit_width(lanes) + tuning::scan_appends : 1;
            result_.loops.back().combine =
                time_ * (instructions(loop.combine, result_.loops.back().lanes) + tuning::division * loop.combine.expensive);
            result_.loops.back().all += result_.loops.back().combine * times;
        }
        result_.instruction_time = time_;
        find_ways();
        check(result_.ways.size() <= most_ways, "no kernel has more ways to run than there is room for");
        return std::move(result_);
    }

  private:
    /// Elements that are wider than those that the lanes were chosen for take several registers.
    double instructions(const Profile& p, double lanes) const {
        double result = 0;
        for (int k = 0; k < 4; ++k) {
            const double registers = machine_.vector_bits > 0 ? lanes * (8 << k) / machine_.vector_bits : 1;
            result += p.operations[k] * std::max(1.0, registers);
        }
        return result;
    }

    /// Gathers and scatters count once per lane.
    VectorPrice price(const Profile& p) const {
        const double lanes = std::max(1, choose_lanes(machine_, p, 1).width);
        const double own = instructions(p, lanes), wider = p.empty ? 1 : own / p.instructions();
        const double vectors = own + tuning::division * p.expensive + p.uniform_loads + 1;
        return {lanes,
                time_ * vectors +
                    (tuning::gathered_element * p.gathers + tuning::scattered_element * p.scatters + p.in_turn) * lanes,
                time_ * (wider * p.once + tuning::division * p.expensive_once), 0, tuning::scalar_instruction * p.shared};
    }

    void find_ways() {
        const Facts& facts = result_.facts;
        if (kernel_.space.empty()) return add(Inner{});
        if (facts.loops.empty()) {
            auto squares = schedule::squares(machine_, kernel_, facts);
            squares ? add(std::move(*squares)) : add_points();
            if (auto rows = rows_together(machine_, kernel_, facts); rows && !facts.ordered) add(std::move(*rows));
            if (const auto rows = row_blocks(machine_, kernel_, facts)) add(*rows);
            if (facts.ordered && facts.updates.empty()) add_tiles(facts.ordered);
            return;
        }
        add(Inner{});
        if (!facts.has_local_buffers) add_points();
        if (const auto rows = row_blocks(machine_, kernel_, facts)) add(*rows);
        if (facts.updates.empty()) add_tiles({});
    }

    void add_tiles(const std::optional<Facts::OrderedFold>& ordered) {
        int columns = tuning::most_tile_columns + 1;
        for (const TileSide& most : tile_sides) {
            auto tile = register_tile(machine_, kernel_, ordered, most);
            if (!tile || tile->columns >= columns) continue;
            columns = tile->columns;
            add(std::move(*tile));
        }
    }

    /// A large body that is emitted once computes all vectors side by side, whether a row has points for them or not.
    void add_points() {
        Points points = this->points();
        const bool several = points.lanes.covering && points.lanes.columns > 1;
        add(points);
        points.lanes.columns = 1;
        if (several) add(std::move(points));
    }

    void add(Way way) { result_.ways.push_back(std::move(way)); }

    Points points() const {
        Points result{lanes_for_points(), fetched_ahead(kernel_, result_.facts.control)};
        const bool carries_little = std::all_of(result.ahead.begin(), result.ahead.end(),
                                                [](const auto& loop) { return loop.first->types.size() == 1; });
        const double step = result_.facts.points.instructions() / tuning::inner_iterations;
        if (!result.ahead.empty() && carries_little && step <= tuning::body_of_eight && result.lanes.columns > 1)
            result.lanes.columns *= 2;
        return result;
    }

    /// If a loop of the kernel may be cut into chunks, a point may be left halfway through; points cannot go together then.
    Lanes lanes_for_points() const {
        const Facts& facts = result_.facts;
        const bool chunked = facts.chunked && facts.chunked->op == Op::reduce;
        return chunked ? choose_lanes(machine_, facts.points, 0)
                       : lanes_for_effects(machine_, facts.points, facts.borders, facts.reads_shifted);
    }

    const lower::Kernel& kernel_;
    const Machine& machine_;
    const double time_ = machine_.instruction_time();
    Candidates result_;
};

}  // namespace

Candidates candidates_of(const lower::Kernel& kernel, const Machine& machine) { return CandidateFinder(kernel, machine)(); }

const lower::Inst* chunked_in(const Candidates& candidates, const Way& way) {
    const Facts& facts = candidates.facts;
    if (facts.ordered && std::holds_alternative<RegisterTile>(way)) return facts.ordered->reduce.get();
    const lower::Inst* inst = facts.chunked;
    if (!inst || std::holds_alternative<RowBlocks>(way)) return nullptr;
    return inst->op == Op::reduce || std::holds_alternative<Inner>(way) ? inst : nullptr;
}

Schedule schedule_of(const lower::Kernel& kernel, const Machine& machine, const Candidates& candidates, const Way& way) {
    const lower::Inst* chunked = chunked_in(candidates, way);
    const bool apart = !candidates.facts.row_borders.borders.empty();
    return {way,
            chunked,
            lanes_of_loops(machine, kernel, candidates.facts.control, chunked),
            &candidates.facts.control,
            &candidates.facts.sides,
            !candidates.facts.reads_shifted,
            apart && std::holds_alternative<Points>(way) ? &candidates.facts.row_borders : nullptr};
}

}  // namespace sinter::schedule
