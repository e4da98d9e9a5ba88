// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies *always pay* if everything that the operation reads is in memory whatever the partition, and reading it costs no
// more than reading the operation's result. For take a partition in which the result is stored, and give each cluster that
// reads it a copy instead. The copy runs where its reader does, in the reader's order, and reads what was complete before;
// the cluster reads less, and the result is no longer written, which has to be worth the arithmetic: it is not counted
// again. Whatever only the operation connected falls apart: this costs, for each further array that the operation reads, a
// launch and what the pieces read as a whole.
//
// Copies *never pay* if one reader looks at an operation in several courses (label.hpp) and all other readers come later. If
// they are fused, the copies read the operation's inputs in as many courses. An input that another operation of the cluster
// makes has one order there, so at most one copy could take it from there, and none could if others are stored, because
// these come before the cluster. So the inputs are read from memory, and whatever else shares these reads is counted. For
// each course, either all copies are fused or at least one is stored, which costs a write. Storing one of them (or the
// operation alone) and reading that is compared with fusing every possible number of courses. The operation needs no cluster
// of its own where it has a *home*: an operation that makes one of its inputs, and before which everything else it reads is
// complete. The home is not in the reader's cluster, because inputs are read from memory.
#include "fuse/copies/copy_gain.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace sinter::fuse {

using ir::ValueId;

CopyGain::CopyGain(const DepGraph& graph, const Prices& prices)
    : graph_(graph), prices_(prices), reads_of_(graph.types.size()), updated_(graph.types.size(), false) {
    for (const Access& access : graph.accesses) {
        reads_of_[access.variable.index].push_back(&access);
        if (access.updated) updated_[access.variable.index] = true;
    }
    for (const auto& reads : reads_of_) {
        auto is_whole = [](const Access* access) { return access->whole; };
        if (std::count_if(reads.begin(), reads.end(), is_whole) < 2) continue;
        double most = 0;
        for (const Access* access : reads)
            if (access->whole) most = std::max(most, prices.read(graph, *access));
        whole_ += most;
    }
}

std::size_t CopyGain::arrays_read(Operation op) const {
    const auto reads = graph_.reads(op);
    return static_cast<std::size_t>(std::count_if(reads.begin(), reads.end(), [&](const Access& a) { return is_array(a); }));
}

double CopyGain::price_of_reads(Operation op) const {
    double total = 0;
    for (const Access& access : graph_.reads(op)) total += prices_.read(graph_, access);
    return total;
}

double CopyGain::price_of_results(Operation op) const {
    double total = 0;
    for (const ir::Type& type : graph_.binding(op).types) total += prices_.written(type);
    return total;
}

bool CopyGain::always_pays(Operation op, double copies) const {
    if (prices_.edge() > 0) return false;
    const std::size_t arrays = arrays_read(op);
    const auto reads = graph_.reads(op);
    auto is_unchanged = [&](const Access& a) {
        const bool in_memory = !a.producer.valid() || graph_.stored[a.variable.index];
        return in_memory && !a.whole && !updated_[a.variable.index];
    };
    if (arrays == 0 || !std::all_of(reads.begin(), reads.end(), is_unchanged)) return false;
    const double price = price_of_reads(op), further = static_cast<double>(arrays - 1);
    auto costs_more = [&](auto use) { return price <= prices_.read(graph_, graph_.accesses[use]); };
    const auto& uses = graph_.uses[op.index];
    const double arithmetic = std::max(0.0, copies - 1) * prices_.computed(graph_, op);
    return price_of_piece() * further + arithmetic <= price_of_results(op) &&
           std::all_of(uses.begin(), uses.end(), costs_more);
}

/// For each operation: whether `reader` needs it by way of something that has to be in memory. If so, no cluster holds both.
std::vector<bool> CopyGain::behind_memory(Operation reader) const {
    std::vector<bool> needed(graph_.roles.size(), false), behind(graph_.roles.size(), false);
    needed[reader.index] = true;
    for (std::size_t i = reader.index + 1; i-- > 0;) {
        if (!needed[i] || graph_.roles[i] == Role::transparent) continue;
        for (const Access& access : graph_.reads(Operation(i))) {
            if (!access.producer.valid()) continue;
            const bool is_memory = access.obstacle != Obstacle::none && access.obstacle != Obstacle::repetition;
            needed[access.producer.index] = true;
            if (behind[i] || is_memory) behind[access.producer.index] = true;
        }
    }
    return behind;
}

/// What `op` reads, and how often other operations that may share a cluster with `reader` read the same; nothing if copies
/// could make that more.
std::optional<std::vector<CopyGain::Input>> CopyGain::inputs(Operation op, Operation reader,
                                                             const std::vector<bool>& repeatable) const {
    const std::vector<bool> behind = behind_memory(reader);
    auto shares = [&](const Access* other) { return other->reader != op && !behind[other->reader.index]; };
    std::vector<Input> result;
    std::set<ValueId> seen;
    for (const Access& access : graph_.reads(op)) {
        if (!is_array(access)) continue;
        const auto& all = reads_of_[access.variable.index];
        const bool is_copied = access.producer.valid() && repeatable[access.producer.index];
        const bool by_copies = std::any_of(
            all.begin(), all.end(), [&](const Access* other) { return shares(other) && repeatable[other->reader.index]; });
        if (access.whole || is_copied || by_copies || !seen.insert(access.variable).second) return std::nullopt;
        result.push_back({access.producer, prices_.read(graph_, access),
                          static_cast<double>(std::count_if(all.begin(), all.end(), shares))});
    }
    return result;
}

