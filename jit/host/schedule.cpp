// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/schedule.hpp"

#include "jit/host/tile_schedule.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

namespace sinter::host {

using emit::Mode;
using emit::Profile;
using ir::Op;
using lower::Inst;

namespace {

constexpr std::int64_t chunk_elements = 1 << 16;   ///< of a chunked scan: about 256 KiB of each f32 input
constexpr std::int64_t column_elements = 1 << 15;  ///< of a chunk of a reduce over columns
constexpr std::int64_t near_bytes = 1 << 20;       ///< of a matrix that is streamed from near caches as a whole
constexpr std::int64_t strip = 64;                 ///< columns a task should have at least
constexpr std::int64_t least_chunk = 1 << 12;      ///< elements of a chunked reduce
constexpr double chunk_work = 32000;               ///< vector instructions of a chunk: some microseconds
constexpr double least_chunk_work = 5000;          ///< of one where there are few
constexpr std::int64_t few_chunks = 16;
constexpr int few_points = 4;              ///< that have nothing else to do while they wait for their own results
constexpr std::int64_t step_indices = 16;  ///< rows added to column accumulators at once: streams a prefetcher follows
constexpr std::int64_t wide_row = 4096, few_indices = 4;     ///< rows this far apart push each other out of one cache set
constexpr std::int64_t enough_tasks = 64;                    ///< more than any number of threads needs for balance
constexpr double least_task_work = 2000;                     ///< vector instructions a task should have at least
constexpr double task_work = 8000;                           ///< and if there is as much for every thread
constexpr double even_task_work = 40000;                     ///< and if all tasks take the same time
constexpr std::int64_t large_output = 24 << 20;              ///< bytes beyond which outputs bypass the caches
constexpr std::ptrdiff_t most_streams = 8, most_looped = 6;  ///< that many may: a processor gathers few lines at a time

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
std::int64_t round_up(std::int64_t a, std::int64_t b) { return ceil_div(a, b) * b; }

/// Elements of loop k; a guess where its extents are computed.
double loop_elements(const Traits& traits, std::size_t k, const std::int64_t* sizes) {
    constexpr double guess = 64;
    double n = traits.loop_extents[k].empty() ? guess : 1;
    for (const auto& extent : traits.loop_extents[k]) n *= static_cast<double>(extent.of(sizes));
    return n;
}

/// n / lanes, rounded up. (std::ceil is a call on machines the library may have to run on.)
double vectors(double n, double lanes) { return static_cast<double>(static_cast<std::int64_t>((n + lanes - 1) / lanes)); }

/// Of one row in mode points, `n` points long.
double points_cost(const Traits& traits, const std::int64_t* sizes, double n) {
    double elements = 0;
    for (std::size_t k = 0; k < traits.loops.size(); ++k) elements = std::max(elements, loop_elements(traits, k, sizes));
    const double scale = traits.loops.empty() ? 1 : std::max(1.0, elements / Profile::inner_weight);
    const auto& [lanes, instructions, once] = traits.point_cost;
    return vectors(n, lanes) * (once + (instructions - once) * scale) + 4;
}

/// Of one point in mode inner, alone or next to others.
double inner_cost(const Traits& traits, const std::int64_t* sizes, bool alone = true) {
    constexpr double masking = 25;  // of a vector that is not full
    constexpr double waiting = 16;  // of a loop for the result of the one before
    constexpr double behind = 32;   // the same where points are many, few of which are under way at a time
    double cost = alone ? 10 - waiting : 0;
    for (std::size_t k = 0; k < traits.loops.size(); ++k) {
        const auto& [lanes, instructions, once] = traits.loops[k];
        const auto& extents = traits.loop_extents[k];
        const double all = loop_elements(traits, k, sizes);
        const double innermost = std::max(1.0, extents.empty() ? all : static_cast<double>(extents.back().of(sizes)));
        const double combining = (alone ? 4 : 2) * std::bit_width(static_cast<unsigned>(lanes));
        const double rest = alone || vectors(innermost, lanes) * lanes == innermost ? 0 : masking;
        cost += all / innermost * (vectors(innermost, lanes) * instructions + 4 + rest) + combining;
        cost += alone ? waiting : k > 0 ? behind : 0;
    }
    return cost;
}

/// Of a row in mode rows.
double rows_cost(const lower::Kernel& kernel, const Traits& traits, const std::int64_t* sizes) {
    constexpr std::int64_t nearest_bytes = 16 << 10;  // half of a nearest cache
    constexpr auto never = std::numeric_limits<double>::infinity();
    const emit::RowBlocks& rows = *traits.rows;
    const std::int64_t points = sizes[kernel.space.back().index];
    const double moving =
        std::bit_width(static_cast<unsigned>(rows.lanes)) - 1;  // instructions that transposing a vector takes
    double longest = 0, cost = 8, bytes = 0;
    for (std::size_t k = 0; k < traits.loops.size(); ++k) {
        if (traits.loop_extents[k].empty()) return never;
        const double elements = loop_elements(traits, k, sizes);
        cost += elements * traits.loops[k].instructions;
        longest = std::max(longest, elements);
    }
    for (const lower::Buffer& b : kernel.buffers) bytes += longest * rows.lanes * detail::size_of(b.scalar);
    if (points < rows.lanes || bytes > nearest_bytes) return never;
    const double single = static_cast<double>(static_cast<std::int64_t>(longest) % emit::RowBlocks::columns);
    cost += rows.transposed * (moving * longest + single * rows.lanes);
    return cost / rows.lanes * static_cast<double>(points);
}

}  // namespace

double cost_of_points(const lower::Kernel& kernel, const Traits& traits, const std::int64_t* sizes) {
    constexpr double entering = 10, masking = 20;  // a row's loops, and a vector of them that is not full
    const double n = static_cast<double>(sizes[kernel.space.back().index]);
    const double rest = vectors(n, traits.point_cost.lanes) * traits.point_cost.lanes > n ? masking : 0;
    double rows = 1;
    for (std::size_t axis = 0; axis + 1 < kernel.space.size(); ++axis)
        rows *= static_cast<double>(sizes[kernel.space[axis].index]);
    return rows * (entering + points_cost(traits, sizes, n) + rest);
}

const Inst* chunked_in(const Traits& traits, Mode mode) {
    const Inst* inst = traits.chunked;
    if (mode == Mode::rows) return nullptr;
    return inst && inst->op != Op::reduce && mode != Mode::inner ? nullptr : inst;
}

Mode choose_mode(const lower::Kernel& kernel, const Traits& traits, const std::int64_t* sizes) {
    const bool local = std::any_of(kernel.buffers.begin(), kernel.buffers.end(), [](auto& buffer) { return buffer.local; });
    if (kernel.space.empty()) return Mode::inner;
    if (traits.loops.empty()) return Mode::points;
    constexpr double never = std::numeric_limits<double>::infinity();
    const double n = static_cast<double>(sizes[kernel.space.back().index]);
    const double costs[emit::mode_count] = {
        local ? never : points_cost(traits, sizes, n),
        n * inner_cost(traits, sizes, n < few_points),
        traits.tile && !local ? tiles_cost(kernel, traits, sizes) : never,
        traits.rows ? rows_cost(kernel, traits, sizes) : never,
    };
    std::size_t best = static_cast<std::size_t>(Mode::inner);
    for (Mode mode : {Mode::points, Mode::rows, Mode::tiles})
        if (costs[static_cast<std::size_t>(mode)] < costs[best]) best = static_cast<std::size_t>(mode);
    return static_cast<Mode>(best);
}

emit::Tile Tiling::tile(std::int64_t k) const {
    std::int64_t chunk = 0, column = 0, row = 0;
    if (k > 0) {
        const std::int64_t rest = k / chunks, columns = inner_tasks();
        chunk = k % chunks, column = rest % columns, row = rest / columns;
    }
    emit::Tile t;
    t.row_begin = row * rows_per_task;
    t.row_end = std::min(row_count, t.row_begin + rows_per_task);
    t.begin = column * inner_per_task;
    t.end = inner - t.begin - inner_per_task < inner_least ? inner : t.begin + inner_per_task;
    t.chunk = chunk;
    t.reduce_begin = chunk * chunk_length;
    t.reduce_end = std::min(reduce, t.reduce_begin + chunk_length);
    t.start = partial() ? emit::Start::fresh : emit::Start::init;
    t.local = t.shared = t.sums = nullptr;
    t.last = 1;
    return t;
}

namespace {

std::int64_t output_bytes(const lower::Kernel& kernel, const std::int64_t* sizes) {
    std::int64_t bytes = 0;
    for (const lower::Buffer& b : kernel.buffers)
        if (b.output) bytes += sizes[b.elements.index] * detail::size_of(b.scalar);
    return bytes;
}

bool bypasses_caches(const lower::Kernel& kernel, const Traits& traits, const std::int64_t* sizes) {
    const auto outputs = std::count_if(kernel.buffers.begin(), kernel.buffers.end(), [](auto& b) { return b.output; });
    return outputs <= (traits.loops.empty() ? most_streams : most_looped) && output_bytes(kernel, sizes) > large_output;
}

std::int64_t local_bytes(const lower::Kernel& kernel, const std::int64_t* sizes) {
    constexpr std::int64_t unit = emit::local_alignment;
    std::int64_t bytes = 0;
    for (const lower::Buffer& b : kernel.buffers)
        if (b.local) bytes += (sizes[b.elements.index] * detail::size_of(b.scalar) + unit - 1) / unit * unit;
    return bytes;
}

/// Of n elements, how many are worth a chunk: of a scan, whose chunks are executed twice, more than of a reduce.
std::int64_t elements_of_chunk(const Traits& traits, std::int64_t n) {
    if (traits.chunked->op != Op::reduce) return chunk_elements;
    auto worth = [&](double work) {
        const auto& [lanes, instructions, once] = traits.loops[0];
        const auto elements = static_cast<std::uint64_t>(work / instructions * lanes);
        return std::clamp(static_cast<std::int64_t>(std::bit_floor(elements)), least_chunk, chunk_elements);
    };
    const auto share = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(n / few_chunks)));
    return std::clamp(share, worth(least_chunk_work), worth(chunk_work));
}

