// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emulator/emulated_streams.hpp"

#include "support/check.hpp"

#include <set>

namespace sinter::gpu {

void EmulatedStreams::mark(std::size_t event) {
    latest_[event] = ++marks_;
    streams_[current_].emplace_back(Mark{marks_});
}

void EmulatedStreams::wait(std::size_t event) {
    check(latest_.contains(event), "an event that a stream waits for is marked");
    streams_[current_].emplace_back(Wait{latest_[event]});
}

std::vector<EmulatedStreams::Action> EmulatedStreams::in_order() {
    std::vector<Action> result;
    std::set<std::size_t> marked;
    std::vector<std::size_t> next(streams_.size(), 0);
    auto can_go_on = [&](std::size_t stream) {
        if (next[stream] == streams_[stream].size()) return false;
        const auto* wait = std::get_if<Wait>(&streams_[stream][next[stream]]);
        return !wait || wait->number <= taken_ || marked.contains(wait->number);
    };
    for (bool any = true; any;) {
        any = false;
        for (std::size_t stream = streams_.size(); stream-- > 0 && !any;) {
            if (!can_go_on(stream)) continue;
            any = true;
            auto& item = streams_[stream][next[stream]++];
            if (auto* action = std::get_if<Action>(&item)) result.push_back(std::move(*action));
            if (const auto* mark = std::get_if<Mark>(&item)) marked.insert(mark->number);
        }
    }
    for (std::size_t stream = 0; stream < streams_.size(); ++stream)
        check(next[stream] == streams_[stream].size(), "streams do not wait for each other");
    for (auto& stream : streams_) stream.clear();
    taken_ = marks_;
    return result;
}

}  // namespace sinter::gpu
