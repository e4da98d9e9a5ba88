// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/ranks/sort/shared_sort.hpp"

#include "run/execute/host_steps.hpp"
#include "run/execute/sort.hpp"
#include "run/ranks/ahead/describe.hpp"
#include "run/ranks/arrays/spread_array.hpp"
#include "run/ranks/job/collectives.hpp"
#include "run/ranks/job/job.hpp"
#include "run/ranks/job/meeting.hpp"
#include "run/ranks/launch/share.hpp"
#include "run/ranks/sort/sorted_lines.hpp"
#include "support/text/dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

namespace sinter::runtime {

namespace {

char* element(void* base, std::int64_t index, ir::Scalar scalar) {
    return reinterpret_cast<char*>(reinterpret_cast<std::intptr_t>(base) + index * detail::size_of(scalar));
}

class SharedSort {
  public:
    SharedSort(const Context& context, const SortStep& step, const BodyPlan& plan, Frame& frame)
        : context_(context), step_(step), plan_(plan), frame_(frame), ranks_(job()->count), rank_(job()->rank) {}

    bool run() {
        const std::vector<std::int64_t> shape = context_.shape_of(plan_.types[step_.to.index], frame_);
        const std::int64_t elements = ir::sizes::product(shape);
        if (!makes_whole_lines(step_, plan_) || elements < least_sorted()) return false;
        layout_ = {true, shape[0], elements / shape[0]};
        if (dumps("place"))
            dump("place", fmt::format("sort: {} on {} ranks\n", shape.size() > 1 ? "by rows" : "by parts", ranks_));
        context_.call.sharing->used = true;
        record(what_is_sorted(shape));
        for (std::size_t k = 0; k < step_.args.size(); ++k) {
            ir::Scalar scalar = plan_.types[step_.to.index + k].scalar;
            scalars_.push_back(scalar);
            results_.push_back(std::make_shared<SpreadArray>(layout_, detail::size_of(scalar)));
        }
        shape.size() > 1 ? sort_rows_here(shape) : sort_line();
        for (std::size_t k = 0; k < results_.size(); ++k)
            frame_.own(ir::ValueId(step_.to.index + k)) = {results_[k]->data, results_[k]};
        return true;
    }

  private:
    std::uint64_t what_is_sorted(const std::vector<std::int64_t>& shape) const {
        std::uint64_t number = step_.keys * 2 + (step_.descending ? 1 : 0);
        for (std::int64_t extent : shape) number = number * 1000003 + static_cast<std::uint64_t>(extent);
        for (std::size_t k = 0; k < step_.args.size(); ++k)
            number = number * 31 + static_cast<std::uint64_t>(plan_.types[step_.to.index + k].scalar);
        return number;
    }

    Interval own() const { return layout_.own(ranks_, rank_); }
    std::size_t bytes(std::int64_t elements, std::size_t column) const {
        return static_cast<std::size_t>(elements * detail::size_of(scalars_[column]));
    }

    /// Where the elements of this rank are, in an array in blocks as in one that all ranks have.
    const void* input(std::size_t k) const {
        return element(const_cast<void*>(frame_.find(step_.args[k]).data), own().begin, scalars_[k]);
    }

    void sort_rows_here(const std::vector<std::int64_t>& shape) {
        std::vector<SortColumn> columns;
        for (std::size_t k = 0; k < scalars_.size(); ++k)
            columns.push_back({scalars_[k], input(k), element(results_[k]->data, own().begin, scalars_[k])});
        const std::int64_t rows = shape.back() > 0 ? own().length() / shape.back() : 0;
        sort_rows(columns, step_.keys, step_.descending, rows, shape.back(), context_.call.threads);
    }

