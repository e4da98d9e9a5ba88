// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recording belongs to the addresses with which it was made. The arrays of successive calls alternate between a few
// places, because the pool reuses them, so a few recordings are kept. All memory of a launch is taken from the pool by the
// call itself; a recording owns none. When the pool returns memory to the device, all recordings are dropped. In a
// recording, as where they are started one by one, kernels that do not depend on each other are in different streams.
#include "jit/gpu/device/sequence.hpp"

#include "jit/gpu/launch.hpp"
#include "schedule/card/branches.hpp"
#include "support/threads/process.hpp"

#include <algorithm>
#include <cstring>
#include <list>
#include <mutex>
#include <optional>

namespace sinter::gpu {

namespace {

using namespace card::tuning;
using card::Branches, card::MemoryAccess, card::Step;

constexpr std::size_t alignment = 256;

std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

/// Where things are in the memory that all kernels of a launch share: small inputs, what is cleared, and the rest.
struct Layout {
    struct Small {
        std::size_t array, offset, bytes;
    };
    std::vector<Small> small;                      ///< inputs that may have to be brought to the device
    std::vector<std::vector<std::size_t>> states;  ///< offsets, by stage
    std::size_t cleared = 0, cleared_end = 0, bytes = 0;

    std::size_t take(std::size_t size) {
        const std::size_t offset = bytes;
        bytes += aligned(size);
        return offset;
    }
};

std::size_t bytes_of(const Stage& stage, std::size_t buffer) {
    const lower::Buffer& b = stage.kernel->buffers[buffer];
    return static_cast<std::size_t>(stage.sizes[b.elements.index] * detail::size_of(b.scalar));
}

void place_small(const std::vector<Stage>& stages, Layout& layout) {
    for (const Stage& stage : stages)
        for (std::size_t k = 0; k < stage.buffers.size(); ++k) {
            const std::size_t array = stage.buffers[k], bytes = bytes_of(stage, k);
            auto is_same = [&](const Layout::Small& small) { return small.array == array; };
            if (stage.kernel->buffers[k].output || bytes > small_bytes) continue;
            if (std::any_of(layout.small.begin(), layout.small.end(), is_same)) continue;
            layout.small.push_back({array, layout.take(bytes), bytes});
        }
}

void place_states(const std::vector<Stage>& stages, bool cleared, Layout& layout) {
    for (std::size_t s = 0; s < stages.size(); ++s) {
        const std::vector<card::StateArray>& arrays = stages[s].numbers->states;
        layout.states[s].resize(arrays.size());
        for (std::size_t k = 0; k < arrays.size(); ++k)
            if (arrays[k].cleared == cleared)
                layout.states[s][k] = layout.take(static_cast<std::size_t>(arrays[k].element_bytes * arrays[k].elements));
    }
}

Layout layout_of(const std::vector<Stage>& stages) {
    Layout layout;
    layout.states.resize(stages.size());
    place_small(stages, layout);
    layout.cleared = layout.bytes;
    place_states(stages, true, layout);
    layout.cleared_end = layout.bytes;
    place_states(stages, false, layout);
    return layout;
}

class GpuSequence final : public runtime::Sequence {
  public:
    GpuSequence(std::shared_ptr<Device> device, std::shared_ptr<Memory> memory, std::vector<Stage> stages, Layout layout)
        : device_(std::move(device)), memory_(std::move(memory)), stages_(std::move(stages)), layout_(std::move(layout)) {}

    bool launch(std::span<void* const> arrays) const override {
        std::optional<Scratch> scratch;
        if (layout_.bytes > 0) scratch.emplace(*memory_, layout_.bytes);
        Places places(arrays.begin(), arrays.end());
        places.push_back(scratch ? scratch->data() : nullptr);
        if (!bring_small(places)) return false;
        const SectionLock lock(mutex_);
        start(places);
        return true;
    }

  private:
    using Places = std::vector<void*>;  ///< of the arrays, then of the memory that they share
    struct Known {
        Places places;
        std::unique_ptr<Recording> recording;
    };

    static std::byte* shared(const Places& places, std::size_t offset) {
        return static_cast<std::byte*>(places.back()) + offset;
    }

    /// Returns false if the device can reach an array neither where it is nor in this way.
    bool bring_small(Places& places) const {
        std::vector<std::byte> packed;
        for (const Layout::Small& small : layout_.small) {
            void*& place = places[small.array];
            if (memory_->contains(place)) continue;
            packed.resize(small.offset + small.bytes);
            if (small.bytes > 0) std::memcpy(packed.data() + small.offset, place, small.bytes);
            place = shared(places, small.offset);
        }
        auto is_reached = [&](std::size_t array) {
            return memory_->contains(places[array]) || is_shared(places, places[array]);
        };
        for (const Stage& stage : stages_)
            if (!std::all_of(stage.buffers.begin(), stage.buffers.end(), is_reached)) return false;
        if (!packed.empty()) memory_->write(places.back(), packed.data(), packed.size());
        return true;
    }

    bool is_shared(const Places& places, const void* place) const {
        return places.back() && place >= shared(places, 0) && place < shared(places, layout_.cleared);
    }

