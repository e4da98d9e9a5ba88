// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose states have other shapes in every slice, or change them. All slices go through an iteration together, as long
// as one of them is active; the others have empty states there, so that nothing is executed for them, and keep what they
// have. After each iteration the states are written segment after segment.
#include "enable/flatten/flatten_rules.hpp"
#include "enable/slices/lift_function.hpp"
#include "enable/tuning.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

namespace {

/// The states at some time.
struct States {
    std::vector<ValueId> extents;    ///< one per slice, of each axis that changes
    std::vector<ValueId> arrays;     ///< segment after segment if they are flat, else with the slice as outermost axis
    std::vector<Segments> segments;  ///< of those that are flat
};

class FlatLoop {
  public:
    FlatLoop(Flats& flats, Loop& loop, const Types& types)
        : flats_(flats), s_(flats.slices()), loop_(loop), extents_(loop.changing.size()), types_(types) {
        auto varies = [&](SizeId size) { return s_.varies(size); };
        for (std::size_t k = 0; k < loop.inits.size(); ++k) {
            const Shape& shape = types[extents_ + k].shape;
            changes_.push_back(has_changing_extent(loop, k));
            flat_.push_back(changes_[k] || std::any_of(shape.begin(), shape.end(), varies));
        }
    }

    void run() {
        const States inits = initial();
        Loop made{std::nullopt, {}, {}, {}, loop_.segment};
        std::optional<ValueId> count;
        if (loop_.count) {
            const Slices::Operand each = s_.use(*loop_.count);
            if (each.batched) count = s_.mask() ? s_.select(*s_.mask(), each.id, all_of(Scalar::i64, 0)) : each.id;
            made.count = count ? s_.reduce_slices(Op::maximum, *count) : each.id;
        } else {
            made.inits.push_back(still_active(inits, s_.mask()));
        }
        made.inits.insert(made.inits.end(), inits.extents.begin(), inits.extents.end());
        made.inits.insert(made.inits.end(), inits.arrays.begin(), inits.arrays.end());
        for (std::size_t k = 0; k < flat_.size(); ++k)
            if (changes_[k]) made.changing.push_back({first_array() + k, 0});
        if (!loop_.count) made.bodies.push_back(condition(inits));
        made.bodies.push_back(iteration(inits, count));
        const ValueId first(s_.level());
        std::vector<Type> types = state_types(inits, first);
        s_.emit(std::move(made), std::move(types));
        define_results(states_at(first, inits));
    }

  private:
    /// Flags of active slices are the first state of a loop with a condition.
    std::size_t first_extent() const { return loop_.count ? 0 : 1; }
    std::size_t first_array() const { return first_extent() + extents_; }
    std::size_t totals() const { return static_cast<std::size_t>(std::count(changes_.begin(), changes_.end(), true)); }

    ValueId all_of(Scalar scalar, std::uint64_t bits) { return s_.batched({s_.constant(scalar, bits), false}); }

    States initial() {
        States states;
        for (const auto [state, axis] : loop_.changing) states.extents.push_back(extents_of(loop_.inits[state], axis));
        for (std::size_t k = 0; k < flat_.size(); ++k) {
            const ValueId init = loop_.inits[k];
            states.segments.push_back(flat_[k] ? flats_.segments_of(init) : Segments{});
            states.arrays.push_back(flat_[k] ? flats_.memory(init) : s_.batched(s_.use(init)));
        }
        return states;
    }

    ValueId extents_of(ValueId old, std::size_t axis) {
        return flats_.map_slices({{Scalar::i64, {}}}, [&](ElementWriter& to, Local slice, const Locals&) {
            return Locals{flats_.extent(to, old, axis, slice)};
        });
    }

    /// The types of the loop's results, or of the parameters of its bodies, the first of which is `first`: totals, then
    /// states.
    std::vector<Type> state_types(const States& like, ValueId first) {
        std::vector<Type> types(totals(), Type{Scalar::i64, {}});
        const Shape by_slice{s_.extent()};
        if (!loop_.count) types.push_back({Scalar::boolean, by_slice});
        types.insert(types.end(), extents_, Type{Scalar::i64, by_slice});
        std::size_t total = first.index;
        for (std::size_t k = 0; k < flat_.size(); ++k) {
            types.push_back(s_.type(like.arrays[k]));
            if (changes_[k]) types.back().shape = {s_.sizes().value(ValueId(total++))};
        }
        return types;
    }

