// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/strategy/candidates.hpp"

#include "fuse/copies/copy_gain.hpp"
#include "fuse/rules/transparent.hpp"
#include "fuse/tuning.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace sinter::fuse {

using ir::ValueId;

namespace {

class Finder {
  public:
    Finder(const DepGraph& graph, const Extents& extents, const Prices& prices)
        : g_(graph),
          extents_(extents),
          prices_(prices),
          gain_(graph, prices),
          views_(find_views()),
          repeatable_(graph.roles.size(), false),
          work_(graph.roles.size()),
          looks_(graph.roles.size(), 1) {}

    Candidates find() {
        for (Operation op : g_.vertices) add_work(op);
        for (auto op = g_.vertices.rbegin(); op != g_.vertices.rend(); ++op) consider(*op);
        Candidates result;
        result.depend_on_extents =
            depend_on_extents_ || std::find(repeatable_.begin(), repeatable_.end(), true) != repeatable_.end();
        while (leave_out())
            for (auto op = g_.vertices.rbegin(); op != g_.vertices.rend(); ++op)
                repeatable_[op->index] = repeatable_[op->index] && has_several_readers(*op);
        const std::vector<double> copies = most_copies();
        for (auto op = g_.vertices.rbegin(); op != g_.vertices.rend(); ++op)
            if (repeatable_[op->index]) result.list.push_back(candidate(*op, copies));
        return result;
    }

  private:
    /// Adds up what it takes to compute one element of `op`, including operations that it reads and that could be copied as
    /// well.
    void add_work(Operation op) {
        if (!is_repeatable(op)) return;
        Work& work = work_[op.index];
        work.is_repeatable = true;
        work.instructions = instructions_of(std::get<ir::Map>(g_.binding(op).op));
        for (const Access& access : g_.reads(op)) {
            if (g_.types[access.variable.index].rank() == 0 || static_cast<double>(work.loads.size()) > tuning::far_loads)
                continue;
            const Work* of = access.producer.valid() ? &work_[access.producer.index] : nullptr;
            if (of && of->is_repeatable) {
                work.instructions += of->instructions;
                work.loads.insert(of->loads.begin(), of->loads.end());
            } else {
                work.loads.emplace(access.variable, access.label);
            }
        }
    }

    /// Call this after all readers of `op` have been considered.
    void consider(Operation op) {
        if (!is_repeatable(op) || !has_several_readers(op)) return;
        const double looks = most_looks(op);
        const Work& work = work_[op.index];
        const auto loads = static_cast<double>(work.loads.size());
        if (!is_cheap_to_repeat(looks, loads, work.instructions)) {
            if (!is_cheap_beside_memory(looks, loads, work.instructions)) return;
            depend_on_extents_ = true;
            if (!is_far(op)) return;
        }
        repeatable_[op.index] = true;
        looks_[op.index] = looks;
    }

    /// The largest number of elements that one reader needs per point, if the operations through which it reads are copied,
    /// too.
    double most_looks(Operation op) const {
        std::map<Operation, double> looks;
        for (const auto& [reader, label] : readers(op)) looks[reader] += looks_[reader.index];
        double most = 0;
        for (const auto& [reader, count] : looks) most = std::max(most, count);
        return most;
    }

    /// Whether the results, if they are stored, are in memory and not in a cache when they are read.
    bool is_far(Operation op) const {
        double bytes = 0;
        for (const ir::Type& type : g_.binding(op).types) bytes += extents_.bytes(type);
        return bytes >= tuning::far_bytes;
    }

    /// Removes operations whose copies never pay. This may lead to further ones, hence the result.
    bool leave_out() {
        bool any = false;
        const std::vector<double> copies = most_copies();
        for (Operation op : g_.vertices) {
            if (!repeatable_[op.index] || !gain_.never_pays(op, repeatable_, copies)) continue;
            repeatable_[op.index] = false;
            any = true;
        }
        return any;
    }

