// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/builder.hpp"
#include "ir/free_variables.hpp"
#include "ir/rebuild.hpp"
#include "ir/sizes/size_parts.hpp"
#include "opt/cost.hpp"
#include "opt/hoist_function.hpp"
#include "opt/passes.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace sinter::opt {

using namespace ir;

namespace {

/// True if the binding may be executed even if the iteration that contains it is not.
bool may_be_needless(const Binding& binding) {
    if (std::holds_alternative<Scatter>(binding.op)) return false;
    if (const Fn* fn = function_of(binding.op)) return is_speculative(fn->body);
    return std::holds_alternative<View>(binding.op) || std::holds_alternative<Sort>(binding.op);
}

/// True if the binding may be executed earlier, provided that it is executed at all. Not for foreign functions, because the
/// user decides how often they are called, nor for operations whose results keep the size that they had where they were
/// written.
bool may_move(const Binding& binding) {
    auto all_may_move = [](const Body& body) {
        return std::all_of(body.bindings.begin(), body.bindings.end(), [](const Binding& inner) {
            return std::holds_alternative<Compact>(inner.op) || may_move(inner);
        });
    };
    if (const auto* bodies = bodies_of(binding.op)) return std::all_of(bodies->begin(), bodies->end(), all_may_move);
    return !std::holds_alternative<Foreign>(binding.op) && !std::holds_alternative<Compact>(binding.op);
}

/// True if it is better to store the result once than to compute it in every iteration. `is_small`: it has no more elements
/// than something that is in memory anyway; otherwise, storing what is only read at some places could take more memory than
/// there is.
bool pays(const Binding& binding, bool is_small) {
    if (auto* map = std::get_if<Map>(&binding.op)) {
        if (binding.types[0].rank() == 0) return true;
        return is_expensive(map->fn.body) ? is_small || may_be_needless(binding) : is_small && !map->captures.arrays.empty();
    }
    if (std::holds_alternative<Gather>(binding.op)) return is_small;
    return !std::holds_alternative<View>(binding.op);
}

bool is_scalar(const Binding& binding) { return std::holds_alternative<Map>(binding.op) && binding.types[0].rank() == 0; }

/// The constant value of a binding, if it has one.
std::optional<std::int64_t> number(const Binding& binding) {
    const auto* map = std::get_if<Map>(&binding.op);
    if (!map || binding.types.size() != 1 || !(binding.types[0] == Type{Scalar::i64, {}})) return std::nullopt;
    const Block& body = map->fn.body;
    if (!body.params.empty() || body.insts.size() != 1 || body.insts[0].op != Op::constant) return std::nullopt;
    return static_cast<std::int64_t>(body.insts[0].bits);
}

Binding is_positive(ValueId count, SiteId site) {
    BlockBuilder builder;
    const Local n = builder.open({Scalar::i64}), zero = builder.constant_index(0);
    Fn fn{{}, builder.close({builder.emit(Op::less, {zero, n})})};
    return {Map{std::move(fn), {}, {{count}, {}}, false}, {{Scalar::boolean, {}}}, site};
}

Binding zeros(const Type& type, SiteId site) {
    BlockBuilder builder;
    builder.open({});
    Fn fn{{}, builder.close({builder.constant(type.scalar, 0)})};
    return {Map{std::move(fn), {}, {}, false}, {type}, site};
}

/// True if the binding is seen to have no more elements than one of the arrays that it is made from.
template <class IsLarge, class Rank>
bool is_small(const Binding& binding, IsLarge is_large, Rank rank) {
    const std::size_t own = binding.types[0].rank();
    auto all_large = [&](const std::vector<ValueId>& ids) { return std::all_of(ids.begin(), ids.end(), is_large); };
    if (const auto* view = std::get_if<View>(&binding.op))
        return !std::holds_alternative<Broadcast>(view->function) && !is_large(view->arg);
    if (const auto* gather = std::get_if<Gather>(&binding.op)) return !all_large(gather->indices);
    const auto* map = std::get_if<Map>(&binding.op);
    if (!map || own == 0 || !all_large(map->args)) return true;
    auto is_as_large = [&](ValueId id) { return rank(id) >= own; };
    return map->args.empty() && std::any_of(map->captures.arrays.begin(), map->captures.arrays.end(), is_as_large);
}

class Hoist : public Rebuilder {
  public:
    bool moved() const { return moved_; }