    /// The states of which the totals are variable `first` and those after it.
    States states_at(ValueId first, const States& like) {
        States states;
        std::size_t next = first.index + totals() + first_extent(), total = first.index;
        for (std::size_t j = 0; j < extents_; ++j) states.extents.emplace_back(next++);
        for (std::size_t k = 0; k < flat_.size(); ++k) {
            states.arrays.emplace_back(next++);
            states.segments.push_back(like.segments[k]);
            if (changes_[k]) states.segments[k] = flats_.from_counts(counts(states, k), s_.sizes().value(ValueId(total++)));
        }
        return states;
    }

    /// The extents of a state, of which some change.
    Locals shape(ElementWriter& to, const States& states, std::size_t k, Local slice) {
        Locals made;
        for (std::size_t axis = 0; axis < types_[extents_ + k].rank(); ++axis) {
            const auto changing = std::find(loop_.changing.begin(), loop_.changing.end(), StateAxis{k, axis});
            made.push_back(
                changing == loop_.changing.end()
                    ? flats_.size(to, types_[extents_ + k].shape[axis], slice)
                    : to.read(states.extents[static_cast<std::size_t>(changing - loop_.changing.begin())], {slice}));
        }
        return made;
    }

    /// The numbers of elements. Slices that are not active have some, too.
    ValueId counts(const States& states, std::size_t k) {
        const Element count = [&](ElementWriter& to, Local slice, const Locals&) {
            Local all = to.index(1);
            for (Local extent : shape(to, states, k, slice)) all = to.apply(Op::mul, {all, extent});
            return Locals{all};
        };
        return s_.under(std::nullopt, [&] { return flats_.map_slices({{Scalar::i64, {}}}, count); });
    }

    Local element(ElementWriter& to, const States& states, std::size_t k, Local slice, const Locals& index) {
        const Local start = to.read(states.segments[k].starts, {slice});
        const Local position = to.apply(Op::add, {start, raveled(to, index, shape(to, states, k, slice))});
        return to.read(states.arrays[k], {position});
    }

    /// Defines the parameters of a body but its index: the states where slices are active, and empty ones elsewhere.
    void define(const Body& body, const States& states, std::optional<ValueId> active) {
        for (ValueId extents : states.extents)
            s_.define_results(std::vector<ValueId>{active ? s_.select(*active, extents, all_of(Scalar::i64, 0)) : extents},
                              {true});
        const std::size_t first = body.params.size() - flat_.size();
        for (std::size_t k = 0; k < flat_.size(); ++k) {
            if (!flat_[k]) {
                s_.define_results(std::vector<ValueId>{states.arrays[k]}, {true});
                continue;
            }
            flats_.define_read(body.params[first + k],
                               [this, states, k](ElementWriter& to, Local slice, const Locals& index) {
                                   return Locals{element(to, states, k, slice, index)};
                               });
        }
    }

    /// Executes a copy of the body, whose parameters have been defined, and calls use(its results).
    template <class Use>
    auto execute(Body body, std::optional<ValueId> active, Use use) {
        auto all = [&] {
            flats_.count_uses(body);
            s_.write_known(body.guards);
            s_.write(body.bindings);
            auto made = use(body.results);
            s_.write(body.guards);
            return made;
        };
        return active ? s_.under(*active, all) : all();
    }

    /// For each slice: whether it is active and goes on from these states.
    ValueId still_active(const States& states, std::optional<ValueId> active) {
        const Flats::Scope scope(flats_);
        const std::size_t outside = s_.old_level();
        define(loop_.bodies[0], states, active);
        const ValueId goes_on = execute(loop_.bodies[0], active, [&](const std::vector<ValueId>& results) {
            return s_.where_masked(s_.batched(s_.use(results[0])));
        });
        s_.undefine(outside);
        return goes_on;
    }

    Body condition(const States& like) {
        Slices::Nest nest;
        s_.enter(nest);
        const std::vector<ValueId> params = s_.add_parameters(nest, state_types(like, ValueId(s_.level())));
        const ValueId some = s_.reduce_slices(Op::bit_or, params[totals()]);
        return s_.leave(nest, {some});
    }

