// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/shares.hpp"

#include "jit/host/launch.hpp"
#include "schedule/tile_tasks.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace sinter::host {

namespace {

using schedule::Interval;
using schedule::PartFacts;

class Shares final : public runtime::SharedKernel {
  public:
    explicit Shares(Binding binding)
        : binding_(std::move(binding)), extent_(kernel().space.empty() ? 1 : binding_.sizes[kernel().space[0].index]) {
        const schedule::Way& way = binding_.code->way(binding_.decision.choice.way);
        columns_ = schedule::has_lanes_on_points(way) && kernel().space.size() == 1;
        rows_ = columns_ ? 1 : tasks().row_count / std::max<std::int64_t>(1, extent_);
        if (columns_) least_ = tasks().inner_least;
        if (!refusal().empty()) return;
        // Chunks of scans and compacts need those before them.
        if (!is_chained()) points_ = schedule::part_facts(kernel(), binding_.sizes.data());
        if (tasks().chunks > 1)
            reduced_ = schedule::chunk_facts(kernel(), *facts().chunked, tasks().reduce, binding_.sizes.data());
    }

    double work() const override { return tasks().work; }

    /// Of register tiles: each part keeps what rows share.
    double work_of_part() const override {
        const auto* tile = std::get_if<schedule::RegisterTile>(&binding_.code->way(binding_.decision.choice.way));
        if (!tile || tile->row_axis != 0) return 0;
        const auto work_of = [&](std::int64_t rows) {
            std::vector<std::int64_t> sizes = binding_.sizes;
            sizes[kernel().space[0].index] = rows;
            return static_cast<double>(rows * rows_) *
                   schedule::price_of_tile_row(kernel(), binding_.code->candidates(), *tile, sizes.data());
        };
        return std::max(0.0, 2 * work_of(tile->rows) - work_of(2 * tile->rows));
    }

    std::string refusal() const override {
        if (tasks().points <= 0) return "it has no points";
        if (!binding_.has_parts) return "one rank counts its short rows as one axis, and combines elements in another order";
        return facts().updates.empty() && kernel().accumulators.empty() ? ""
                                                                        : "one rank makes its updates one after another";
    }

    bool has_partials_of_points() const override { return tasks().partial(); }

    const PartFacts& points() const override { return points_; }
    std::int64_t least_points() const override { return least_; }

    void launch_points(void* const* buffers, Interval points, runtime::ErrorSlot& error, bool kept) const override {
        if (points.empty()) return;
        schedule::Tasks whole = tasks();
        whole.bypass = whole.bypass && !kept;
        schedule::Tasks part = whole;
        TaskOffsets offsets;
        if (columns_) {
            part.inner = points.length();
            part.inner_per_task = std::min(part.inner_per_task, part.inner);
            offsets.column = points.begin;
            return launch(whole, part, offsets, buffers, error);
        }
        const std::int64_t runs = has_outermost_last() ? rows_ : 1, length = points.length() * rows_ / runs;
        part.row_count = length;
        part.rows_per_task = std::min(part.rows_per_task, part.row_count);
        for (std::int64_t run = 0; run < runs; ++run) {
            offsets.row = run * extent_ + points.begin * rows_ / runs;
            launch(whole, part, offsets, buffers, error);
        }
    }

    const PartFacts& reduced() const override { return reduced_; }
    std::int64_t chunk_length() const override { return tasks().chunk_length; }
    std::int64_t chunks() const override { return tasks().chunks; }

    Loop loop() const override {
        if (!is_chained()) return Loop::fold;
        return facts().chunked->op == ir::Op::scan ? Loop::scan : Loop::compact;
    }

    std::vector<std::size_t> partial_bytes() const override {
        std::vector<std::size_t> bytes = facts().state_bytes;
        for (std::size_t& b : bytes) b *= static_cast<std::size_t>(tasks().points);
        if (!is_chained()) return bytes;
        const std::vector<std::size_t> totals = bytes;
        bytes.insert(bytes.end(), totals.begin(), totals.end());
        return bytes;
    }

