// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What loops read of an array that they are filling. A plane that an earlier step has written is a state of the recurrence,
// and so is one at a fixed index, which changes when the loop passes it; a plane that a later step will write, or none,
// still is what it was before the loop. An index such as max(j - 1, 0) is one of two such planes.
#include "enable/loops/loop_as_recurrence.hpp"
#include "enable/tuning.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

/// The array that is being filled, before or after this step's update.
std::optional<std::size_t> LoopAsRecurrence::filled_by(ValueId id) const {
    for (std::size_t f = 0; f < filled_.size(); ++f)
        if (id == state(filled_[f].state) || id == body_.results[filled_[f].state]) return f;
    return std::nullopt;
}

/// True if the body reads what is being filled, apart from the updates themselves, only at planes that are known.
bool LoopAsRecurrence::reads_are_known() {
    for (std::size_t k = 0; k < body_.results.size(); ++k) {
        const auto filled = filled_by(body_.results[k]);
        if (filled && (filled_[*filled].state != k || body_.results[k] == state(k))) return false;
    }
    std::size_t level = outside_ + body_.params.size();
    for (const Binding& binding : body_.bindings) {
        for (ValueId id : operands(binding.op)) {
            const bool is_known = filled_by(id) || read_.contains(id) || initial_.contains(id);
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
        if (forms_.source(*view, type(id).shape, binding.types[0].shape)) read_[ValueId(level)] = read_.at(id);
        return true;
    }
    const ValueId own = state(filled_[*filled].state), updated = body_.results[filled_[*filled].state];
    if (id == own && level == updated.index) {
        const std::vector<ValueId> all = operands(binding.op);
        return std::count(all.begin(), all.end(), own) == 1;
    }
    if (const auto* map = std::get_if<Map>(&binding.op)) {
        if (!reads_initial(*map, *filled, id)) return false;
        for (std::size_t k = 0; k < binding.types.size(); ++k) reads_initial_.insert(ValueId(level + k));
        return true;
    }
    auto at = place(binding, id);
    return at && is_read(level, *filled, id == updated, std::move(*at));
}

/// True if the map's function reads the array at indices only that no step before this one has written.
bool LoopAsRecurrence::reads_initial(const Map& map, std::size_t filled, ValueId id) {
    if (std::find(map.args.begin(), map.args.end(), id) != map.args.end()) return false;
    const auto points = forms_.reads(map, id);
    const bool updated = id == body_.results[filled_[filled].state];
    return points && std::all_of(points->begin(), points->end(), [&](const AffinePoint& point) {
               const AffineIndex& step = point[step_axis_];
               return !step.axis && is_initial(filled, updated, step.start);
           });
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
    AffineIndex& step = at[step_axis_];
    if (step.axis && sizes_.is_constant(points[*step.axis], 1)) step.axis.reset(), step.step = 0;
    if (step.axis) return false;
    const auto sides = sides_of(step.start);
    if (sides ? is_initial(filled, updated, sides->moving) && is_initial(filled, updated, sides->fixed)
              : is_initial(filled, updated, step.start))
        return initial_.insert(id), true;
    if (!is_same_lane(at, filled_[filled].window, points)) return false;
    const auto plane = earlier(filled, updated, sides ? sides->moving : step.start);
    if (!plane) return false;
    Read read{*plane};
    if (sides) {
        const auto other = earlier(filled, updated, sides->fixed);
        if (!other) return false;
        read.otherwise = other, read.condition = condition(sides->op, sides->moving, sides->fixed);
    }
    const bool may_fail = std::holds_alternative<Gather>(maker(id)->op);  // where it reads outside of the array
    if (may_fail && (sides || plane->fixed || !has_room(filled, plane->distance))) return false;
    read_[id] = read;
    return true;
}

/// An index that is limited by a fixed one.
std::optional<LoopAsRecurrence::Sides> LoopAsRecurrence::sides_of(const LinearForm& form) {
    if (form.factors.size() != 1) return std::nullopt;
    const auto [term, factor] = *form.factors.begin();
    if (term.kind != Term::Kind::size || factor != 1) return std::nullopt;
    const Size size = sizes_[SizeId(term.index)];
    const bool is_least = size.kind == Size::Kind::maximum;
    if (!is_least && size.kind != Size::Kind::minimum) return std::nullopt;
    const LinearForm constant{{}, form.constant};
    const MaybeForm left = combine(forms_.of(size.left), 1, constant), right = combine(forms_.of(size.right), 1, constant);
    if (!left || !right || is_outside(*left) == is_outside(*right)) return std::nullopt;
    const bool left_moves = !is_outside(*left);
    return Sides{is_least ? Op::greater_equal : Op::less_equal, left_moves ? *left : *right, left_moves ? *right : *left};
}

/// How many steps before this one the plane is written, if that is the same in all steps.
std::optional<std::int64_t> LoopAsRecurrence::distance(std::size_t filled, const LinearForm& plane) const {
    const LinearForm& own = filled_[filled].window[step_axis_].start;
    const MaybeForm back = reverse_ ? combine(plane, -1, own) : combine(own, -1, plane);
    return back && back->is_constant() ? std::optional(back->constant) : std::nullopt;
}

/// True if no step before this one has written the plane: it is ahead in all steps, before the first, or the last one or
/// beyond.
bool LoopAsRecurrence::is_initial(std::size_t filled, bool updated, const LinearForm& plane) {
    const std::int64_t least = updated ? 1 : 0;
    if (const auto back = distance(filled, plane)) return *back + least < 1;
    if (!is_outside(plane)) return false;
    LinearForm first = filled_[filled].window[step_axis_].start;
    first.factors.erase({Term::Kind::variable, index().index});
    const MaybeForm ahead = reverse_ ? combine(first, -1, plane) : combine(plane, -1, first);  // the step that writes it
    const MaybeForm beyond = combine(ahead, -1, combine(forms_.of(*loop_.count), -1, LinearForm{{}, 1}));
    return (ahead && ahead->is_constant() && ahead->constant < 0) ||
           (beyond && beyond->is_constant() && beyond->constant >= least);
}

/// The state that holds the plane.
std::optional<LoopAsRecurrence::Earlier> LoopAsRecurrence::earlier(std::size_t filled, bool updated,
                                                                   const LinearForm& plane) {
    Filled& array = filled_[filled];
    if (const auto back = distance(filled, plane)) {
        if (*back < (updated ? 0 : 1) || *back > tuning::most_steps_back) return std::nullopt;
        array.depth = std::max(array.depth, *back);
        return Earlier{filled, *back};
    }
    if (updated || !is_outside(plane)) return std::nullopt;
    const std::size_t own = condition(Op::equal, array.window[step_axis_].start, plane);
    const auto found = std::find_if(fixed_.begin(), fixed_.end(),
                                    [&](const Fixed& each) { return each.filled == filled && each.plane == plane; });
    const auto place = static_cast<std::size_t>(found - fixed_.begin());
    if (found == fixed_.end()) fixed_.push_back({filled, plane, own});
    array.depth = std::max(array.depth, std::int64_t{1});
    return Earlier{filled, 0, place + 1};
}

std::size_t LoopAsRecurrence::condition(Op op, const LinearForm& left, const LinearForm& right) {
    const Condition wanted{op, left, right};
    const auto found = std::find(conditions_.begin(), conditions_.end(), wanted);
    const auto place = static_cast<std::size_t>(found - conditions_.begin());
    if (found == conditions_.end()) conditions_.push_back(wanted);
    return place;
}

/// True if the array has planes so many steps before the first one.
bool LoopAsRecurrence::has_room(std::size_t filled, std::int64_t distance) {
    const Shape& array = type(state(filled_[filled].state)).shape;
    MaybeForm first = filled_[filled].window[step_axis_].start;
    first->factors.erase({Term::Kind::variable, index().index});
    const MaybeForm room =
        reverse_ ? combine(forms_.of(array[step_axis_]), -1, combine(first, 1, LinearForm{{}, 1})) : first;
    return room && room->is_constant() && room->constant >= distance;
}

bool LoopAsRecurrence::is_same_lane(const AffinePoint& at, const AffinePoint& window, const Shape& points) const {
    std::size_t lane = 0;
    std::optional<std::size_t> previous;
    for (std::size_t k = 0; k < at.size(); ++k) {
        if (k == step_axis_) continue;
        const AffineIndex& index = at[k];
        if (index.start != window[k].start) return false;
        if (is_fixed(window[k]) && (!index.axis || sizes_.is_constant(points[*index.axis], 1))) continue;
        if (is_fixed(window[k])) return false;
        const SizeId extent = lane_shape_[lane++];
        if (!index.axis && sizes_.is_constant(extent, 1)) continue;
        if (!index.axis || index.step != 1 || points[*index.axis] != extent) return false;
        if (previous && *index.axis <= *previous) return false;  // transposed
        previous = index.axis;
    }
    return true;
}

}  // namespace sinter::enable