    Body iteration(const States& like, std::optional<ValueId> count) {
        Slices::Nest nest;
        s_.enter(nest);
        std::optional<ValueId> active = s_.mask();
        std::optional<ValueId> index;
        if (loop_.count) index = s_.add_parameter(nest, {Scalar::i64, {}});
        const std::vector<ValueId> params = s_.add_parameters(nest, state_types(like, ValueId(s_.level())));
        if (!loop_.count) active = params[totals()];
        if (count) active = s_.apply(Op::greater, {*count, s_.batched({*index, false})}, Scalar::boolean);
        const States states = states_at(params.empty() ? ValueId(s_.level()) : params[0], like);
        const States next = after(states, index, active);
        std::vector<ValueId> results;
        if (!loop_.count) results.push_back(still_active(next, active));
        results.insert(results.end(), next.extents.begin(), next.extents.end());
        results.insert(results.end(), next.arrays.begin(), next.arrays.end());
        return s_.leave(nest, std::move(results));
    }

    /// The states after an iteration, where slices are active.
    States after(const States& states, std::optional<ValueId> index, std::optional<ValueId> active) {
        const Flats::Scope scope(flats_);
        const std::size_t outside = s_.old_level();
        if (index) s_.define_results(std::vector<ValueId>{*index}, {false});
        define(loop_.bodies.back(), states, active);
        States next = execute(loop_.bodies.back(), active,
                              [&](const std::vector<ValueId>& results) { return chosen(states, results, active); });
        s_.undefine(outside);
        return next;
    }

    /// What the body returned where slices are active, and the states elsewhere.
    States chosen(const States& states, const std::vector<ValueId>& results, std::optional<ValueId> active) {
        States next;
        for (std::size_t j = 0; j < extents_; ++j) {
            const ValueId made = extents_of(results[loop_.changing[j].state], loop_.changing[j].axis);
            next.extents.push_back(active ? s_.select(*active, made, states.extents[j]) : made);
        }
        for (std::size_t k = 0; k < flat_.size(); ++k) {
            next.segments.push_back(states.segments[k]);
            if (!flat_[k]) {
                const ValueId made = s_.batched(s_.use(results[k]));
                next.arrays.push_back(active ? s_.select(*active, made, states.arrays[k]) : made);
                continue;
            }
            if (changes_[k]) next.segments[k] = segments_after(next, k, results);
            const auto extents = [this, &next, k](ElementWriter& to, Local slice) { return shape(to, next, k, slice); };
            const Element pick = [&](ElementWriter& to, Local slice, const Locals& index) {
                const auto made = [&] { return Locals{flats_.element(to, results[k], slice, index)}; };
                const auto kept = [&] { return Locals{element(to, states, k, slice, index)}; };
                return active ? to.cond(to.read(*active, {slice}), made, kept) : made();
            };
            next.arrays.push_back(flats_.map_segments(next.segments[k], extents, {types_[extents_ + k].scalar}, pick));
        }
        return next;
    }

    /// Two states that begin with the same extents and get the same in every iteration have the same segments.
    Segments segments_after(const States& next, std::size_t k, const std::vector<ValueId>& results) {
        for (std::size_t other = 0; other < k; ++other)
            if (changes_[other] && flats_.have_same_extents(loop_.inits[other], loop_.inits[k]) &&
                flats_.have_same_extents(results[other], results[k]))
                return next.segments[other];
        return flats_.from_counts(counts(next, k));
    }

    void define_results(const States& states) {
        for (ValueId extents : states.extents) s_.define_results(std::vector<ValueId>{extents}, {true});
        for (std::size_t k = 0; k < flat_.size(); ++k) {
            const Type& type = types_[extents_ + k];
            if (!flat_[k]) {
                s_.define_results(std::vector<ValueId>{states.arrays[k]}, {true});
                continue;
            }
            if (changes_[k]) flats_.add_segments(type.shape, states.segments[k]);
            flats_.define_memory(type, states.arrays[k]);
        }
    }

    Flats& flats_;
    Slices& s_;
    Loop& loop_;
    std::size_t extents_;               ///< how many axes change
    const Types& types_;                ///< of the results: extents that change, then states
    std::vector<bool> changes_, flat_;  ///< by state
};

}  // namespace

void flatten_loop(Flats& flats, Loop& loop, const Types& types) { FlatLoop(flats, loop, types).run(); }

}  // namespace sinter::enable
