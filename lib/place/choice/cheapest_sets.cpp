// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "place/choice/cheapest_sets.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace sinter::place {

namespace {

/// The cheaper one is on top; of equal ones, the smaller one.
bool is_below(const CheapestSets::Set& a, const CheapestSets::Set& b) {
    const auto key = [](const CheapestSets::Set& set) { return std::tuple(set.price, set.members.size(), set.members); };
    return key(a) > key(b);
}

}  // namespace

CheapestSets::CheapestSets(std::vector<Price> prices) : prices_(std::move(prices)), order_(prices_.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return prices_[a] < prices_[b]; });
    if (!order_.empty()) add(prices_[order_[0]], {0});
}

void CheapestSets::add(Price price, std::vector<std::size_t> positions) {
    waiting_.push_back({price, std::move(positions)});
    std::push_heap(waiting_.begin(), waiting_.end(), is_below);
}

/// Behind a set come those with its dearest member replaced by the next, and with the next beside it. So each set is made
/// once, of one that is no dearer.
std::optional<CheapestSets::Set> CheapestSets::next() {
    if (waiting_.empty()) return std::nullopt;
    std::pop_heap(waiting_.begin(), waiting_.end(), is_below);
    Set set = std::move(waiting_.back());
    waiting_.pop_back();
    const std::size_t last = set.members.back();
    if (last + 1 < order_.size()) {
        const Price more = prices_[order_[last + 1]];
        std::vector<std::size_t> other = set.members;
        other.back() = last + 1;
        add(set.price - prices_[order_[last]] + more, std::move(other));
        other = set.members;
        other.push_back(last + 1);
        add(set.price + more, std::move(other));
    }
    for (std::size_t& member : set.members) member = order_[member];
    return set;
}

}  // namespace sinter::place