    /// Starts the recording for these places, if there is one or is to be one; otherwise starts the kernels one by one.
    void start(const Places& places) const {
        forget_void();
        const auto found = std::find_if(known_.begin(), known_.end(), [&](const Known& k) { return k.places == places; });
        if (found != known_.end()) {
            misses_ = 0;
            known_.splice(known_.begin(), known_, found);
        } else if (!record(places)) {
            return start_each(places);
        }
        try {
            known_.front().recording->start();
        } catch (...) {
            known_.pop_front();
            throw;
        }
    }

    void forget_void() const {
        if (generation_ == device_->generation() && releases_ == memory_->releases()) return;
        if (generation_ != device_->generation()) started_ = false, misses_ = 0;
        generation_ = device_->generation();
        releases_ = memory_->releases();
        known_.clear();
    }

    /// Does not record the first time: code is loaded while it is launched, which cannot be recorded.
    bool record(const Places& places) const {
        if (!started_ || misses_ >= most_misses) return false;
        ++misses_;
        std::unique_ptr<Recording> recording = record_branches(places);
        if (!recording) return misses_ = most_misses, false;
        if (known_.size() == most_recordings) known_.pop_back();
        known_.push_front({places, std::move(recording)});
        return true;
    }

    /// Kernels that do not depend on each other are in different streams.
    std::unique_ptr<Recording> record_branches(const Places& places) const {
        const Branches branches = branches_of(accesses(places), stages_.size() <= most_branched ? most_streams : 1);
        const std::size_t begin = stages_.size();  // events have the numbers of the steps that they follow
        return device_->record(branches.streams, begin + 1, [&](Streams& streams) {
            clear(places);
            if (branches.streams > 1) streams.mark(begin);
            std::vector<bool> is_open(branches.streams, false);
            is_open[0] = true;
            for (std::size_t s = 0; s < stages_.size(); ++s) {
                const Step& step = branches.steps[s];
                streams.enter(step.stream);
                if (!is_open[step.stream] && step.after.empty()) streams.wait(begin);
                is_open[step.stream] = true;
                for (std::size_t earlier : step.after) streams.wait(earlier);
                start_stage(s, places);
                if (step.is_awaited) streams.mark(s);
            }
            streams.enter(0);
            for (std::size_t last : branches.last) streams.wait(last);
        });
    }

    /// What each kernel reads and writes.
    std::vector<std::vector<MemoryAccess>> accesses(const Places& places) const {
        std::vector<std::vector<MemoryAccess>> result;
        for (const Stage& stage : stages_) {
            std::vector<MemoryAccess>& own = result.emplace_back();
            for (std::size_t k = 0; k < stage.buffers.size(); ++k)
                own.push_back({static_cast<const std::byte*>(places[stage.buffers[k]]), bytes_of(stage, k),
                               stage.kernel->buffers[k].output});
            const std::vector<card::StateArray>& states = stage.numbers->states;
            for (std::size_t k = 0; k < states.size(); ++k)
                own.push_back({shared(places, layout_.states[result.size() - 1][k]),
                               static_cast<std::size_t>(states[k].element_bytes * states[k].elements), true});
        }
        return result;
    }

    void start_each(const Places& places) const {
        clear(places);
        std::vector<std::vector<MemoryAccess>> touched = accesses(places);
        const bool any = stages_.size() <= most_branched && branches_of(touched, most_streams).streams > 1;
        for (std::size_t s = 0; s < stages_.size(); ++s)
            if (any)
                device_->branch(std::move(touched[s]), [&] { start_stage(s, places); });
            else
                start_stage(s, places);
        started_ = true;
    }

    void clear(const Places& places) const {
        if (layout_.cleared_end > layout_.cleared)
            device_->clear(shared(places, layout_.cleared), layout_.cleared_end - layout_.cleared);
    }

    void start_stage(std::size_t s, const Places& places) const {
        const Stage& stage = stages_[s];
        std::vector<void*> pointers, states;
        for (std::size_t array : stage.buffers) pointers.push_back(places[array]);
        pointers.push_back(nullptr);
        for (std::size_t offset : layout_.states[s]) states.push_back(shared(places, offset));
        const void* const guard = nullptr;
        Parameters parameters(*stage.kernel, *stage.numbers, stage.sizes, pointers, guard, states);
        for (const card::Stage& kernel : stage.numbers->stages)
            stage.program->launch(card::name_of(kernel.role), kernel.blocks, parameters.pointers());
    }

    const std::shared_ptr<Device> device_;
    const std::shared_ptr<Memory> memory_;
    const std::vector<Stage> stages_;
    const Layout layout_;
    mutable std::mutex mutex_;        ///< guards the following, and what is recorded
    mutable std::list<Known> known_;  ///< most recently used first
    mutable bool started_ = false;    ///< started one by one in this generation
    mutable int misses_ = 0;          ///< in succession
    mutable std::uint64_t generation_ = 0, releases_ = 0;
};

}  // namespace

std::unique_ptr<const runtime::Sequence> make_sequence(std::shared_ptr<Device> device, std::shared_ptr<Memory> memory,
                                                       std::vector<Stage> stages) {
    Layout layout = layout_of(stages);
    std::size_t launches = layout.cleared_end > layout.cleared ? 1 : 0;
    for (const Stage& stage : stages) launches += stage.numbers->stages.size();
    if (launches < least_recorded) return nullptr;
    return std::make_unique<const GpuSequence>(std::move(device), std::move(memory), std::move(stages), std::move(layout));
}

}  // namespace sinter::gpu
