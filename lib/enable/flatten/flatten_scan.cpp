// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans and recurrences of segments: of all elements, line after line, beginning anew with each line (Blelloch 1990, section
// 1.5).
#include "enable/flatten/flatten_rules.hpp"
#include "enable/flatten/restarting.hpp"
#include "enable/tuning.hpp"

namespace sinter::enable {

using namespace ir;

namespace {

class FlatScan {
  public:
    FlatScan(Flats& flats, const Scan& scan)
        : flats_(flats), scan_(scan), op_(flats, scan.op, scan.captures, scan.states()) {}

    void run(const Types& types) {
        const std::size_t states = scan_.states();
        const ValueId arg = scan_.args[0];
        const ValueId first = scan_.sequential ? states_of_recurrence() : prefixes();
        const std::vector<Type> prefix_types(types.begin(), types.begin() + static_cast<std::ptrdiff_t>(states));
        if (!scan_.exclusive && scan_.axis + 1 == types[0].rank()) {
            for (std::size_t k = 0; k < states; ++k) flats_.define_memory(types[k], ValueId(first.index + k));
        } else {
            const Element prefix = scan_.exclusive ? before(first, arg) : up_to(first, arg);
            flats_.define(prefix_types, prefix, tuning::cost_of_read + 2);
        }
        if (scan_.totals)
            flats_.define({types.begin() + static_cast<std::ptrdiff_t>(states), types.end()}, totals(first, arg), 4);
    }

  private:
    /// The inclusive scan of all elements; returns its first result without the flag.
    ValueId prefixes() {
        std::vector<Scalar> scalars{Scalar::boolean};
        for (std::size_t k = 0; k < scan_.states(); ++k) scalars.push_back(scan_.op.body.params[k]);
        scalars.insert(scalars.end(), op_.types().begin(), op_.types().end());
        const ValueId elements = flats_.map_lines(scan_.args[0], {scan_.axis}, scalars, seeded());
        return restarting_scan(flats_.slices(), op_, scan_.reverse, elements);
    }

    /// The states of one recurrence through all elements, which takes the initial states where a line begins; returns the
    /// first.
    ValueId states_of_recurrence() {
        Slices& slices = flats_.slices();
        const std::vector<Scalar>& params = scan_.op.body.params;
        std::vector<Scalar> scalars{Scalar::boolean};
        for (ValueId arg : scan_.args) scalars.push_back(flats_.scalar(arg));
        scalars.insert(scalars.end(), op_.types().begin(), op_.types().end());
        scalars.insert(scalars.end(), params.begin(), params.begin() + static_cast<std::ptrdiff_t>(scan_.states()));
        const auto all = [this](ElementWriter& to, Local slice, const Locals& index) {
            Locals made{begins(to, slice, index)};
            for (ValueId arg : scan_.args) made.push_back(flats_.element(to, arg, slice, index));
            const Locals carried = op_.values(to, slice, without_axis(index));
            made.insert(made.end(), carried.begin(), carried.end());
            const Locals first = inits(to, slice, without_axis(index));
            made.insert(made.end(), first.begin(), first.end());
            return made;
        };
        const ValueId elements = flats_.map_lines(scan_.args[0], {scan_.axis}, scalars, all);
        ElementWriter::Written next = op_.next();
        const std::size_t given = scan_.args.size() + op_.types().size();
        Scan made{beginning_anew(next.fn, scan_.states(), given), {}, {}, std::move(next.captures)};
        made.sequential = true, made.reverse = scan_.reverse;
        std::vector<Type> types;
        for (std::size_t k = 0; k < scalars.size(); ++k) made.args.emplace_back(elements.index + k);
        for (std::size_t k = 0; k < scan_.states(); ++k) {
            made.inits.push_back(slices.constant(params[k], 0));
            types.push_back({params[k], slices.type(elements).shape});
        }
        return slices.emit(std::move(made), std::move(types));
    }

