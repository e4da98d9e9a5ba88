// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that fill a part of an array, and the planes with which the states of the recurrence begin.
#include "enable/loops/loop_as_recurrence.hpp"
#include "enable/loops/recurrence_function.hpp"
#include "ir/sizes/size_parts.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

/// True if the form has the same value in all steps.
bool LoopAsRecurrence::is_outside(const LinearForm& form) const {
    return std::all_of(form.factors.begin(), form.factors.end(), [&](const auto& part) {
        const Term& term = part.first;
        if (term.kind == Term::Kind::variable) return term.index < outside_;
        bool outside = term.kind == Term::Kind::size;
        if (outside) for_each_value(sizes_, SizeId(term.index), [&](ValueId id) { outside = outside && !is_local(id); });
        return outside;
    });
}

/// True if the steps fill all of the array.
bool LoopAsRecurrence::is_whole(const Filled& filled) {
    const Shape& array = body_.params[1 + filled.state].shape;
    const LinearForm steps = forms_.of(array[step_axis_]);
    if (forms_.of(*loop_.count) != steps) return false;
    std::size_t lane = 0;
    if (array.size() != lane_shape_.size() + 1) return false;
    for (std::size_t k = 0; k < array.size(); ++k)
        if (k != step_axis_ && (filled.window[k].start != LinearForm{} || array[k] != lane_shape_[lane++])) return false;
    const Term step{Term::Kind::variable, index().index};
    const auto last = combine(combine(steps, -1, LinearForm{{}, 1}), -1, LinearForm{{{step, 1}}, 0});
    return reverse_ ? last && filled.window[step_axis_].start == *last
                    : filled.window[step_axis_].start == LinearForm{{{step, 1}}, 0};
}

/// An extent of an array that there is around the loop, for then it is not negative; else one that cannot be.
SizeId LoopAsRecurrence::steps_of_part() {
    const LinearForm count = forms_.of(*loop_.count);
    for (std::size_t level = outside_; level-- > 0;)
        for (SizeId extent : types_[level].shape)
            if (forms_.of(extent) == count) return extent;
    return sizes_.maximum(sizes_.constant(0), size_of(count));
}

SizeId LoopAsRecurrence::size_of(const LinearForm& form) {
    SizeId sum = sizes_.constant(form.constant);
    for (const auto& [term, factor] : form.factors) {
        const SizeId one = term.kind == Term::Kind::size ? SizeId(term.index) : sizes_.value(ValueId(term.index));
        sum = sizes_.add(sum, factor == 1 ? one : sizes_.mul(sizes_.constant(factor), one));
    }
    return sum;
}

/// The planes of an array before the loop at this index, which need not exist if there are no steps.
Recurrence::Start LoopAsRecurrence::start(const Filled& filled, const LinearForm& plane) {
    Slice slice;
    Shape shape;
    std::size_t lane = 0;
    for (std::size_t k = 0; k < filled.window.size(); ++k) {
        slice.start.push_back(size_of(k == step_axis_ ? plane : filled.window[k].start));
        slice.step.push_back(1);
        shape.push_back(k == step_axis_ || is_fixed(filled.window[k]) ? sizes_.constant(1) : lane_shape_[lane++]);
    }
    return {type(filled.plane).scalar, View{loop_.inits[filled.state], std::move(slice)}, std::move(shape), lane_shape_};
}

/// The plane that a step would find so many steps before the first one.
Recurrence::Start LoopAsRecurrence::start(const Filled& filled, std::int64_t distance) {
    LinearForm plane = filled.window[step_axis_].start;
    plane.factors.erase({Term::Kind::variable, index().index});
    plane.constant += reverse_ ? distance : -distance;
    return start(filled, plane);
}

bool LoopAsRecurrence::add_part(Recurrence& to, const Filled& filled) {
    auto indices = Function(*this).of_window(filled.window);
    if (indices)
        to.parts.push_back({loop_.inits[filled.state], std::move(*indices), space(), body_.params[1 + filled.state],
                            maker(body_.results[filled.state])->site});
    return indices.has_value();
}

}  // namespace sinter::enable
