// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is recorded in several streams, in an order that the events between them allow: one as unlike that of the program as
/// possible, so that an event that is missing shows.
#pragma once

#include "jit/gpu/device/device.hpp"

#include <functional>
#include <variant>
#include <vector>

namespace sinter::gpu {

class EmulatedStreams final : public Streams {
  public:
    using Action = std::function<void()>;
    explicit EmulatedStreams(std::size_t streams) : streams_(streams) {}

    void add(Action action) { streams_[current_].emplace_back(std::move(action)); }
    void enter(std::size_t stream) override { current_ = stream; }
    void mark(std::size_t event) override { streams_[current_].emplace_back(Mark{event}); }
    void wait(std::size_t event) override { streams_[current_].emplace_back(Wait{event}); }

    /// Everything, the last streams as early as possible.
    std::vector<Action> in_order();

  private:
    struct Mark {
        std::size_t event;
    };
    struct Wait {
        std::size_t event;
    };
    std::vector<std::vector<std::variant<Action, Mark, Wait>>> streams_;
    std::size_t current_ = 0;
};

}  // namespace sinter::gpu
