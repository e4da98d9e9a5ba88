// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A layer computes what it has to from what it reads: a minimal cut of the graph of its operations, in which an operation is
// on the sink's side if it is needed, and again if it is computed. To read it costs a read, to compute it arithmetic, and
// then all that it reads is needed. He (2022, "Min-cut rematerialization" of AOTAutograd) divides a program at one place so.
//
// What a layer could compute again reaches back to the program's beginning. But no layer costs more, in the cheapest choice,
// than it does if it keeps what it reads for itself alone: operations that cannot be computed again for less are only read.
#include "fuse/copies/layer_costs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinter::fuse {

using ir::ValueId;

LayerCosts::LayerCosts(const DepGraph& graph, const Prices& prices, const std::vector<double>& again)
    : graph_(graph),
      prices_(prices),
      items_(graph.roles.size()),
      price_of_read_(graph.types.size(), std::numeric_limits<double>::infinity()),
      in_memory_(graph.types.size(), false),
      last_computed_(graph.roles.size(), 0),
      needed_(graph.roles.size()),
      made_(graph.roles.size()) {
    std::vector<bool> movable(graph.roles.size(), false);
    for (Operation op : graph_.vertices)
        items_[op.index].movable = movable[op.index] = std::isfinite(again[op.index]) || is_movable(op);
    layers_ = layers(graph, movable);
    of_layer_.resize(layers_.count);
    optional_.resize(layers_.count);
    price_variables(again);
    for (Operation op : graph_.vertices) movable[op.index] ? add_movable(op) : add_fixed(op);
    mark_early();
    add_own_prices();
    for (std::size_t layer = 0; layer < layers_.count; ++layer) explore(layer);
}

/// Whether clusters may have it wherever its readers are.
bool LayerCosts::is_movable(Operation op) const {
    const auto& uses = graph_.uses[op.index];
    auto is_fusible = [&](std::uint32_t use) { return !needs_memory(graph_.accesses[use]) && !graph_.accesses[use].whole; };
    return graph_.roles[op.index] == Role::compute && std::holds_alternative<ir::Map>(graph_.binding(op).op) &&
           !graph_.any_stored(op) && std::all_of(uses.begin(), uses.end(), is_fusible);
}

void LayerCosts::price_variables(const std::vector<double>& again) {
    for (const Access& access : graph_.accesses) {
        double& price = price_of_read_[access.variable.index];
        price = std::min(price, access.updated ? 0 : prices_.read(graph_, access));
    }
    for (Operation op : graph_.vertices) {
        Item& item = items_[op.index];
        item.write = item.read = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < graph_.result_count(op); ++k) {
            item.read = std::min(item.read, price_of_read_[graph_.result(op, k).index]);
            item.write = std::min(item.write, prices_.written(graph_.binding(op).types[k]));
        }
        if (graph_.roles[op.index] == Role::barrier) item.write = 0;
        if (item.movable) item.compute = std::isfinite(again[op.index]) ? again[op.index] : item.write + item.read;
    }
}

/// It is written whatever else is.
void LayerCosts::store(ValueId variable) { in_memory_[variable.index] = true; }

/// Something that is computed in its own layer, and there only.
void LayerCosts::add_fixed(Operation op) {
    Layer& own = of_layer_[layer(op)];
    const bool is_barrier = graph_.roles[op.index] == Role::barrier;
    for (std::size_t k = 0; k < graph_.result_count(op); ++k)
        if (graph_.stored[graph_.result(op, k).index]) store(graph_.result(op, k));
    for (const Access& access : graph_.reads(op)) {
        const Operation producer = access.producer;
        if (producer.valid() && items_[producer.index].movable && !needs_memory(access)) {
            own.roots.push_back(producer);
            continue;
        }
        const bool is_read = !producer.valid() || needs_memory(access) || layer(producer) < layer(op);
        if (!is_read) continue;
        if (producer.valid()) store(access.variable);
        if (!is_barrier && own.read.insert(access.variable).second) constant_ += price_of_read_[access.variable.index];
    }
}