/// Chunks of a reduce with lanes on its own axis: enough of them if there are few points.
void chunk_inner(Tiling& t, std::int64_t others, std::int64_t least) {
    const std::int64_t elements = t.reduce * others;
    if (t.points >= enough_tasks || elements < 2 * least) return;
    const std::int64_t most = 4096;
    std::int64_t length = std::max(ceil_div(least, others), ceil_div(t.reduce, most));
    if (others == 1) length = round_up(length, 1024);
    t.chunk_length = std::max<std::int64_t>(1, length);
    t.chunks = ceil_div(t.reduce, t.chunk_length);
}

/// Chunks of a reduce over columns. Going down a column touches a page an element; so a few rows at a time are added to
/// accumulators kept in memory that stays in the nearest cache. A small matrix is in the caches as a whole:
/// tasks take strips of its columns.
void chunk_points(Tiling& t, const Traits& traits) {
    const std::int64_t elements = t.reduce * t.points;
    const auto bytes = static_cast<std::int64_t>(std::accumulate(traits.state_bytes.begin(), traits.state_bytes.end(), 0u));
    const bool near = t.points < 2 * strip ? elements <= column_elements : elements * bytes <= near_bytes;
    if (t.reduce < 2 * step_indices || near) return;
    t.step = t.points < wide_row ? step_indices : few_indices;
    t.chunk_length = std::max(round_up(ceil_div(column_elements, t.points), step_indices), 4 * step_indices);
    t.chunks = ceil_div(t.reduce, t.chunk_length);
}

