// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// First come the cuts that decide results: chunks of the loop that may be cut. Then come blocks for the caches, and then
// tasks for threads.
#include "schedule/tasks.hpp"

#include "lower/loops.hpp"
#include "schedule/facts/collisions.hpp"
#include "schedule/price.hpp"
#include "schedule/tile_tasks.hpp"
#include "schedule/tuning.hpp"
#include "support/arithmetic.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

namespace sinter::schedule {

using ir::Op;

namespace {

/// What is stored: of an array that is updated in place, an element per point.
std::int64_t stored_bytes(const lower::Kernel& kernel, const std::int64_t* sizes, std::int64_t points) {
    std::int64_t bytes = 0;
    for (const lower::Buffer& b : kernel.buffers) {
        if (!b.output) continue;
        const std::int64_t all = sizes[b.elements.index];
        bytes += (b.dest ? std::min(all, points) : all) * detail::size_of(b.scalar);
    }
    return bytes;
}

/// True if the kernel is a loop that reads what it has stored, or may store to what it reads.
bool loads_outputs(const lower::Kernel& kernel) {
    for (std::size_t k = 0; k < kernel.buffers.size(); ++k)
        if (kernel.buffers[k].takes || (kernel.buffers[k].output && lower::is_overwritten(kernel, k))) return true;
    return false;
}

bool bypasses_caches(const lower::Kernel& kernel, const Facts& facts, const std::int64_t* sizes, std::int64_t points) {
    const auto outputs = std::count_if(kernel.buffers.begin(), kernel.buffers.end(), [](auto& b) { return b.output; });
    const std::ptrdiff_t most = facts.loops.empty() ? tuning::most_streams : tuning::most_looped_streams;
    return outputs <= most && stored_bytes(kernel, sizes, points) > tuning::large_output_bytes && !loads_outputs(kernel);
}

std::int64_t local_bytes(const lower::Kernel& kernel, const std::int64_t* sizes) {
    std::int64_t bytes = 0;
    for (const lower::Buffer& b : kernel.buffers)
        if (b.local) bytes += round_up(sizes[b.elements.index] * detail::size_of(b.scalar), local_alignment);
    return bytes;
}

class Cutter {
  public:
    Cutter(const lower::Kernel& kernel, const Candidates& candidates, const std::int64_t* sizes, int threads, bool in_order)
        : kernel_(kernel), candidates_(candidates), facts_(candidates.facts), sizes_(sizes), threads_(threads) {
        t.in_order = in_order;
    }

    Tasks operator()(const Way& way) {
        for (ir::SizeId id : kernel_.space) t.points *= sizes_[id.index];
        t.inner = has_lanes_on_points(way) ? sizes_[kernel_.space.back().index] : 1;
        t.bypass = bypasses_caches(kernel_, facts_, sizes_, t.points);
        t.local_bytes = local_bytes(kernel_, sizes_);
        if (t.points <= 0) return t;
        t.row_count = t.points / t.inner;
        find_chunked(chunked_in(candidates_, way));
        t.chunk_length = t.reduce;
        t.inner_per_task = t.inner;
        std::visit([&](const auto& w) { cut(w); }, way);
        t.threads = sharing_threads();
        return t;
    }

  private:
    /// Updates go in the order of points, or of the chunks of a scan. A scan, whose chunks are handed on, needs some threads
    /// to gain.
    int sharing_threads() const {
        const bool chain = t.partial() && facts_.chunked->op == Op::scan;
        if (!facts_.updates.empty() && !chain) return 1;
        return chain && threads_ < tuning::least_chain_threads ? 1 : threads_;
    }

    void find_chunked(const lower::Inst* chunked) {
        if (!chunked) return;
        const Facts::Loop& loop = facts_.ordered ? facts_.ordered->loop : facts_.loops[0];
        const std::vector<Extent>& extents = *loop.extents;
        t.reduce = extents[0].of(sizes_);
        for (std::size_t k = 1; k < extents.size(); ++k) others_ *= extents[k].of(sizes_);
        divisible_ = t.reduce > 0 && others_ > 0;
    }

    void cut(const Inner&) {
        if (divisible_) chunk_inner();
        const double point =
            tuning::reading_instruction * price_of_point(candidates_, sizes_, t.row_count < tuning::few_points);
        rows_of_tasks(point);
    }

    void cut(const Points& way) {
        columns_ = way.lanes.columns;
        const Profile& points = facts_.points;
        const bool reuses = points.uniform_loads > 0 && t.points > tuning::product_points;
        if (divisible_ && points.streamed > 0) reuses ? block_product() : chunk_columns();
        if (divisible_ && points.streamed == 0 && points.gathers == 0) chunk_shared();
        if (facts_.loops.empty() && points.strided > 0 && is_free()) block_transpose(false);
        tasks_of_points();
    }