/// It is computed once at least, which is no copy.
void LayerCosts::add_movable(Operation op) {
    constant_ -= items_[op.index].compute;
    for (const Access& access : graph_.reads(op))
        if (access.producer.valid() && needs_memory(access)) store(access.variable);
}

/// What its own layer cannot do without.
void LayerCosts::mark_early() {
    for (Operation op : graph_.vertices) items_[op.index].early = !items_[op.index].movable;
    for (std::size_t t = 0; t < layers_.count; ++t) {
        std::vector<Operation> open = of_layer_[t].roots;
        while (!open.empty()) {
            const Operation op = open.back();
            open.pop_back();
            if (layer(op) != t || items_[op.index].early) continue;
            items_[op.index].early = true;
            for (Operation input : item_inputs(op, t)) open.push_back(input);
        }
    }
}

/// Of launches, and of what is written in any case.
void LayerCosts::add_own_prices() {
    std::vector<bool> computes(layers_.count, false);
    for (Operation op : graph_.vertices) {
        if (items_[op.index].movable) continue;
        if (graph_.roles[op.index] == Role::barrier) {
            constant_ += prices_.launch();
            continue;
        }
        computes[layer(op)] = true;
        for (std::size_t k = 0; k < graph_.result_count(op); ++k)
            if (in_memory_[graph_.result(op, k).index]) constant_ += prices_.written(graph_.binding(op).types[k]);
    }
    constant_ += prices_.launch() * static_cast<double>(std::count(computes.begin(), computes.end(), true));
}

/// Whether what is read may be in memory or not.
bool LayerCosts::is_item(const Access& access) const {
    if (!access.producer.valid() || needs_memory(access)) return false;
    return items_[access.producer.index].movable || !in_memory_[access.variable.index];
}

/// Whether it is in registers.
bool LayerCosts::is_free(const Access& access, std::size_t layer) const {
    const Operation producer = access.producer;
    return producer.valid() && !needs_memory(access) && !items_[producer.index].movable && this->layer(producer) == layer;
}

std::vector<Operation> LayerCosts::item_inputs(Operation op, std::size_t layer) const {
    std::vector<Operation> result;
    for (const Access& access : graph_.reads(op))
        if (is_item(access) && !is_free(access, layer)) result.push_back(access.producer);
    return result;
}

/// A cut of the layer's operations.
double LayerCosts::price(std::size_t layer, const PriceOfRead& read) const {
    const Layer& own = of_layer_[layer];
    MinimalCut cut;
    for (const auto& [op, way] : own.ways) needed_[op.index] = cut.add(), made_[op.index] = cut.add();
    std::vector<std::pair<ValueId, MinimalCut::Node>> from_memory;
    for (const auto& [op, way] : own.ways) {
        const double of_read = this->layer(op) == layer ? MinimalCut::never : read(op);
        const double of_computing = way == Way::computed ? items_[op.index].compute : MinimalCut::never;
        cut.connect(made_[op.index], needed_[op.index], of_read);
        cut.connect(MinimalCut::source, made_[op.index], of_computing);
        if (way == Way::computed) connect_inputs(layer, op, cut, from_memory);
    }
    for (Operation op : own.roots) cut.connect(needed_[op.index], MinimalCut::sink, MinimalCut::never);
    return cut.price();
}

/// What is computed needs all that it reads.
void LayerCosts::connect_inputs(std::size_t layer, Operation op, MinimalCut& cut, Nodes& from_memory) const {
    for (const Access& access : graph_.reads(op)) {
        if (is_free(access, layer)) continue;
        if (is_item(access)) {
            cut.connect(needed_[access.producer.index], made_[op.index], MinimalCut::never);
            continue;
        }
        const double price = price_of_read_[access.variable.index];
        if (price == 0 || of_layer_[layer].read.count(access.variable) > 0) continue;
        auto is_known = [&](const auto& entry) { return entry.first == access.variable; };
        auto known = std::find_if(from_memory.begin(), from_memory.end(), is_known);
        if (known == from_memory.end()) {
            known = from_memory.insert(known, {access.variable, cut.add()});
            cut.connect(MinimalCut::source, known->second, price);
        }
        cut.connect(known->second, made_[op.index], MinimalCut::never);
    }
}

