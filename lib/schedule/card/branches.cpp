// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch goes on in the stream of one that it waits for, if that is the last there; otherwise in a new stream. For a
// chain, that is one stream and nothing to wait for.
#include "schedule/card/branches.hpp"

#include <algorithm>
#include <utility>

namespace sinter::schedule::card {

namespace {

bool meet(const MemoryAccess& a, const MemoryAccess& b) {
    if (a.bytes == 0 || b.bytes == 0) return false;
    return (a.writes || b.writes) && a.begin < b.begin + b.bytes && b.begin < a.begin + a.bytes;
}

bool meet(const std::vector<MemoryAccess>& a, const std::vector<MemoryAccess>& b) {
    return std::any_of(a.begin(), a.end(), [&](const MemoryAccess& x) {
        return std::any_of(b.begin(), b.end(), [&](const MemoryAccess& y) { return meet(x, y); });
    });
}

}  // namespace

/// What has to be done before the last launch, without what others of it wait for anyway.
std::vector<std::size_t> Brancher::needed() {
    const std::size_t own = launches_.size() - 1;
    std::vector<std::size_t> result;
    for (std::size_t earlier = own; earlier-- > 0;) {
        if (before_[own][earlier] || !meet(launches_[earlier], launches_[own])) continue;
        result.push_back(earlier);
        add_before(earlier);
    }
    return result;
}

void Brancher::add_before(std::size_t earlier) {
    std::vector<bool>& before = before_.back();
    before[earlier] = true;
    for (std::size_t other = 0; other < earlier; ++other)
        if (before_[earlier][other]) before[other] = true;
}

const Step& Brancher::place(std::vector<MemoryAccess> touched) {
    const std::size_t own = launches_.size();
    launches_.push_back(std::move(touched));
    before_.emplace_back(own, false);
    const std::vector<std::size_t> waits = needed();
    Step step;
    step.stream = stream_for(waits);
    for (std::size_t earlier : waits) {
        if (steps_[earlier].stream == step.stream) continue;
        step.after.push_back(earlier);
        steps_[earlier].is_awaited = true;
    }
    if (step.stream == last_.size())
        last_.push_back(own);
    else
        add_before(std::exchange(last_[step.stream], own));
    return steps_.emplace_back(std::move(step));
}

std::size_t Brancher::stream_for(const std::vector<std::size_t>& waits) const {
    for (std::size_t earlier : waits)
        if (const std::size_t stream = steps_[earlier].stream; last_[stream] == earlier) return stream;
    if (last_.size() < most_) return last_.size();
    return static_cast<std::size_t>(std::min_element(last_.begin(), last_.end()) - last_.begin());
}

std::vector<std::size_t> Brancher::ends() const {
    std::vector<std::size_t> result;
    for (std::size_t stream = 1; stream < last_.size(); ++stream) {
        const std::size_t own = last_[stream];
        const auto waits = [&](std::size_t other) { return other > own && before_[other][own]; };
        if (std::none_of(last_.begin(), last_.end(), waits)) result.push_back(own);
    }
    return result;
}

Branches branches_of(const std::vector<std::vector<MemoryAccess>>& launches, std::size_t most_streams) {
    Brancher brancher(most_streams);
    for (const std::vector<MemoryAccess>& touched : launches) brancher.place(touched);
    Branches result{brancher.steps(), std::max<std::size_t>(1, brancher.last().size()), brancher.ends()};
    for (std::size_t end : result.last) result.steps[end].is_awaited = true;
    return result;
}

}  // namespace sinter::schedule::card
