// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/decision.hpp"

#include "ir/evaluate.hpp"
#include "ir/neutral.hpp"
#include "schedule/affine.hpp"
#include "support/match.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinter::schedule {

namespace {

std::string print_vectors(int width, int columns) {
    if (width == 1) return "one by one";
    return columns == 1 ? fmt::format("vectors of {}", width) : fmt::format("{} vectors of {}", columns, width);
}

std::string text(const Lanes& lanes) {
    std::string result = print_vectors(lanes.width, lanes.columns);
    if (lanes.covering) result += ", all under a mask";
    if (lanes.in_turn) result += ", updates in turn";
    if (lanes.borders == Borders::pieces) result += ", piece by piece";
    if (lanes.together > 1) result += fmt::format(", {} together", lanes.together);
    return result;
}

/// What a way does, beside its name.
std::string details(const Way& way) {
    return match(
        way, [](const Points& w) { return text(w.lanes) + (w.ahead.empty() ? "" : ", lines fetched ahead"); },
        [](const Squares& w) { return fmt::format("{} x {}, {} loads against the grain", w.rows, w.width, w.loads.size()); },
        [](const RowsTogether& w) { return fmt::format("{} x {}", w.blocks.rows, w.blocks.width); },
        [](const Inner&) { return std::string(); }, [](const RowBlocks& w) { return fmt::format("{} rows", w.lanes); },
        [](const RegisterTile& w) { return fmt::format("{} rows x {}", w.rows, print_vectors(w.width, w.columns)); });
}

/// The name of a way that was not taken, by which it can be told from others.
std::string name_among_others(const Way& way) {
    if (const auto* tile = std::get_if<RegisterTile>(&way))
        return fmt::format("{} of {} x {}", name_of(way), tile->rows, tile->columns);
    if (const auto* points = std::get_if<Points>(&way); points && points->lanes.covering)
        return fmt::format("{} in {}", name_of(way), print_vectors(points->lanes.width, points->lanes.columns));
    return std::string(name_of(way));
}

std::string number(double price) { return std::isinf(price) ? std::string("never") : fmt::format("{:.0f}", price); }

/// For example "310 against inner 1200, points 920"; empty if there was no choice.
std::string reason(const Candidates& candidates, const Decision& decision) {
    if (decision.flat && (decision.flat->pays() || candidates.ways.size() == 1)) {
        const auto& [rows, flat] = *decision.flat;
        return decision.flat->pays() ? fmt::format(": {} against rows {}", number(flat), number(rows))
                                     : fmt::format(": {} against flat {}", number(rows), number(flat));
    }
    if (candidates.ways.size() == 1) return {};
    std::string result = ": " + number(decision.choice.prices[decision.choice.way]);
    const char* separator = " against ";
    for (std::size_t k = 0; k < candidates.ways.size(); ++k) {
        if (k == decision.choice.way) continue;
        result +=
            fmt::format("{}{} {}", separator, name_among_others(candidates.ways[k]), number(decision.choice.prices[k]));
        separator = ", ";
    }
    if (decision.flat)
        result += fmt::format("; rows {} against flat {}", number(decision.flat->rows), number(decision.flat->flat));
    return result;
}

std::string update_text(const Decision& decision) {
    if (decision.apart) return ", rows update elements of their own";
    return match(
        decision.updates, [](const InOrder&) { return std::string(); },
        [](const Copies& w) { return fmt::format(", updates by {} copies", w.count); },
        [](const Partitions&) { return std::string(", updates by partitions"); });
}

std::string tasks_text(const Tasks& t) {
    std::string result = fmt::format("{} task{} of {} x {}", t.row_tasks() * t.inner_tasks(),
                                     t.row_tasks() * t.inner_tasks() == 1 ? "" : "s", t.rows_per_task, t.inner_per_task);
    if (t.chunks > 1) result += fmt::format(", {} chunks of {}", t.chunks, t.chunk_length);
    if (t.step > 0) result += fmt::format(", {} indices at a time", t.step);
    if (t.task_bytes() > 0) result += fmt::format(", {} bytes each", t.task_bytes());
    if (t.bypass) result += ", stores past the caches";
    if (t.in_order) result += ", points that meet in order";
    return result;
}

/// Whether what elements begin with may come before what updates them, instead of being combined with all of that: if it is
/// a neutral element, or if the order decides no bits.
bool may_begin(const lower::Kernel& kernel, const Facts& facts, const lower::Inst& update, std::size_t level) {
    const std::size_t count = update.operands.size() - 1;
    if (std::any_of(facts.updates.begin(), facts.updates.end(),
                    [&](const UpdateFact& fact) { return fact.inst == &update && fact.any_order; }))
        return true;
    const auto neutral = ir::neutral_elements(update.blocks[0], count, level);
    for (std::size_t k = 0; k < count; ++k) {
        const lower::Scalar type = kernel.buffers[update.bits + k].scalar;
        if (!detail::is_float(type)) continue;
        const lower::Accumulator* accumulator = lower::accumulator_at(kernel, update.bits + k);
        if (!neutral || !accumulator || ir::to_double(type, accumulator->initial) != ir::to_double(type, (*neutral)[k]))
            return false;
    }
    return true;
}

/// Whether tasks of whole rows update different elements, and are as many as copies would be. The bits are those that copies
/// would give, which ranks have.
bool are_apart(const lower::Kernel& kernel, const Candidates& candidates, const Decision& decision,
               const std::int64_t* sizes) {
    const auto* copies = std::get_if<Copies>(&decision.updates);
    if (!copies || decision.tasks.in_order || decision.tasks.row_count < copies->count) return false;
    const std::size_t axes = kernel.space.size() - (has_lanes_on_points(candidates.ways[decision.choice.way]) ? 1 : 0);
    const AffineNumbers numbers(kernel, sizes, {});
    return std::all_of(numbers.accesses().begin(), numbers.accesses().end(), [&](const AffineNumbers::Access& access) {
        if (access.inst->op != ir::Op::update) return true;
        for (std::size_t k = 0; k + 1 < access.inst->operands.size(); ++k)
            if (!numbers.updates_apart(access.inst->bits + k, axes)) return false;
        return may_begin(kernel, candidates.facts, *access.inst, access.level);
    });
}

}  // namespace

