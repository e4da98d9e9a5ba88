// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Built in four sweeps: the uses of every operation; liveness, backwards; what transparent operations read and in which
// order, forwards; the accesses of the vertices, looking through transparent operations.
#include "fuse/graph/dep_graph.hpp"

#include "fuse/graph/looks.hpp"
#include "fuse/graph/products.hpp"
#include "fuse/graph/uses.hpp"
#include "fuse/rules/transparent.hpp"
#include "ir/sizes/size_parts.hpp"
#include "support/match.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinter::fuse {

using ir::ValueId;

namespace {

bool is_barrier(const ir::ArrayOp& op) {
    return std::holds_alternative<ir::Force>(op) || std::holds_alternative<ir::Sort>(op) ||
           std::holds_alternative<ir::Foreign>(op) || ir::bodies_of(op);
}

/// The obstacle on edges to whatever has to be complete before `op` begins.
Obstacle obstacle_of(const ir::ArrayOp& op) {
    if (std::holds_alternative<ir::Sort>(op)) return Obstacle::sort;
    return std::holds_alternative<ir::Foreign>(op) ? Obstacle::foreign : Obstacle::force;
}

Obstacle obstacle_of(UseKind kind, const ir::ArrayOp& op) {
    switch (kind) {
        case UseKind::whole:
            return Obstacle::random_reads;
        case UseKind::forced:
            return obstacle_of(op);
        case UseKind::control:
            return Obstacle::control;
        case UseKind::extent:
            return Obstacle::extent;
        case UseKind::initial:
            return Obstacle::initial_value;
        case UseKind::updated:
            return Obstacle::update;
        case UseKind::element:
        case UseKind::reduced:
        case UseKind::source:
        case UseKind::scalar:
            break;
    }
    return Obstacle::none;
}

class Builder {
  public:
    Builder(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer) {
        g_.program = &program;
        g_.body = &body;
        g_.base = outer.size();
        g_.types = ir::types_of(body, outer);
    }

    DepGraph build() {
        number();
        find_uses();
        find_roles();
        look_through();
        add_accesses();
        return std::move(g_);
    }

  private:
    std::size_t count() const { return g_.body->bindings.size(); }

    void number() {
        std::size_t level = g_.base + g_.body->params.size();
        producer_.assign(g_.types.size(), Operation());
        for (std::size_t i = 0; i < count(); ++i) {
            g_.levels.push_back(level);
            for (std::size_t k = 0; k < g_.body->bindings[i].types.size(); ++k) producer_[level++] = Operation(i);
        }
    }

    void find_uses() {
        UseFinder find(g_.program->sizes);
        for (std::size_t i = 0; i < count(); ++i) uses_.push_back(find(g_.body->bindings[i], g_.levels[i]));
    }

    void find_roles() {
        std::vector<bool> live(g_.types.size(), false);
        g_.stored.assign(g_.types.size(), false);
        g_.roles.assign(count(), Role::dead);
        transparent_ = transparent_operations(*g_.body, g_.base);
        auto store = [&](ValueId id) { g_.stored[id.index] = producer_[id.index].valid(); };
        for (ValueId id : g_.body->results) live[id.index] = true, store(id);
        for (const ir::Guard& guard : g_.body->guards)
            for (ir::SizeId size : {guard.left, guard.right})
                for (ValueId id : values_in(size)) live[id.index] = true, store(id);
        for (std::size_t i = count(); i-- > 0;) {
            Operation op(i);
            bool needed = false;
            for (std::size_t k = 0; k < g_.result_count(op); ++k) needed = needed || live[g_.result(op, k).index];
            if (!needed) continue;
            if (ir::binds_sizes(g_.binding(op).op)) store(g_.result(op, 0));  // the extent of the other results
            if (g_.scatter(op))                                               // they are written together
                for (std::size_t k = 0; k < g_.result_count(op); ++k) store(g_.result(op, k));
            g_.roles[i] = is_barrier(g_.binding(op).op) ? Role::barrier : Role::compute;
            for (const Use& use : uses_[i]) {
                live[use.variable.index] = true;
                if (needs_storage(use.kind)) store(use.variable);
            }
            if (transparent_[i]) g_.roles[i] = g_.any_stored(op) ? Role::stored : Role::transparent;
        }
        for (std::size_t i = 0; i < count(); ++i)
            if (g_.roles[i] != Role::dead && g_.roles[i] != Role::transparent) g_.vertices.emplace_back(i);
    }

