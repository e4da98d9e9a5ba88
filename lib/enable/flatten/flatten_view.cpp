// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views are functions of indices: an element of a view is read where the argument has it.
#include "enable/flatten/flatten_rules.hpp"
#include "support/match.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

namespace {

class ViewElement {
  public:
    ViewElement(Flats& flats, const View& view, const Type& type, ElementWriter& to, Local slice, const Locals& index)
        : flats_(flats), view_(view), type_(type), to_(to), slice_(slice), index_(index) {}

    Local run() {
        return match(
            view_.function,
            [&](const Transpose& f) {
                Locals at(index_.size());
                for (std::size_t k = 0; k < at.size(); ++k) at[f.axes[k]] = index_[k];
                return element(at);
            },
            [&](const Slice& f) { return of_slice(f); },
            [&](const Broadcast& f) {
                Locals at;
                for (std::size_t axis : f.axes) at.push_back(index_[axis]);
                return element(at);
            },
            [&](const Reshape&) { return reshaped(); },
            [&](const Shift& f) {
                Locals at;
                for (std::size_t k = 0; k < index_.size(); ++k)
                    at.push_back(continued(f.boundary, to_.apply(Op::add, {index_[k], to_.index(f.offset[k])}), extent(k)));
                return element(at);
            });
    }

  private:
    Local element(const Locals& at) { return flats_.element(to_, view_.arg, slice_, at); }
    Local extent(std::size_t axis) { return flats_.extent(to_, view_.arg, axis, slice_); }

    Local clamped(Local index, Local extent) {
        const Local last = to_.apply(Op::sub, {extent, to_.index(1)});
        return to_.apply(Op::maximum, {to_.apply(Op::minimum, {index, last}), to_.index(0)});
    }

    Local continued(Boundary boundary, Local index, Local extent) {
        switch (boundary) {
            case Boundary::clamp:
                return clamped(index, extent);
            case Boundary::wrap:
                return to_.apply(Op::wrap, {index, extent});
            case Boundary::symmetric:
                return to_.apply(Op::symmetric, {index, extent});
            case Boundary::reflect:
                break;
        }
        return to_.apply(Op::reflect, {index, extent});
    }

    /// A guard reports a slice that leaves the array, and what is read there does not matter.
    Local of_slice(const Slice& slice) {
        Locals at;
        Local inside;
        for (std::size_t k = 0; k < index_.size(); ++k) {
            Local index = slice.step[k] == 1 ? index_[k] : to_.apply(Op::mul, {index_[k], to_.index(slice.step[k])});
            index = to_.apply(Op::add, {index, flats_.size(to_, slice.start[k], slice_)});
            at.push_back(view_.fill ? index : clamped(index, extent(k)));
            if (!view_.fill) continue;
            const Local here = to_.apply(Op::inside, {index, extent(k)});
            inside = k == 0 ? here : to_.apply(Op::bit_and, {inside, here});
        }
        if (!view_.fill) return element(at);
        return to_.cond(
            inside, [&] { return Locals{element(at)}; },
            [&] { return Locals{flats_.element(to_, *view_.fill, slice_, {})}; })[0];
    }

    Local reshaped() {
        const Local position = raveled(to_, index_, flats_.sizes(to_, type_.shape, slice_));
        return element(unraveled(to_, position, flats_.extents(to_, view_.arg, slice_)));
    }

    Flats& flats_;
    const View& view_;
    const Type& type_;
    ElementWriter& to_;
    Local slice_;
    const Locals& index_;
};

}  // namespace

void flatten_view(Flats& flats, const View& view, const Types& types) {
    const Element element = [&flats, &view, type = types[0]](ElementWriter& to, Local slice, const Locals& index) {
        return Locals{ViewElement(flats, view, type, to, slice, index).run()};
    };
    flats.define(types, element, flats.cost(view.arg) + 1);
}

}  // namespace sinter::enable
