// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/launch.hpp"

#include "jit/gpu/device/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <new>
#include <sinter/error.hpp>

namespace sinter::gpu {

Parameters::Parameters(const lower::Kernel& kernel, const card::Launch& numbers, const std::int64_t* sizes,
                       std::span<void*> pointers, const void* const& guard, std::span<void*> states, const Share* share)
    : numbers_{numbers.points, numbers.chunks, numbers.chunk_length, share ? share->first : 0, share ? share->extent : 0} {
    for (std::size_t k = 0; k < kernel.buffers.size(); ++k) parameters_.push_back(&pointers[k]);
    for (std::size_t k = 0; k < kernel.sizes.count(); ++k) parameters_.push_back(const_cast<std::int64_t*>(sizes + k));
    parameters_.push_back(&pointers.back());
    parameters_.push_back(const_cast<const void**>(&guard));
    const std::size_t count = share ? numbers_.size() : numbers_.size() - 2;
    for (std::size_t k = 0; k < count; ++k) parameters_.push_back(&numbers_[k]);
    for (void*& state : states) parameters_.push_back(&state);
}

namespace {

class Launcher {
  public:
    Launcher(Device& device, Memory& memory, Sorter& sorter, const card::Launch& numbers, const lower::Kernel& kernel,
             const runtime::Launch& launch, const Share* share = nullptr)
        : device_(device),
          memory_(memory),
          sorter_(sorter),
          numbers_(numbers),
          kernel_(kernel),
          launch_(launch),
          share_(share) {}

    void run(const Program& program) {
        place_buffers();
        place_small();
        place_states();
        start(program);
        if (is_collected()) collect();
    }

  private:
    bool is_collected() const { return !outputs_.empty() || (may_fail() && !launch_.record); }

    /// Others may run at the same time, unless the host waits for the launch anyway, or a sort has its own memory.
    bool may_branch() const {
        const auto is_note = [](const card::Stage& stage) { return stage.role == card::Role::note; };
        return launch_.may_branch && !is_collected() &&
               std::none_of(numbers_.stages.begin(), numbers_.stages.end(), is_note);
    }

    void start(const Program& program) {
        std::size_t bytes = 0;
        for (const Write& write : writes_) bytes += write.bytes;
        if (may_branch())
            if (auto room = memory_.reserve(bytes, writes_.size()))
                return device_.branch(touched(), [&] { start_with(program, *room); });
        start_with(program, memory_);
    }

    /// `copies`: what copies to the device.
    template <class Copies>
    void start_with(const Program& program, Copies& copies) {
        for (const Write& write : writes_) copies.write(write.to, write.from, write.bytes);
        for (std::size_t k = 0; k < states_.size(); ++k)
            if (numbers_.states[k].cleared) device_.clear(states_[k], bytes_of(numbers_.states[k]));
        Parameters parameters(kernel_, numbers_, launch_.sizes, pointers_, launch_.guard, states_, share_);
        for (const card::Stage& stage : numbers_.stages) {
            program.launch(card::name_of(stage.role), stage.blocks, parameters.pointers());
            if (stage.role == card::Role::note) sort_notes();
        }
    }

    /// What is done touches this memory only.
    std::vector<schedule::card::MemoryAccess> touched() const {
        std::vector<schedule::card::MemoryAccess> result;
        const auto add = [&](const void* begin, std::size_t bytes, bool writes) {
            if (begin) result.push_back({static_cast<const std::byte*>(begin), bytes, writes});
        };
        for (std::size_t k = 0; k < kernel_.buffers.size(); ++k) add(pointers_[k], bytes_of(k), kernel_.buffers[k].output);
        for (std::size_t k = 0; k < states_.size(); ++k) add(states_[k], bytes_of(numbers_.states[k]), true);
        for (const Write& write : writes_) add(write.to, write.bytes, true);
        add(launch_.guard, 1, false);
        add(launch_.record, sizeof failure_, true);
        return result;
    }

    static std::size_t bytes_of(const card::StateArray& state) {
        return static_cast<std::size_t>(state.element_bytes * state.elements);
    }
    std::size_t bytes_of(std::size_t buffer) const {
        const lower::Buffer& b = kernel_.buffers[buffer];
        return static_cast<std::size_t>(launch_.sizes[b.elements.index] * detail::size_of(b.scalar));
    }

