// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations for which the elements of all slices are in memory, segment after segment: scans that begin anew with each
// segment (Blelloch 1990, section 1.5), sorts by segment and key, filters, and scatters at positions in segments.
#include "enable/flatten/flatten_rules.hpp"
#include "enable/flatten/folding.hpp"
#include "enable/flatten/restarting.hpp"
#include "enable/slices/lift_function.hpp"
#include "enable/tuning.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

namespace {

std::vector<Scalar> scalars_of(Flats& flats, const std::vector<ValueId>& ids) {
    std::vector<Scalar> scalars;
    for (ValueId id : ids) scalars.push_back(flats.slices().type(id).scalar);
    return scalars;
}

class FlatScan {
  public:
    FlatScan(Flats& flats, const Scan& scan) : flats_(flats), scan_(scan) {}

    void run(const Types& types) {
        const std::size_t states = scan_.states();
        const ValueId arg = scan_.args[0];
        const ValueId first = scan_.sequential ? states_of_recurrence() : prefixes();
        const std::vector<Type> prefix_types(types.begin(), types.begin() + static_cast<std::ptrdiff_t>(states));
        if (!scan_.exclusive) {
            for (std::size_t k = 0; k < states; ++k) flats_.define_memory(types[k], ValueId(first.index + k));
        } else {
            flats_.define(prefix_types, before(first, arg), tuning::cost_of_read + 2);
        }
        if (scan_.totals)
            flats_.define({types.begin() + static_cast<std::ptrdiff_t>(states), types.end()}, totals(first, arg), 4);
    }

  private:
    /// The inclusive scan of all elements; returns its first result without the flag.
    ValueId prefixes() {
        Slices& slices = flats_.slices();
        std::vector<Scalar> scalars{Scalar::boolean};
        for (std::size_t k = 0; k < scan_.states(); ++k) scalars.push_back(scan_.op.body.params[k]);
        const ValueId elements = flats_.map_elements(scan_.args[0], scalars, seeded());
        Scan made{restarting(scan_.op, scan_.states(), scan_.reverse), {}, {}, scan_.captures};
        made.reverse = scan_.reverse;
        std::vector<Type> types;
        for (std::size_t k = 0; k < scalars.size(); ++k) {
            made.args.emplace_back(elements.index + k);
            types.push_back(slices.type(made.args.back()));
        }
        for (auto* ids : {&made.captures.scalars, &made.captures.arrays})
            for (ValueId& id : *ids) id = slices.rename(id);
        return ValueId(slices.emit(std::move(made), std::move(types)).index + 1);
    }

    /// The states of one recurrence through all elements, which takes the initial states where a line begins; returns the
    /// first.
    ValueId states_of_recurrence() {
        Slices& slices = flats_.slices();
        const std::vector<Scalar>& params = scan_.op.body.params;
        std::vector<Scalar> scalars{Scalar::boolean};
        for (ValueId arg : scan_.args) scalars.push_back(flats_.scalar(arg));
        scalars.insert(scalars.end(), params.begin(), params.begin() + static_cast<std::ptrdiff_t>(scan_.states()));
        const auto all = [this](ElementWriter& to, Local slice, const Locals& index) {
            Locals made{begins(to, slice, index)};
            for (ValueId arg : scan_.args) made.push_back(flats_.element(to, arg, slice, index));
            const Locals first = inits(to, slice, without_last(index));
            made.insert(made.end(), first.begin(), first.end());
            return made;
        };
        const ValueId elements = flats_.map_elements(scan_.args[0], scalars, all);
        Scan made{beginning_anew(scan_.op, scan_.states(), scan_.args.size()), {}, {}, scan_.captures};
        made.sequential = true, made.reverse = scan_.reverse;
        std::vector<Type> types;
        for (std::size_t k = 0; k < scalars.size(); ++k) made.args.emplace_back(elements.index + k);
        for (std::size_t k = 0; k < scan_.states(); ++k) {
            made.inits.push_back(slices.constant(params[k], 0));
            types.push_back({params[k], slices.type(elements).shape});
        }
        for (auto* ids : {&made.captures.scalars, &made.captures.arrays})
            for (ValueId& id : *ids) id = slices.rename(id);
        return slices.emit(std::move(made), std::move(types));
    }

    static Locals without_last(Locals index) {
        index.pop_back();
        return index;
    }

    Local begins(ElementWriter& to, Local slice, const Locals& index) {
        Local first = to.index(0);
        if (scan_.reverse)
            first = to.apply(Op::sub, {flats_.extent(to, scan_.args[0], index.size() - 1, slice), to.index(1)});
        return to.apply(Op::equal, {index.back(), first});
    }

