// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For each cluster, chooses the order of every operation (that which any one reader wants, else 0), then merges the
// operations one by one with these orders, by the inference rules of van Balen 2024, figure 2; anything that a rule forbids
// is an error.
#include "fuse/rules/verify_partition.hpp"

#include "fuse/rules/notation.hpp"
#include "ir/neutral.hpp"
#include "support/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace sinter::fuse {

using ir::ValueId;

namespace {

[[noreturn]] void broken(const char* rule, const std::string& what) {
    fail_check(fmt::format("partition breaks rule {}: {}", rule, what), location::current());
}

std::size_t reductions(const Traversal& d) {
    return static_cast<std::size_t>(std::count_if(d.begin(), d.end(), [](auto& step) { return step[0] == reduce_step; }));
}

/// [I | O] of the operations of one cluster merged so far, and the checks of the rules.
class ClusterVerifier {
  public:
    ClusterVerifier(const Notation& notation, const std::vector<Operation>& operations, const std::vector<bool>& manifest)
        : n_(notation), operations_(operations), manifest_(manifest) {}

    void verify() {
        if (operations_.size() > 1)
            for (Operation op : operations_)
                if (n_.stands_alone(op)) broken("BARRIER", n_.name(op) + " shares a cluster");
        choose_orders();
        for (Operation op : operations_) merge(op);
        check_patterns();
        check_outputs();
        check_connected();
    }

  private:
    bool contains(Operation op) const { return op.valid() && orders_.count(op) > 0; }

    /// Chooses orders from the last operation to the first.
    void choose_orders() {
        for (Operation op : operations_) {
            orders_.emplace(op, std::nullopt);
            if (const auto* fold = std::get_if<ir::Fold>(&n_.binding(op).op); fold && (!fold_ || is_inside(*fold, *fold_)))
                elements_ = n_.element_order(*fold, {}), fold_ = fold;
        }
        choose_scan();
        choose_scatter();
        for (auto op = operations_.rbegin(); op != operations_.rend(); ++op) choose_order(*op);
    }

    void choose_order(Operation op) {
        auto& order = orders_[op];
        if (!order) order = root_order(op);
        for (const Input& p : inputs(op)) {
            Operation producer = n_.producer(p.x);
            if (p.order && contains(producer) && !orders_[producer]) orders_[producer] = p.order;
        }
    }

    /// Beside scans all folds are outer ones.
    void choose_scan() {
        for (Operation op : operations_)
            if (const auto* scan = std::get_if<ir::Scan>(&n_.binding(op).op); scan && fold_) scan_ = scan;
        if (scan_) fold_ = nullptr, elements_.reset();
    }

    /// A scatter goes beside folds if copies of what it updates can be combined, and if it scatters their points; or the
    /// points are its own, and all folds are outer ones.
    void choose_scatter() {
        for (Operation op : operations_) {
            const auto* scatter = std::get_if<ir::Scatter>(&n_.binding(op).op);
            if (!scatter || !fold_ || !scatter->op || !scatter->captures.scalars.empty() ||
                !scatter->captures.arrays.empty() || !ir::neutral_elements(scatter->op->body, scatter->values.size()))
                continue;
            const ir::Shape& points = n_.type(scatter->indices[0]).shape;
            if (points == elements_of(*fold_)) fold_ = nullptr, elements_.reset();
            if (!fold_ || points == points_of_reduction()) beside_ = scatter;
        }
    }

    const ir::Fold* fold(Operation op) const { return std::get_if<ir::Fold>(&n_.binding(op).op); }
    const ir::Shape& elements_of(const ir::Fold& fold) const { return n_.type(fold.args[0]).shape; }

    /// Whether rows of `a` are rows of a longer space than those of `b`, or the innermost axis where that of `b` is another.
    bool is_inside(const ir::Fold& a, const ir::Fold& b) const {
        const std::size_t rank = elements_of(a).size();
        if (rank != elements_of(b).size()) return rank > elements_of(b).size();
        return a.axes.back() + 1 == rank && b.axes.back() + 1 < rank;
    }