    void cut(const Squares&) {
        if (facts_.points.strided > 0 && is_free()) block_transpose(true);
        tasks_of_points();
    }

    void cut(const RowsTogether&) { tasks_of_points(); }

    void cut(const RegisterTile& tile) { cut_tiles(t, kernel_, candidates_, tile, sizes_, threads_); }

    void cut(const RowBlocks& blocks) {
        const double row = price_of_row(kernel_, candidates_, blocks, sizes_);
        t.inner_least = blocks.lanes;
        t.local_bytes *= t.inner_least;
        t.work = row * static_cast<double>(t.row_count);
        const double task = work_of_task();
        t.rows_per_task = std::clamp(static_cast<std::int64_t>(task / row), std::int64_t{1}, t.row_count);
        const auto points = static_cast<std::int64_t>(task / row * static_cast<double>(t.inner));
        t.inner_per_task = std::min(
            t.inner, round_up(std::max({points, t.points / tuning::enough_uneven_tasks, std::int64_t{1}}), t.inner_least));
        even_out(t.inner_least);
    }

    /// True if no two points affect the same elements.
    bool is_free() const { return facts_.updates.empty() && !t.in_order; }

    // Chunks.

    /// Elements that are worth a chunk: more for a scan, whose chunks are executed twice, than for a reduce.
    std::int64_t elements_of_chunk() const {
        if (facts_.chunked->op != Op::reduce) return tuning::chunk_elements;
        const VectorPrice& price = candidates_.loops[0];
        auto worth = [&](double work) {
            const auto elements = static_cast<std::uint64_t>(work / price.all * price.lanes);
            return std::clamp(static_cast<std::int64_t>(std::bit_floor(elements)),
                              has_long_elements() ? tuning::least_long_chunk : tuning::least_chunk, tuning::chunk_elements);
        };
        const auto of_few = static_cast<std::uint64_t>(t.reduce * others_ / tuning::few_chunks);
        return std::clamp(static_cast<std::int64_t>(std::bit_floor(of_few)), worth(tuning::least_chunk_work),
                          worth(tuning::chunk_work));
    }

    /// Whether each element is computed by a loop.
    bool has_long_elements() const { return facts_.loops[0].element.inner > 0; }

    void chunks_of(std::int64_t length) {
        t.chunk_length = length;
        t.chunks = ceil_div(t.reduce, length);
    }

    /// Chunks for a reduce with lanes along its own axis: enough of them even if there are few points.
    void chunk_inner() {
        const std::int64_t elements = t.reduce * others_, least = elements_of_chunk();
        if (t.points >= tuning::enough_tasks || elements < 2 * least) return;
        std::int64_t length = std::max(ceil_div(least, others_), ceil_div(t.reduce, tuning::most_chunks));
        if (others_ == 1 && !has_long_elements()) length = round_up(length, tuning::task_unit);
        chunks_of(std::max<std::int64_t>(1, length));
    }

    /// Chunks for a reduce over columns. Walking down a column touches one page per element; therefore a few rows at a time
    /// are added to accumulators, which are kept in memory that stays in the nearest cache. A small matrix is in the caches
    /// as a whole: tasks take strips of its columns.
    void chunk_columns() {
        const std::int64_t elements = t.reduce * t.points;
        const auto bytes =
            static_cast<std::int64_t>(std::accumulate(facts_.state_bytes.begin(), facts_.state_bytes.end(), 0u));
        const bool near = t.points < 2 * tuning::strip ? elements <= tuning::column_elements
                                                       : elements * bytes <= tuning::near_matrix_bytes;
        if (t.reduce < 2 * tuning::step_indices || near) return;
        t.step = t.points < tuning::wide_row ? tuning::step_indices : tuning::few_step_indices;
        const std::int64_t length = round_up(ceil_div(tuning::column_elements, t.points), tuning::step_indices);
        chunks_of(std::max(length, tuning::chunk_steps * tuning::step_indices));
    }

    /// Chunks for a reduce whose elements are shared by all points, if there are few points.
    void chunk_shared() {
        const std::int64_t strips = t.row_count * ceil_div(t.inner, tuning::strip);
        const std::int64_t length = std::max(ceil_div(t.reduce, ceil_div(tuning::enough_tasks, strips)),
                                             ceil_div(elements_of_chunk(), others_ * std::min(t.inner, tuning::strip)));
        if (strips >= tuning::enough_tasks || 2 * length > t.reduce) return;
        chunks_of(std::max(tuning::least_shared_chunk, length));
    }

    // Blocks.

