// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opt/updates/chains.hpp"

#include "ir/free_variables.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace sinter::opt {

using namespace ir;

namespace {

/// True if the scatter reads the array other than by updating it.
bool is_read_by(const Scatter& scatter, ValueId id) {
    const ArrayOp op = scatter;
    const std::vector<ValueId> all = operands(op);
    return std::count(all.begin(), all.end(), id) > (scatter.dests[0] == id ? 1 : 0);
}

}  // namespace

Chains::Chains(SizeTable& sizes, const Body& body, std::size_t base, const std::vector<Type>& types, LinearForms& forms)
    : sizes_(sizes), body_(body), types_(types), forms_(forms) {
    levels_.push_back(base + body.params.size());
    for (const Binding& binding : body.bindings) levels_.push_back(levels_.back() + binding.types.size());
}

std::optional<Position> Chains::producer(ValueId id) const {
    if (id.index < levels_[0] || id.index >= levels_.back()) return std::nullopt;
    return static_cast<Position>(std::upper_bound(levels_.begin(), levels_.end(), id.index) - levels_.begin() - 1);
}

std::vector<ValueId> Chains::needs(Position at) const { return free_variables(sizes_, body_.bindings[at], levels_[at]); }

std::vector<Chain> Chains::find() {
    std::map<ValueId, std::vector<Position>> updates;  // by the array that they update
    std::map<Position, AffinePoint> windows;
    for (Position at = 0; at < body_.bindings.size(); ++at) {
        if (const Scatter* s = scatter(at))
            if (auto window = forms_.window(*s)) windows.emplace(at, std::move(*window)), updates[s->dests[0]].push_back(at);
    }
    std::vector<Chain> chains;
    for (const auto& [array, of] : updates) {
        const auto maker = producer(array);
        const bool is_inside = maker && windows.contains(*maker) && updates[scatter(*maker)->dests[0]].size() == 1;
        if (is_inside || of.size() > 1) continue;
        Chain chain{array, {}, {}, {}};
        for (auto next = updates.find(array); next != updates.end() && next->second.size() == 1;) {
            const Position at = next->second[0];
            chain.updates.push_back(at);
            chain.windows.push_back(windows.at(at));
            chain.shapes.push_back(types_[scatter(at)->indices[0].index].shape);
            next = updates.find(result(at));
        }
        chains.push_back(std::move(chain));
    }
    return chains;
}

std::vector<Read> Chains::reads(const Chain& chain) {
    std::vector<Read> reads;
    std::map<ValueId, std::size_t> version{{chain.array, 0}};
    for (std::size_t k = 0; k < chain.updates.size(); ++k) version[result(chain.updates[k])] = k + 1;
    for (Position at = 0; at < body_.bindings.size(); ++at) {
        std::set<ValueId> seen;
        const auto update = std::find(chain.updates.begin(), chain.updates.end(), at);
        for (ValueId id : needs(at)) {
            const auto found = version.find(id);
            if (found == version.end() || !seen.insert(id).second) continue;
            if (update == chain.updates.end() || is_read_by(*scatter(at), id)) reads.push_back(read(at, id, found->second));
        }
    }
    for (ValueId id : body_.results)
        if (const auto found = version.find(id); found != version.end()) reads.push_back({{}, found->second, {}, {}});
    find_users(chain, reads);
    return reads;
}

Read Chains::read(Position at, ValueId array, std::size_t version) {
    const Binding& binding = body_.bindings[at];
    Read read{at, version, {}, binding.types[0].shape, bodies_of(binding.op) != nullptr};
    if (const auto* view = std::get_if<View>(&binding.op)) {
        if (const auto* slice = std::get_if<Slice>(&view->function); slice && !view->fill)
            read.where.emplace(1, slice_of(*slice));
    } else if (const auto* map = std::get_if<Map>(&binding.op)) {
        const bool is_argument = std::find(map->args.begin(), map->args.end(), array) != map->args.end();
        if (!is_argument) read.where = forms_.reads(*map, array);
    }
    return read;
}

AffinePoint Chains::slice_of(const Slice& slice) {
    AffinePoint point;
    for (std::size_t k = 0; k < slice.start.size(); ++k) point.push_back({forms_.of(slice.start[k]), slice.step[k], k});
    return point;
}

void Chains::find_users(const Chain& chain, std::vector<Read>& reads) const {
    for (std::size_t k = 0; k < chain.updates.size(); ++k) {
        const std::set<Position> needed = made_for(chain.updates[k], chain);
        for (Read& read : reads)
            if (read.by && needed.contains(*read.by)) read.users.push_back(k);
    }
}

/// The update and everything from which its values and indices are made, up to other updates of the chain.
std::set<Position> Chains::made_for(Position update, const Chain& chain) const {
    std::set<Position> needed{update};
    std::vector<Position> stack{update};
    while (!stack.empty()) {
        const Position at = stack.back();
        stack.pop_back();
        for (ValueId id : needs(at)) {
            const auto maker = producer(id);
            const auto& updates = chain.updates;
            if (!maker || std::find(updates.begin(), updates.end(), *maker) != updates.end()) continue;
            if (needed.insert(*maker).second) stack.push_back(*maker);
        }
    }
    return needed;
}

bool Chains::touches(const Read& read, const Chain& chain, std::size_t k) {
    if (!read.where) return true;
    return std::any_of(read.where->begin(), read.where->end(), [&](const AffinePoint& point) {
        return !forms_.are_apart(point, read.shape, chain.windows[k], chain.shapes[k]);
    });
}

bool Chains::overlap(const Chain& chain, std::size_t a, std::size_t b) {
    return !forms_.are_apart(chain.windows[a], chain.shapes[a], chain.windows[b], chain.shapes[b]);
}

}  // namespace sinter::opt