    /// A fold beside those of the one reduction: of the same elements along other axes, or of the reduction's points. Runs
    /// of points begin with neutral elements, and the first one with constants.
    bool is_outer(Operation op) const {
        const ir::Fold* outer = fold(op);
        if (outer && !has_neutral_elements(*outer)) return false;
        if (!outer) return false;
        if (scan_) return is_along(*outer, *scan_);
        if (!fold_) return elements_of(*outer) == n_.type(beside_->indices[0]).shape;
        if (outer->axes == fold_->axes && elements_of(*outer) == elements_of(*fold_)) return false;
        if (elements_of(*outer) != elements_of(*fold_)) return elements_of(*outer) == points_of_reduction();
        return std::none_of(outer->axes.begin(), outer->axes.end(), [&](std::size_t axis) { return is_reduced(axis); });
    }
    /// Whether a fold of a scan's points goes along its axis.
    bool is_along(const ir::Fold& fold, const ir::Scan& scan) const {
        return elements_of(fold) == n_.type(scan.args[0]).shape &&
               std::find(fold.axes.begin(), fold.axes.end(), scan.axis) != fold.axes.end();
    }
    bool has_neutral_elements(const ir::Fold& outer) const {
        return ir::neutral_elements(outer.op.body, outer.args.size()) &&
               std::all_of(outer.inits.begin(), outer.inits.end(), [&](ValueId init) { return n_.is_constant(init); });
    }
    bool is_reduced(std::size_t axis) const {
        return std::find(fold_->axes.begin(), fold_->axes.end(), axis) != fold_->axes.end();
    }
    ir::Shape points_of_reduction() const {
        ir::Shape points;
        for (std::size_t axis = 0; axis < elements_of(*fold_).size(); ++axis)
            if (!is_reduced(axis)) points.push_back(elements_of(*fold_)[axis]);
        return points;
    }

    std::set<Input> inputs(Operation op) const {
        if (!is_outer(op)) return n_.inputs(op, *orders_.at(op));
        const bool of_elements = fold_ && elements_of(*fold(op)) == elements_of(*fold_);
        return n_.inputs_of_elements(op, of_elements ? *elements_ : Traversal{});
    }

    /// The order of an operation that nothing in the cluster reads: 0 in the space of its shape.
    Traversal root_order(Operation op) const {
        bool is_element = fold_ && !std::holds_alternative<ir::Fold>(n_.binding(op).op) &&
                          n_.type(fold_->args[0]).shape == n_.binding(op).types[0].shape;
        return is_element ? *elements_ : Traversal{};
    }

    void merge(Operation op) {
        const Traversal& d = *orders_[op];
        for (const Input& p : inputs(op)) {
            if (p.order && reductions(*p.order) > 1) broken("CLOSED", n_.name(op) + " reduces inside a reduction");
            auto made = outputs_.find(p.x);
            if (made == outputs_.end()) {
                if (contains(n_.producer(p.x)) && n_.producer(p.x) >= op)
                    broken("INTRO", n_.name(op) + " reads what comes later");
                inputs_[p].push_back(op);
                continue;
            }
            check_fused(op, p, made->second);
        }
        if (is_outer(op)) check_outer(op);
        if (const ir::Fold* f = fold(op); f && !is_outer(op))
            if (!fold_ || !d.empty() || n_.element_order(*f, d) != *elements_)
                broken("CLOSED", n_.name(op) + " is not part of the one reduction");
        for (std::size_t k = 0; k < n_.binding(op).types.size(); ++k) {
            ValueId x(n_.level(op) + k);
            if (inputs_.lower_bound({x, std::nullopt}) != inputs_.lower_bound({ValueId(x.index + 1), std::nullopt}))
                broken("INTRO", n_.name(op) + " makes what an earlier operation of its cluster read from memory");
            outputs_.emplace(x, d);
        }
    }

    /// What it makes is in memory: accumulators.
    void check_outer(Operation op) const {
        for (std::size_t k = 0; k < n_.binding(op).types.size(); ++k)
            if (!manifest_[n_.level(op) + k]) broken("OUTER", n_.name(op) + " is not stored");
    }

