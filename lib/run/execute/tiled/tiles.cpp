// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/tiled/tiles.hpp"

#include "lower/guarded.hpp"
#include "run/processor.hpp"
#include "run/threads/threads.hpp"
#include "schedule/tuning.hpp"
#include "support/settings.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

namespace sinter::runtime {

using schedule::Interval;
using schedule::StepLaunch;

namespace {

/// An address so many bytes on, which need not be in the same memory.
void* moved(char* from, std::int64_t bytes) {
    return reinterpret_cast<void*>(reinterpret_cast<std::intptr_t>(from) + bytes);
}

}  // namespace

/// What the parts of a tile are launched with, and what is copied before and after them: found once, and the same for every
/// round.
class TiledRound::Preparing {
  public:
    Preparing(const TiledRound& round, const schedule::TileOfSteps& tile) : round_(round), tile_(tile) {}

    std::vector<PreparedPart> run() const {
        std::vector<PreparedPart> parts;
        for (const schedule::TileOfSteps::Part& part : tile_.parts) parts.push_back(prepared(part));
        return parts;
    }

  private:
    PreparedPart prepared(const schedule::TileOfSteps::Part& part) const {
        const StepLaunch& launch = round_.iteration_.launches[part.launch];
        const TiledLaunches::Launched& launched = round_.body_.launches[part.launch];
        PreparedPart made{launched.kernel.get(), static_cast<std::int64_t>(part.step) - 1, part.indices, false, {}, {}, {}};
        for (std::size_t k = 0; k < launch.reads.size(); ++k)
            made.buffers.push_back(launch.reads[k] ? place(round_.plan_.made({part.step, *launch.reads[k]}))
                                                   : outside(part.launch, k));
        for (std::size_t o = 0; o < launch.writes.size(); ++o) {
            const schedule::Made value{part.step, launch.writes[o]};
            made.buffers.push_back(place(value));
            made.kept = made.kept || !direct_result(value);
            if (const auto from = launch.copied(o))
                copy_rest(part, o, made.buffers[*from], made.buffers.back(), made.before);
            copy_results(value, made.after);
        }
        for (std::size_t k = 0; k < launched.ahead.size(); ++k) made.buffers[k].bytes -= launched.ahead[k];
        return made;
    }

    /// The state that a value is in the end and that it is written to at once.
    std::optional<std::size_t> direct_result(schedule::Made made) const {
        for (std::size_t k = 0; k < round_.iteration_.states; ++k)
            if (is_result(made, k) && tile_.needed[made.step][made.value] == tile_.results[k]) return k;
        return std::nullopt;
    }
    bool is_result(schedule::Made made, std::size_t state) const {
        return !round_.plan_.is_constant(state) && round_.plan_.result(state) == made;
    }

    /// What no iteration changes, or the number of the iteration.
    Place outside(std::size_t launch, std::size_t input) const {
        std::size_t before = 0;
        for (std::size_t k = 0; k < launch; ++k) before += round_.iteration_.launches[k].reads.size();
        return {Place::first_state + 2 * round_.iteration_.states + before + input, 0};
    }

    Place place(schedule::Made made) const {
        if (made.step == 0) return {Place::first_state + made.value, 0};
        if (const auto state = direct_result(made)) return {Place::first_state + round_.iteration_.states + *state, 0};
        const schedule::Made first = round_.memory_.first[made.step][made.value];
        constexpr auto line = static_cast<std::int64_t>(schedule::tuning::cache_line);
        const std::int64_t begin = tile_.needed[first.step][first.value].begin * round_.body_.bytes_each(made.value);
        return {Place::memory, round_.memory_.offsets[made.step][made.value] - begin / line * line};
    }

    /// What is needed of an output that begins as a copy and that the part does not write, unless it is in place.
    void copy_rest(const schedule::TileOfSteps::Part& part, std::size_t output, Place from, Place to,
                   std::vector<Copy>& copies) const {
        if (from == to) return;
        const StepLaunch& launch = round_.iteration_.launches[part.launch];
        const std::size_t value = launch.writes[output], buffer = launch.reads.size() + output;
        const Interval& needed = tile_.needed[part.step][value];
        const schedule::Reach& reach = launch.facts.reach[buffer];
        const std::int64_t each = round_.body_.bytes_each(value);
        std::int64_t at = needed.begin;
        auto copy_up_to = [&](std::int64_t end) {
            if (at < end) copies.push_back(copy(from, to, {at, end}, each));
        };
        const Interval& indices = part.indices;
        const bool is_gapless = reach.high - reach.low + 1 >= reach.slope;
        for (std::int64_t i = indices.begin; launch.facts.dense[buffer] && i < indices.end; ++i) {
            copy_up_to(reach.slope * i + reach.low);
            if (is_gapless) i = indices.end - 1;
            at = reach.slope * i + reach.high + 1;
        }
        copy_up_to(needed.end);
    }

    /// Elements of an array, given where its first byte would be.
    static Copy copy(Place from, Place to, const Interval& elements, std::int64_t each) {
        from.bytes += elements.begin * each, to.bytes += elements.begin * each;
        return {from, to, static_cast<std::size_t>(elements.length() * each)};
    }

