// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the layers of a body (layers.hpp) cost, given what is in memory.
#pragma once

#include "fuse/copies/layers.hpp"
#include "fuse/copies/minimal_cut.hpp"
#include "fuse/cost.hpp"

#include <functional>
#include <map>
#include <set>
#include <vector>

namespace sinter::fuse {

class LayerCosts {
  public:
    /// Keeps references. `again`, by operation: what each further copy costs; infinite where there is to be none.
    LayerCosts(const DepGraph& graph, const Prices& prices, const std::vector<double>& again);

    /// What may be in memory or not: a movable operation, or one that only movable ones read.
    struct Item {
        double write = 0, read = 0;
        double compute = 0;  ///< in a layer, and all but one; of what may not be copied, what it would save at most
        bool movable = false;
        bool early = true;  ///< computed in its own layer in any case
    };
    /// To keep it in memory.
    double price_of_keeping(Operation op) const {
        const Item& item = items_[op.index];
        return item.write + (item.early ? 0 : item.compute);
    }

    std::size_t count() const { return layers_.count; }
    std::size_t layer(Operation op) const { return layers_.of[op.index]; }
    const Item& item(Operation op) const { return items_[op.index]; }
    /// What the layer may read from memory although it need not be there, in the cheapest choice.
    const std::vector<Operation>& optional_reads(std::size_t layer) const { return optional_[layer]; }
    /// What is paid whatever is kept.
    double constant() const { return constant_; }
    /// The least that the layer costs beyond that; at least MinimalCut::never if it cannot be computed.
    double cost(std::size_t layer, const std::function<bool(Operation)>& is_kept) const;
    /// What computing all of `wanted` in a later layer costs at most; at least MinimalCut::never where that is not possible.
    double price_of_computing(const std::vector<Operation>& wanted, const std::function<bool(Operation)>& is_kept) const;
    /// By operation: true where a layer behind `after` may ask for it without asking for any of `without` (increasing).
    std::vector<bool> reached(std::size_t after, const std::vector<Operation>& without) const;

  private:
    enum class Way : std::uint8_t {
        read,      ///< not computed in this layer
        computed,  ///< read or computed
    };
    struct Layer {
        std::vector<Operation> roots;  ///< items that what is not movable reads here
        std::set<ir::ValueId> read;    ///< in any case
        std::map<Operation, Way> ways;
    };
    using PriceOfRead = std::function<double(Operation)>;
    using Paths = std::map<Operation, double, std::greater<>>;
    using Nodes = std::vector<std::pair<ir::ValueId, MinimalCut::Node>>;

    bool is_movable(Operation op) const;
    void price_variables(const std::vector<double>& again);
    void add_fixed(Operation op);
    void add_movable(Operation op);
    void add_own_prices();
    void store(ir::ValueId variable);
    void mark_early();
    void explore(std::size_t layer);
    void explore_earlier(std::size_t layer, Paths open);
    bool is_item(const Access& access) const;
    bool is_free(const Access& access, std::size_t layer) const;
    std::vector<Operation> item_inputs(Operation op, std::size_t layer) const;
    double price(std::size_t layer, const PriceOfRead& read) const;
    void connect_inputs(std::size_t layer, Operation op, MinimalCut& cut, Nodes& from_memory) const;

    const DepGraph& graph_;
    const Prices& prices_;
    std::vector<Item> items_;  ///< by operation
    Layers layers_;
    std::vector<double> price_of_read_;       ///< by variable: the least of its reads
    std::vector<bool> in_memory_;             ///< by variable: in any case
    std::vector<std::size_t> last_computed_;  ///< by operation: the last layer that may compute it
    std::vector<Layer> of_layer_;
    std::vector<std::vector<Operation>> optional_;
    double constant_ = 0;
    mutable std::vector<MinimalCut::Node> needed_, made_;  ///< by operation: of the cut at hand
};

}  // namespace sinter::fuse
