// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Consider updates of one array: x1 = x0 with one window replaced, x2 = x1 with another, and so on. They need a copy of an
// array that is still read when its memory should be overwritten. Two observations about known windows (ir/sizes/linear.hpp)
// avoid this:
//   - what is read outside the windows is the same in all of these arrays: it is read from the newest one that exists when
//     it is needed, after which nothing needs the older ones;
//   - windows that do not overlap may be overwritten in any order: an update whose values are read where another one
//     overwrites comes before that one.
// Then fusion finds that an update reads nothing else that is overwritten, and puts it into the pass that makes its values.
#include "ir/free_variables.hpp"
#include "ir/rebuild.hpp"
#include "ir/sizes/linear.hpp"
#include "opt/passes.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <unordered_map>

namespace sinter::opt {

using namespace ir;

namespace {

using Position = std::size_t;  ///< of a binding in its body
using Order = std::vector<std::size_t>;

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

/// Windows of one array that are overwritten one after another. Version k is the array after the first k of them.
struct Chain {
    ValueId array;
    std::vector<Position> updates;
    std::vector<AffinePoint> windows;
    std::vector<Shape> shapes;  ///< of the points of each window
};

/// A read of a version, by a binding or by the end of the body.
struct Read {
    std::optional<Position> by;
    std::size_t version;
    std::optional<std::vector<AffinePoint>> where;  ///< nothing if it may be anywhere
    Shape shape;                                    ///< of the points from which it is read
    bool is_nested = false;
    std::vector<std::size_t> users = {};  ///< updates whose values are made from it
};

/// Replaces operand `operand` of binding `by` by `array`, which may be made by a binding that stands further down.
struct Edit {
    Position by;
    std::size_t operand;
    ValueId array;
};

struct Edits {
    ValueId array;  ///< the oldest version
    std::vector<Edit> operands;
    std::map<std::size_t, ValueId> results;  ///< results of the body
    Order order;                             ///< the order in which the bindings then need each other
};

/// The updates of one body.
class Updates {
  public:
    Updates(SizeTable& sizes, const Body& body, std::size_t base, const std::vector<Type>& types, LinearForms& forms)
        : sizes_(sizes), body_(body), types_(types), forms_(forms) {
        levels_.push_back(base + body.params.size());
        for (const Binding& binding : body.bindings) levels_.push_back(levels_.back() + binding.types.size());
    }

    /// The edits for one of the chains that can be improved.
    std::optional<Edits> run() {
        for (const Chain& chain : chains())
            if (auto edits = improve(chain)) return edits;
        return std::nullopt;
    }

  private:
    const Scatter* scatter(Position at) const { return std::get_if<Scatter>(&body_.bindings[at].op); }
    ValueId result(Position at) const { return ValueId(levels_[at]); }

    /// The position at which the variable is made, if it is made in this body.
    std::optional<Position> producer(ValueId id) const {
        if (id.index < levels_[0] || id.index >= levels_.back()) return std::nullopt;
        return static_cast<Position>(std::upper_bound(levels_.begin(), levels_.end(), id.index) - levels_.begin() - 1);
    }