    /// Checks rule VERTICAL if p.x is not manifest, else DIAGONAL: x:d is in O1 and in I2.
    void check_fused(Operation op, const Input& p, const Traversal& made) {
        const char* rule = manifest_[p.x.index] ? "DIAGONAL" : "VERTICAL";
        Operation producer = n_.producer(p.x);
        std::string edge = fmt::format("{} reads %{} of {}", n_.name(op), p.x.index, n_.name(producer));
        if (!p.order) broken(rule, edge + " in no order");
        if (is_late(p.x)) broken(rule, edge + " before it is complete");
        if (repeats(*p.order)) broken(rule, edge + " repeatedly");
        if (*p.order != made) broken(rule, edge + " in another order than it is made in");
        edges_.emplace_back(producer, op);
    }

    void check_outputs() const {
        const ir::Shape* root = nullptr;
        for (const auto& [x, d] : outputs_) {
            if (!manifest_[x.index]) continue;
            Operation op = n_.producer(x);
            if (is_outer(op)) continue;
            bool element = elements_ && d == *elements_;
            if (!element && !d.empty() && !n_.stands_alone(op))
                broken("ORDER", n_.name(op) + " is manifest, but not made in order");
            const ir::Shape& shape = points(op);
            if (element && shape != n_.type(fold_->args[0]).shape) broken("SPACE", n_.name(op) + " is not an element");
            if (element || n_.stands_alone(op)) continue;
            if (root && *root != shape) broken("SPACE", n_.name(op) + " has not the shape of the other results");
            root = &shape;
        }
    }

    /// The points at which an operation is evaluated.
    const ir::Shape& points(Operation op) const {
        const ir::Binding& b = n_.binding(op);
        if (const auto* compact = std::get_if<ir::Compact>(&b.op)) return n_.type(compact->mask).shape;
        if (const auto* scatter = std::get_if<ir::Scatter>(&b.op)) return n_.type(scatter->indices[0]).shape;
        return b.types[0].shape;
    }

    /// True if x is complete only at the end of the loop.
    bool is_late(ValueId x) const {
        Operation op = n_.producer(x);
        const ir::ArrayOp& o = n_.binding(op).op;
        const auto* scan = std::get_if<ir::Scan>(&o);
        if (is_outer(op)) return true;
        return std::holds_alternative<ir::Compact>(o) || std::holds_alternative<ir::Scatter>(o) ||
               (scan && x.index - n_.level(op) >= scan->states());
    }

    /// Beside maps there may be folds, with or without a scatter, or scans of one kind, with or without outer folds, or one
    /// compact, or one scatter.
    void check_patterns() const {
        const ir::ArrayOp* first = nullptr;
        for (Operation op : operations_) {
            const ir::ArrayOp& o = n_.binding(op).op;
            if (std::holds_alternative<ir::Map>(o) || std::holds_alternative<ir::Gather>(o) ||
                std::holds_alternative<ir::View>(o))
                continue;
            if (const auto* scatter = std::get_if<ir::Scatter>(&o)) {
                check_update(op, *scatter);
                if (scatter == beside_) continue;
            }
            if (scan_ && is_outer(op)) continue;
            if (!first) {
                first = &o;
                continue;
            }
            if (o.index() != first->index()) broken("PATTERN", n_.name(op) + " is not of its cluster's kind");
            if (std::holds_alternative<ir::Fold>(o)) continue;
            const auto *a = std::get_if<ir::Scan>(first), *b = std::get_if<ir::Scan>(&o);
            if (!b || !are_alike(*a, *b) || n_.type(a->args[0]).shape != n_.type(b->args[0]).shape)
                broken("PATTERN", n_.name(op) + " does not go along with its cluster");
        }
    }

    /// overwrites.hpp decides which elements of a destination a slice has.
    void check_update(Operation scatter, const ir::Scatter& op) const {
        for (const auto& [p, readers] : inputs_) {
            bool is_dest = std::find(op.dests.begin(), op.dests.end(), p.x) != op.dests.end();
            if (!is_dest || readers == std::vector(readers.size(), scatter)) continue;
            if (op.op || (p.order && !is_of_slices(*p.order)))
                broken("UPDATE", fmt::format("%{} is read and updated by one cluster", p.x.index));
        }
    }

    static bool is_of_slices(const Traversal& d) {
        return std::all_of(d.begin(), d.end(), [](const auto& step) { return step[0] <= reshape_step; });
    }