  private:
    bool before_renaming(Binding& binding) override {
        auto moved = moved_names_.find(&binding);
        if (moved == moved_names_.end()) return true;
        define(moved->second);
        moved_names_.erase(moved);  // others may have this address later
        return false;
    }

    void binding(Binding&& binding) override {
        if (!is_scalar(binding)) scalars_of_function(binding);
        if (auto* loop = std::get_if<Loop>(&binding.op)) move_out(*loop, binding.site);
        if (const auto known = number(binding)) numbers_[level()] = *known;
        const auto is_large = [&](ValueId id) { return large_.contains(id.index); };
        const auto rank = [&](ValueId id) { return type(id).rank(); };
        if (!is_small(binding, is_large, rank))
            for (std::size_t k = 0; k < binding.types.size(); ++k) large_.insert(level() + k);
        keep(std::move(binding));
    }

    void close() override {
        numbers_.erase(numbers_.lower_bound(level()), numbers_.end());
        large_.erase(large_.lower_bound(level()), large_.end());
    }

    /// For a binding in a loop's body: it is worth moving out, or something that is worth it needs it, or neither.
    enum class Place : std::uint8_t { inside, needed_outside, outside };

    void move_out(Loop& loop, SiteId site) {
        Body& body = loop.bodies.back();
        if (!loop.count) move_out(loop.bodies.front(), true);
        count_ = loop.count;
        const auto trips = loop.count ? numbers_.find(loop.count->index) : numbers_.end();
        const bool runs = trips != numbers_.end() && trips->second > 0;
        if (!move_out(body, runs) && !runs) move_out_if_any(loop, body, site);
    }

    void scalars_of_function(Binding& binding) {
        FunctionPart part = function_of(binding.op);
        if (!part || part.captures->scalars.empty()) return;
        Fn& fn = *part.fn;
        Captures& captures = *part.captures;
        for (ValueId scalar : captures.scalars)
            if (type(scalar).rank() > 0) return;
        auto hoisted = hoist_scalars(fn, captures.scalars.size());
        if (!hoisted) return;
        std::vector<Type> types;
        for (Scalar scalar : result_types(hoisted->known)) types.push_back({scalar, {}});
        std::size_t count = types.size();
        ValueId first =
            append({Map{std::move(hoisted->known), captures.scalars, {}, false}, std::move(types), binding.site});
        for (std::size_t i = 0; i < count; ++i) captures.scalars.push_back(ValueId(first.index + i));
        fn = std::move(hoisted->fn);
        moved_ = true;
    }

    /// Copies what pays, and what that needs, to the place before the loop; in the body, what pays is then a name for its
    /// copy. What is merely needed may stay as well: it is cheap, and fuses with its readers. `runs`: the body is executed
    /// in any case. Returns false if nothing was moved.
    bool move_out(Body& body, bool runs) {
        std::size_t outside = old_level();
        const std::vector<Place> places = places_of(body, outside, runs ? Runs::always : Runs::perhaps);
        if (std::find(places.begin(), places.end(), Place::outside) == places.end()) return false;
        const auto names = copy(body, places, std::vector<ValueId>(body.params.size()));
        for (std::size_t i = 0; i < places.size(); ++i)
            if (places[i] == Place::outside) take(body.bindings[i], names[i]);
        undefine(outside);
        return true;
    }

