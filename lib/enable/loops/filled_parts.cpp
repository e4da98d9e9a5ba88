// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that fill a part of an array, and what they read of it. A plane that an earlier step has written is a state of the
// recurrence; one that a later step will write still is what it was before the loop.
#include "enable/loops/loop_as_recurrence.hpp"
#include "enable/loops/recurrence_function.hpp"
#include "enable/tuning.hpp"
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
    const LinearForm steps = forms_.of(array[axis_]);
    if (forms_.of(*loop_.count) != steps) return false;
    std::size_t lane = 0;
    for (std::size_t k = 0; k < array.size(); ++k)
        if (k != axis_ && (filled.window[k].start != LinearForm{} || array[k] != lane_shape_[lane++])) return false;
    const Term step{Term::Kind::variable, index().index};
    const auto last = combine(combine(steps, -1, LinearForm{{}, 1}), -1, LinearForm{{{step, 1}}, 0});
    return reverse_ ? last && filled.window[axis_].start == *last : filled.window[axis_].start == LinearForm{{{step, 1}}, 0};
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

/// The array that is being filled, before or after this step's update.
std::optional<std::size_t> LoopAsRecurrence::filled_by(ValueId id) const {
    for (std::size_t f = 0; f < filled_.size(); ++f)
        if (id == state(filled_[f].state) || id == body_.results[filled_[f].state]) return f;
    return std::nullopt;
}

/// True if the body reads what is being filled, apart from the updates themselves, only at planes that an earlier step has
/// written, or none.
bool LoopAsRecurrence::reads_are_known() {
    for (std::size_t k = 0; k < body_.results.size(); ++k) {
        const auto filled = filled_by(body_.results[k]);
        if (filled && (filled_[*filled].state != k || body_.results[k] == state(k))) return false;
    }
    std::size_t level = outside_ + body_.params.size();
    for (const Binding& binding : body_.bindings) {
        for (ValueId id : operands(binding.op)) {
            const bool is_known = filled_by(id) || earlier_.contains(id) || initial_.contains(id);
            if (is_known && !is_read(binding, level, id)) return false;
        }
        level += binding.types.size();
    }
    return true;
}

bool LoopAsRecurrence::is_read(const Binding& binding, std::size_t level, ValueId id) {
    const auto* view = std::get_if<View>(&binding.op);
    const auto filled = filled_by(id);
    if (!filled) {  // of what has been read, planes may lose axes of one index
        if (initial_.contains(id) || view == nullptr || !std::holds_alternative<Reshape>(view->function)) return true;
        if (forms_.source(*view, type(id).shape, binding.types[0].shape)) earlier_[ValueId(level)] = earlier_.at(id);
        return true;
    }
    const ValueId own = state(filled_[*filled].state), updated = body_.results[filled_[*filled].state];
    if (id == own && level == updated.index) {
        const std::vector<ValueId> all = operands(binding.op);
        return std::count(all.begin(), all.end(), own) == 1;
    }
    auto at = place(binding, id);
    return at && is_read(level, *filled, id == updated, std::move(*at));
}

/// The elements of `id` that the binding makes its result of.
std::optional<AffinePoint> LoopAsRecurrence::place(const Binding& binding, ValueId id) {
    std::vector<MaybeForm> forms;
    if (const auto* view = std::get_if<View>(&binding.op)) {
        auto source = forms_.source(*view, type(id).shape, binding.types[0].shape);
        if (!source) return std::nullopt;
        forms = std::move(*source);
    } else if (const auto* gather = std::get_if<Gather>(&binding.op)) {
        if (gather->sources.size() != 1 || gather->sources[0] != id) return std::nullopt;
        for (ValueId each : gather->indices)
            forms.push_back(type(each).rank() == 0 ? MaybeForm(forms_.of(each)) : forms_.elements(each));
    }
    AffinePoint point;
    for (MaybeForm& form : forms) {
        auto index = form ? affine_index(std::move(*form)) : std::nullopt;
        if (!index) return std::nullopt;
        point.push_back(std::move(*index));
    }
    return point.empty() ? std::nullopt : std::optional(std::move(point));
}

bool LoopAsRecurrence::is_read(std::size_t level, std::size_t filled, bool updated, AffinePoint at) {
    const ValueId id(level);
    const Shape& points = type(id).shape;
    AffineIndex& step = at[axis_];
    if (step.axis && sizes_.is_constant(points[*step.axis], 1)) step.axis.reset(), step.step = 0;
    const LinearForm& own = filled_[filled].window[axis_].start;
    const MaybeForm back = reverse_ ? combine(step.start, -1, own) : combine(own, -1, step.start);
    if (step.axis || !back || !back->is_constant()) return false;
    const std::int64_t distance = back->constant;
    if (distance < (updated ? 0 : 1)) return initial_.insert(id), true;
    if (distance > tuning::most_steps_back || !is_same_lane(at, filled_[filled].window, points)) return false;
    if (std::holds_alternative<Gather>(maker(id)->op)) {  // it fails where the first steps read outside of the array
        const Shape& array = type(state(filled_[filled].state)).shape;
        MaybeForm first = own;
        first->factors.erase({Term::Kind::variable, index().index});
        const MaybeForm room = reverse_ ? combine(forms_.of(array[axis_]), -1, combine(first, 1, LinearForm{{}, 1})) : first;
        if (!room || !room->is_constant() || room->constant < distance) return false;
    }
    earlier_[id] = {filled, distance};
    filled_[filled].depth = std::max(filled_[filled].depth, distance);
    return true;
}

bool LoopAsRecurrence::is_same_lane(const AffinePoint& at, const AffinePoint& window, const Shape& points) const {
    std::size_t lane = 0;
    std::optional<std::size_t> previous;
    for (std::size_t k = 0; k < at.size(); ++k) {
        if (k == axis_) continue;
        const SizeId extent = lane_shape_[lane++];
        const AffineIndex& index = at[k];
        if (index.start != window[k].start) return false;
        if (!index.axis && sizes_.is_constant(extent, 1)) continue;
        if (!index.axis || index.step != 1 || points[*index.axis] != extent) return false;
        if (previous && *index.axis <= *previous) return false;  // transposed
        previous = index.axis;
    }
    return true;
}

/// The plane that a step would find so many steps before the first one. It need not exist if there are no steps.
Recurrence::Start LoopAsRecurrence::start(const Filled& filled, std::int64_t distance) {
    Slice slice;
    Shape shape = lane_shape_;
    for (std::size_t k = 0; k < filled.window.size(); ++k) {
        LinearForm start = filled.window[k].start;
        start.factors.erase({Term::Kind::variable, index().index});
        if (k == axis_) start.constant += reverse_ ? distance : -distance;
        slice.start.push_back(size_of(start));
        slice.step.push_back(1);
    }
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis_), sizes_.constant(1));
    return {type(filled.plane).scalar, View{loop_.inits[filled.state], std::move(slice)}, std::move(shape), lane_shape_};
}

bool LoopAsRecurrence::add_part(Recurrence& to, const Filled& filled) {
    auto indices = Function(*this).of_window(filled.window);
    if (indices)
        to.parts.push_back({loop_.inits[filled.state], std::move(*indices), space(), body_.params[1 + filled.state]});
    return indices.has_value();
}

}  // namespace sinter::enable