    std::vector<Chain> chains() {
        std::map<ValueId, std::vector<Position>> updates;  // by the array that they update
        std::map<Position, AffinePoint> windows;
        for (Position at = 0; at < body_.bindings.size(); ++at) {
            if (const Scatter* s = scatter(at))
                if (auto window = forms_.window(*s))
                    windows.emplace(at, std::move(*window)), updates[s->dests[0]].push_back(at);
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

    // Reads.

    std::vector<Read> reads(const Chain& chain) {
        std::vector<Read> reads;
        std::map<ValueId, std::size_t> version{{chain.array, 0}};
        for (std::size_t k = 0; k < chain.updates.size(); ++k) version[result(chain.updates[k])] = k + 1;
        for (Position at = 0; at < body_.bindings.size(); ++at) {
            std::set<ValueId> seen;
            const auto update = std::find(chain.updates.begin(), chain.updates.end(), at);
            for (ValueId id : free_variables(sizes_, body_.bindings[at], levels_[at])) {
                const auto found = version.find(id);
                if (found == version.end() || !seen.insert(id).second) continue;
                if (update == chain.updates.end() || is_read_by(*scatter(at), id))
                    reads.push_back(read(at, id, found->second));
            }
        }
        for (ValueId id : body_.results)
            if (const auto found = version.find(id); found != version.end()) reads.push_back({{}, found->second, {}, {}});
        find_users(chain, reads);
        return reads;
    }

    /// True if the scatter reads the array other than by updating it.
    static bool is_read_by(const Scatter& scatter, ValueId id) {
        const ArrayOp op = scatter;
        const std::vector<ValueId> all = operands(op);
        return std::count(all.begin(), all.end(), id) > (scatter.dests[0] == id ? 1 : 0);
    }

    Read read(Position at, ValueId array, std::size_t version) {
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

    AffinePoint slice_of(const Slice& slice) {
        AffinePoint point;
        for (std::size_t k = 0; k < slice.start.size(); ++k) point.push_back({forms_.of(slice.start[k]), slice.step[k], k});
        return point;
    }

    void find_users(const Chain& chain, std::vector<Read>& reads) const {
        for (std::size_t k = 0; k < chain.updates.size(); ++k) {
            const std::set<Position> needed = made_for(chain.updates[k], chain);
            for (Read& read : reads)
                if (read.by && needed.contains(*read.by)) read.users.push_back(k);
        }
    }

    /// The update and everything from which its values and indices are made, up to other updates of the chain.
    std::set<Position> made_for(Position update, const Chain& chain) const {
        std::set<Position> needed{update};
        std::vector<Position> stack{update};
        while (!stack.empty()) {
            const Position at = stack.back();
            stack.pop_back();
            for (ValueId id : free_variables(sizes_, body_.bindings[at], levels_[at])) {
                const auto maker = producer(id);
                const auto& updates = chain.updates;
                if (!maker || std::find(updates.begin(), updates.end(), *maker) != updates.end()) continue;
                if (needed.insert(*maker).second) stack.push_back(*maker);
            }
        }
        return needed;
    }

    bool touches(const Read& read, const Chain& chain, std::size_t k) {
        if (!read.where) return true;
        return std::any_of(read.where->begin(), read.where->end(), [&](const AffinePoint& point) {
            return !forms_.are_apart(point, read.shape, chain.windows[k], chain.shapes[k]);
        });
    }

    // What has to be changed.

    std::optional<Edits> improve(const Chain& chain) {
        const std::vector<Read> reads = this->reads(chain);
        const Order order = order_of_updates(chain, reads);
        std::vector<std::size_t> place(order.size());  // by update: the number of updates up to and including it
        for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = k + 1;
        std::vector<ValueId> version{chain.array};
        for (std::size_t k : order) version.push_back(result(chain.updates[k]));
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
            if (scatter(update)->dests[0] != version[k]) edits.operands.push_back({update, 0, version[k]});
        }
        if (edits.operands.empty() && edits.results.empty()) return std::nullopt;
        const auto needed = needed_order(edits);
        if (!needed) return std::nullopt;
        edits.order = *needed;
        return edits;
    }

    void add(Edits& edits, const Chain& chain, std::optional<Position> by, ValueId before, ValueId now) const {
        if (before == now) return;
        const std::vector<ValueId> all = by ? operands(body_.bindings[*by].op) : body_.results;
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
        return version == 0 ? chain.array : result(chain.updates[version - 1]);
    }

    /// Windows that overlap keep their order, and what is read after an update is made after it. What is read before an
    /// update overwrites it has to be made before that, unless it is made for the update itself: therefore the first update
    /// for which it is made comes before.
    Order order_of_updates(const Chain& chain, const std::vector<Read>& reads) {
        const std::size_t count = chain.updates.size();
        std::vector<std::set<std::size_t>> after(count);
        for (std::size_t a = 0; a < count; ++a)
            for (std::size_t b = a + 1; b < count; ++b)
                if (!forms_.are_apart(chain.windows[a], chain.shapes[a], chain.windows[b], chain.shapes[b]))
                    after[a].insert(b);
        for (const Read& read : reads) {
            for (std::size_t k = 0; k < count; ++k) {
                if (read.users.empty() || !touches(read, chain, k)) continue;
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
            if (!touches(read, chain, k)) continue;
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
        std::vector<std::set<std::size_t>> after(body_.bindings.size());
        auto need = [&](Position at, ValueId id) {
            if (const auto maker = producer(id)) after[*maker].insert(at);
        };
        std::map<Position, std::map<std::size_t, ValueId>> changed;
        for (const Edit& edit : edits.operands) changed[edit.by][edit.operand] = edit.array;
        for (Position at = 0; at < body_.bindings.size(); ++at) {
            const std::vector<ValueId> all = operands(body_.bindings[at].op);
            std::map<std::size_t, ValueId>& here = changed[at];
            for (std::size_t k = 0; k < all.size(); ++k) need(at, here.contains(k) ? here[k] : all[k]);
            auto is_replaced = [&](ValueId id) {
                return std::any_of(here.begin(), here.end(), [&](const auto& edit) { return all[edit.first] == id; });
            };
            for (ValueId id : free_variables(sizes_, body_.bindings[at], levels_[at]))
                if (!is_replaced(id)) need(at, id);
        }
        return sorted(body_.bindings.size(), after);
    }

    SizeTable& sizes_;
    const Body& body_;
    const std::vector<Type>& types_;
    LinearForms& forms_;
    std::vector<std::size_t> levels_;  ///< by binding, and after the last one
};

class OrderUpdates : public Rebuilder {
  public:
    Program with(Program program) {
        look_at(program.sizes, program.body, {});
        return any() ? run(std::move(program)) : std::move(program);
    }
    bool any() const { return !orders_.empty(); }

  private:
    void look_at(SizeTable& sizes, Body& body, const std::vector<Type>& outer) {
        const std::vector<Type> types = types_of(body, outer);
        std::size_t level = outer.size() + body.params.size();
        const std::size_t defined = definitions_.size();
        for (Binding& binding : body.bindings) {
            if (std::vector<Body>* nested = bodies_of(binding.op))
                for (Body& each : *nested)
                    look_at(sizes, each, {types.begin(), types.begin() + static_cast<std::ptrdiff_t>(level)});
            definitions_.emplace_back(&binding, level);
            level += binding.types.size();
        }
        update(sizes, body, outer.size(), types);
        definitions_.resize(defined);
    }

    void update(SizeTable& sizes, Body& body, std::size_t base, const std::vector<Type>& types) {
        const bool any = std::any_of(body.bindings.begin(), body.bindings.end(),
                                     [](const Binding& binding) { return std::holds_alternative<Scatter>(binding.op); });
        if (!any) return;
        LinearForms forms(sizes, types);
        for (const auto& [binding, level] : definitions_) forms.define(*binding, level);
        const auto edits = Updates(sizes, body, base, types, forms).run();
        if (!edits) return;
        for (const Edit& edit : edits->operands) {
            const Binding* maker = nullptr;
            for (const auto& [binding, level] : definitions_)
                if (level == edit.array.index) maker = binding;
            changed_[&body.bindings[edit.by]].push_back({edit.operand, edit.array, maker, edits->array});
        }
        for (const auto& [k, array] : edits->results) body.results[k] = array;
        orders_.emplace(body.bindings.data(), edits->order);
    }

    std::vector<std::size_t> order(const std::vector<Binding>& bindings) override {
        const auto found = orders_.find(bindings.data());
        return found != orders_.end() ? found->second : Order();
    }

    /// What was read may be made later now.
    bool before_renaming(Binding& binding) override {
        if (const auto found = changed_.find(&binding); found != changed_.end())
            for (const Operand& to : found->second) set_operand(binding.op, to.operand, to.known);
        return true;
    }

    void binding(Binding&& binding) override {
        if (const auto found = changed_.find(&binding); found != changed_.end()) {
            for (const Operand& to : found->second) {
                const auto made = made_.find(to.maker);
                set_operand(binding.op, to.operand, made != made_.end() ? made->second : rename(to.array));
            }
        }
        made_[&binding] = ValueId(level());
        keep(std::move(binding));
    }

    static void set_operand(ArrayOp& op, std::size_t operand, ValueId array) {
        std::size_t next = 0;
        for_each_operand(op, [&](ValueId& id) {
            if (next++ == operand) id = array;
        });
    }

    struct Operand {
        std::size_t operand;
        ValueId array;         ///< old name
        const Binding* maker;  ///< the binding that makes the array, or null
        ValueId known;         ///< any array that is made before
    };
    std::vector<std::pair<const Binding*, std::size_t>> definitions_;  ///< bindings in scope, with their levels
    std::unordered_map<const Binding*, Order> orders_;                 ///< by the first of a body's bindings
    std::unordered_map<const Binding*, std::vector<Operand>> changed_;
    std::unordered_map<const Binding*, ValueId> made_;  ///< new names of first results
};

}  // namespace

Program order_updates(Program program) {
    for (bool any = true; any;) {
        OrderUpdates pass;
        program = pass.with(std::move(program));
        any = pass.any();
    }
    return program;
}

}  // namespace sinter::opt
