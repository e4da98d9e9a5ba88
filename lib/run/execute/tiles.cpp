// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/tiles.hpp"

#include "lower/guarded.hpp"
#include "run/processor.hpp"
#include "run/threads/threads.hpp"
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
void* moved(void* from, std::int64_t bytes) {
    return reinterpret_cast<void*>(reinterpret_cast<std::intptr_t>(from) + bytes);
}

}  // namespace

class TiledRound::Tile {
  public:
    Tile(const TiledRound& round, const schedule::TileOfSteps& tile, char* memory, const std::vector<void*>& from,
         const std::vector<void*>& to, const Outside& outside)
        : round_(round), tile_(tile), memory_(memory), from_(from), to_(to), outside_(outside) {}

    void run(std::int64_t first, ErrorSlot& error) {
        for (const schedule::TileOfSteps::Part& part : tile_.parts) {
            const StepLaunch& launch = round_.iteration_.launches[part.launch];
            const TiledLaunches::Launched& launched = round_.body_.launches[part.launch];
            std::int64_t number = first + static_cast<std::int64_t>(part.step) - 1;
            StackArray<void*, 16> buffers(launch.reads.size() + launch.writes.size());
            std::size_t next = 0;
            for (std::size_t k = 0; k < launch.reads.size(); ++k) {
                const void* const outside = outside_[part.launch][k];
                void* const other = outside ? const_cast<void*>(outside) : &number;
                buffers[next++] = launch.reads[k] ? place(round_.plan_.made({part.step, *launch.reads[k]})) : other;
            }
            bool kept = false;
            for (std::size_t o = 0; o < launch.writes.size(); ++o) {
                const schedule::Made made{part.step, launch.writes[o]};
                buffers[next++] = place(made);
                kept = kept || !is_result(made);
                if (const auto from = launch.copied(o)) copy_rest(part, o, buffers[*from], buffers[next - 1]);
            }
            for (std::size_t k = 0; k < launched.ahead.size(); ++k) buffers[k] = moved(buffers[k], -launched.ahead[k]);
            if (!part.indices.empty())
                launched.kernel->launch(buffers.data(), part.indices.begin, part.indices.end, kept, error);
            if (error.check.load(std::memory_order_relaxed) != 0) return;
            for (std::size_t value : launch.writes) copy_results({part.step, value});
        }
    }

  private:
    /// The state that a value is in the end and that it is written to at once.
    std::optional<std::size_t> direct_result(schedule::Made made) const {
        for (std::size_t k = 0; k < round_.iteration_.states; ++k)
            if (is_result(made, k) && tile_.needed[made.step][made.value] == tile_.results[k]) return k;
        return std::nullopt;
    }
    bool is_result(schedule::Made made) const { return direct_result(made).has_value(); }
    bool is_result(schedule::Made made, std::size_t state) const {
        return !round_.plan_.is_constant(state) && round_.plan_.result(state) == made;
    }

    /// Where element 0 would be.
    void* place(schedule::Made made) const {
        if (made.step == 0) return from_[made.value];
        if (const auto state = direct_result(made)) return to_[*state];
        const std::int64_t offset = round_.memory_.offsets[made.step][made.value];
        const std::int64_t begin = tile_.needed[made.step][made.value].begin * round_.body_.bytes_each(made.value);
        return moved(memory_, offset - begin);
    }

    /// What is needed of an output that begins as a copy and that the part does not write.
    void copy_rest(const schedule::TileOfSteps::Part& part, std::size_t output, const void* from, void* to) const {
        const StepLaunch& launch = round_.iteration_.launches[part.launch];
        const std::size_t value = launch.writes[output], buffer = launch.reads.size() + output;
        const Interval& needed = tile_.needed[part.step][value];
        const schedule::Reach& reach = launch.facts.reach[buffer];
        const std::int64_t each = round_.body_.bytes_each(value);
        std::int64_t at = needed.begin;
        auto copy_up_to = [&](std::int64_t end) {
            if (at < end) copy(from, to, {at * each, end * each});
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

    /// Bytes of an array, given where its first byte would be.
    static void copy(const void* from, void* to, const Interval& bytes) {
        const auto source = reinterpret_cast<std::intptr_t>(from) + bytes.begin;
        const auto target = reinterpret_cast<std::intptr_t>(to) + bytes.begin;
        std::memcpy(reinterpret_cast<void*>(target), reinterpret_cast<const void*>(source),
                    static_cast<std::size_t>(bytes.length()));
    }

    /// Of a value that more elements are needed of than the tile contributes.
    void copy_results(schedule::Made made) const {
        const auto direct = direct_result(made);
        for (std::size_t k = 0; k < round_.iteration_.states; ++k) {
            if (!is_result(made, k) || direct == k) continue;
            const std::int64_t each = round_.body_.bytes_each(made.value);
            const Interval& part = tile_.results[k];
            copy(place(made), to_[k], {part.begin * each, part.end * each});
        }
    }

    const TiledRound& round_;
    const schedule::TileOfSteps& tile_;
    char* memory_;
    const std::vector<void*>&from_, &to_;
    const Outside& outside_;
};

TiledRound::TiledRound(const TiledLaunches& body, std::size_t steps, std::int64_t rows)
    : body_(body), iteration_(body.iteration), plan_(iteration_, steps, rows) {
    for (std::int64_t k = 0; k < plan_.tiles(); ++k) tiles_.push_back(plan_.tile(k));
    memory_ = schedule::memory_of(iteration_, plan_, tiles_);
}

void TiledRound::run(const std::vector<void*>& from, const std::vector<void*>& to, const Outside& outside,
                     std::int64_t first, const Context& context, ErrorSlot& error) const {
    const RunControl* const control = context.call.control;
    const auto count = static_cast<std::int64_t>(tiles_.size());
    const auto workers = std::min<std::int64_t>(count, context.call.threads);
    std::atomic<std::int64_t> next{0};
    parallel_for(workers, static_cast<int>(workers), [&](std::int64_t) {
        const BufferRef memory = sinter::allocate(static_cast<std::size_t>(memory_.bytes));
        for (std::int64_t k = next++; k < count; k = next++) {
            if ((control && control->stops()) || error.check.load(std::memory_order_relaxed) != 0) return;
            Tile(*this, tiles_[static_cast<std::size_t>(k)], static_cast<char*>(memory->data), from, to, outside)
                .run(first, error);
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
    if (kernel.buffers.size() != step.inputs.size() + step.outputs.size()) return std::nullopt;
    return sizes;
}

double bytes_of_memory(const std::vector<ValueId>& variables, const Frame& frame) {
    double bytes = 0;
    for (ValueId id : variables)
        if (const BufferRef& owner = frame.find(id).owner) bytes += static_cast<double>(owner->bytes);
    return bytes;
}

}  // namespace sinter::runtime