/// The operation that looks at `op` in the most courses.
Operation CopyGain::main_reader(Operation op) const {
    std::map<Operation, std::set<Label>> looks;
    for (auto use : graph_.uses[op.index]) looks[graph_.accesses[use].reader].insert(course(graph_.accesses[use]));
    auto fewer = [](auto& a, auto& b) { return a.second.size() < b.second.size(); };
    return std::max_element(looks.begin(), looks.end(), fewer)->first;
}

/// Considers the main reader. The other readers come later: they read what is stored, at the price of one look per copy.
bool CopyGain::never_pays(Operation op, const std::vector<bool>& repeatable, const std::vector<double>& copies) const {
    const Operation reader = main_reader(op);
    if (prices_.edge() > 0 || graph_.result_count(op) > 1 || repeatable[reader.index]) return false;
    std::set<Label> looks;
    std::set<Operation> others;
    double look = 0, later = 0;
    for (auto use : graph_.uses[op.index]) {
        const Access& access = graph_.accesses[use];
        if (access.reduced) return false;
        look = std::max(look, prices_.read(graph_, access));
        if (access.reader == reader)
            looks.insert(course(access));
        else
            others.insert(access.reader), later += copies[access.reader.index];
    }
    auto is_later = [&](Operation other) -> bool { return behind_memory(other)[reader.index]; };
    if (looks.size() < 2 || !std::all_of(others.begin(), others.end(), is_later)) return false;
    const auto read = inputs(op, reader, repeatable);
    if (!read) return false;
    const Operation home = this->home(op);
    const double loss = later * look, pieces = later + neighbours(op, copies, {}),
                 at_home = later + neighbours(op, copies, home);
    for (std::size_t fused = 0; fused <= looks.size(); ++fused) {
        const Looks some{look, static_cast<double>(fused), static_cast<double>(looks.size() - fused)};
        const bool is_no_better = loss + price_of_piece() * pieces + saving(op, *read, some) <= 0;
        if (is_no_better) continue;
        if (!home.valid() || loss + price_of_piece() * at_home + saving_at_home(op, home, *read, some) > 0) return false;
    }
    return true;
}

/// The operation whose cluster `op` may join, whatever that is, if copies are fused with a reader that looks at many
/// elements.
Operation CopyGain::home(Operation op) const {
    auto is_possible = [&](const Access& access) {
        return access.producer.valid() && access.label == identity && access.obstacle == Obstacle::none && !access.reduced &&
               graph_.roles[access.producer.index] == Role::compute && graph_.points(access.producer) == graph_.points(op);
    };
    for (const Access& first : graph_.reads(op)) {
        if (!is_possible(first)) continue;
        const std::vector<bool> before = behind_memory(first.producer);
        auto is_ready = [&](const Access& a) {
            if (updated_[a.variable.index]) return false;
            return !a.producer.valid() || (a.producer == first.producer ? is_possible(a) : before[a.producer.index]);
        };
        const auto reads = graph_.reads(op);
        if (std::all_of(reads.begin(), reads.end(), is_ready)) return first.producer;
    }
    return {};
}

/// How many operations may be connected with copies of `op` by its inputs alone. Without the copies, the rest of the
/// clusters falls apart into no more pieces than that.
double CopyGain::neighbours(Operation op, const std::vector<double>& copies, Operation except) const {
    const std::vector<bool> behind = behind_memory(op);
    std::set<Operation> all;
    for (const Access& access : graph_.reads(op)) {
        if (!is_array(access)) continue;
        if (access.producer.valid()) all.insert(access.producer);
        for (const Access* other : reads_of_[access.variable.index]) all.insert(other->reader);
    }
    double count = 0;
    for (Operation other : all)
        if (other != op && other != except && !behind[other.index]) count += copies[other.index];
    return count;
}

/// How much less a partition with copies, of which looks.fused are fused, could cost than one in which the operation is
/// stored instead. Clusters that fall apart are not counted.
double CopyGain::saving(Operation op, const std::vector<Input>& inputs, const Looks& looks) const {
    const double written = price_of_results(op);
    double result = looks.fused * looks.price, all = 0;
    for (const Input& input : inputs) {
        result -= std::max(0.0, looks.fused - input.shared) * input.price;
        all += input.price;
    }
    return looks.stored > 0 ? result - (looks.stored - 1) * written : result + prices_.launch() + written + all;
}

/// The same if the operation is stored in the cluster of `home` and no copy is.
double CopyGain::saving_at_home(Operation op, Operation home, const std::vector<Input>& inputs, const Looks& looks) const {
    double result = looks.fused * looks.price - (looks.stored - 1) * price_of_results(op);
    for (const Input& input : inputs) {
        result -= std::max(0.0, looks.fused - input.shared) * input.price;
        if (input.producer != home) result += input.price;
    }
    return result;
}

}  // namespace sinter::fuse
