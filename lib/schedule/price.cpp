// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/price.hpp"

#include "schedule/interleaved.hpp"
#include "schedule/tile_tasks.hpp"
#include "schedule/tuning.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace sinter::schedule {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// n / lanes, rounded up. (std::ceil would be a call on some machines that the library has to support.)
double vectors(double n, double lanes) { return static_cast<double>(static_cast<std::int64_t>((n + lanes - 1) / lanes)); }

double elements_of(const Facts::Loop& loop, const std::int64_t* sizes) {
    if (!loop.extents) return tuning::unknown_elements;
    double n = 1;
    for (const Extent& extent : *loop.extents) n *= static_cast<double>(extent.of(sizes));
    return n;
}

/// How many times as much work sequential loops are as a profile takes for granted. Loops of no steps count as one step, so
/// that no price is 0.
double scale_of(const Steps& steps, const std::int64_t* sizes) {
    double most = steps.empty() ? 1 : 0;
    for (const std::vector<Extent>& nest : steps) {
        double scale = 1;
        for (const Extent& each : nest)
            scale *= std::max(1.0, static_cast<double>(each.of(sizes))) / tuning::inner_iterations;
        most = std::max(most, scale);
    }
    return most;
}

/// The same of an element of loop k.
double scale_of_element(const Candidates& candidates, std::size_t k, const std::int64_t* sizes) {
    const VectorPrice& price = candidates.loops[k];
    const double inside = std::max(0.0, price.all - price.once - price.combine) / price.all;
    return 1 + inside * (scale_of(candidates.facts.loops[k].steps, sizes) - 1);
}

/// The same of all loops of a point.
double scale_of_loops(const Candidates& candidates, const std::int64_t* sizes) {
    const Facts& facts = candidates.facts;
    if (candidates.loops.empty() && !facts.ordered) return scale_of(facts.steps, sizes);
    double elements = facts.ordered ? elements_of(facts.ordered->loop, sizes) : 0;
    for (std::size_t k = 0; k < candidates.loops.size(); ++k)
        elements = std::max(elements, elements_of_loop(candidates, k, sizes) * scale_of_element(candidates, k, sizes));
    return elements / tuning::inner_iterations;
}

/// The vectors of a row of `n` points, and how often the code for a vector, or for several side by side, is executed.
struct Vectors {
    double all, groups;
};

Vectors vectors_of_row(double n, double width, const Lanes& lanes) {
    const double group = width * lanes.columns;
    if (lanes.covering) return {vectors(n, group) * lanes.columns, vectors(n, group)};
    const double whole = vectors(n - group + 1, group), rest = vectors(n - whole * group, width);
    return {vectors(n, width), whole + rest};
}

/// The price of a row of `n` points in lanes.
double row_of_points(const Candidates& candidates, const std::int64_t* sizes, double n, const Lanes& lanes) {
    const double scale = scale_of_loops(candidates, sizes);
    const VectorPrice& vector = candidates.points;
    const Vectors row = vectors_of_row(n, vector.lanes, lanes);
    const double alone = lanes.covering && lanes.columns == 1 ? tuning::vector_alone : 1;
    return alone * row.all * (vector.once + (vector.all - vector.once) * scale) + row.groups * vector.shared * scale +
           tuning::loop_control;
}

/// The same in the cheapest shape of lanes.
double row_of_points(const Candidates& candidates, const std::int64_t* sizes, double n) {
    double least = never;
    for (const Way& way : candidates.ways)
        if (const auto* points = std::get_if<Points>(&way))
            least = std::min(least, row_of_points(candidates, sizes, n, points->lanes));
    return least == never ? row_of_points(candidates, sizes, n, Lanes{}) : least;
}

/// The price of a row under each way.
class Price {
  public:
    Price(const lower::Kernel& kernel, const Candidates& candidates, const std::int64_t* sizes)
        : kernel_(kernel),
          candidates_(candidates),
          sizes_(sizes),
          points_(kernel.space.empty() ? 1 : sizes[kernel.space.back().index]) {}