/// Chunks of a reduce whose elements all points share, if these are few.
void chunk_shared(Tiling& t, std::int64_t others, std::int64_t least) {
    constexpr std::int64_t least_length = 64;  // else partial results cost too much
    const std::int64_t strips = t.row_count * ceil_div(t.inner, strip);
    const std::int64_t length =
        std::max(ceil_div(t.reduce, ceil_div(enough_tasks, strips)), ceil_div(least, others * std::min(t.inner, strip)));
    if (strips >= enough_tasks || 2 * length > t.reduce) return;
    t.chunk_length = std::max(least_length, length);
    t.chunks = ceil_div(t.reduce, t.chunk_length);
}

/// A reduce whose elements are used for many points, as in a matrix product: blocks of the reduced axis and of columns, such
/// that what they load stays in the second cache while all rows of a task use it.
void block_product(Tiling& t) {
    constexpr std::int64_t rows = 32, columns = 256, reduced = 64;
    if (t.reduce < 2 * reduced || t.row_count < 8) return;
    t.step = reduced;
    t.inner_per_task = std::min(t.inner, columns);
    t.rows_per_task = std::min(t.row_count, rows);
}

/// Loads against the grain, as of a transpose: tiles of few columns, whose lanes load lines that lie side by side. Where
/// rows go one by one, they find in the nearest cache what the row before them has loaded.
void block_transpose(Tiling& t, bool squares) {
    constexpr std::int64_t whole_lines = 64;  // elements, whatever their type
    const std::int64_t rows = squares && (t.bypass || t.inner % whole_lines == 0) ? 256 : 64, columns = 64;
    if (t.row_count < 8 || t.inner < 16) return;
    t.inner_per_task = std::min(t.inner, columns);
    t.rows_per_task = std::min(t.row_count, rows);
}

bool is_even(const Traits& traits) {
    return !traits.points.divergent && std::none_of(traits.loop_extents.begin(), traits.loop_extents.end(),
                                                    [](const auto& extents) { return extents.empty(); });
}

/// Vector instructions of a task. Small launches are for all threads that are awake. Where tasks are even, they are few: who
/// takes over another's takes what that one has in its caches, which pays only if it is held up.
double work_of_task(const Tiling& t, const Traits& traits, int threads) {
    const double share = t.work / threads, task = std::clamp(share, least_task_work, task_work);
    return is_even(traits) ? std::clamp(share / 2, task, even_task_work) : task;
}