    Locals without_axis(Locals index) const {
        index.erase(index.begin() + static_cast<std::ptrdiff_t>(scan_.axis));
        return index;
    }
    Locals with_axis(Locals outer, Local at) const {
        outer.insert(outer.begin() + static_cast<std::ptrdiff_t>(scan_.axis), at);
        return outer;
    }

    Local begins(ElementWriter& to, Local slice, const Locals& index) {
        Local first = to.index(0);
        if (scan_.reverse) first = to.apply(Op::sub, {flats_.extent(to, scan_.args[0], scan_.axis, slice), to.index(1)});
        return to.apply(Op::equal, {index[scan_.axis], first});
    }

    Locals inits(ElementWriter& to, Local slice, const Locals& outer) {
        Locals made;
        for (ValueId id : scan_.inits)
            made.push_back(flats_.element(to, id, slice, flats_.rank(id) == 0 ? Locals() : outer));
        return made;
    }

    /// Whether a line begins, the elements, the first of each line combined with the initial value, and what they carry.
    Element seeded() {
        return [this](ElementWriter& to, Local slice, const Locals& index) {
            const Local starts = begins(to, slice, index);
            Locals elements;
            for (ValueId arg : scan_.args) elements.push_back(flats_.element(to, arg, slice, index));
            if (!scan_.inits.empty()) {
                const Locals first = inits(to, slice, without_axis(index));
                elements =
                    to.cond(starts, [&] { return combined(to, slice, index, first, elements); }, [&] { return elements; });
            }
            elements.insert(elements.begin(), starts);
            const Locals carried = op_.values(to, slice, without_axis(index));
            elements.insert(elements.end(), carried.begin(), carried.end());
            return elements;
        };
    }

    Locals combined(ElementWriter& to, Local slice, const Locals& index, Locals first, Locals then) {
        if (scan_.reverse) std::swap(first, then);
        first.insert(first.end(), then.begin(), then.end());
        return call(flats_, to, scan_.op, scan_.captures, std::move(first), slice, without_axis(index));
    }

    /// The prefixes at an index.
    Locals read(ElementWriter& to, ValueId first, ValueId arg, Local slice, const Locals& index) {
        const Local position = flats_.line_position(to, arg, {scan_.axis}, slice, index);
        Locals made;
        for (std::size_t k = 0; k < scan_.states(); ++k) made.push_back(to.read(ValueId(first.index + k), {position}));
        return made;
    }

    // Functions of elements, which live longer than this object.

    Element up_to(ValueId first, ValueId arg) {
        return [self = *this, first, arg](ElementWriter& to, Local slice, const Locals& index) mutable {
            return self.read(to, first, arg, slice, index);
        };
    }

    Element before(ValueId first, ValueId arg) {
        return [self = *this, first, arg](ElementWriter& to, Local slice, const Locals& index) mutable {
            return to.cond(
                self.begins(to, slice, index), [&] { return self.inits(to, slice, self.without_axis(index)); },
                [&] {
                    Locals at = index;
                    Local& along = at[self.scan_.axis];
                    along = to.apply(self.scan_.reverse ? Op::add : Op::sub, {along, to.index(1)});
                    return self.read(to, first, arg, slice, at);
                });
        };
    }

    Element totals(ValueId first, ValueId arg) {
        return [self = *this, first, arg](ElementWriter& to, Local slice, const Locals& outer) mutable {
            const Local extent = self.flats_.extent(to, arg, self.scan_.axis, slice);
            return to.cond(
                to.apply(Op::greater, {extent, to.index(0)}),
                [&] {
                    const Local last = self.scan_.reverse ? to.index(0) : to.apply(Op::sub, {extent, to.index(1)});
                    return self.read(to, first, arg, slice, self.with_axis(outer, last));
                },
                [&] { return self.inits(to, slice, outer); });
        };
    }

    Flats& flats_;
    const Scan& scan_;
    Carrying op_;
};

}  // namespace

void flatten_scan(Flats& flats, const Scan& scan, const Types& types) { FlatScan(flats, scan).run(types); }

}  // namespace sinter::enable
