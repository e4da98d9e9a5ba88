// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/schedule.hpp"

#include "jit/gpu/emit/builtins.hpp"
#include "jit/gpu/emit/tile_shape.hpp"
#include "jit/gpu/emit/update.hpp"
#include "schedule/pattern.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinter::gpu {

using ir::Op;
using lower::Inst;

namespace {

constexpr std::int64_t few_points = 256;       ///< too few blocks to keep a card busy
constexpr std::int64_t many_points = 16384;    ///< a thread each keeps it busy
constexpr std::int64_t chunk_elements = 4096;  ///< of a chunk, at least
constexpr std::int64_t wanted_chunks = 1024;   ///< of all points together, at most
constexpr std::int64_t block_elements = 1024;  ///< of a loop that is worth a block
constexpr std::int64_t warp_elements = 16;     ///< of a loop that is worth a warp
constexpr std::int64_t many_updates = 8192;    ///< that pay for copies of the destinations
constexpr std::int64_t updates_each = 8;       ///< of a destination, likewise
constexpr std::int64_t chunk_points = 4096;    ///< of a chunk of updates, at least
constexpr std::int64_t unknown_elements = 64;  ///< a guess where extents are computed

constexpr std::size_t most_parameters = 480;  ///< arrays and sizes: all parameters of a kernel are 4 KiB at most

bool is_loop(const Inst& inst) {
    return inst.op == Op::reduce || inst.op == Op::for_each || inst.op == Op::scan || inst.op == Op::compact;
}

template <class Predicate>
bool contains(const lower::Block& block, Predicate matches) {
    for (const Inst& inst : block.insts) {
        if (matches(inst)) return true;
        for (const lower::Block& inner : inst.blocks)
            if (contains(inner, matches)) return true;
    }
    return false;
}

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

class Examine {
  public:
    explicit Examine(const lower::Kernel& kernel) : kernel_(kernel), definitions_(kernel.space.size(), nullptr) {}

    Traits operator()() {
        bool nested = false;
        for (const Inst& inst : kernel_.body.insts) {
            if (is_loop(inst))
                traits_.loops.push_back({&inst, extents(inst)});
            else
                for (const lower::Block& inner : inst.blocks) nested = nested || contains(inner, is_loop);
            definitions_.insert(definitions_.end(), inst.types.size(), &inst);
        }
        traits_.on_host = kernel_.buffers.size() + kernel_.sizes.count() > most_parameters;
        traits_.ordered =
            contains(kernel_.body, [&](const Inst& inst) { return inst.op == Op::update && !is_atomic(kernel_, inst); });
        if (traits_.loops.empty() && !nested && !kernel_.space.empty()) traits_.captured = captured_update(kernel_);
        if (traits_.loops.size() == 1 && !nested) {
            const Traits::Loop& loop = traits_.loops[0];
            if (loop.inst->op != Op::for_each && loop.extents && !updates_before(*loop.inst)) traits_.chunked = loop.inst;
        }
        std::vector<sinter::schedule::Pattern> params(kernel_.space.size());
        if (!params.empty()) params.back() = sinter::schedule::Pattern::lane();
        const sinter::schedule::Profile profile = sinter::schedule::profile(kernel_, kernel_.body, {}, params);
        traits_.neighbours = profile.contiguous > 0;
        traits_.against_grain = profile.strided > 0 && kernel_.space.size() > 1;
        return std::move(traits_);
    }

  private:
    /// What stands before a loop is executed by every chunk.
    bool updates_before(const Inst& loop) const {
        const Inst* first = kernel_.body.insts.data();
        return std::any_of(first, &loop, [](const Inst& inst) {
            return inst.op == Op::update || std::any_of(inst.blocks.begin(), inst.blocks.end(), [](const lower::Block& b) {
                       return contains(b, [](const Inst& inner) { return inner.op == Op::update; });
                   });
        });
    }

    std::optional<std::vector<Traits::Extent>> extents(const Inst& inst) const {
        const std::size_t rank = inst.op == Op::compact ? 1 : inst.bits & 0xff;
        std::vector<Traits::Extent> result;
        for (std::size_t k = 0; k < rank; ++k) {
            const Inst* definition = definitions_[inst.operands[k].index];
            if (!definition || (definition->op != Op::size && definition->op != Op::constant)) return std::nullopt;
            result.push_back({definition->op == Op::constant, static_cast<std::int64_t>(definition->bits)});
        }
        return result;
    }

