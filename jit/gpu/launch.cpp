// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/launch.hpp"

#include "jit/gpu/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <new>
#include <sinter/error.hpp>

namespace sinter::gpu {

namespace {

class Launcher {
  public:
    Launcher(Device& device, Memory& memory, const Geometry& geometry, const lower::Kernel& kernel,
             const runtime::Launch& launch)
        : device_(device), memory_(memory), geometry_(geometry), kernel_(kernel), launch_(launch) {}

    void run(const Program& program) {
        place_buffers();
        place_failure();
        place_states();
        std::vector<void*> parameters = gather_parameters();
        for (Role role : roles_of(geometry_.schedule)) {
            const std::int64_t blocks = std::min(geometry_.blocks(role), device_.wanted_blocks());
            program.launch(name_of(role), blocks, parameters);
        }
        copy_back();
        device_.wait(kernel_.name);
        if (failure_.check == 0) return;
        launch_.error->index = failure_.index;
        launch_.error->extent = failure_.extent;
        launch_.error->check.store(failure_.check, std::memory_order_release);
    }

  private:
    std::size_t bytes_of(std::size_t buffer) const {
        const lower::Buffer& b = kernel_.buffers[buffer];
        return static_cast<std::size_t>(launch_.sizes[b.elements.index] * detail::size_of(b.scalar));
    }

    void* take(std::size_t bytes) {
        try {
            return scratch_.emplace_back(memory_, bytes).data();
        } catch (const std::bad_alloc&) {
            throw MemoryError(fmt::format("the gpu has no {} bytes left for {}", bytes, kernel_.name), location::current());
        }
    }

    void place_buffers() {
        for (std::size_t k = 0; k < kernel_.buffers.size(); ++k) {
            void* data = launch_.buffers[k];
            if (!memory_.contains(data)) {
                const lower::Buffer& b = kernel_.buffers[k];
                data = take(bytes_of(k));
                if (bytes_of(k) > 0 && (!b.output || b.dest)) device_.copy(data, launch_.buffers[k], bytes_of(k));
                if (b.output) outputs_.push_back({k, data});
            }
            pointers_.push_back(data);
        }
    }

    void place_failure() {
        pointers_.push_back(take(sizeof(Failure)));
        device_.copy(pointers_.back(), &failure_, sizeof(Failure));
    }

    /// Partial results, then what comes before each chunk.
    void place_states() {
        if (!geometry_.schedule.chunked) return;
        for (std::int64_t chunks : {geometry_.chunks, geometry_.chunks + 1})
            for (lower::Scalar type : states_of(*geometry_.schedule.chunked))
                states_.push_back(take(static_cast<std::size_t>(geometry_.points * chunks * detail::size_of(type))));
    }

    std::vector<void*> gather_parameters() {
        std::vector<void*> result;
        for (std::size_t k = 0; k < kernel_.buffers.size(); ++k) result.push_back(&pointers_[k]);
        for (std::size_t k = 0; k < kernel_.sizes.count(); ++k)
            result.push_back(const_cast<std::int64_t*>(launch_.sizes + k));
        result.push_back(&pointers_.back());
        numbers_[0] = geometry_.points;
        numbers_[1] = geometry_.chunks;
        numbers_[2] = geometry_.chunk_length;
        for (std::int64_t& n : numbers_) result.push_back(&n);
        for (void*& state : states_) result.push_back(&state);
        return result;
    }

    void copy_back() {
        for (const auto& [k, data] : outputs_)
            if (bytes_of(k) > 0) device_.copy(launch_.buffers[k], data, bytes_of(k));
        device_.copy(&failure_, pointers_.back(), sizeof(Failure));
    }

    Device& device_;
    Memory& memory_;
    const Geometry& geometry_;
    const lower::Kernel& kernel_;
    const runtime::Launch& launch_;
    std::deque<Scratch> scratch_;
    std::vector<void*> pointers_;  ///< of the buffers, then the failure record
    std::vector<void*> states_;
    std::vector<std::pair<std::size_t, void*>> outputs_;  ///< to be copied back
    std::int64_t numbers_[3] = {};
    Failure failure_;
};

}  // namespace

void launch_kernel(Device& device, Memory& memory, const Program& program, const Geometry& geometry,
                   const lower::Kernel& kernel, const runtime::Launch& launch) {
    Launcher(device, memory, geometry, kernel, launch).run(program);
}

}  // namespace sinter::gpu