    void sort_line() {
        const std::int64_t count = own().length();
        std::vector<BufferRef> sorted, received;
        std::vector<SortColumn> columns;
        for (std::size_t k = 0; k < scalars_.size(); ++k) {
            sorted.push_back(allocate(bytes(count, k)));
            received.push_back(allocate(bytes(count, k)));
            columns.push_back({scalars_[k], input(k), sorted.back()->data});
        }
        sort_rows(columns, step_.keys, step_.descending, 1, count, context_.call.threads);
        std::vector<SortColumn> lines;
        for (std::size_t k = 0; k < scalars_.size(); ++k) lines.push_back({scalars_[k], sorted[k]->data, received[k]->data});
        SortedLines merged({lines.data(), lines.size()}, step_.keys, step_.descending);
        merged.reserve(count, static_cast<std::size_t>(ranks_));
        meet("sort", 0, context_.call.where);
        const auto cuts = find_cuts(merged, count);
        std::vector<std::int64_t> lengths = exchange_parts(cuts, sorted, received);
        for (std::size_t k = 0; k < lines.size(); ++k)
            lines[k] = {scalars_[k], received[k]->data, element(results_[k]->data, own().begin, scalars_[k])};
        merged.merge({lines.data(), lines.size()}, std::move(lengths), context_.call.threads);
    }

    /// By rank and boundary: how many elements of the rank's sorted line come before it. Boundary r is where the part of
    /// rank r begins.
    std::vector<std::vector<std::int64_t>> find_cuts(const SortedLines& line, std::int64_t count) const {
        const auto ranks = static_cast<std::size_t>(ranks_), inner = ranks - 1;
        const std::size_t words = step_.keys + 1;
        std::vector<Interval> active(inner, Interval{0, count});
        std::vector<std::int64_t> wanted;  // of the active elements of all ranks, how many come before the boundary
        for (std::size_t b = 1; b < ranks; ++b) wanted.push_back(layout_.own(ranks_, static_cast<int>(b)).begin);
        const std::vector<std::size_t> pivot_bytes(ranks, inner * words * 8), less_bytes(ranks, inner * 8);
        std::vector<std::uint64_t> mine(inner * words), all(ranks * inner * words);
        std::vector<std::int64_t> less(inner), all_less(ranks * inner);
        for (;;) {
            for (std::size_t b = 0; b < inner; ++b) {
                mine[b * words] = wanted[b] > 0 ? static_cast<std::uint64_t>(active[b].length()) : 0;
                if (mine[b * words] == 0) continue;
                line.keys_of((active[b].begin + active[b].end) / 2, &mine[b * words + 1]);
            }
            gather(mine.data(), all.data(), pivot_bytes, "sort", context_.call.where);
            std::vector<int> owners;
            for (std::size_t b = 0; b < inner; ++b) owners.push_back(weighted_median(all, b, words));
            if (std::all_of(owners.begin(), owners.end(), [](int owner) { return owner < 0; })) break;
            for (std::size_t b = 0; b < inner; ++b)
                if (owners[b] >= 0)
                    less[b] = count_less(line, active[b], owners[b], &all[(owners[b] * inner + b) * words + 1]);
            gather(less.data(), all_less.data(), less_bytes, "sort", context_.call.where);
            for (std::size_t b = 0; b < inner; ++b) {
                if (owners[b] < 0) continue;
                std::int64_t total = 0;
                for (std::size_t r = 0; r < ranks; ++r) total += all_less[r * inner + b];
                if (wanted[b] <= total) {
                    active[b].end = active[b].begin + less[b];
                } else {  // the median comes before the boundary, too
                    active[b].begin += less[b] + (owners[b] == rank_ ? 1 : 0);
                    wanted[b] -= total + 1;
                }
            }
        }
        return gather_cuts(active, count);
    }

    std::vector<std::vector<std::int64_t>> gather_cuts(const std::vector<Interval>& active, std::int64_t count) const {
        const auto ranks = static_cast<std::size_t>(ranks_);
        std::vector<std::int64_t> mine{0}, all(ranks * (ranks + 1));
        for (const Interval& part : active) mine.push_back(part.begin);
        mine.push_back(count);
        gather(mine.data(), all.data(), std::vector<std::size_t>(ranks, mine.size() * 8), "sort", context_.call.where);
        std::vector<std::vector<std::int64_t>> cuts;
        for (std::size_t r = 0; r < ranks; ++r)
            cuts.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(r * (ranks + 1)),
                              all.begin() + static_cast<std::ptrdiff_t>((r + 1) * (ranks + 1)));
        return cuts;
    }