    double operator()(const Points& way) const {
        const double groups = vectors(number_of_points(), candidates_.points.lanes * way.lanes.columns);
        return row_of_points(candidates_, sizes_, number_of_points(), way.lanes) + groups * far_lines();
    }
    double operator()(const Squares&) const { return row_of_points(candidates_, sizes_, number_of_points(), Lanes{}); }

    /// Only for rows that are short: others overlap by themselves what waits.
    double operator()(const RowsTogether& way) const {
        const int columns = way.blocks.width;
        const std::int64_t rows = sizes_[kernel_.space[kernel_.space.size() - 2].index];
        if (points_ < columns || points_ > tuning::longest_row_together * columns || rows < way.blocks.rows) return never;
        const VectorPrice& vector = candidates_.points;
        const double once = candidates_.instruction_time * way.shared;
        return vectors(number_of_points(), columns) * (vector.all - once + once / way.blocks.rows) +
               tuning::loop_control / way.blocks.rows;
    }

    double operator()(const Inner&) const {
        const double n = number_of_points();
        return n * price_of_point(candidates_, sizes_, n < tuning::few_points);
    }

    double operator()(const RowBlocks& rows) const {
        const double moving = std::bit_width(static_cast<unsigned>(rows.lanes)) - 1;  // the cost of transposing one vector
        double longest = 0, cost = tuning::row_block_control + candidates_.facts.points.in_turn * rows.lanes, bytes = 0;
        for (std::size_t k = 0; k < candidates_.loops.size(); ++k) {
            if (!candidates_.facts.loops[k].extents) return never;
            const double elements = elements_of_loop(candidates_, k, sizes_);
            cost += elements * candidates_.loops[k].all * scale_of_element(candidates_, k, sizes_);
            longest = std::max(longest, elements);
        }
        if (candidates_.loops.empty()) return price_of_strips(rows, moving);
        for (const lower::Buffer& b : kernel_.buffers) bytes += longest * rows.lanes * detail::size_of(b.scalar);
        if (points_ < rows.lanes || bytes > static_cast<double>(tuning::nearest_cache_bytes)) return never;
        const double single = static_cast<double>(static_cast<std::int64_t>(longest) % RowBlocks::columns);
        cost += rows.transposed * (moving * longest + single * rows.lanes);
        return cost / rows.lanes * number_of_points();
    }

    double operator()(const RegisterTile& tile) const { return price_of_tile_row(kernel_, candidates_, tile, sizes_); }

  private:
    /// The price for sequential loops: that of points in lanes, except that accesses that lie far apart are transposed.
    double price_of_strips(const RowBlocks& rows, double moving) const {
        if (points_ < rows.lanes) return never;
        const Profile& points = candidates_.facts.points;
        const double single = (tuning::gathered_element * points.strided + tuning::scattered_element * points.scatters) *
                              candidates_.points.lanes;
        const double saved = single - (points.strided + points.scatters) * moving;
        const double once = candidates_.points.once, vector = std::max(1.0, candidates_.points.all - saved - once);
        const double all = once + vector * scale_of_loops(candidates_, sizes_);
        return vectors(number_of_points(), rows.lanes) * all + tuning::row_block_control;
    }

    /// What points of a batch whose elements lie between each other pay for each vector, or for several side by side: for
    /// every index of the reduced axis, they load lines that do not stay in near caches until other points need them.
    double far_lines() const {
        for (const Way& way : candidates_.ways) {
            const auto* tile = std::get_if<RegisterTile>(&way);
            if (!tile || tile->loops.size() != 1) continue;
            const double indices = indices_of(tile->loops[0]);
            const Interleaved between = interleaved(kernel_, *tile->loops[0].inst, tile->row_axis, sizes_);
            if (indices * static_cast<double>(between.bytes) <= tuning::batch_part_bytes) return 0;
            return indices * tuning::far_line * static_cast<double>(between.arrays);
        }
        return 0;
    }