    /// Blocks for a reduce whose elements are used for many points, as in a matrix product: blocks of the reduced axis and
    /// of columns, such that what they load stays in the second-level cache while all rows of a task use it.
    void block_product() {
        if (t.reduce < 2 * tuning::product_indices || t.row_count < tuning::least_product_rows) return;
        t.step = tuning::product_indices;
        t.inner_per_task = std::min(t.inner, tuning::product_columns);
        t.rows_per_task = std::min(t.row_count, tuning::product_rows);
    }

    /// Blocks for loads against the grain, as in a transpose: tiles of few columns, whose lanes load lines that lie side by
    /// side. Where rows go one by one, they find in the nearest cache what the row before has loaded.
    void block_transpose(bool squares) {
        if (t.row_count < tuning::least_transpose_rows || t.inner < tuning::least_transpose_columns) return;
        const bool lines = t.bypass || t.inner % tuning::line_bytes == 0;  // whole lines, whatever the type of the elements
        t.inner_per_task = std::min(t.inner, tuning::transpose_columns);
        t.rows_per_task = std::min(t.row_count, squares && lines ? tuning::transpose_square_rows : tuning::transpose_rows);
    }

    // Tasks.

    bool is_even() const {
        const auto& loops = facts_.loops;
        return !facts_.points.divergent &&
               std::all_of(loops.begin(), loops.end(), [](const Facts::Loop& loop) { return loop.extents.has_value(); });
    }

    /// The vector instructions of a task. Small launches are divided among all threads that are awake. If tasks are even,
    /// each thread has one, or a few large ones: a thread that takes over another's task takes what that one has in its
    /// caches, and loses it again at the next launch, which pays only if the other is held up for long.
    double work_of_task() const {
        const double share = t.work / threads_, task = std::clamp(share, tuning::least_task_work, tuning::task_work);
        return is_even() ? std::clamp(share, task, tuning::even_task_work) : task;
    }

    /// Gives each thread the same amount, if tasks are too few to balance. They become at most twice as large.
    void even_out(std::int64_t unit) {
        const std::int64_t tasks = ceil_div(t.inner, t.inner_per_task);
        if (t.row_count > 1 || tasks < threads_ || tasks >= tuning::balanced_tasks * threads_) return;
        t.inner_per_task = round_up(ceil_div(t.inner, tasks / threads_ * threads_), unit);
    }

    /// Neighbouring points stay in one task as far as they share cache lines. Lanes that go along lines share none. Where
    /// each point is a sequential loop, a unit is what goes side by side, or, if nothing is known of its steps, the most
    /// that ever does.
    std::int64_t unit_of_points() const {
        if (!facts_.steps.empty()) return columns_ * static_cast<std::int64_t>(candidates_.points.lanes);
        if (facts_.loops.empty()) return facts_.points.inner > 0 ? 2 * tuning::strip : tuning::task_unit;
        const bool shared = facts_.points.contiguous > 0 || facts_.points.stores > 0;
        return shared ? tuning::strip : static_cast<std::int64_t>(candidates_.points.lanes);
    }

    void tasks_of_points() {
        const double row = price_of_row(kernel_, candidates_, Points{}, sizes_);
        if (!rows_of_tasks(row)) return;
        const double task = work_of_task(), chunk_row = row / static_cast<double>(t.chunks);
        if (t.row_count * t.chunks >= tuning::enough_tasks || chunk_row < 2 * task) return;
        const std::int64_t wanted = ceil_div(tuning::enough_uneven_tasks, t.row_count * t.chunks);
        const auto least = static_cast<std::int64_t>(task / chunk_row * static_cast<double>(t.inner));
        const std::int64_t unit = unit_of_points();
        t.inner_per_task = std::min(t.inner, round_up(std::max(ceil_div(t.inner, wanted), least), unit));
        even_out(unit);
    }

    /// Decides about rows per task. Returns false if blocks have already decided.
    bool rows_of_tasks(double row) {
        t.work = row * static_cast<double>(t.row_count);
        if (t.rows_per_task > 1) return false;
        const double chunk_row = row / static_cast<double>(t.chunks);
        t.rows_per_task = std::clamp(static_cast<std::int64_t>(work_of_task() / chunk_row), std::int64_t{1}, t.row_count);
        const double spread = static_cast<double>(t.row_count) / (tuning::enough_uneven_tasks);
        t.rows_per_task = std::max(t.rows_per_task, static_cast<std::int64_t>(spread));
        if (const std::int64_t tasks = ceil_div(t.row_count, t.rows_per_task);
            tasks > 1 && tasks < tuning::balanced_tasks * threads_)
            t.rows_per_task = ceil_div(t.row_count, same_for_all(tasks));
        return true;
    }

