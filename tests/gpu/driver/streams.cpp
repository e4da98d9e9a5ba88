// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "streams.hpp"

#include "memory.hpp"
#include "settings.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace driver {

namespace {

constexpr std::size_t most_tasks = 200;

void check_on_card(std::uint64_t address, int device, std::size_t bytes, const char* what) {
    const Allocation* allocation = Memory::get().find(address, bytes);
    if (!allocation) violation(std::string(what) + " beyond memory of the card");
    if (allocation->device != device)
        violation(std::string(what) + " that is device " + std::to_string(device) + "'s, in memory of device " +
                  std::to_string(allocation->device));
    if (!allocation->ready) violation(std::string(what) + " in memory of the card that no stream has allocated yet");
}

/// Memory of the host's that a copy reads or writes, as it is when the copy is asked for.
class HostBytes {
  public:
    /// address: 0 if it is the card's.
    HostBytes(std::uint64_t address, std::size_t bytes)
        : address_(address), then_(std::make_shared<std::vector<unsigned char>>(address != 0 ? bytes : 0)) {
        if (!then_->empty()) std::memcpy(then_->data(), place_of(address), bytes);
    }
    bool is_host() const { return address_ != 0; }
    bool have_changed() const {
        std::vector<unsigned char> now(then_->size());
        return !now.empty() && (!read_safely(now.data(), address_, now.size()) || now != *then_);
    }

  private:
    std::uint64_t address_;
    std::shared_ptr<std::vector<unsigned char>> then_;
};

}  // namespace

void Stream::start(Task task) {
    if (capture_) {
        capture_->graph.push_back({std::move(task), last_});
        last_ = {capture_->graph.size() - 1};
        return;
    }
    tasks_.push_back(std::move(task));
    ++started_;
    if (tasks_.size() > most_tasks || chance().one_in(16)) finish_until(done_ + 1 + chance().below(4));
    if (is_hurried_ && chance().one_in(2)) finish();
}

void Stream::finish_until(std::uint64_t time) {
    while (done_ < time && !tasks_.empty()) {
        const Task task = std::move(tasks_.front());
        tasks_.pop_front();
        ++done_;
        task();
    }
}

void Stream::abandon() {
    tasks_.clear();
    done_ = known_ = started_;
}

void Stream::join(std::shared_ptr<Capture> capture) {
    capture->streams.push_back(this);
    capture_ = std::move(capture);
    last_.clear();
}

void Stream::wait(const Event& event, bool is_dropped) {
    if (!event.stream) return;
    if (!event.capture) {
        if (capture_) violation("a stream that is captured waits for an event from before");
        if (!is_dropped) start([=] { event.stream->finish_until(event.time); });
        return;
    }
    if (capture_ && capture_ != event.capture) violation("a stream waits for an event of another capture");
    if (!capture_) join(event.capture);
    if (!is_dropped) last_.insert(last_.end(), event.nodes.begin(), event.nodes.end());
}

Graph Stream::end_capture(bool complete) {
    const std::shared_ptr<Capture> capture = capture_;
    Graph graph = std::move(capture->graph);
    std::vector<bool> is_before(graph.size(), false);
    for (std::size_t node : last_) is_before[node] = true;
    for (std::size_t k = graph.size(); k-- > 0;)
        for (std::size_t earlier : graph[k].after)
            if (is_before[k]) is_before[earlier] = true;
    if (complete && std::find(is_before.begin(), is_before.end(), false) != is_before.end())
        violation("a capture ends for whose last launches its first stream does not wait");
    for (Stream* stream : capture->streams) stream->capture_ = nullptr;
    return graph;
}

std::vector<std::size_t> any_order(const Graph& graph) {
    const bool latest_first = chance().one_in(2);
    std::vector<std::size_t> order;
    std::vector<bool> is_done(graph.size(), false);
    while (order.size() < graph.size()) {
        std::vector<std::size_t> ready;
        for (std::size_t k = 0; k < graph.size(); ++k)
            if (!is_done[k] && std::all_of(graph[k].after.begin(), graph[k].after.end(), [&](auto e) { return is_done[e]; }))
                ready.push_back(k);
        order.push_back(latest_first ? ready.back() : ready[chance().below(static_cast<std::uint32_t>(ready.size()))]);
        is_done[order.back()] = true;
    }
    return order;
}

bool is_on_card(std::uint64_t address) {
    const Allocation* allocation = Memory::get().find(address, 1);
    return allocation && !allocation->pinned;
}

Task copy(std::uint64_t to, int to_device, std::uint64_t from, int from_device, std::size_t bytes) {
    const HostBytes source(is_on_card(from) ? 0 : from, bytes), target(is_on_card(to) ? 0 : to, bytes);
    return [=] {
        if (source.have_changed()) violation("what is to be copied to the card has changed, or gone, before it was");
        if (target.have_changed()) violation("what the card is to copy to has changed, or gone, before it was");
        if (!source.is_host()) check_on_card(from, from_device, bytes, "a copy");
        if (!target.is_host()) check_on_card(to, to_device, bytes, "a copy");
        std::memmove(place_of(to), place_of(from), bytes);
    };
}

Task fill(std::uint64_t to, int device, unsigned char value, std::size_t bytes) {
    return [=] {
        check_on_card(to, device, bytes, "cuMemsetD8Async");
        std::memset(place_of(to), value, bytes);
    };
}

}  // namespace driver