    double indices_of(const TileLoop& tiled) const {
        const Facts& facts = candidates_.facts;
        if (facts.ordered) return elements_of(facts.ordered->loop, sizes_);
        const auto loop =
            std::find_if(facts.loops.begin(), facts.loops.end(), [&](const auto& each) { return each.inst == tiled.inst; });
        return elements_of(*loop, sizes_);
    }

    double number_of_points() const { return static_cast<double>(points_); }

    const lower::Kernel& kernel_;
    const Candidates& candidates_;
    const std::int64_t* sizes_;
    const std::int64_t points_;  ///< number in a row
};

}  // namespace

double elements_of_loop(const Candidates& candidates, std::size_t k, const std::int64_t* sizes) {
    return elements_of(candidates.facts.loops[k], sizes);
}

double price_of_point(const Candidates& candidates, const std::int64_t* sizes, bool alone) {
    const Profile& points = candidates.facts.points;
    double cost = alone ? tuning::entering - tuning::waiting : 0;
    cost += points.in_turn + tuning::waiting_update * points.shared_updates;
    cost += candidates.instruction_time * points.once + tuning::scalar_division * points.expensive_once;
    for (std::size_t k = 0; k < candidates.loops.size(); ++k) {
        const auto& [lanes, all, once, combine, shared] = candidates.loops[k];
        const auto& extents = candidates.facts.loops[k].extents;
        const double elements = elements_of_loop(candidates, k, sizes);
        const double innermost = std::max(1.0, extents ? static_cast<double>(extents->back().of(sizes)) : elements);
        const double combining = (alone ? tuning::combining_alone : tuning::combining_many) * std::max(1.0, combine) *
                                 std::bit_width(static_cast<unsigned>(lanes));
        const double rest = alone || vectors(innermost, lanes) * lanes == innermost ? 0 : tuning::masked_loop_end;
        cost += elements / innermost *
                    (vectors(innermost, lanes) * (all * scale_of_element(candidates, k, sizes) + shared) +
                     tuning::loop_control + rest) +
                combining;
        cost += alone ? tuning::waiting : k > 0 ? tuning::waiting_behind : 0;
    }
    return cost;
}

double price_of_points(const lower::Kernel& kernel, const Candidates& candidates, const std::int64_t* sizes) {
    const double n = static_cast<double>(sizes[kernel.space.back().index]);
    const double lanes = candidates.points.lanes;
    const double rest = vectors(n, lanes) * lanes > n ? tuning::masked_row_end : 0;
    double rows = 1;
    for (std::size_t axis = 0; axis + 1 < kernel.space.size(); ++axis)
        rows *= static_cast<double>(sizes[kernel.space[axis].index]);
    return rows * (tuning::entering + row_of_points(candidates, sizes, n) + rest);
}

double price_of_launch(const lower::Kernel& kernel, const Candidates& candidates, const std::int64_t* sizes) {
    const Choice choice = choose(kernel, candidates, sizes);
    if (std::holds_alternative<Points>(candidates.ways[choice.way])) return price_of_points(kernel, candidates, sizes);
    double rows = 1;
    for (std::size_t axis = 0; axis + 1 < kernel.space.size(); ++axis)
        rows *= static_cast<double>(sizes[kernel.space[axis].index]);
    return rows * (tuning::entering + price_of_row(kernel, candidates, candidates.ways[choice.way], sizes));
}

double price_of_row(const lower::Kernel& kernel, const Candidates& candidates, const Way& way, const std::int64_t* sizes) {
    return std::visit(Price(kernel, candidates, sizes), way);
}

Choice choose(const lower::Kernel& kernel, const Candidates& candidates, const std::int64_t* sizes) {
    Choice choice;
    if (candidates.ways.size() == 1) return choice;
    for (std::size_t k = 0; k < candidates.ways.size(); ++k) {
        choice.prices[k] = price_of_row(kernel, candidates, candidates.ways[k], sizes);
        if (choice.prices[k] < choice.prices[choice.way]) choice.way = k;
    }
    return choice;
}

}  // namespace sinter::schedule