    /// As many tasks, about, as a multiple of the threads.
    std::int64_t same_for_all(std::int64_t tasks) const {
        return is_even() && tasks > threads_ ? tasks / threads_ * threads_ : round_up(tasks, threads_);
    }

    const lower::Kernel& kernel_;
    const Candidates& candidates_;
    const Facts& facts_;
    const std::int64_t* sizes_;
    const int threads_;
    Tasks t;
    std::int64_t others_ = 1;  ///< extents of the chunked loop's other axes
    int columns_ = 1;          ///< vectors side by side
    bool divisible_ = false;
};

}  // namespace

namespace {

/// Tasks whose ends are where none of so many consecutive points are divided. Nothing where the launch is cut otherwise than
/// by rows.
std::optional<Tasks> keep_together(Tasks t, const Way& way, std::int64_t together) {
    if (together >= t.points || t.tiled || t.step > 0) return std::nullopt;
    const std::int64_t row = has_lanes_on_points(way) ? t.inner : 1;
    if (together % row != 0) return std::nullopt;
    t.inner_per_task = t.inner;
    t.rows_per_task = std::min(t.row_count, round_up(t.rows_per_task, together / row));
    return t;
}

}  // namespace

Tasks cut(const lower::Kernel& kernel, const Candidates& candidates, const Way& way, const std::int64_t* sizes, int threads,
          std::int64_t together) {
    const bool in_order = together > 1;
    const Tasks tasks = Cutter(kernel, candidates, sizes, threads, in_order)(way);
    if (!in_order || tasks.points <= 1) return tasks;
    if (std::optional<Tasks> kept = keep_together(tasks, way, together)) return *kept;
    return Cutter(kernel, candidates, sizes, 1, in_order)(way);
}

bool spread(Tasks& tasks, const Candidates& candidates, int threads) {
    const Facts& facts = candidates.facts;
    const bool own_lines = facts.points.gathers + facts.points.scatters > 0;
    const bool in_any_order = facts.loops.empty() && !facts.nested_loops && facts.updates.empty();
    if (threads == 1 || tasks.in_order || !tasks.is_call() || !own_lines || !in_any_order || tasks.points < threads)
        return false;
    if (tasks.row_count >= threads)
        tasks.rows_per_task = ceil_div(tasks.row_count, threads);
    else
        tasks.inner_per_task = ceil_div(tasks.inner, threads);
    tasks.work += tuning::foreign_line * static_cast<double>(tasks.points);
    tasks.threads = threads;
    return true;
}

std::vector<ir::SizeId> deciding_sizes(const lower::Kernel& kernel, const Candidates& candidates) {
    const bool updates = !candidates.facts.updates.empty() || !kernel.accumulators.empty();
    if (updates || overwritten_arrays(kernel) > 1) return {};
    std::vector<ir::SizeId> deciding = kernel.space;
    for (const lower::Buffer& buffer : kernel.buffers) deciding.push_back(buffer.elements);
    auto add_extents = [&](const std::vector<Extent>& extents) {
        for (const Extent& extent : extents)
            if (!extent.constant) deciding.emplace_back(static_cast<std::size_t>(extent.value));
    };
    auto add = [&](const Facts::Loop& loop) {
        if (loop.extents) add_extents(*loop.extents);
        std::for_each(loop.steps.begin(), loop.steps.end(), add_extents);
    };
    std::for_each(candidates.facts.loops.begin(), candidates.facts.loops.end(), add);
    std::for_each(candidates.facts.steps.begin(), candidates.facts.steps.end(), add_extents);
    if (candidates.facts.ordered) add(candidates.facts.ordered->loop);
    std::sort(deciding.begin(), deciding.end());
    deciding.erase(std::unique(deciding.begin(), deciding.end()), deciding.end());
    return deciding;
}

bool may_shrink(const Candidates& candidates) {
    const Facts& facts = candidates.facts;
    const bool counts = std::any_of(facts.steps.begin(), facts.steps.end(), [](const std::vector<Extent>& nest) {
        return std::any_of(nest.begin(), nest.end(), [](const Extent& each) { return !each.constant; });
    });
    return facts.loops.empty() && !facts.nested_loops && !counts && facts.updates.empty() && facts.points.scatters == 0;
}

void shrink(Tasks& tasks, const lower::Kernel& kernel, const Way& way, const std::int64_t* sizes) {
    tasks.points = 1;
    for (ir::SizeId id : kernel.space) tasks.points *= sizes[id.index];
    tasks.inner = has_lanes_on_points(way) && !kernel.space.empty() ? sizes[kernel.space.back().index] : 1;
    tasks.row_count = tasks.points / tasks.inner;
    tasks.rows_per_task = tasks.row_count;
    tasks.inner_per_task = tasks.inner;
}

}  // namespace sinter::schedule