    /// Before the loop, what may fail is executed if the body will be; otherwise there are zeros, which nothing reads. The
    /// body's guards hold by then: they are checked as in the first iteration.
    void move_out_if_any(const Loop& loop, Body& body, SiteId site) {
        std::size_t outside = old_level();
        const bool is_guarded = !body.guards.empty();
        if (!loop.changing.empty() && (is_guarded || !loop.count)) return;
        std::vector<Place> places = places_of(body, outside, Runs::if_asked);
        bool any = false;
        for (std::size_t i = 0; i < places.size(); ++i)
            any = any || (places[i] == Place::outside && !is_scalar(body.bindings[i]));
        if (!any) return;
        const ValueId condition = loop.count ? append(is_positive(*loop.count, site)) : first_condition(loop);
        Cond cond{condition, {}};
        std::vector<ValueId> results;
        std::vector<Type> types;
        Nest then, otherwise;
        enter(then);
        if (is_guarded) places_of_guards(body, outside, places);
        const auto names = copy(body, places, is_guarded ? first(loop, site) : std::vector<ValueId>(body.params.size()));
        for (const Guard& each : body.guards) guard(Guard(each));
        for (std::size_t i = 0; i < places.size(); ++i)
            for (std::size_t k = 0; places[i] == Place::outside && k < names[i].size(); ++k)
                results.push_back(names[i][k]), types.push_back(type(names[i][k]));
        cond.bodies.push_back(leave(then, std::move(results)));
        enter(otherwise);
        for (const Type& type : types) results.push_back(append(zeros(type, site)));
        cond.bodies.push_back(leave(otherwise, std::move(results)));
        ValueId first = append({std::move(cond), std::move(types), site});
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (places[i] != Place::outside) continue;
            std::vector<ValueId> own;
            for (std::size_t k = 0; k < names[i].size(); ++k, first = ValueId(first.index + 1)) own.push_back(first);
            take(body.bindings[i], std::move(own));
        }
    }

    /// True if a loop with a condition has a first iteration.
    ValueId first_condition(const Loop& loop) {
        std::size_t outside = old_level();
        Body condition = loop.bodies.front();
        define(loop.inits);
        const ValueId result = splice(condition)[0];
        undefine(outside);
        return result;
    }

    /// The body's parameters in the first iteration.
    std::vector<ValueId> first(const Loop& loop, SiteId site) {
        std::vector<ValueId> params;
        if (loop.count) params.push_back(append(zeros({Scalar::i64, {}}, site)));
        params.insert(params.end(), loop.inits.begin(), loop.inits.end());
        return params;
    }

    /// Writes copies of the bindings that are not inside; returns their names, by binding. They are define()d, like the
    /// parameters.
    std::vector<std::vector<ValueId>> copy(const Body& body, const std::vector<Place>& places,
                                           const std::vector<ValueId>& params) {
        std::vector<std::vector<ValueId>> all;
        define(params);
        for (std::size_t i = 0; i < places.size(); ++i) {
            all.emplace_back(body.bindings[i].types.size());
            if (places[i] != Place::inside) {
                Binding moved = body.bindings[i];
                rename(moved.op);
                rename_types(moved);
                keep(std::move(moved));
                for (std::size_t k = 0; k < all[i].size(); ++k) all[i][k] = ValueId(level() - all[i].size() + k);
            } else {
                define(all[i]);
            }
        }
        return all;
    }

    /// From now on, the results of the binding are these variables.
    void take(const Binding& binding, std::vector<ValueId> names) {
        moved_names_.emplace(&binding, std::move(names));
        moved_ = true;
    }

    /// How a loop's body is executed; if_asked: what moves out is put under a condition, and its size is known without it.
    enum class Runs : std::uint8_t { perhaps, if_asked, always };