    /// The variables on whose values a size depends.
    std::vector<ValueId> values_in(ir::SizeId id) const {
        std::vector<ValueId> values;
        ir::for_each_value(g_.program->sizes, id, [&](ValueId value) { values.push_back(value); });
        return values;
    }

    /// The order in which operation `op` reads for one of its uses, from its own index.
    Label label_of(Operation op, const Use& use) {
        const ir::Binding& binding = g_.binding(op);
        if (const auto* view = std::get_if<ir::View>(&binding.op))
            return is_scalar(use.kind)
                       ? (binding.types[0].rank() > 0 ? scalar_read : identity)
                       : g_.labels.view(g_.program->sizes, *view, g_.types[use.variable.index], binding.types[0]);
        if (use.kind == UseKind::source) return g_.labels.gather(op);
        return is_scalar(use.kind) && (g_.space(op).size() > 0 || g_.fold(op)) ? scalar_read : identity;
    }

    /// The reads of `op` after looking through transparent operations, which precede it. Without repetitions.
    std::vector<Access> reads_of(Operation op) {
        std::vector<Access> reads;
        for (const Use& use : uses_[op.index]) {
            Access access{.reader = op, .variable = use.variable, .reduced = use.kind == UseKind::reduced};
            access.updated = use.kind == UseKind::updated;
            access.obstacle = obstacle_of(use.kind, g_.binding(op).op);
            bool one_a_line = is_scalar(use.kind) && g_.types[use.variable.index].rank() > 0;
            if (one_a_line) access.obstacle = Obstacle::initial_value;
            access.whole = one_a_line || use.kind == UseKind::whole || needs_storage(use.kind);
            if (!access.whole) access.label = label_of(op, use);
            if (is_broadcast(op)) access.repeated = use.variable;
            if (use.kind == UseKind::whole) access.looks = looks(g_.binding(op).op, use.variable).value_or(-1);
            Operation producer = producer_[use.variable.index];
            if (needs_storage(use.kind) || !producer.valid() || !transparent_[producer.index])
                reads.push_back(access);
            else
                for (const Access& inner : through_[producer.index]) reads.push_back(compose(access, inner));
        }
        auto key = [](const Access& a) {
            return std::tuple(a.variable, a.label, a.reduced, a.whole, a.updated, a.obstacle, a.looks);
        };
        std::sort(reads.begin(), reads.end(), [&](auto& a, auto& b) { return key(a) < key(b); });
        reads.erase(std::unique(reads.begin(), reads.end(), [&](auto& a, auto& b) { return key(a) == key(b); }),
                    reads.end());
        return reads;
    }

    bool is_broadcast(Operation op) const {
        const auto* view = std::get_if<ir::View>(&g_.binding(op).op);
        return view && std::holds_alternative<ir::Broadcast>(view->function);
    }

    Access compose(Access outer, const Access& inner) {
        outer.variable = inner.variable;
        if (inner.repeated.valid()) outer.repeated = inner.repeated;
        if (!outer.whole) outer.looks = inner.looks;
        outer.whole = outer.whole || inner.whole;
        outer.reduced = outer.reduced && !inner.whole;
        outer.label = outer.whole ? identity : g_.labels.compose(outer.label, inner.label);
        if (inner.obstacle != Obstacle::none)
            outer.obstacle = inner.obstacle;
        else if (inner.label == scalar_read && outer.obstacle == Obstacle::random_reads)
            outer.obstacle = Obstacle::scalar;
        return outer;
    }

    void look_through() {
        through_.resize(count());
        for (std::size_t i = 0; i < count(); ++i)
            if (transparent_[i] && g_.roles[i] != Role::dead) through_[i] = reads_of(Operation(i));
    }

    static bool is_scalar(UseKind kind) { return kind == UseKind::scalar || kind == UseKind::initial; }

    /// True if the producer has to be in memory whatever cluster the reader is in. A value of a row that is repeated for its
    /// elements need not be (legality.hpp).
    static bool needs_memory(Obstacle obstacle) { return obstacle != Obstacle::none && obstacle != Obstacle::repetition; }

    bool is_total(const Access& access) const {
        const ir::Scan* scan = g_.scan(access.producer);
        return scan && access.variable.index - g_.levels[access.producer.index] >= scan->states();
    }