    void check_connected() const {
        std::map<Operation, Operation> parent;
        for (Operation op : operations_) parent[op] = op;
        auto find = [&](Operation op) {
            while (parent[op] != op) op = parent[op] = parent[parent[op]];
            return op;
        };
        for (auto [a, b] : edges_) parent[find(a)] = find(b);
        std::map<Input, Operation> first;  // by array and course: one of its readers
        for (const auto& [p, readers] : inputs_) {
            if (!p.order || (!p.order->empty() && p.order->back()[0] == scalar_step)) continue;
            const auto known = first.emplace(Input{p.x, n_.course(*p.order)}, readers[0]).first;
            for (Operation op : readers) parent[find(op)] = find(known->second);
        }
        for (Operation op : operations_)
            if (find(op) != find(operations_[0]))
                broken("CONNECTED", fmt::format("{} and {} have nothing in common", n_.name(operations_[0]), n_.name(op)));
    }

    const Notation& n_;
    const std::vector<Operation>& operations_;
    const std::vector<bool>& manifest_;
    std::map<Operation, std::optional<Traversal>> orders_;
    std::optional<Traversal> elements_;  ///< the order of the elements of the one reduction
    const ir::Fold* fold_ = nullptr;
    const ir::Scan* scan_ = nullptr;       ///< one of those beside which folds are outer ones
    const ir::Scatter* beside_ = nullptr;  ///< goes beside folds
    std::map<Input, std::vector<Operation>> inputs_;
    std::map<ValueId, Traversal> outputs_;
    std::vector<std::pair<Operation, Operation>> edges_;
};

class Verifier {
  public:
    Verifier(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer,
             const Partition& partition)
        : n_(program, body, outer),
          body_(body),
          partition_(partition),
          manifest_(outer.size() + body.params.size() + result_count(body), false),
          cluster_of_(body.bindings.size(), partition.clusters.size()) {}

    void verify() {
        place();
        for (ValueId x : body_.results)
            if (n_.producer(x).valid() && !manifest_[x.index])
                broken("COVER", fmt::format("result %{} is not manifest", x.index));
        for (const Cluster& cluster : partition_.clusters) {
            check_available(cluster);
            ClusterVerifier(n_, cluster.operations, manifest_).verify();
        }
    }

  private:
    static std::size_t result_count(const ir::Body& body) {
        return std::accumulate(body.bindings.begin(), body.bindings.end(), std::size_t{0},
                               [](std::size_t n, const ir::Binding& b) { return n + b.types.size(); });
    }

    void place() {
        for (std::size_t c = 0; c < partition_.clusters.size(); ++c) {
            const auto& operations = partition_.clusters[c].operations;
            if (operations.empty() || !std::is_sorted(operations.begin(), operations.end()))
                broken("COVER", fmt::format("cluster {} is empty or out of order", c));
            for (Operation op : operations) {
                if (cluster_of_[op.index] != partition_.clusters.size())
                    broken("COVER", n_.name(op) + " is in two clusters");
                cluster_of_[op.index] = c;
            }
        }
        const auto& manifest = partition_.manifest;
        if (std::adjacent_find(manifest.begin(), manifest.end(), std::greater_equal<>()) != manifest.end())
            broken("COVER", "manifest is not increasing");
        for (ValueId x : manifest) {
            Operation op = n_.producer(x);
            if (!op.valid() || cluster_of_[op.index] == partition_.clusters.size())
                broken("COVER", fmt::format("nothing makes manifest %{}", x.index));
            manifest_[x.index] = true;
        }
    }

    void check_available(const Cluster& cluster) const {
        for (Operation op : cluster.operations) {
            for (const Input& p : n_.inputs(op, {})) {
                Operation producer = n_.producer(p.x);
                if (!producer.valid()) continue;
                std::size_t own = cluster_of_[op.index], from = cluster_of_[producer.index];
                if (from == own || (from < own && manifest_[p.x.index])) continue;
                broken("COVER",
                       fmt::format("{} reads %{} of {}, which is not there yet", n_.name(op), p.x.index, n_.name(producer)));
            }
        }
    }

    Notation n_;
    const ir::Body& body_;
    const Partition& partition_;
    std::vector<bool> manifest_;           ///< by level
    std::vector<std::size_t> cluster_of_;  ///< by operation
};

}  // namespace

void verify(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer,
            const Partition& partition) {
    Verifier(program, body, outer, partition).verify();
}

}  // namespace sinter::fuse
