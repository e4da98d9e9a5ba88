// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch goes on in the stream of one that it waits for, if that is the last there; otherwise in a new stream. For a
// chain, that is one stream and nothing to wait for.
#include "jit/gpu/device/branches.hpp"

#include <algorithm>
#include <utility>

namespace sinter::gpu {

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

class Brancher {
  public:
    Brancher(const std::vector<std::vector<MemoryAccess>>& launches, std::size_t most)
        : launches_(launches), most_(most), before_(launches.size()) {}

    Branches operator()() {
        for (std::size_t k = 0; k < launches_.size(); ++k) place(k);
        result_.streams = std::max<std::size_t>(1, last_.size());
        for (std::size_t stream = 1; stream < last_.size(); ++stream) {
            result_.last.push_back(last_[stream]);
            result_.steps[last_[stream]].is_awaited = true;
        }
        return std::move(result_);
    }

  private:
    /// The earlier launches that have to be done, without those that others of them wait for anyway.
    std::vector<std::size_t> needed(std::size_t k) {
        std::vector<std::size_t> result;
        before_[k].assign(k, false);
        for (std::size_t earlier = k; earlier-- > 0;) {
            if (before_[k][earlier] || !meet(launches_[earlier], launches_[k])) continue;
            result.push_back(earlier);
            add_before(k, earlier);
        }
        return result;
    }

    void add_before(std::size_t k, std::size_t earlier) {
        before_[k][earlier] = true;
        for (std::size_t other = 0; other < earlier; ++other)
            if (before_[earlier][other]) before_[k][other] = true;
    }

    void place(std::size_t k) {
        const std::vector<std::size_t> waits = needed(k);
        Step step;
        step.stream = stream_for(waits);
        for (std::size_t earlier : waits) {
            if (result_.steps[earlier].stream == step.stream) continue;
            step.after.push_back(earlier);
            result_.steps[earlier].is_awaited = true;
        }
        if (step.stream == last_.size())
            last_.push_back(k);
        else
            add_before(k, std::exchange(last_[step.stream], k));
        result_.steps.push_back(std::move(step));
    }

    std::size_t stream_for(const std::vector<std::size_t>& waits) const {
        for (std::size_t earlier : waits)
            if (const std::size_t stream = result_.steps[earlier].stream; last_[stream] == earlier) return stream;
        if (last_.size() < most_) return last_.size();
        return static_cast<std::size_t>(std::min_element(last_.begin(), last_.end()) - last_.begin());
    }

    const std::vector<std::vector<MemoryAccess>>& launches_;
    const std::size_t most_;
    std::vector<std::vector<bool>> before_;  ///< of each: which earlier ones are done when it begins
    std::vector<std::size_t> last_;          ///< of each stream
    Branches result_;
};

}  // namespace

Branches branches_of(const std::vector<std::vector<MemoryAccess>>& launches, std::size_t most_streams) {
    return Brancher(launches, most_streams)();
}

}  // namespace sinter::gpu
