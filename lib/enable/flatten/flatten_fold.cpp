// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/flatten/flatten_rules.hpp"
#include "enable/flatten/folding.hpp"
#include "enable/flatten/pieces.hpp"
#include "enable/flatten/restarting.hpp"
#include "enable/tuning.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

namespace {

/// The loops of a fold, from the outermost axis to the innermost, and the one over its pieces.
class FoldLoops {
  public:
    FoldLoops(Flats& flats, const Folding& fold, const std::optional<Pieces>& pieces, ElementWriter& to, Local slice,
              const Locals& outer)
        : flats_(flats), fold_(fold), pieces_(pieces), to_(to), slice_(slice), outer_(outer), index_(flats.rank(fold.arg)) {
        std::size_t next = 0;
        for (std::size_t axis = 0; axis < index_.size(); ++axis)
            if (!std::binary_search(fold.axes.begin(), fold.axes.end(), axis)) index_[axis] = outer[next++];
    }

    Locals run() {
        Locals states = fold_.inits(to_, slice_, outer_);
        if (!pieces_) return along(0, std::move(states));
        const Local length = checked_extent(flats_, to_, fold_.arg, fold_.axes[0], slice_);
        const Local count = Pieces::count(to_, length);
        states = loop(0, Pieces::remainder(to_, length), std::move(states));
        return to_.for_loop(count, states, [&](Local number, Locals inner) {
            return combined(std::move(inner), pieces_->read(to_, slice_, number, outer_));
        });
    }

  private:
    Locals along(std::size_t k, Locals states) {
        if (k == fold_.axes.size()) return combined(std::move(states), fold_.elements(to_, slice_, index_));
        return loop(k, checked_extent(flats_, to_, fold_.arg, fold_.axes[k], slice_), std::move(states));
    }

    Locals loop(std::size_t k, Local count, const Locals& states) {
        return to_.for_loop(count, states, [&](Local i, Locals inner) {
            index_[fold_.axes[k]] = i;
            return along(k + 1, std::move(inner));
        });
    }

    Locals combined(Locals states, const Locals& elements) {
        states.insert(states.end(), elements.begin(), elements.end());
        return call(flats_, to_, fold_.op, fold_.captures, std::move(states), slice_, outer_);
    }

    Flats& flats_;
    const Folding& fold_;
    const std::optional<Pieces>& pieces_;
    ElementWriter& to_;
    Local slice_;
    const Locals& outer_;
    Locals index_;
};

/// The fold of each line is the last prefix of a scan of all elements.
class FoldByScan {
  public:
    FoldByScan(Flats& flats, Folding folding) : flats_(&flats), fold_(std::move(folding)) {
        std::vector<Scalar> scalars = result_types(fold_.op);
        const std::size_t states = scalars.size();
        const Carrying op(flats, fold_.op, fold_.captures, states);
        scalars.insert(scalars.begin(), Scalar::boolean);
        scalars.insert(scalars.end(), op.types().begin(), op.types().end());
        const ValueId elements = flats.map_lines(fold_.arg, fold_.axes, scalars, flagged(op));
        const ValueId first = restarting_scan(flats.slices(), op, false, elements);
        for (std::size_t k = 0; k < states; ++k) prefixes_.emplace_back(first.index + k);
        starts_ = flats.segments_of(fold_.arg).starts;
    }

    Locals element(ElementWriter& to, Local slice, const Locals& outer) const {
        const Locals inits = fold_.inits(to, slice, outer);
        Locals lines, line;
        for (std::size_t axis = 0; axis < flats_->rank(fold_.arg); ++axis)
            (folds(axis) ? line : lines).push_back(checked_extent(*flats_, to, fold_.arg, axis, slice));
        const Local length = product(to, line);
        const Local some = to.apply(Op::greater, {length, to.index(0)});
        const auto combined = [&] {
            const Local next = to.apply(Op::add, {raveled(to, outer, lines), to.index(1)});
            const Local end = to.apply(Op::add, {to.read(starts_, {slice}), to.apply(Op::mul, {next, length})});
            Locals states = inits;
            for (ValueId prefixes : prefixes_) states.push_back(to.read(prefixes, {to.apply(Op::sub, {end, to.index(1)})}));
            return call(*flats_, to, fold_.op, fold_.captures, std::move(states), slice, outer);
        };
        return to.cond(some, combined, [&] { return inits; });
    }

  private:
    bool folds(std::size_t axis) const { return std::binary_search(fold_.axes.begin(), fold_.axes.end(), axis); }

    /// Whether a line begins, the elements, and what they carry.
    Element flagged(const Carrying& op) const {
        return [this, &op](ElementWriter& to, Local slice, const Locals& index) {
            Local begins = to.builder().constant(Scalar::boolean, 1);
            for (std::size_t axis : fold_.axes)
                begins = to.apply(Op::bit_and, {begins, to.apply(Op::equal, {index[axis], to.index(0)})});
            Locals made = fold_.elements(to, slice, index), outer;
            made.insert(made.begin(), begins);
            for (std::size_t axis = 0; axis < index.size(); ++axis)
                if (!folds(axis)) outer.push_back(index[axis]);
            const Locals carried = op.values(to, slice, outer);
            made.insert(made.end(), carried.begin(), carried.end());
            return made;
        };
    }

    Flats* flats_;
    Folding fold_;
    ValueId starts_;
    std::vector<ValueId> prefixes_;
};

}  // namespace

Element folded(Flats& flats, Folding folding) {
    if (flats.folds() == Folds::scans) {
        const FoldByScan scan(flats, std::move(folding));
        return [scan](ElementWriter& to, Local slice, const Locals& outer) { return scan.element(to, slice, outer); };
    }
    std::optional<Pieces> pieces;
    if (Pieces::divides(flats, folding)) pieces.emplace(flats, folding);
    return [&flats, fold = std::move(folding), pieces](ElementWriter& to, Local slice, const Locals& outer) {
        return FoldLoops(flats, fold, pieces, to, slice, outer).run();
    };
}

void flatten_fold(Flats& flats, const Fold& fold, const Types& types) {
    const Element elements = [&flats, &fold](ElementWriter& to, Local slice, const Locals& index) {
        Locals made;
        for (ValueId arg : fold.args) made.push_back(flats.element(to, arg, slice, index));
        return made;
    };
    const Element inits = [&flats, &fold](ElementWriter& to, Local slice, const Locals& outer) {
        Locals made;
        for (ValueId init : fold.inits)
            made.push_back(flats.element(to, init, slice, flats.rank(init) == 0 ? Locals() : outer));
        return made;
    };
    std::size_t cost = count_instructions(fold.op.body) + tuning::cost_of_read;
    if (flats.folds() != Folds::scans) cost = cost_of(flats, fold.op, fold.args, fold.captures) + tuning::cost_of_loop;
    flats.define(types, folded(flats, {fold.op, fold.captures, fold.args[0], fold.axes, elements, inits, fold.commutative}),
                 cost);
}

}  // namespace sinter::enable
