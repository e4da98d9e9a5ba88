// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emulator/emulated_streams.hpp"

#include "support/check.hpp"

#include <set>

namespace sinter::gpu {

std::vector<EmulatedStreams::Action> EmulatedStreams::in_order() {
    std::vector<Action> result;
    std::set<std::size_t> marked;
    std::vector<std::size_t> next(streams_.size(), 0);
    auto can_go_on = [&](std::size_t stream) {
        if (next[stream] == streams_[stream].size()) return false;
        const auto* wait = std::get_if<Wait>(&streams_[stream][next[stream]]);
        return !wait || marked.contains(wait->event);
    };
    for (bool any = true; any;) {
        any = false;
        for (std::size_t stream = streams_.size(); stream-- > 0 && !any;) {
            if (!can_go_on(stream)) continue;
            any = true;
            auto& item = streams_[stream][next[stream]++];
            if (auto* action = std::get_if<Action>(&item)) result.push_back(std::move(*action));
            if (const auto* mark = std::get_if<Mark>(&item)) marked.insert(mark->event);
        }
    }
    for (std::size_t stream = 0; stream < streams_.size(); ++stream)
        check(next[stream] == streams_[stream].size(), "an event that a stream waits for is marked");
    return result;
}

}  // namespace sinter::gpu