Decision decide(const lower::Kernel& kernel, const Candidates& candidates, const std::int64_t* sizes, int threads,
                std::int64_t together) {
    Decision decision;
    decision.choice = choose(kernel, candidates, sizes);
    decision.tasks = cut(kernel, candidates, candidates.ways[decision.choice.way], sizes, threads, together);
    if (accumulates(kernel, candidates.facts) && !decision.tasks.partial())
        decision.updates =
            choose_accumulators(kernel, candidates.facts.updates, sizes, decision.tasks.points, decision.tasks.work);
    if (are_apart(kernel, candidates, decision, sizes)) {
        decision.apart = true;
        decision.tasks.inner_per_task = decision.tasks.inner;
        decision.tasks.threads = threads;
    }
    return decision;
}

std::string describe(const Way& way) {
    const std::string more = details(way);
    return more.empty() ? std::string(name_of(way)) : fmt::format("{} ({})", name_of(way), more);
}

std::string summary(const Candidates& candidates, const Decision& decision) {
    const Way& way = candidates.ways[decision.choice.way];
    const std::string flat = decision.flat && decision.flat->pays() ? "flat " : "";
    return flat + describe(way) + update_text(decision) + reason(candidates, decision);
}

std::string print(const Candidates& candidates, const Decision& decision) {
    std::string result = summary(candidates, decision) + "\n";
    return result + (decision.tasks.points > 0 ? tasks_text(decision.tasks) : "no points") + "\n";
}

}  // namespace sinter::schedule
