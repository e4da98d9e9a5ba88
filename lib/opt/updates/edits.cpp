// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opt/updates/edits.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <set>

namespace sinter::opt {

using namespace ir;

namespace {

/// `after`: for each, those that have to come later. Of those that may come next, takes the one with the least number;
/// nothing if there is a cycle.
std::optional<Order> sorted(std::size_t count, const std::vector<std::set<std::size_t>>& after) {
    std::vector<std::size_t> waits(count, 0);
    for (const auto& list : after)
        for (std::size_t k : list) ++waits[k];
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (std::size_t k = 0; k < count; ++k)
        if (waits[k] == 0) ready.push(k);
    Order order;
    for (; !ready.empty();) {
        const std::size_t next = ready.top();
        ready.pop();
        order.push_back(next);
        for (std::size_t k : after[next])
            if (--waits[k] == 0) ready.push(k);
    }
    return order.size() == count ? std::optional(std::move(order)) : std::nullopt;
}

class Improve {
  public:
    explicit Improve(Chains& chains) : chains_(chains) {}

    std::optional<Edits> operator()(const Chain& chain) {
        const std::vector<Read> reads = chains_.reads(chain);
        const Order order = order_of_updates(chain, reads);
        std::vector<std::size_t> place(order.size());  // by update: the number of updates up to and including it
        for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = k + 1;
        std::vector<ValueId> version{chain.array};
        for (std::size_t k : order) version.push_back(chains_.result(chain.updates[k]));
        std::vector<ValueId> now;  // by read
        for (const Read& read : reads) {
            const auto newest = newest_version(read, chain, place);
            if (!newest) return std::nullopt;
            now.push_back(version[*newest]);
            if (read.is_nested && now.back() != old_version(chain, read.version)) return std::nullopt;
        }
        Edits edits{chain.array, {}, {}, {}};
        for (std::size_t k = 0; k < reads.size(); ++k)
            add(edits, chain, reads[k].by, old_version(chain, reads[k].version), now[k]);
        for (std::size_t k = 0; k < order.size(); ++k) {
            const Position update = chain.updates[order[k]];
            if (chains_.scatter(update)->dests[0] != version[k]) edits.operands.push_back({update, 0, version[k]});
        }
        if (edits.operands.empty() && edits.results.empty()) return std::nullopt;
        const auto needed = needed_order(edits);
        if (!needed) return std::nullopt;
        edits.order = *needed;
        return edits;
    }

  private:
    void add(Edits& edits, const Chain& chain, std::optional<Position> by, ValueId before, ValueId now) const {
        if (before == now) return;
        const std::vector<ValueId> all = by ? operands(chains_.body().bindings[*by].op) : chains_.body().results;
        const bool is_update = by && std::find(chain.updates.begin(), chain.updates.end(), *by) != chain.updates.end();
        for (std::size_t k = is_update ? 1 : 0; k < all.size(); ++k) {
            if (all[k] != before) continue;
            if (by)
                edits.operands.push_back({*by, k, now});
            else
                edits.results[k] = now;
        }
    }

    ValueId old_version(const Chain& chain, std::size_t version) const {
        return version == 0 ? chain.array : chains_.result(chain.updates[version - 1]);
    }

    /// Windows that overlap keep their order, and what is read after an update is made after it. What is read before an
    /// update overwrites it has to be made before that, unless it is made for the update itself: therefore the first update
    /// for which it is made comes before.
    Order order_of_updates(const Chain& chain, const std::vector<Read>& reads) {
        const std::size_t count = chain.updates.size();
        std::vector<std::set<std::size_t>> after(count);
        for (std::size_t a = 0; a < count; ++a)
            for (std::size_t b = a + 1; b < count; ++b)
                if (chains_.overlap(chain, a, b)) after[a].insert(b);
        for (const Read& read : reads) {
            for (std::size_t k = 0; k < count; ++k) {
                if (read.users.empty() || !chains_.touches(read, chain, k)) continue;
                if (read.version > k)
                    after[k].insert(read.users.begin(), read.users.end());
                else if (std::find(read.users.begin(), read.users.end(), k) == read.users.end())
                    after[read.users[0]].insert(k);
            }
        }
        return sorted(count, after).value_or(as_they_stand(count));
    }

    static Order as_they_stand(std::size_t count) {
        Order order(count);
        std::iota(order.begin(), order.end(), 0);
        return order;
    }

    /// The newest version that contains what is read, up to the version which the first of its users updates.
    std::optional<std::size_t> newest_version(const Read& read, const Chain& chain, const std::vector<std::size_t>& place) {
        std::size_t least = 0, most = place.size();
        for (std::size_t k = 0; k < place.size(); ++k) {
            if (!chains_.touches(read, chain, k)) continue;
            if (read.version > k)
                least = std::max(least, place[k]);
            else
                most = std::min(most, place[k] - 1);
        }
        if (least > most) return std::nullopt;
        for (std::size_t user : read.users) most = std::min(most, std::max(least, place[user] - 1));
        return most;
    }

    std::optional<Order> needed_order(const Edits& edits) const {
        std::vector<std::set<std::size_t>> after(chains_.body().bindings.size());
        auto need = [&](Position at, ValueId id) {
            if (const auto maker = chains_.producer(id)) after[*maker].insert(at);
        };
        std::map<Position, std::map<std::size_t, ValueId>> changed;
        for (const Edit& edit : edits.operands) changed[edit.by][edit.operand] = edit.array;
        for (Position at = 0; at < chains_.body().bindings.size(); ++at) {
            const std::vector<ValueId> all = operands(chains_.body().bindings[at].op);
            std::map<std::size_t, ValueId>& here = changed[at];
            for (std::size_t k = 0; k < all.size(); ++k) need(at, here.contains(k) ? here[k] : all[k]);
            auto is_replaced = [&](ValueId id) {
                return std::any_of(here.begin(), here.end(), [&](const auto& edit) { return all[edit.first] == id; });
            };
            for (ValueId id : chains_.needs(at))
                if (!is_replaced(id)) need(at, id);
        }
        return sorted(chains_.body().bindings.size(), after);
    }

    Chains& chains_;
};

}  // namespace

std::optional<Edits> edits_of(Chains& chains) {
    for (const Chain& chain : chains.find())
        if (auto edits = Improve(chains)(chain)) return edits;
    return std::nullopt;
}

}  // namespace sinter::opt
