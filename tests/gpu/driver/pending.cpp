// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pending.hpp"

#include "settings.hpp"

#include <algorithm>
#include <utility>

namespace driver {

namespace {

void in_order(std::vector<Store>& stores) {
    std::sort(stores.begin(), stores.end(), [](const Store& a, const Store& b) { return a.number < b.number; });
}

void overlay_one(const Store& store, std::uint64_t address, std::size_t bytes, std::uint64_t& value) {
    for (std::size_t k = 0; k < store.bytes; ++k) {
        const std::uint64_t at = store.address + k - address;
        if (at >= bytes) continue;
        reinterpret_cast<unsigned char*>(&value)[at] = reinterpret_cast<const unsigned char*>(&store.value)[k];
    }
}

}  // namespace

/// Calls f with the number of every store that may be to the same word.
template <class F>
void Pending::each_at(std::uint64_t address, F f) const {
    if (!has_lists())
        for (std::size_t k = 0; k < nodes_.size(); ++k) f(k);
    else
        for (std::int32_t k = heads_[group_of(address)]; k != none; k = nodes_[static_cast<std::size_t>(k)].after)
            f(static_cast<std::size_t>(k));
}

void Pending::link(std::size_t k) {
    std::int32_t& head = heads_[group_of(nodes_[k].store.address)];
    nodes_[k].before = none;
    nodes_[k].after = head;
    if (head != none) nodes_[static_cast<std::size_t>(head)].before = static_cast<std::int32_t>(k);
    head = static_cast<std::int32_t>(k);
}

void Pending::unlink(std::size_t k) {
    const Node& node = nodes_[k];
    if (node.before == none)
        heads_[group_of(node.store.address)] = node.after;
    else
        nodes_[static_cast<std::size_t>(node.before)].after = node.after;
    if (node.after != none) nodes_[static_cast<std::size_t>(node.after)].before = node.before;
}

void Pending::add(Store store) {
    store.number = next_++;
    nodes_.push_back({store});
    if (has_lists()) return link(nodes_.size() - 1);
    if (nodes_.size() <= few) return;
    heads_.assign(groups, none);
    for (std::size_t k = 0; k < nodes_.size(); ++k) link(k);
}

/// The last one takes its place.
Store Pending::take_at(std::size_t k) {
    const Store taken = nodes_[k].store;
    const std::size_t last = nodes_.size() - 1;
    if (has_lists()) {
        unlink(k);
        if (k != last) unlink(last);
    }
    nodes_[k] = nodes_[last];
    nodes_.pop_back();
    if (has_lists() && k != last) link(k);
    return taken;
}

Store Pending::take_any() {
    std::size_t first = chance().below(static_cast<std::uint32_t>(nodes_.size()));
    for (bool is_first = false; !is_first;) {
        is_first = true;
        const Store chosen = nodes_[first].store;
        each_at(chosen.address, [&](std::size_t k) {
            const Store& other = nodes_[k].store;
            if (other.number >= nodes_[first].store.number || !other.overlaps(chosen.address, chosen.bytes)) return;
            first = k;
            is_first = false;
        });
    }
    return take_at(first);
}

std::vector<Store> Pending::at(std::uint64_t address, std::size_t bytes) const {
    std::vector<Store> there;
    each_at(address, [&](std::size_t k) {
        if (nodes_[k].store.overlaps(address, bytes)) there.push_back(nodes_[k].store);
    });
    in_order(there);
    return there;
}

std::vector<Store> Pending::take(std::uint64_t address, std::size_t bytes) {
    const std::vector<Store> taken = at(address, bytes);
    for (const Store& store : taken) {
        std::size_t place = 0;
        each_at(address, [&](std::size_t k) { place = nodes_[k].store.number == store.number ? k : place; });
        take_at(place);
    }
    return taken;
}

std::vector<Store> Pending::take_all() {
    std::vector<Store> all;
    for (const Node& node : nodes_) all.push_back(node.store);
    nodes_.clear();
    heads_.clear();
    in_order(all);
    return all;
}

void Pending::overlay(std::uint64_t address, std::size_t bytes, std::uint64_t& value) const {
    if (empty()) return;
    for (const Store& store : at(address, bytes)) overlay_one(store, address, bytes, value);
}

}  // namespace driver