    /// Of a value that more elements are needed of than the tile contributes.
    void copy_results(schedule::Made made, std::vector<Copy>& copies) const {
        const auto direct = direct_result(made);
        for (std::size_t k = 0; k < round_.iteration_.states; ++k)
            if (is_result(made, k) && direct != k)
                copies.push_back(copy(place(made), {Place::first_state + round_.iteration_.states + k, 0}, tile_.results[k],
                                      round_.body_.bytes_each(made.value)));
    }

    const TiledRound& round_;
    const schedule::TileOfSteps& tile_;
};

TiledRound::TiledRound(const TiledLaunches& body, std::size_t steps, std::int64_t rows)
    : body_(body), iteration_(body.iteration), plan_(iteration_, steps, rows) {
    std::vector<schedule::TileOfSteps> tiles;
    for (std::int64_t k = 0; k < plan_.tiles(); ++k) tiles.push_back(plan_.tile(k));
    memory_ = schedule::memory_of(iteration_, plan_, tiles);
    for (const schedule::TileOfSteps& tile : tiles) tiles_.push_back(Preparing(*this, tile).run());
}

std::size_t TiledRound::parts() const {
    std::size_t all = 0;
    for (const std::vector<PreparedPart>& tile : tiles_) all += tile.size();
    return all;
}

void TiledRound::run_tile(const std::vector<PreparedPart>& tile, const std::vector<char*>& bases, std::int64_t first,
                          std::int64_t& number, ErrorSlot& error) {
    auto at = [&](const Place& place) { return moved(bases[place.base], place.bytes); };
    auto copy = [&](const std::vector<Copy>& copies) {
        for (const Copy& one : copies) std::memcpy(at(one.to), at(one.from), one.bytes);
    };
    for (const PreparedPart& part : tile) {
        number = first + part.step;
        copy(part.before);
        StackArray<void*, 16> buffers(part.buffers.size());
        for (std::size_t k = 0; k < part.buffers.size(); ++k) buffers[k] = at(part.buffers[k]);
        if (!part.indices.empty())
            part.kernel->launch(buffers.data(), part.indices.begin, part.indices.end, part.kept, error);
        if (error.check.load(std::memory_order_relaxed) != 0) return;
        copy(part.after);
    }
}

void TiledRound::run(const std::vector<void*>& from, const std::vector<void*>& to, const Outside& outside,
                     std::int64_t first, const Context& context, ErrorSlot& error) const {
    const RunControl* const control = context.call.control;
    const auto count = static_cast<std::int64_t>(tiles_.size());
    const auto workers = std::min<std::int64_t>(count, context.call.threads);
    std::atomic<std::int64_t> next{0};
    parallel_for(workers, static_cast<int>(workers), [&](std::int64_t) {
        const BufferRef memory = sinter::allocate(static_cast<std::size_t>(memory_.bytes));
        std::int64_t number = 0;
        std::vector<char*> bases{static_cast<char*>(memory->data)};
        for (const auto* states : {&from, &to})
            for (void* state : *states) bases.push_back(static_cast<char*>(state));
        for (const std::vector<const void*>& inputs : outside)
            for (const void* data : inputs)
                bases.push_back(data ? static_cast<char*>(const_cast<void*>(data)) : reinterpret_cast<char*>(&number));
        for (std::int64_t k = next++; k < count; k = next++) {
            if ((control && control->stops()) || error.check.load(std::memory_order_relaxed) != 0) return;
            run_tile(tiles_[static_cast<std::size_t>(k)], bases, first, number, error);
        }
    });
}

std::optional<std::int64_t> wanted_rows() {
    static const std::int64_t rows = std::atoll(std::string(setting("SINTER_STEP_TILES")).c_str());
    return rows > 0 ? std::optional(rows) : std::nullopt;
}

const schedule::Caches& near_caches() {
    static const schedule::Caches known = [] {
        const schedule::Caches usual;
        const std::int64_t first = cache_bytes(1), second = cache_bytes(2);
        return schedule::Caches{first > 0 ? first : usual.first, second > 0 ? second : usual.second};
    }();
    return known;
}

std::optional<std::vector<std::int64_t>> sizes_of_launch(const KernelStep& step,
                                                         const std::vector<std::int64_t>& arguments) {
    const lower::Kernel& kernel = step.kernel->kernel;
    std::vector<std::int64_t> sizes(kernel.sizes.count());
    evaluate_kernel_sizes(kernel.sizes, arguments, sizes);
    if (!are_small(kernel, sizes) || lower::reads_empty(kernel, sizes.data())) return std::nullopt;
    return sizes;
}

bool has_local_buffers(const KernelStep& step) {
    return step.kernel->kernel.buffers.size() != step.inputs.size() + step.outputs.size();
}

double bytes_of_memory(const std::vector<ValueId>& variables, const Frame& frame) {
    double bytes = 0;
    for (ValueId id : variables)
        if (const BufferRef& owner = frame.find(id).owner) bytes += static_cast<double>(owner->bytes);
    return bytes;
}

}  // namespace sinter::runtime