    /// The rank that has the median of the ranks' medians, each of which counts as often as the rank has active elements; -1
    /// if there are none.
    int weighted_median(const std::vector<std::uint64_t>& all, std::size_t boundary, std::size_t words) const {
        const auto inner = static_cast<std::size_t>(ranks_ - 1);
        auto word = [&](int rank) { return &all[(static_cast<std::size_t>(rank) * inner + boundary) * words]; };
        std::vector<int> order;
        std::uint64_t total = 0, so_far = 0;
        for (int rank = 0; rank < ranks_; ++rank)
            if (word(rank)[0] > 0) order.push_back(rank), total += word(rank)[0];
        std::sort(order.begin(), order.end(), [&](int a, int b) {
            const int order = compare(word(a) + 1, word(b) + 1, words - 1);
            return order != 0 ? order < 0 : a < b;
        });
        for (int rank : order)
            if ((so_far += word(rank)[0]) * 2 >= total) return rank;
        return -1;
    }

    static int compare(const std::uint64_t* a, const std::uint64_t* b, std::size_t count) {
        for (std::size_t k = 0; k < count; ++k)
            if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
        return 0;
    }

    /// The active elements that come before the median of rank `owner`: equal ones do on the ranks before.
    std::int64_t count_less(const SortedLines& line, const Interval& active, int owner, const std::uint64_t* keys) const {
        if (owner == rank_) return (active.begin + active.end) / 2 - active.begin;
        std::int64_t low = active.begin, high = active.end;
        std::vector<std::uint64_t> here(step_.keys);
        while (low < high) {
            const std::int64_t middle = (low + high) / 2;
            line.keys_of(middle, here.data());
            const int order = compare(here.data(), keys, step_.keys);
            (order < 0 || (order == 0 && rank_ < owner) ? low : high) =
                order < 0 || (order == 0 && rank_ < owner) ? middle + 1 : middle;
        }
        return low - active.begin;
    }

    /// Returns the lengths of the parts that this rank has received, in the order of ranks.
    std::vector<std::int64_t> exchange_parts(const std::vector<std::vector<std::int64_t>>& cuts,
                                             const std::vector<BufferRef>& sorted,
                                             const std::vector<BufferRef>& received) const {
        std::vector<sinter_message> sends, receives;
        const auto me = static_cast<std::size_t>(rank_);
        std::vector<std::int64_t> lengths;
        for (std::size_t r = 0; r < cuts.size(); ++r) lengths.push_back(cuts[r][me + 1] - cuts[r][me]);
        for (std::size_t k = 0; k < scalars_.size(); ++k) {
            std::int64_t next = 0;
            for (std::size_t r = 0; r < cuts.size(); ++r) {
                const std::int64_t out = cuts[me][r], length = cuts[me][r + 1] - out;
                char* const from = element(sorted[k]->data, out, scalars_[k]);
                char* const to = element(received[k]->data, next, scalars_[k]);
                next += lengths[r];
                if (r == me && length > 0) std::memcpy(to, from, bytes(length, k));
                if (r == me) continue;
                if (length > 0) sends.push_back({static_cast<int>(r), from, bytes(length, k)});
                if (lengths[r] > 0) receives.push_back({static_cast<int>(r), to, bytes(lengths[r], k)});
            }
        }
        exchange(sends, receives, "sort", context_.call.where);
        return lengths;
    }

    const Context& context_;
    const SortStep& step_;
    const BodyPlan& plan_;
    Frame& frame_;
    const int ranks_, rank_;
    place::Layout layout_;
    std::vector<ir::Scalar> scalars_;
    std::vector<std::shared_ptr<SpreadArray>> results_;
};

}  // namespace

bool sort_shared(const Context& context, const SortStep& step, const BodyPlan& plan, Frame& frame) try {
    return SharedSort(context, step, plan, frame).run();
} catch (const std::bad_alloc&) {
    throw MemoryError(fmt::format("cannot allocate what {} needs while it runs", "sort"), context.site_location(step.site));
}

}  // namespace sinter::runtime