/// As much for each thread, where tasks are too few for balance. They stay at most twice as large.
void even_out(Tiling& t, std::int64_t unit, std::int64_t threads) {
    const std::int64_t tasks = ceil_div(t.inner, t.inner_per_task);
    if (t.row_count > 1 || tasks < threads || tasks >= 4 * threads) return;
    t.inner_per_task = round_up(ceil_div(t.inner, tasks / threads * threads), unit);
}

void cut_rows(Tiling& t, const lower::Kernel& kernel, const Traits& traits, const std::int64_t* sizes, int threads) {
    const double row = rows_cost(kernel, traits, sizes);
    t.inner_least = traits.rows->lanes;
    t.local_bytes *= t.inner_least;
    t.work = row * static_cast<double>(t.row_count);
    const double task = work_of_task(t, traits, threads);
    t.rows_per_task = std::clamp(static_cast<std::int64_t>(task / row), std::int64_t{1}, t.row_count);
    const auto points = static_cast<std::int64_t>(task / row * static_cast<double>(t.inner));
    t.inner_per_task = std::min(t.inner, round_up(std::max(points, t.points / (4 * enough_tasks)), t.inner_least));
    even_out(t, t.inner_least, threads);
}

void cut(Tiling& t, const lower::Kernel& kernel, const Traits& traits, Mode mode, const std::int64_t* sizes, int threads) {
    t.row_count = t.points / t.inner;
    std::int64_t others = 1;
    if (chunked_in(traits, mode)) {
        const auto& extents = traits.loop_extents[0];
        t.reduce = extents[0].of(sizes);
        for (std::size_t k = 1; k < extents.size(); ++k) others *= extents[k].of(sizes);
    }
    t.chunk_length = t.reduce;
    t.inner_per_task = t.inner;
    if (mode == Mode::tiles) return cut_tiles(t, kernel, traits, sizes, threads);
    if (mode == Mode::rows) return cut_rows(t, kernel, traits, sizes, threads);
    const bool divisible = chunked_in(traits, mode) && t.reduce > 0 && others > 0;
    const bool reuses = traits.points.uniform_loads > 0 && t.points > 4096;
    if (divisible && mode == Mode::inner) chunk_inner(t, others, elements_of_chunk(traits, t.reduce * others));
    if (divisible && mode == Mode::points && traits.points.streamed > 0) reuses ? block_product(t) : chunk_points(t, traits);
    if (divisible && mode == Mode::points && traits.points.streamed == 0 && traits.points.gathers == 0)
        chunk_shared(t, others, elements_of_chunk(traits, t.reduce * others));
    if (mode == Mode::points && traits.loops.empty() && traits.points.strided > 0 && !traits.in_order)
        block_transpose(t, traits.squares);
    constexpr double reading = 0.6;  // time of an instruction where next to nothing is stored
    const double row = mode == Mode::points ? points_cost(traits, sizes, static_cast<double>(t.inner))
                                            : reading * inner_cost(traits, sizes, t.row_count < few_points);
    t.work = row * static_cast<double>(t.row_count);
    if (t.rows_per_task > 1) return;
    const double task = work_of_task(t, traits, threads);
    const double chunk_row = row / static_cast<double>(t.chunks);
    t.rows_per_task = std::clamp(static_cast<std::int64_t>(task / chunk_row), std::int64_t{1}, t.row_count);
    const double spread = static_cast<double>(t.row_count) / (4 * enough_tasks);
    t.rows_per_task = std::max(t.rows_per_task, static_cast<std::int64_t>(spread));
    if (const std::int64_t tasks = ceil_div(t.row_count, t.rows_per_task); tasks > 1 && tasks < 4 * threads)
        t.rows_per_task = ceil_div(t.row_count, round_up(tasks, threads));
    if (t.row_count * t.chunks < enough_tasks && mode == Mode::points && chunk_row >= 2 * task) {
        const std::int64_t wanted = ceil_div(4 * enough_tasks, t.row_count * t.chunks);
        const auto least = static_cast<std::int64_t>(task / chunk_row * static_cast<double>(t.inner));
        const std::int64_t unit = traits.loops.empty() ? 1024 : strip;
        t.inner_per_task = std::min(t.inner, round_up(std::max(ceil_div(t.inner, wanted), least), unit));
        even_out(t, unit, threads);
    }
}

}  // namespace

Tiling tile_launch(const lower::Kernel& kernel, const Traits& traits, Mode mode, const std::int64_t* sizes, int threads) {
    Tiling t;
    for (ir::SizeId id : kernel.space) t.points *= sizes[id.index];
    t.inner = mode != Mode::inner ? sizes[kernel.space.back().index] : 1;
    t.bypass = bypasses_caches(kernel, traits, sizes);
    t.local_bytes = local_bytes(kernel, sizes);
    if (t.points > 0) cut(t, kernel, traits, mode, sizes, threads);
    return t;
}

}  // namespace sinter::host