    const lower::Kernel& kernel_;
    Traits traits_;
    std::vector<const Inst*> definitions_;
};

std::int64_t elements(const Traits::Loop& loop, const std::int64_t* sizes) {
    if (!loop.extents) return unknown_elements;
    std::int64_t n = 1;
    for (const Traits::Extent& e : *loop.extents) n *= std::max<std::int64_t>(0, e.constant ? e.value : sizes[e.value]);
    return n;
}

std::int64_t tiles(const lower::Kernel& kernel, const std::int64_t* sizes) {
    std::int64_t n = 1;
    for (std::size_t axis = 0; axis < kernel.space.size(); ++axis) {
        const std::int64_t extent = sizes[kernel.space[axis].index];
        n *= axis + 2 < kernel.space.size() ? extent : ceil_div(extent, tile_edge);
    }
    return n;
}

/// How the captured update is executed, if not by updates of the destinations themselves.
std::optional<Form> form_of_update(const lower::Kernel& kernel, const Traits& traits, std::int64_t points,
                                   std::int64_t bins) {
    if (!traits.captured) return std::nullopt;
    const Captured& captured = *traits.captured;
    const bool many = points >= many_updates && points >= updates_each * bins;
    const bool countable = atomic_operation(kernel, *captured.update).has_value() && captured.has_neutral;
    if (countable) return many && copies_of(captured, bins) > 0 ? std::optional(Form::counts) : std::nullopt;
    const bool fits = copies_of(captured, bins) == block_warps;
    if (fits && (traits.ordered || many)) return Form::bins;
    constexpr std::int64_t most = 0xffffffff;  // numbers of points and destinations are of 32 bits
    return traits.ordered && points < most && bins < most ? std::optional(Form::sorted) : std::nullopt;
}

Form form_of(const Traits& traits, std::int64_t points, std::int64_t elements) {
    if (traits.on_host || traits.ordered) return Form::host;
    if (traits.loops.empty()) return traits.against_grain && points >= few_points ? Form::tiles : Form::points;
    if (points >= many_points && traits.neighbours) return Form::points;
    if (traits.chunked && points < few_points && elements >= 2 * chunk_elements) return Form::chunks;
    if (elements >= block_elements) return Form::blocks;
    return elements >= warp_elements || traits.loops.size() > 1 ? Form::warps : Form::points;
}

}  // namespace

Traits traits_of(const lower::Kernel& kernel) { return Examine(kernel)(); }

Geometry choose(const lower::Kernel& kernel, const Traits& traits, const std::int64_t* sizes) {
    Geometry g;
    for (ir::SizeId id : kernel.space) g.points *= sizes[id.index];
    if (traits.captured) g.bins = sizes[kernel.buffers[traits.captured->buffer].elements.index];
    if (const auto form = traits.on_host ? std::nullopt : form_of_update(kernel, traits, g.points, g.bins)) {
        g.schedule = {*form, nullptr, &*traits.captured};
        g.chunks = copies_of(*traits.captured, g.bins);
        if (*form != Form::bins) return g;
        const std::int64_t least = std::max({chunk_points, updates_each * g.bins, ceil_div(g.points, wanted_chunks)});
        g.chunk_length = ceil_div(least, block_threads) * block_threads;
        g.chunks = ceil_div(g.points, g.chunk_length);
        return g;
    }
    std::int64_t most = 0;
    for (const Traits::Loop& loop : traits.loops) most = std::max(most, elements(loop, sizes));
    g.schedule.form = form_of(traits, g.points, most);
    if (g.schedule.form == Form::tiles) g.tiles = tiles(kernel, sizes);
    if (g.schedule.form != Form::chunks) return g;
    g.schedule.chunked = traits.chunked;
    if (traits.chunked->op != Op::reduce) {
        g.chunk_length = tile_shape(kernel, *traits.chunked, true).of_block();
        g.chunks = ceil_div(most, g.chunk_length);
        return g;
    }
    const std::int64_t chunks = std::max<std::int64_t>(1, wanted_chunks / std::max<std::int64_t>(1, g.points));
    g.chunk_length = ceil_div(std::max(chunk_elements, ceil_div(most, chunks)), chunk_multiple) * chunk_multiple;
    g.chunks = ceil_div(most, g.chunk_length);
    return g;
}

std::int64_t Geometry::blocks(Role role) const {
    switch (schedule.form) {
        case Form::points:
            return ceil_div(points, block_threads);
        case Form::tiles:
            return tiles;
        case Form::warps:
            return ceil_div(points, block_threads / warp_threads);
        case Form::counts:
            return ceil_div(points, block_threads * updates_each);
        case Form::sorted:
            return ceil_div(points, block_threads);
        case Form::bins:
            return role == Role::merge ? ceil_div(bins, block_warps) : chunks;
        case Form::host:
            return 0;
        case Form::blocks:
        case Form::chunks:
            return role == Role::partial || role == Role::scan ? points * chunks : points;
    }
    return 0;
}

std::string summary(const Geometry& g) {
    static constexpr std::string_view names[form_count] = {
        "a thread per point", "a square of points per block", "a warp per point", "a block per point",
        "a block per chunk",  "updates of copies per block",  "updates in order", "updates sorted by destination",
        "on the host"};
    std::string result = fmt::format("{}: {} points", names[static_cast<std::size_t>(g.schedule.form)], g.points);
    if (g.chunk_length > 0) result += fmt::format(", {} chunks of {}", g.chunks, g.chunk_length);
    return result;
}

}  // namespace sinter::gpu