    void* take(std::size_t bytes) {
        try {
            return scratch_.emplace_back(memory_, bytes, launch_.may_branch ? Memory::Kept::oldest : Memory::Kept::latest)
                .data();
        } catch (const std::bad_alloc&) {
            throw MemoryError(fmt::format("{} has no {} bytes left for {}", device_.name(), bytes, kernel_.name),
                              location());
        }
    }

    bool may_fail() const { return !kernel_.checks.empty(); }

    void place_buffers() {
        pointers_.resize(kernel_.buffers.size() + 1);
        pointers_.back() = launch_.record;
        if (may_fail() && !launch_.record) pack(kernel_.buffers.size(), &failure_, sizeof failure_);
        for (std::size_t k = 0; k < kernel_.buffers.size(); ++k) {
            const lower::Buffer& b = kernel_.buffers[k];
            if (share_ ? share_->is_on_device[k] : memory_.contains(launch_.buffers[k]))
                pointers_[k] = launch_.buffers[k];
            else if (!b.output && bytes_of(k) <= card::tuning::small_bytes)
                pack(k, launch_.buffers[k], bytes_of(k));
            else
                place_buffer(k);
        }
    }

    void place_buffer(std::size_t k) {
        const lower::Buffer& b = kernel_.buffers[k];
        pointers_[k] = take(bytes_of(k));
        if (bytes_of(k) > 0 && (!b.output || b.dest)) writes_.push_back({pointers_[k], launch_.buffers[k], bytes_of(k)});
        if (b.output) outputs_.push_back(k);
    }

    /// Scalars and the failure record are copied to the device together.
    void pack(std::size_t pointer, const void* data, std::size_t bytes) {
        constexpr std::size_t align = 16;
        packed_at_.push_back({pointer, packed_.size()});
        packed_.resize((packed_.size() + bytes + align - 1) / align * align);
        if (bytes > 0) std::memcpy(packed_.data() + packed_at_.back().second, data, bytes);
    }

    void place_small() {
        if (packed_at_.empty()) return;
        auto* block = static_cast<std::byte*>(take(packed_.size()));
        if (!packed_.empty()) writes_.push_back({block, packed_.data(), packed_.size()});
        for (const auto& [pointer, offset] : packed_at_) pointers_[pointer] = block + offset;
    }

    void place_states() {
        if (share_ && !share_->states.empty()) return states_.assign(share_->states.begin(), share_->states.end());
        for (const card::StateArray& a : numbers_.states) states_.push_back(take(bytes_of(a)));
    }

    void sort_notes() {
        namespace note_array = card::note_array;
        auto array = [&](std::size_t k) { return static_cast<std::uint32_t*>(states_[k]); };
        sorter_.sort_numbers(array(note_array::destinations), array(note_array::sorted), array(note_array::order),
                             numbers_.points, numbers_.destinations);
    }

    void collect() {
        for (std::size_t k : outputs_) memory_.fetch(launch_.buffers[k], pointers_[k], bytes_of(k), kernel_.name);
        if (may_fail() && !launch_.record) memory_.fetch(&failure_, pointers_.back(), sizeof failure_, kernel_.name);
        device_.wait(kernel_.name);
        failure_.show(*launch_.error);
    }

    struct Write {
        void* to;
        const void* from;
        std::size_t bytes;
    };

    Device& device_;
    Memory& memory_;
    Sorter& sorter_;
    const card::Launch& numbers_;
    const lower::Kernel& kernel_;
    const runtime::Launch& launch_;
    const Share* share_;  ///< null if all is executed
    std::deque<Scratch> scratch_;
    std::vector<void*> pointers_;  ///< of the buffers, then the failure record
    std::vector<void*> states_;
    std::vector<Write> writes_;                                   ///< copies to the device
    std::vector<std::size_t> outputs_;                            ///< to be copied back
    std::vector<std::byte> packed_;                               ///< small things that are copied to the device together
    std::vector<std::pair<std::size_t, std::size_t>> packed_at_;  ///< numbers of pointers, and their offsets in packed_
    Failure failure_;
};

}  // namespace

void launch_kernel(Device& device, Memory& memory, Sorter& sorter, const Program& program, const card::Launch& numbers,
                   const lower::Kernel& kernel, const runtime::Launch& launch) {
    Launcher(device, memory, sorter, numbers, kernel, launch).run(program);
}

void launch_share(Device& device, Memory& memory, Sorter& sorter, const Program& program, const Share& share,
                  const lower::Kernel& kernel, const runtime::Launch& launch) {
    Launcher(device, memory, sorter, share.numbers, kernel, launch, &share).run(program);
}

}  // namespace sinter::gpu
