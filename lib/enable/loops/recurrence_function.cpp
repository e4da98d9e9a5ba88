// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/loops/recurrence_function.hpp"

#include "opt/cost.hpp"
#include "opt/trim.hpp"

#include <algorithm>
#include <cstdlib>

namespace sinter::enable {

using namespace ir;

namespace {

/// The position of an id in a list, to which it is added if it is new.
std::size_t place_in(std::vector<ValueId>& ids, ValueId id) {
    const auto found = std::find(ids.begin(), ids.end(), id);
    if (found != ids.end()) return static_cast<std::size_t>(found - ids.begin());
    ids.push_back(id);
    return ids.size() - 1;
}

constexpr std::size_t lane_indices = std::size_t{1} << 30, condition_names = std::size_t{1} << 29;

/// The name of the index along the axis that is being filled: of the step, if it is filled from its beginning.
constexpr ValueId own_index(lane_indices - 1);

}  // namespace

ValueId lane_index(std::size_t axis) { return ValueId(lane_indices + axis); }
bool is_lane_index(ValueId id) { return id.index >= lane_indices; }
ValueId condition_name(std::size_t condition) { return ValueId(condition_names + condition); }

namespace {

bool is_condition(ValueId id) { return id.index >= condition_names && id.index < own_index.index; }

}  // namespace

Scalar LoopAsRecurrence::Function::scalar_of(ValueId id) const {
    return is_lane_index(id) ? Scalar::i64 : is_condition(id) ? Scalar::boolean : l_.type(id).scalar;
}

/// The indices of a lane, among those of lane and step.
std::vector<Local> LoopAsRecurrence::Function::lanes() const {
    std::vector<Local> point;
    for (std::size_t axis = 0; axis <= l_.lane_shape_.size(); ++axis)
        if (axis != l_.axis_) point.emplace_back(axis);
    return point;
}

std::optional<Map> LoopAsRecurrence::Function::of_indices(ValueId id) {
    point_ = lanes();
    auto value = [&] {
        if (is_lane_index(id)) return std::vector{point_[id.index - lane_indices]};
        if (is_condition(id)) return std::vector{holds(l_.conditions_[id.index - condition_names])};
        return std::vector{independent(id, l_.type(id).rank() > 0 ? point_ : std::vector<Local>())};
    };
    auto fn = make(std::vector<Scalar>(point_.size() + 1, Scalar::i64), value);
    if (!fn) return std::nullopt;
    return Map{std::move(*fn), {}, {scalars_, arrays_}, true};
}

std::optional<Map> LoopAsRecurrence::Function::of_window(const AffinePoint& window) {
    const Point point = lanes();
    auto value = [&] {
        std::vector<Local> indices;
        std::size_t lane = 0;
        for (std::size_t k = 0; k < window.size(); ++k) {
            LinearForm form = window[k].start;
            if (k != l_.step_axis_ && !l_.is_fixed(window[k])) ++form.factors[{Term::Kind::axis, lane++}];
            indices.push_back(this->value(form, point));
        }
        return indices;
    };
    auto fn = make(std::vector<Scalar>(point.size() + 1, Scalar::i64), value);
    if (!fn) return std::nullopt;
    return Map{std::move(*fn), {}, {scalars_, arrays_}, true};
}

std::optional<Fn> LoopAsRecurrence::Function::of_states(const States& states, std::vector<ValueId>& elements,
                                                        Captures& captures) {
    states_ = &states, elements_ = &elements;
    std::vector<Scalar> params;
    for (ValueId id : states.next) params.push_back(l_.type(id).scalar);
    for (std::size_t slot : states.previous) params.push_back(params[slot]);
    for (const Fixed& fixed : l_.fixed_) params.push_back(scalar_of(l_.filled_[fixed.filled].plane));
    first_element_ = params.size();
    auto value = [&] {
        for (std::size_t k = 0; k < states.known.size(); ++k) values_[states.known[k]] = Local(k);
        std::vector<Local> results;
        for (ValueId id : states.next) results.push_back(dependent(id));
        for (std::size_t slot : states.previous) results.emplace_back(slot);
        for (std::size_t k = 0; k < l_.fixed_.size(); ++k) {
            const Fixed& fixed = l_.fixed_[k];
            results.push_back(
                select(fixed.is_own, dependent(l_.filled_[fixed.filled].plane), Local(states.first_fixed() + k)));
        }
        return results;
    };
    auto fn = make(std::move(params), value);
    captures = {scalars_, arrays_};
    return fn;
}

template <class Value>
std::optional<Fn> LoopAsRecurrence::Function::make(std::vector<Scalar> params, Value value) {
    value();  // without a builder, this finds captures and elements
    if (failed_) return std::nullopt;
    if (elements_ != nullptr)
        for (ValueId id : *elements_) params.push_back(scalar_of(id));
    first_scalar_ = params.size();
    for (ValueId id : scalars_) params.push_back(l_.type(id).scalar);
    builder_.emplace();
    builder_->open(params);
    values_.clear(), known_.clear();
    Fn fn{{}, builder_->close(value())};
    for (ValueId id : arrays_) fn.arrays.push_back({l_.type(id).scalar, l_.type(id).rank()});
    return canonical(fn);
}

Local LoopAsRecurrence::Function::fail() {
    failed_ = true;
    return Local(0);
}
Local LoopAsRecurrence::Function::index(std::int64_t value) { return builder_ ? builder_->constant_index(value) : Local(0); }
Local LoopAsRecurrence::Function::sub(Local a, Local b) { return builder_ ? builder_->emit(Op::sub, {a, b}) : Local(0); }
Local LoopAsRecurrence::Function::scalar(ValueId id) { return Local(first_scalar_ + place_in(scalars_, id)); }
Local LoopAsRecurrence::Function::read(ValueId array, std::vector<Local> at) {
    const std::size_t slot = place_in(arrays_, array);
    return builder_ ? builder_->emit(Inst{Op::read, {l_.type(array).scalar}, slot, std::move(at), {}}) : Local(0);
}

// Without states.

Local LoopAsRecurrence::Function::step() {
    const Local own(l_.axis_);
    return l_.reverse_ ? sub(sub(scalar(*l_.loop_.count), index(1)), own) : own;
}

Local LoopAsRecurrence::Function::holds(const Condition& condition) {
    const Local left = value(condition.left, {}), right = value(condition.right, {});
    return builder_ ? builder_->emit(condition.op, {left, right}) : Local(0);
}

Local LoopAsRecurrence::Function::independent(ValueId id, const std::vector<Local>& point) {
    std::pair<ValueId, std::vector<std::size_t>> key{id, {}};
    for (Local local : point) key.second.push_back(local.index);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    const Local made = new_independent(id, point);
    return known_[std::move(key)] = made;
}

Local LoopAsRecurrence::Function::new_independent(ValueId id, const std::vector<Local>& point) {
    if (id == own_index) return Local(l_.axis_);
    if (!l_.is_local(id)) return l_.type(id).rank() == 0 ? scalar(id) : read(id, point);
    if (l_.filled_by(id)) return read_unchanged(id, point);
    if (l_.read_.contains(id)) return written(id, point);
    if (id == l_.index()) return step();
    if (const auto all = l_.folds_.find(id); all != l_.folds_.end()) {
        std::vector<Local> at{Local(l_.axis_)};
        at.insert(at.end(), point.begin(), point.end());
        return read(all->second, std::move(at));
    }
    if (const MaybeForm form = backwards(id)) return value(*form, {});
    const Binding& binding = *l_.maker(id);
    if (const auto* map = std::get_if<Map>(&binding.op)) {
        std::vector<Local> arguments;
        if (map->indexed) arguments = point;
        for (ValueId arg : map->args) arguments.push_back(independent(arg, point));
        for (ValueId captured : map->captures.scalars) arguments.push_back(independent(captured, {}));
        if (!site_ && !opt::is_speculative(map->fn.body)) site_ = binding.site;
        return inlined(*map, std::move(arguments), l_.result(id));
    }
    if (const auto* view = std::get_if<View>(&binding.op)) return viewed(*view, l_.type(id).shape, point);
    if (const auto* gather = std::get_if<Gather>(&binding.op)) {
        std::vector<Local> at;
        for (ValueId each : gather->indices) at.push_back(independent(each, point));
        if (!site_) site_ = binding.site;
        return read_unchanged(gather->sources[l_.result(id)], std::move(at));
    }
    return fail();
}

/// What this step has written, where it is read again.
Local LoopAsRecurrence::Function::written(ValueId id, const std::vector<Local>& point) {
    const Read& read = l_.read_.at(id);
    if (read.otherwise || read.plane.distance != 0 || read.plane.fixed != 0) return fail();
    std::vector<Local> lane;
    for (std::size_t k = 0; k < point.size(); ++k)
        if (!l_.sizes_.is_constant(l_.type(id).shape[k], 1)) lane.push_back(point[k]);
    if (lane.size() != l_.lane_shape_.size()) return fail();
    return independent(l_.filled_[read.plane.filled].plane, lane);
}

Local LoopAsRecurrence::Function::inlined(const Map& map, std::vector<Local> arguments, std::size_t result) {
    std::vector<std::size_t> slots;
    for (ValueId array : map.captures.arrays) {
        const auto filled = l_.filled_by(array);
        const ValueId unchanged = filled ? l_.loop_.inits[l_.filled_[*filled].state] : array;
        if (l_.is_local(unchanged)) return fail();
        slots.push_back(place_in(arrays_, unchanged));
    }
    if (!builder_) return Local(0);
    return inline_block(*builder_, map.fn.body, std::move(arguments), opt::renumber_arrays(std::move(slots)))[result];
}

Local LoopAsRecurrence::Function::read_unchanged(ValueId array, std::vector<Local> at) {
    if (const auto filled = l_.filled_by(array)) array = l_.loop_.inits[l_.filled_[*filled].state];
    return l_.is_local(array) ? fail() : read(array, std::move(at));
}

Local LoopAsRecurrence::Function::viewed(const View& view, const Shape& result, const std::vector<Local>& point) {
    const auto indices = l_.forms_.source(view, l_.type(view.arg).shape, result);
    if (!indices) return fail();
    std::vector<Local> at;
    for (const MaybeForm& form : *indices) at.push_back(form ? value(*form, point) : fail());
    return independent(view.arg, at);
}

/// Written as other passes would write it: without products by 1 and sums with 0.
Local LoopAsRecurrence::Function::value(LinearForm form, const std::vector<Local>& point) {
    form = without_step(form).value_or(form);
    std::optional<Local> sum;
    for (const bool added : {true, false})
        for (const auto& [term, factor] : form.factors)
            if ((factor > 0) == added) sum = plus(sum, part(term, std::abs(factor), point), added ? Op::add : Op::sub);
    if (!sum || form.constant > 0) return plus(sum, index(form.constant), Op::add);
    return form.constant < 0 ? plus(sum, index(-form.constant), Op::sub) : *sum;
}

/// The form with the index along the axis instead of the step, if these differ: elements that are read in the order in
/// which the axis is filled are then seen to be those of the same index.
MaybeForm LoopAsRecurrence::Function::without_step(const LinearForm& form) const {
    const auto step = form.factors.find({Term::Kind::variable, l_.index().index});
    if (!l_.reverse_ || step == form.factors.end()) return std::nullopt;
    const LinearForm one{{}, 1}, own{{{{Term::Kind::variable, own_index.index}, 1}}, 0};
    const MaybeForm from_end = combine(combine(l_.forms_.of(*l_.loop_.count), -1, one), -1, own);
    MaybeForm rest = form;
    rest->factors.erase(step->first);
    return combine(rest, step->second, from_end);
}
/// Of a scalar that depends on the step.
MaybeForm LoopAsRecurrence::Function::backwards(ValueId id) const {
    const bool is_index = l_.type(id) == Type{Scalar::i64, {}};
    return is_index ? without_step(l_.forms_.of(id)) : std::nullopt;
}

Local LoopAsRecurrence::Function::plus(std::optional<Local> sum, Local more, Op op) {
    if (!builder_) return more;
    const Local zero = index(0);  // equal constants are one local
    if (sum && more == zero) return *sum;
    if (op == Op::add) return sum && *sum != zero ? builder_->emit(op, {*sum, more}) : more;
    return builder_->emit(op, {sum.value_or(zero), more});
}

Local LoopAsRecurrence::Function::part(const Term& term, std::int64_t factor, const std::vector<Local>& point) {
    const Local one = term.kind == Term::Kind::size   ? size(SizeId(term.index), point)
                      : term.kind == Term::Kind::axis ? point[term.index]
                                                      : independent(ValueId(term.index), {});
    return builder_ && factor != 1 ? builder_->emit(Op::mul, {one, index(factor)}) : one;
}

/// A size that is no form of others.
Local LoopAsRecurrence::Function::size(SizeId id, const std::vector<Local>& point) {
    const Size known = l_.sizes_[id];
    if (known.kind == Size::Kind::input_extent) {
        const std::size_t slot = place_in(arrays_, ValueId(static_cast<std::size_t>(known.index)));
        const std::uint64_t bits = extent_bits({slot, static_cast<std::size_t>(known.axis)});
        return builder_ ? builder_->emit(Inst{Op::extent, {Scalar::i64}, bits, {}, {}}) : Local(0);
    }
    if (const auto number = l_.numbers_.find(id); number != l_.numbers_.end()) return scalar(number->second);
    if (known.kind != Size::Kind::minimum && known.kind != Size::Kind::maximum) return fail();
    const Local left = value(l_.forms_.of(known.left), point), right = value(l_.forms_.of(known.right), point);
    const Op op = known.kind == Size::Kind::minimum ? Op::minimum : Op::maximum;
    return builder_ ? builder_->emit(op, {left, right}) : Local(0);
}

// With states.

Local LoopAsRecurrence::Function::dependent(ValueId id) {
    if (const auto found = values_.find(id); found != values_.end()) return found->second;
    const Local made = new_dependent(id);
    return values_[id] = made;
}

Local LoopAsRecurrence::Function::new_dependent(ValueId id) {
    const bool is_name = is_lane_index(id) || is_condition(id);
    const bool is_lanes = !is_name && l_.type(id).shape == l_.lane_shape_;
    if (is_name || (l_.is_local(id) && !l_.dependent_[id.index - l_.outside_])) return element(id);
    if (!l_.is_local(id)) return is_lanes || l_.type(id).rank() == 0 ? scalar(id) : fail();
    if (const auto found = l_.read_.find(id); found != l_.read_.end() && is_lanes) {
        const Read& read = found->second;
        const Local first = plane(read.plane);
        return read.otherwise ? select(read.condition, first, plane(*read.otherwise)) : first;
    }
    const Binding* binding = l_.maker(id);
    if (binding == nullptr || !is_lanes) return fail();
    std::vector<Local> arguments;
    if (const auto* map = std::get_if<Map>(&binding->op)) {
        for (std::size_t axis = 0; map->indexed && axis < l_.lane_shape_.size(); ++axis)
            arguments.push_back(dependent(lane_index(axis)));
        for (const auto* ids : {&map->args, &map->captures.scalars})
            for (ValueId each : *ids) arguments.push_back(dependent(each));
        return inlined(*map, std::move(arguments), l_.result(id));
    }
    const auto* gather = std::get_if<Gather>(&binding->op);
    if (gather == nullptr) return fail();
    for (ValueId each : gather->indices) arguments.push_back(dependent(each));
    return read_unchanged(gather->sources[l_.result(id)], std::move(arguments));
}

Local LoopAsRecurrence::Function::plane(const Earlier& earlier) {
    const bool is_own = earlier.distance == 0 && earlier.fixed == 0;
    return is_own ? dependent(l_.filled_[earlier.filled].plane) : Local(states_->earlier.at(earlier));
}

Local LoopAsRecurrence::Function::select(std::size_t condition, Local yes, Local no) {
    const Local holds = element(condition_name(condition));
    return builder_ ? builder_->emit(Op::select, {holds, yes, no}) : Local(0);
}

Local LoopAsRecurrence::Function::element(ValueId id) {
    const bool is_value =
        is_lane_index(id) || is_condition(id) || l_.type(id).rank() == 0 || l_.type(id).shape == l_.lane_shape_;
    return is_value ? Local(first_element_ + place_in(*elements_, id)) : fail();
}

}  // namespace sinter::enable