    /// For each operation: the largest number of copies of it.
    std::vector<double> most_copies() const {
        std::vector<double> copies(g_.roles.size(), 1);
        for (auto op = g_.vertices.rbegin(); op != g_.vertices.rend(); ++op) {
            if (!repeatable_[op->index]) continue;
            copies[op->index] = 0;
            for (auto use : g_.uses[op->index]) copies[op->index] += copies[g_.accesses[use].reader.index];
        }
        return copies;
    }

    Candidate candidate(Operation op, const std::vector<double>& copies) const {
        const auto& uses = g_.uses[op.index];
        const Access& first = g_.accesses[uses[0]];
        auto in_order = [&](auto use) { return g_.accesses[use].label == first.label; };
        const bool one_order = std::all_of(uses.begin(), uses.end(), in_order), one = readers(op).size() == 1;
        const bool always = gain_.always_pays(op, copies[op.index]);
        return {op,
                &g_.binding(op),
                views_of(op),
                one_order,
                one ? first.reader : Operation(),
                always,
                always ? 0 : prices_.computed(g_, op)};
    }

    bool is_repeatable(Operation op) const {
        const auto* map = std::get_if<ir::Map>(&g_.binding(op).op);
        if (!map || g_.points(op).empty() || g_.any_stored(op) || !is_cheap_to_repeat(*map)) return false;
        const auto& uses = g_.uses[op.index];
        auto may = [&](auto use) { return may_repeat(op, g_.accesses[use]); };
        return std::all_of(uses.begin(), uses.end(), may);
    }

    /// The readers, each with the order in which it looks.
    std::set<std::pair<Operation, Label>> readers(Operation op) const {
        std::set<std::pair<Operation, Label>> result;
        for (auto use : g_.uses[op.index]) result.emplace(g_.accesses[use].reader, g_.accesses[use].label);
        return result;
    }

    /// True if there are several readers, or only readers that may have several copies themselves.
    bool has_several_readers(Operation op) const {
        const auto& uses = g_.uses[op.index];
        auto by_repeatable = [&](auto use) -> bool { return repeatable_[g_.accesses[use].reader.index]; };
        return std::all_of(uses.begin(), uses.end(), by_repeatable) || readers(op).size() > 1;
    }

    bool may_repeat(Operation op, const Access& access) const {
        return access.obstacle == Obstacle::none && !access.whole &&
               extents_.elements(g_.space(access.reader)) <= extents_.elements(g_.points(op));
    }

    /// For each variable: the views of it.
    std::vector<std::vector<Operation>> find_views() const {
        std::vector<std::vector<Operation>> views(g_.types.size());
        for (std::size_t i = 0; i < g_.roles.size(); ++i)
            if (g_.roles[i] == Role::transparent)
                for (ValueId id : ir::operands(g_.binding(Operation(i)).op)) views[id.index].push_back(Operation(i));
        return views;
    }

    /// The views of an operation, and views of these, in the order of the program.
    std::vector<const ir::Binding*> views_of(Operation op) const {
        std::set<Operation> found;
        auto add = [&](Operation from) {
            for (std::size_t k = 0; k < g_.result_count(from); ++k)
                for (Operation view : views_[g_.result(from, k).index]) found.insert(view);
        };
        add(op);
        std::vector<const ir::Binding*> views;
        for (Operation view : found) {  // views of this view come later
            views.push_back(&g_.binding(view));
            add(view);
        }
        return views;
    }

    struct Work {
        std::set<std::pair<ValueId, Label>> loads;
        double instructions = 0;
        bool is_repeatable = false;
    };

    const DepGraph& g_;
    const Extents& extents_;
    const Prices& prices_;
    CopyGain gain_;
    std::vector<std::vector<Operation>> views_;
    std::vector<bool> repeatable_;  ///< by operation
    std::vector<Work> work_;        ///< by operation
    std::vector<double> looks_;     ///< by operation: how many copies of it one reader may have, counting views
    bool depend_on_extents_ = false;
};

}  // namespace

Candidates candidates(const DepGraph& graph, const Extents& extents, const Prices& prices) {
    return Finder(graph, extents, prices).find();
}

}  // namespace sinter::fuse