    void launch_chunks(void* const* buffers, void* const* partials, Interval chunks,
                       runtime::ErrorSlot& error) const override {
        execute(emit::Start::fresh, buffers, partials, chunks, error);
    }

    void chain_chunks(void* const* buffers, void* const* partials, runtime::ErrorSlot& error) const override {
        host::chain_chunks(*binding_.way_code, *binding_.code, tasks(), partials, launch(buffers, error));
    }

    void complete_chunks(void* const* buffers, void* const* partials, Interval chunks,
                         runtime::ErrorSlot& error) const override {
        execute(emit::Start::accumulate, buffers, partials, chunks, error);
    }

    std::size_t first_kept() const override { return facts().chunked->bits; }
    std::size_t kept_values() const override { return facts().chunked->blocks[0].results.size() - 1; }

    std::int64_t keep_chunks(void* const* buffers, Interval chunks, runtime::ErrorSlot& error) const override {
        schedule::Tasks part = tasks();
        scale_work(part, chunks.length(), tasks().chunks);
        return host::keep_chunks(*binding_.way_code, *binding_.code, tasks(), part, chunks, launch(buffers, error));
    }

    void finish_chunks(void* const* buffers, void* const* partials, runtime::ErrorSlot& error) const override {
        host::finish_chunks(*binding_.way_code, *binding_.code, tasks(), {tasks(), {}}, partials, launch(buffers, error));
    }

  private:
    bool is_chained() const { return tasks().partial() && facts().chunked->op != ir::Op::reduce; }

    /// Whether rows that follow each other differ in the outermost axis, and not in those between it and the columns.
    bool has_outermost_last() const {
        const auto* tile = std::get_if<schedule::RegisterTile>(&binding_.code->way(binding_.decision.choice.way));
        return tile && tile->row_axis == 0 && kernel().space.size() > 2;
    }

    void launch(const schedule::Tasks& whole, schedule::Tasks& part, const TaskOffsets& offsets, void* const* buffers,
                runtime::ErrorSlot& error) const {
        part.work = tasks().work;
        scale_work(part, part.row_count * part.inner, whole.row_count * whole.inner);
        launch_part(*binding_.way_code, *binding_.code, whole, {part, offsets}, launch(buffers, error));
    }

    void execute(emit::Start start, void* const* buffers, void* const* partials, Interval chunks,
                 runtime::ErrorSlot& error) const {
        if (chunks.empty()) return;
        schedule::Tasks part = tasks();
        part.chunks = chunks.length();
        scale_work(part, chunks.length(), tasks().chunks);
        host::launch_chunks(*binding_.way_code, *binding_.code, tasks(), {part, {.chunk = chunks.begin, .start = start}},
                            partials, launch(buffers, error));
    }

    const lower::Kernel& kernel() const { return binding_.code->kernel(); }
    const schedule::Facts& facts() const { return binding_.code->facts(); }
    const schedule::Tasks& tasks() const { return binding_.tasks(); }

    runtime::Launch launch(void* const* buffers, runtime::ErrorSlot& error) const {
        return {buffers, binding_.sizes.data(), &error, binding_.threads};
    }

    static void scale_work(schedule::Tasks& tasks, std::int64_t part, std::int64_t whole) {
        tasks.work *= static_cast<double>(part) / static_cast<double>(whole);
    }

    const Binding binding_;
    std::int64_t extent_;     ///< of the outermost axis
    bool columns_;            ///< lanes go along it
    std::int64_t rows_;       ///< per outermost index
    std::int64_t least_ = 1;  ///< points of a part
    PartFacts points_, reduced_;
};

}  // namespace

std::shared_ptr<const runtime::SharedKernel> make_shares(Binding binding) {
    return std::make_shared<const Shares>(std::move(binding));
}

}  // namespace sinter::host