    Locals inits(ElementWriter& to, Local slice, const Locals& outer) {
        Locals made;
        for (ValueId id : scan_.inits)
            made.push_back(flats_.element(to, id, slice, flats_.rank(id) == 0 ? Locals() : outer));
        return made;
    }

    /// Whether a line begins, and the elements, the first of each line combined with the initial value.
    Element seeded() {
        return [this](ElementWriter& to, Local slice, const Locals& index) {
            const Local starts = begins(to, slice, index);
            Locals elements;
            for (ValueId arg : scan_.args) elements.push_back(flats_.element(to, arg, slice, index));
            if (!scan_.inits.empty()) {
                const Locals first = inits(to, slice, without_last(index));
                elements =
                    to.cond(starts, [&] { return combined(to, slice, index, first, elements); }, [&] { return elements; });
            }
            elements.insert(elements.begin(), starts);
            return elements;
        };
    }

    Locals combined(ElementWriter& to, Local slice, const Locals& index, Locals first, Locals then) {
        if (scan_.reverse) std::swap(first, then);
        first.insert(first.end(), then.begin(), then.end());
        return call(flats_, to, scan_.op, scan_.captures, std::move(first), slice, without_last(index));
    }

    /// The prefix at an index of the line.
    static Locals read(Flats& flats, ElementWriter& to, ValueId first, std::size_t states, ValueId arg, Local slice,
                       const Locals& index) {
        const Local position = flats.position(to, arg, slice, index);
        Locals made;
        for (std::size_t k = 0; k < states; ++k) made.push_back(to.read(ValueId(first.index + k), {position}));
        return made;
    }

    Element before(ValueId first, ValueId arg) {
        return [flats = &flats_, scan = &scan_, first, arg](ElementWriter& to, Local slice, const Locals& index) {
            FlatScan self(*flats, *scan);
            return to.cond(
                self.begins(to, slice, index), [&] { return self.inits(to, slice, without_last(index)); },
                [&] {
                    Locals at = index;
                    at.back() = to.apply(scan->reverse ? Op::add : Op::sub, {at.back(), to.index(1)});
                    return read(*flats, to, first, scan->states(), arg, slice, at);
                });
        };
    }

    Element totals(ValueId first, ValueId arg) {
        return [flats = &flats_, scan = &scan_, first, arg](ElementWriter& to, Local slice, const Locals& outer) {
            FlatScan self(*flats, *scan);
            const Local extent = flats->extent(to, arg, outer.size(), slice);
            return to.cond(
                to.apply(Op::greater, {extent, to.index(0)}),
                [&] {
                    Locals at = outer;
                    at.push_back(scan->reverse ? to.index(0) : to.apply(Op::sub, {extent, to.index(1)}));
                    return read(*flats, to, first, scan->states(), arg, slice, at);
                },
                [&] { return self.inits(to, slice, outer); });
        };
    }

    Flats& flats_;
    const Scan& scan_;
};

}  // namespace

void flatten_scan(Flats& flats, const Scan& scan, const Types& types) { FlatScan(flats, scan).run(types); }

/// The owners come before the keys. Descending keys need descending owners, too.
void flatten_sort(Flats& flats, const Sort& sort, const Types& types) {
    Slices& slices = flats.slices();
    Sort made{{flats.with_owners(flats.segments_of(sort.args[0])).owners}, sort.keys + 1, sort.descending};
    if (sort.descending) made.args[0] = slices.apply(Op::negate, {made.args[0]}, Scalar::i64);
    for (ValueId arg : sort.args) made.args.push_back(flats.memory(arg));
    std::vector<Type> memory_types;
    for (ValueId arg : made.args) memory_types.push_back(slices.type(arg));
    const ValueId first = slices.emit(std::move(made), std::move(memory_types));
    for (std::size_t k = 0; k < types.size(); ++k) flats.define_memory(types[k], ValueId(first.index + 1 + k));
}

namespace {

/// The elements of a boolean array, false where slices take no part.
ValueId masked_memory(Flats& flats, ValueId old) {
    if (flats.is_flat(old) || !flats.slices().mask()) return flats.memory(old);
    return flats.map_elements(old, {Scalar::boolean}, [&flats, old](ElementWriter& to, Local slice, const Locals& index) {
        return Locals{flats.element(to, old, slice, index)};
    });
}

}  // namespace