    void complete(Access& access) const {
        access.producer = producer_[access.variable.index];
        if (!access.producer.valid()) {
            access.obstacle = Obstacle::none;
            return;
        }
        if (access.obstacle != Obstacle::none) return;
        if (g_.roles[access.producer.index] == Role::barrier)
            access.obstacle = Obstacle::barrier_result;
        else if (g_.scatter(access.producer))
            access.obstacle = Obstacle::updated;
        else if (g_.pattern(access.producer) == Pattern::compact)
            access.obstacle = Obstacle::irregular;
        else if (is_total(access))
            access.obstacle = Obstacle::total;
        else if (access.label == scalar_read)
            access.obstacle = Obstacle::scalar;
        else if (g_.labels.repeats(access.label))
            access.obstacle = Obstacle::repetition;
    }

    /// True if others than `op` need the elements, so that they are in memory, or computed once more, in any case.
    bool is_needed_besides(ValueId id, Operation op) const {
        if (g_.stored[id.index]) return true;
        for (std::size_t i = 0; i < count(); ++i)
            if (i != op.index && g_.roles[i] != Role::dead &&
                std::any_of(uses_[i].begin(), uses_[i].end(), [&](const Use& use) { return use.variable == id; }))
                return true;
        return false;
    }

    /// A fold of elements that nothing else needs keeps them out of memory, which they might not fit.
    bool passes_over_rows(Operation op, const std::vector<Access>& accesses) const {
        const Pattern pattern = g_.pattern(op);
        if (pattern == Pattern::scan || pattern == Pattern::compact) return true;
        return pattern == Pattern::fold && std::any_of(accesses.begin(), accesses.end(), [&](const Access& access) {
                   return access.producer.valid() && in_tiles_[access.producer.index] &&
                          is_needed_besides(access.variable, op);
               });
    }

    /// A product by index, with the maps of it, is kept apart from a pass over rows. What needs such a pass is behind both.
    void keep_tiles_apart(Operation op, std::vector<Access>& accesses) {
        const ir::Binding& binding = g_.binding(op);
        const bool product = !binding.types.empty() && is_product(binding.op, binding.types[0].rank());
        bool in_tiles = product, behind = false;
        for (const Access& access : accesses) {
            if (!access.producer.valid()) continue;
            const bool of_tiles = in_tiles_[access.producer.index];
            behind = behind || behind_tiles_[access.producer.index] || (of_tiles && needs_memory(access.obstacle));
            in_tiles = in_tiles || (of_tiles && access.obstacle == Obstacle::none);
        }
        if (product) behind = false;
        in_tiles = in_tiles && !behind;
        const bool apart = in_tiles && passes_over_rows(op, accesses);
        for (Access& access : accesses)
            if (apart && access.producer.valid() && in_tiles_[access.producer.index] && access.obstacle == Obstacle::none)
                access.obstacle = Obstacle::tiles;
        in_tiles_[op.index] = in_tiles && g_.pattern(op) == Pattern::map;
        behind_tiles_[op.index] = behind || apart;
    }

    /// A fold that is a product of broadcasts, with the maps of it, is kept apart from a scatter, which has no tiles, and
    /// from maps that compute with indices, whose 64 bits would leave the whole kernel half of its lanes. (The gradient of a
    /// Gaussian mixture, 32 dimensions, 50 components, 1000 points, one thread: its largest kernel from 67 to 12 ms apart
    /// from the scatter; 10 dimensions, 25, 10,000: the same from 32 to 17 ms apart from the map.)
    void keep_folds_in_tiles(Operation op, std::vector<Access>& accesses) {
        const auto in_tiles = [&](const Access& access) {
            return access.producer.valid() && folds_in_tiles_[access.producer.index] && access.obstacle == Obstacle::none;
        };
        const Pattern pattern = g_.pattern(op);
        const auto* map = std::get_if<ir::Map>(&g_.binding(op).op);
        if (map && !map->indexed) {
            folds_in_tiles_[op.index] = std::any_of(accesses.begin(), accesses.end(), in_tiles);
        } else if (map || pattern == Pattern::scatter) {
            for (Access& access : accesses)
                if (in_tiles(access)) access.obstacle = Obstacle::tiles;
        } else if (const auto* fold = std::get_if<ir::Fold>(&g_.binding(op).op)) {
            folds_in_tiles_[op.index] = is_product_of_broadcasts(
                g_.binding(op).op, g_.types[fold->args[0].index].rank(),
                [&](ValueId id) { return producer_[id.index].valid() ? &g_.binding(producer_[id.index]) : nullptr; });
        }
    }