/// Finds what the layer may compute and read.
void LayerCosts::explore(std::size_t layer) {
    auto& ways = of_layer_[layer].ways;
    Paths earlier;
    std::vector<Operation> open = of_layer_[layer].roots;
    while (!open.empty()) {
        const Operation op = open.back();
        open.pop_back();
        if (!ways.emplace(op, this->layer(op) == layer ? Way::computed : Way::read).second) continue;
        if (this->layer(op) != layer)
            earlier.emplace(op, 0);
        else
            for (Operation input : item_inputs(op, layer)) open.push_back(input);
    }
    explore_earlier(layer, std::move(earlier));
    for (const auto& [op, way] : ways) {
        if (way == Way::computed) last_computed_[op.index] = layer;
        if (this->layer(op) < layer) optional_[layer].push_back(op);
    }
}

/// What is computed is so for something that is computed too, and the arithmetic of all of these does not cost more than to
/// keep what the layer reads for it alone. `open`: of what was found, what is computed behind it at least.
void LayerCosts::explore_earlier(std::size_t layer, Paths open) {
    auto& ways = of_layer_[layer].ways;
    const double alone = price(layer, [&](Operation op) { return items_[op.index].read + price_of_keeping(op); });
    while (!open.empty()) {
        const auto [op, behind] = *open.begin();  // its readers are known: they come later in the program
        open.erase(open.begin());
        const Item& item = items_[op.index];
        const bool is_ever_computed = item.movable && behind + item.compute <= alone;
        ways[op] = is_ever_computed ? Way::computed : Way::read;
        if (!is_ever_computed) continue;
        for (Operation input : item_inputs(op, layer)) {
            double& least = open.try_emplace(input, alone).first->second;
            least = std::min(least, behind + item.compute);
        }
    }
}

double LayerCosts::cost(std::size_t layer, const std::function<bool(Operation)>& is_kept) const {
    return price(layer, [&](Operation op) { return is_kept(op) ? items_[op.index].read : MinimalCut::never; });
}

/// Everything is computed that is not kept, each once.
double LayerCosts::price_of_computing(const std::vector<Operation>& wanted,
                                      const std::function<bool(Operation)>& is_kept) const {
    std::set<Operation> computed(wanted.begin(), wanted.end()), read;
    std::set<ValueId> from_memory;
    std::vector<Operation> open(computed.begin(), computed.end());
    double total = 0;
    while (!open.empty()) {
        const Operation op = open.back();
        open.pop_back();
        if (!items_[op.index].movable) return MinimalCut::never;
        total += items_[op.index].compute;
        for (const Access& access : graph_.reads(op)) {
            if (!is_item(access)) {
                if (from_memory.insert(access.variable).second) total += price_of_read_[access.variable.index];
            } else if (is_kept(access.producer)) {
                if (read.insert(access.producer).second) total += items_[access.producer.index].read;
            } else if (computed.insert(access.producer).second) {
                open.push_back(access.producer);
            }
        }
    }
    return total;
}

std::vector<bool> LayerCosts::reached(std::size_t after, const std::vector<Operation>& without) const {
    std::vector<bool> result(items_.size(), false);
    std::vector<Operation> open;
    auto reach = [&](Operation op) {
        if (result[op.index] || std::binary_search(without.begin(), without.end(), op)) return;
        result[op.index] = true;
        open.push_back(op);
    };
    for (std::size_t later = after + 1; later < layers_.count; ++later)
        for (Operation op : of_layer_[later].roots) reach(op);
    while (!open.empty()) {
        const Operation op = open.back();
        open.pop_back();
        if (last_computed_[op.index] <= after) continue;
        for (const Access& access : graph_.reads(op))
            if (is_item(access)) reach(access.producer);
    }
    return result;
}

}  // namespace sinter::fuse