    /// The place of each binding of the body. `outside`: the level of the body's first parameter.
    std::vector<Place> places_of(const Body& body, std::size_t outside, Runs runs) {
        std::vector<Type> types = body.params;  // by level - outside, as are the next two
        std::vector<bool> invariant(types.size(), false), large(types.size(), false);
        std::vector<Place> places;
        auto is_known = [&](ValueId id) { return id.index < outside || invariant[id.index - outside]; };
        auto is_large = [&](ValueId id) {
            return id.index < outside ? large_.contains(rename(id).index) : large[id.index - outside];
        };
        auto rank = [&](ValueId id) {
            return id.index < outside ? type(rename(id)).rank() : types[id.index - outside].rank();
        };
        std::vector<Place> none(body.bindings.size(), Place::inside);
        const bool guarded = !body.guards.empty() && (runs != Runs::if_asked || !places_of_guards(body, outside, none));
        for (const Binding& binding : body.bindings) {
            const bool if_any = runs != Runs::perhaps && !guarded;
            bool independent =
                if_any ? may_move(binding) : may_be_needless(binding) || runs_as_often(binding, body, outside);
            independent = independent && (!binds_sizes(binding.op) || (runs != Runs::if_asked && body.guards.empty()));
            for (ValueId id : free_variables(sizes(), binding, outside + types.size()))
                independent = independent && is_known(id);
            const bool small = is_small(binding, is_large, rank);
            const bool may_leave = runs != Runs::if_asked || !is_sized_inside(binding, outside);
            places.push_back(independent && may_leave && pays(binding, small) ? Place::outside : Place::inside);
            types.insert(types.end(), binding.types.begin(), binding.types.end());
            invariant.resize(types.size(), independent), large.resize(types.size(), !small);
        }
        std::vector<bool> needed(types.size(), false);
        std::size_t level = types.size();
        for (std::size_t i = body.bindings.size(); i-- > 0;) {
            level -= body.bindings[i].types.size();
            for (std::size_t k = 0; k < body.bindings[i].types.size(); ++k)
                if (needed[level + k] && places[i] == Place::inside) places[i] = Place::needed_outside;
            if (places[i] == Place::inside) continue;
            for (ValueId id : free_variables(sizes(), body.bindings[i], outside + level))
                if (id.index >= outside) needed[id.index - outside] = true;
        }
        return places;
    }

    /// True for a loop with as many iterations as the one around it: if that has none, neither has this one.
    bool runs_as_often(const Binding& binding, const Body& body, std::size_t outside) const {
        const auto* loop = std::get_if<Loop>(&binding.op);
        if (loop == nullptr || !loop->count || !count_ || loop->count->index >= outside) return false;
        return rename(*loop->count) == *count_ && body.guards.empty() && may_move(binding);
    }

    /// True if extents of the results are values computed in the body: a condition cannot have such results.
    bool is_sized_inside(const Binding& binding, std::size_t outside) {
        std::vector<ValueId> values;
        for (const Type& type : binding.types)
            for (SizeId size : type.shape) for_each_value(sizes(), size, [&](ValueId value) { values.push_back(value); });
        return std::any_of(values.begin(), values.end(), [&](ValueId value) { return value.index >= outside; });
    }

    /// Marks the scalars that the body's guards need as needed outside. Returns false if they need anything else, which is
    /// known in the iteration only.
    bool places_of_guards(const Body& body, std::size_t outside, std::vector<Place>& places) {
        std::set<std::size_t> needed;  // levels of variables inside
        auto need = [&](ValueId id) {
            if (id.index >= outside + body.params.size()) needed.insert(id.index);
        };
        std::vector<ValueId> ids;
        for (const Guard& guard : body.guards) values_of(sizes(), guard, ids);
        std::for_each(ids.begin(), ids.end(), need);
        std::size_t level = outside + body.params.size();
        for (const Binding& binding : body.bindings) level += binding.types.size();
        for (std::size_t i = body.bindings.size(); i-- > 0;) {
            const Binding& binding = body.bindings[i];
            level -= binding.types.size();
            if (needed.lower_bound(level) == needed.lower_bound(level + binding.types.size())) continue;
            if (!is_scalar(binding) || !may_be_needless(binding)) return false;
            if (places[i] == Place::inside) places[i] = Place::needed_outside;
            for (ValueId id : free_variables(sizes(), binding, level)) need(id);
        }
        return true;
    }

    std::unordered_map<const Binding*, std::vector<ValueId>> moved_names_;
    std::map<std::size_t, std::int64_t> numbers_;  ///< by new level: variables that are constants
    std::set<std::size_t> large_;                  ///< new levels of variables that may have more elements than any array in
                                                   ///< memory
    std::optional<ValueId> count_;                 ///< of the loop that is being examined
    bool moved_ = false;
};

}  // namespace

Program hoist(Program program) {
    for (bool moved = true; moved;) {
        Hoist pass;
        program = pass.run(std::move(program));
        moved = pass.moved();  // perhaps further: out of the next loop
    }
    return program;
}

}  // namespace sinter::opt