    void add_accesses() {
        g_.read_ranges.assign(count(), {0, 0});
        g_.uses.resize(count());
        in_tiles_.resize(count());
        behind_tiles_.resize(count());
        folds_in_tiles_.resize(count());
        for (Operation op : g_.vertices) {
            auto first = static_cast<std::uint32_t>(g_.accesses.size());
            std::vector<Access> accesses = reads_of(op);
            for (Access& access : accesses) complete(access);
            keep_tiles_apart(op, accesses);
            keep_folds_in_tiles(op, accesses);
            for (const Access& access : accesses) {
                if (access.producer.valid()) {
                    g_.uses[access.producer.index].push_back(static_cast<std::uint32_t>(g_.accesses.size()));
                    if (needs_memory(access.obstacle)) g_.stored[access.variable.index] = true;
                }
                g_.accesses.push_back(access);
            }
            g_.read_ranges[op.index] = {first, static_cast<std::uint32_t>(g_.accesses.size())};
        }
    }

    DepGraph g_;
    std::vector<bool> in_tiles_, behind_tiles_;  ///< by operation: see keep_tiles_apart
    std::vector<bool> folds_in_tiles_;           ///< by operation: see keep_folds_in_tiles
    std::vector<Operation> producer_;            ///< by level
    std::vector<std::vector<Use>> uses_;         ///< by operation
    std::vector<bool> transparent_;              ///< by operation
    std::vector<std::vector<Access>> through_;  ///< by transparent operation: its reads, in terms of what is not transparent
};

}  // namespace

std::string describe(Obstacle obstacle) {
    switch (obstacle) {
        case Obstacle::none:
            return "";
        case Obstacle::random_reads:
            return "it is read at computed indices, so all of it has to be in memory first";
        case Obstacle::scalar:
            return "every element of the reader needs this scalar, so it has to be complete before the first";
        case Obstacle::initial_value:
            return "a reduction starts with it, so it has to be complete before";
        case Obstacle::repetition:
            return "it is repeated along a new axis: fused, it would be computed again for every copy";
        case Obstacle::force:
            return "force asks for it in memory";
        case Obstacle::sort:
            return "a sort begins with all elements in memory";
        case Obstacle::foreign:
            return "a foreign function takes arrays that are in memory";
        case Obstacle::control:
            return "a loop or conditional needs it in memory: nothing moves into its body from outside";
        case Obstacle::extent:
            return "the size of an array depends on it";
        case Obstacle::barrier_result:
            return "what makes it is not a loop over its elements that others could share, and leaves it in memory";
        case Obstacle::update:
            return "it is updated in place, so all of it has to be in memory first";
        case Obstacle::updated:
            return "it is complete only after the last of the random writes that make it";
        case Obstacle::irregular:
            return "how many elements are kept is known only after the last of them";
        case Obstacle::total:
            return "the total of a scan is complete only after its last element";
        case Obstacle::tiles:
            return "its elements are loops over what rows and columns share, which goes through tiles of both: in a pass "
                   "over "
                   "rows, each row would load all of it";
    }
    return "";
}

Pattern DepGraph::pattern(Operation op) const {
    const ir::ArrayOp& o = binding(op).op;
    if (std::holds_alternative<ir::Fold>(o)) return Pattern::fold;
    if (std::holds_alternative<ir::Scan>(o)) return Pattern::scan;
    if (std::holds_alternative<ir::Compact>(o)) return Pattern::compact;
    return std::holds_alternative<ir::Scatter>(o) ? Pattern::scatter : Pattern::map;
}

const ir::Shape& DepGraph::points(Operation op) const {
    if (const auto* compact = std::get_if<ir::Compact>(&binding(op).op)) return types[compact->mask.index].shape;
    if (const ir::Scatter* s = scatter(op)) return types[s->indices[0].index].shape;
    return binding(op).types[0].shape;
}

const ir::Shape& DepGraph::space(Operation op) const {
    const ir::Fold* f = fold(op);
    return f ? types[f->args[0].index].shape : points(op);
}

std::string DepGraph::name(Operation op) const {
    return fmt::format("{} %{}", ir::name_of(binding(op).op), levels[op.index]);
}

std::string describe(const DepGraph& graph, const Access& access) {
    if (access.obstacle != Obstacle::barrier_result) return describe(access.obstacle);
    const char* kind = match(
        graph.binding(access.producer).op, [](const ir::Sort&) { return "a sort"; },
        [](const ir::Foreign&) { return "a foreign function"; }, [](const ir::Loop&) { return "a loop"; },
        [](const ir::Cond&) { return "a conditional"; }, [](const auto&) { return "force"; });
    return fmt::format("it is the result of {}, which leaves it in memory", kind);
}

DepGraph dep_graph(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer) {
    return Builder(program, body, outer).build();
}

}  // namespace sinter::fuse
