// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is recorded or started in several streams, in an order that the events between them allow: one as unlike that of the
/// program as possible, so that an event that is missing shows.
#pragma once

#include "jit/gpu/device/device.hpp"

#include <functional>
#include <map>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::gpu {

class EmulatedStreams final : public Streams {
  public:
    using Action = std::function<void()>;
    explicit EmulatedStreams(std::size_t streams) : streams_(streams) {}

    void add(Action action) { add(current_, std::move(action)); }
    void add(std::size_t stream, Action action) { streams_[stream].emplace_back(std::move(action)); }
    void enter(std::size_t stream) override { current_ = stream; }
    void mark(std::size_t event) override;
    void wait(std::size_t event) override;
    std::size_t current() const { return current_; }

    /// Everything, the last streams as early as possible; it is not there any more then.
    std::vector<Action> in_order();

  private:
    struct Mark {
        std::size_t number;
    };
    struct Wait {
        std::size_t number;
    };
    std::vector<std::vector<std::variant<Action, Mark, Wait>>> streams_;
    std::map<std::size_t, std::size_t> latest_;  ///< number of each event's latest mark
    std::size_t marks_ = 0, taken_ = 0;          ///< how many there were, and how many of them before all that is here
    std::size_t current_ = 0;
};

}  // namespace sinter::gpu