namespace {

/// How many elements of the mask are set.
Folding counting(Flats& flats, ValueId mask) {
    const Element kept = [&flats, mask](ElementWriter& to, Local slice, const Locals& index) {
        return Locals{to.builder().cast(Scalar::i64, flats.element(to, mask, slice, index))};
    };
    const Element none = [](ElementWriter& to, Local, const Locals&) { return Locals{to.index(0)}; };
    return {apply_op(Op::add, {Scalar::i64, Scalar::i64}), {}, mask, {0}, kept, none, true};
}

}  // namespace

/// What is kept has segments of its own: their lengths are counted, and the owners are filtered, too.
void flatten_compact(Flats& flats, const Compact& compact, const Types& types) {
    Slices& slices = flats.slices();
    const ValueId level(slices.old_level());
    Compact made{masked_memory(flats, compact.mask), {flats.with_owners(flats.segments_of(compact.mask)).owners}};
    for (ValueId arg : compact.args) made.args.push_back(flats.memory(arg));
    const ValueId counts = flats.map_slices({{Scalar::i64, {}}}, folded(flats, counting(flats, compact.mask)));
    const ValueId count(slices.level());
    const SizeId total = slices.sizes().value(count);
    std::vector<Type> memory_types{{Scalar::i64, {}}};
    for (Scalar scalar : scalars_of(flats, made.args)) memory_types.push_back({scalar, {total}});
    const ValueId first = slices.emit(std::move(made), std::move(memory_types));
    slices.define_results(std::vector<ValueId>{counts}, {true});
    Segments kept = flats.from_counts(counts, total);
    kept.owners = ValueId(first.index + 1);
    flats.add_segments({slices.sizes().value(level)}, kept);
    for (std::size_t k = 1; k < types.size(); ++k) flats.define_memory(types[k], ValueId(first.index + 1 + k));
}

namespace {

/// Where a value of the slice goes, in the segments of the destination: 0 if it is dropped, else one more than the position,
/// because 0 is also what slices have that take no part.
Element target(Flats& flats, const Scatter& scatter) {
    return [&flats, &scatter](ElementWriter& to, Local slice, const Locals& index) {
        Locals at;
        for (ValueId id : scatter.indices) at.push_back(flats.element(to, id, slice, index));
        auto position = [&] {
            Locals inside = at;
            for (std::size_t axis = 0; axis < at.size(); ++axis)
                inside[axis] = to.checked(at[axis], flats.extent(to, scatter.dests[0], axis, slice), axis);
            return Locals{to.apply(Op::add, {flats.position(to, scatter.dests[0], slice, inside), to.index(1)})};
        };
        if (!scatter.drops) return position();
        Local dropped = to.apply(Op::equal, {at[0], to.index(-1)});
        for (std::size_t axis = 1; axis < at.size(); ++axis)
            dropped = to.apply(Op::bit_and, {dropped, to.apply(Op::equal, {at[axis], to.index(-1)})});
        return to.cond(dropped, [&] { return Locals{to.index(0)}; }, position);
    };
}

}  // namespace

void flatten_scatter(Flats& flats, const Scatter& scatter, const Types& types) {
    Slices& slices = flats.slices();
    Scatter made{scatter.op, {}, {}, {}, scatter.captures};
    flats.segments_of(scatter.dests[0]);
    for (ValueId dest : scatter.dests) made.dests.push_back(flats.memory(dest));
    for (ValueId value : scatter.values) made.values.push_back(flats.memory(value));
    const ValueId next = flats.map_elements(scatter.values[0], {Scalar::i64}, target(flats, scatter));
    const Shape elements = slices.type(next).shape;
    const ValueId one = slices.emit(View{slices.constant(Scalar::i64, 1), Broadcast{}, {}}, {{Scalar::i64, elements}});
    made.indices = {slices.apply(Op::sub, {next, one}, Scalar::i64)};
    if (scatter.drops || slices.mask()) made.drops = 0;
    for (auto* ids : {&made.captures.scalars, &made.captures.arrays})
        for (ValueId& id : *ids) id = slices.rename(id);
    std::vector<Type> memory_types;
    for (ValueId dest : made.dests) memory_types.push_back(slices.type(dest));
    const ValueId first = slices.emit(std::move(made), std::move(memory_types));
    for (std::size_t k = 0; k < types.size(); ++k) {
        const ValueId id(first.index + k);
        if (flats.is_flat(scatter.dests[k])) {
            flats.define_memory(types[k], id);
        } else {
            const std::vector<Type> whole = slices.lifted({types[k]}, {true});
            slices.define_batched(slices.emit(View{id, Reshape{}, {}}, whole), 1);
        }
    }
}

}  // namespace sinter::enable
