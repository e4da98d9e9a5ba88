// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What does not depend on a state is computed beforehand for all steps, by maps over lanes and steps, which fuse with the
// recurrence and read memory in its order; what does depend on one becomes the function of the recurrence.
#include "enable/loops/loop_as_recurrence.hpp"

#include "ir/builder.hpp"
#include "opt/trim.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

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

/// Names for the index of a lane along an axis, distinct from those of variables.
constexpr std::size_t lane_indices = std::size_t{1} << 30;
ValueId lane_index(std::size_t axis) { return ValueId(lane_indices + axis); }
bool is_lane_index(ValueId id) { return id.index >= lane_indices; }

/// The name of the index along the axis that is being filled: of the step, if it is filled from its beginning.
constexpr ValueId own_index(lane_indices - 1);

}  // namespace

LoopAsRecurrence::LoopAsRecurrence(const Binding& binding, std::size_t outside, const std::vector<Type>& types,
                                   const SizeTable& sizes, LinearForms& forms)
    : loop_(std::get<Loop>(binding.op)),
      body_(loop_.bodies.back()),
      outside_(outside),
      types_(types),
      sizes_(sizes),
      forms_(forms),
      local_(types_of(body_)) {
    makers_.assign(body_.params.size(), nullptr);
    first_.assign(body_.params.size(), 0);
    for (const Binding& each : body_.bindings) {
        const std::size_t first = makers_.size();
        makers_.resize(first + each.types.size(), &each);
        first_.resize(makers_.size(), first);
    }
}

std::size_t LoopAsRecurrence::result(ValueId id) const { return id.index - outside_ - first_[id.index - outside_]; }

// Which loops qualify.

/// A state that is being filled has a scatter as its next value; any other state is an array of lanes.
bool LoopAsRecurrence::sort_states() {
    for (std::size_t k = 0; k < loop_.inits.size(); ++k) {
        const ValueId next = body_.results[k];
        const bool is_updated = is_local(next) && maker(next) != nullptr && std::holds_alternative<Scatter>(maker(next)->op);
        if (is_updated ? !fill(k) : (lanes_.push_back(k), false)) return false;
    }
    return known_ && !lane_shape_.empty() && std::all_of(lanes_.begin(), lanes_.end(), [&](std::size_t k) {
               return body_.params[1 + k].shape == lane_shape_ && type(body_.results[k]).shape == lane_shape_;
           });
}

bool LoopAsRecurrence::fill(std::size_t k) {
    const auto& scatter = std::get<Scatter>(maker(body_.results[k])->op);
    const auto window = forms_.window(scatter);
    if (!window || scatter.dests[0] != state(k) || !set_axis(*window, body_.params[1 + k].shape)) return false;
    const auto plane = plane_of(scatter.values[0]);
    if (plane) filled_.push_back({k, *plane});
    return plane.has_value();
}

/// True if all lanes are written, at a place along one axis that is different in every step; the axis is the same for all
/// states.
bool LoopAsRecurrence::set_axis(const AffinePoint& window, const Shape& array) {
    const Term step{Term::Kind::variable, index().index};
    auto is_step = [&](const AffineIndex& i) { return !i.axis && i.start.factors.contains(step); };
    const auto at = static_cast<std::size_t>(std::find_if(window.begin(), window.end(), is_step) - window.begin());
    if (at == window.size()) return false;
    const LinearForm steps = forms_.of(array[at]);
    const auto last = combine(combine(steps, -1, LinearForm{{}, 1}), -1, LinearForm{{{step, 1}}, 0});
    const bool forwards = window[at].start == LinearForm{{{step, 1}}, 0}, backwards = last && window[at].start == *last;
    Shape lanes = array;
    lanes.erase(lanes.begin() + static_cast<std::ptrdiff_t>(at));
    if ((!forwards && !backwards) || forms_.of(*loop_.count) != steps) return false;
    if (known_ && (lanes != lane_shape_ || array[at] != steps_ || at != axis_ || backwards != reverse_)) return false;
    known_ = true, lane_shape_ = std::move(lanes), steps_ = array[at], axis_ = at, reverse_ = backwards;
    std::size_t previous = 0;
    for (std::size_t k = 0; k < window.size(); ++k) {
        if (k == at) continue;
        const AffineIndex& lane = window[k];
        if (!lane.axis || lane.step != 1 || lane.start != LinearForm{}) return false;
        if (k > (at == 0 ? 1 : 0) && *lane.axis <= previous) return false;  // transposed
        previous = *lane.axis;
    }
    return true;
}

/// The lanes behind views that add an axis with a single index.
std::optional<ValueId> LoopAsRecurrence::plane_of(ValueId id) const {
    while (type(id).shape != lane_shape_) {
        const auto* view = is_local(id) && maker(id) ? std::get_if<View>(&maker(id)->op) : nullptr;
        if (view == nullptr || view->fill || type(view->arg).rank() >= type(id).rank()) return std::nullopt;
        const auto* broadcast = std::get_if<Broadcast>(&view->function);
        if (broadcast == nullptr && !std::holds_alternative<Reshape>(view->function)) return std::nullopt;
        std::size_t units = 0;
        for (SizeId extent : type(id).shape) units += sizes_.is_constant(extent, 1) ? 1 : 0;
        if (units == 0) return std::nullopt;
        for (std::size_t k = 0; broadcast && k < type(id).rank(); ++k) {
            const bool is_kept = std::binary_search(broadcast->axes.begin(), broadcast->axes.end(), k);
            if (!is_kept && !sizes_.is_constant(type(id).shape[k], 1)) return std::nullopt;
        }
        id = view->arg;
    }
    return id;
}

/// True if nothing but its own update reads what is being filled.
bool LoopAsRecurrence::uses_filled() const {
    for (const Filled& each : filled_) {
        std::size_t uses = 0;
        for (const Binding& binding : body_.bindings)
            for (ValueId id : operands(binding.op))
                uses += id == state(each.state) || id == body_.results[each.state] ? 1 : 0;
        for (ValueId id : body_.results) uses += id == body_.results[each.state] || id == state(each.state) ? 1 : 0;
        if (uses != 2) return true;
    }
    return false;
}

void LoopAsRecurrence::find_dependent() {
    dependent_.assign(local_.size(), false);
    for (std::size_t k = 0; k < loop_.inits.size(); ++k) dependent_[1 + k] = true;
    for (std::size_t v = body_.params.size(); v < local_.size(); ++v)
        for (ValueId id : operands(makers_[v]->op))
            if (is_local(id) && dependent_[id.index - outside_]) dependent_[v] = true;
}

Shape LoopAsRecurrence::space() const {
    Shape shape = lane_shape_;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis_), steps_);
    return shape;
}

// Functions. Each is traversed twice: the first time to find what it captures.

class LoopAsRecurrence::Function {
  public:
    explicit Function(const LoopAsRecurrence& loop) : l_(loop) {}

    /// The function from the indices of lanes and step to a value that depends on no state. Nothing if it needs more than
    /// scalars and reads.
    std::optional<Map> of_indices(ValueId id) {
        const std::size_t rank = l_.lane_shape_.size() + 1;
        auto value = [&] {
            point_.clear();
            for (std::size_t axis = 0; axis < rank; ++axis)
                if (axis != l_.axis_) point_.emplace_back(axis);
            if (is_lane_index(id)) return std::vector{point_[id.index - lane_indices]};
            return std::vector{independent(id, l_.type(id).rank() > 0 ? point_ : std::vector<Local>())};
        };
        auto fn = make(std::vector<Scalar>(rank, Scalar::i64), value);
        if (!fn) return std::nullopt;
        return Map{std::move(*fn), {}, {scalars_, arrays_}, true};
    }

    /// The function from states and elements to the next values of the states and to other arrays of lanes. `elements`: the
    /// variables that are elements.
    std::optional<Fn> of_states(const std::vector<ValueId>& states, const std::vector<ValueId>& next,
                                std::vector<ValueId>& elements, Captures& captures) {
        elements_ = &elements;
        std::vector<Scalar> params;
        for (ValueId id : next) params.push_back(l_.type(id).scalar);
        first_element_ = params.size();
        auto value = [&] {
            for (std::size_t k = 0; k < states.size(); ++k) values_[states[k]] = Local(k);
            std::vector<Local> results;
            for (ValueId id : next) results.push_back(dependent(id));
            return results;
        };
        auto fn = make(std::move(params), value);
        captures = {scalars_, arrays_};
        return fn;
    }

  private:
    template <class Value>
    std::optional<Fn> make(std::vector<Scalar> params, Value value) {
        value();  // without a builder, this finds captures and elements
        if (failed_) return std::nullopt;
        if (elements_ != nullptr)
            for (ValueId id : *elements_) params.push_back(is_lane_index(id) ? Scalar::i64 : l_.type(id).scalar);
        first_scalar_ = params.size();
        for (ValueId id : scalars_) params.push_back(l_.type(id).scalar);
        builder_.emplace();
        builder_->open(params);
        values_.clear(), known_.clear();
        Fn fn{{}, builder_->close(value())};
        for (ValueId id : arrays_) fn.arrays.push_back({l_.type(id).scalar, l_.type(id).rank()});
        return canonical(fn);
    }

    Local fail() {
        failed_ = true;
        return Local(0);
    }
    Local index(std::int64_t value) { return builder_ ? builder_->constant_index(value) : Local(0); }
    Local sub(Local a, Local b) { return builder_ ? builder_->emit(Op::sub, {a, b}) : Local(0); }
    Local scalar(ValueId id) { return Local(first_scalar_ + place_in(scalars_, id)); }
    Local read(ValueId array, std::vector<Local> at) {
        const std::size_t slot = place_in(arrays_, array);
        return builder_ ? builder_->emit(Inst{Op::read, {l_.type(array).scalar}, slot, std::move(at), {}}) : Local(0);
    }

    // Without states.

    Local step() {
        const Local own(l_.axis_);
        return l_.reverse_ ? sub(sub(scalar(*l_.loop_.count), index(1)), own) : own;
    }

    Local independent(ValueId id, const std::vector<Local>& point) {
        std::pair<ValueId, std::vector<std::size_t>> key{id, {}};
        for (Local local : point) key.second.push_back(local.index);
        if (const auto found = known_.find(key); found != known_.end()) return found->second;
        const Local made = new_independent(id, point);
        return known_[std::move(key)] = made;
    }

    Local new_independent(ValueId id, const std::vector<Local>& point) {
        if (id == own_index) return Local(l_.axis_);
        if (!l_.is_local(id)) return l_.type(id).rank() == 0 ? scalar(id) : read(id, point);
        if (id == l_.index()) return step();
        if (const MaybeForm form = backwards(id)) return value(*form, {});
        const Binding& binding = *l_.maker(id);
        if (const auto* map = std::get_if<Map>(&binding.op)) {
            std::vector<Local> arguments;
            if (map->indexed) arguments = point;
            for (ValueId arg : map->args) arguments.push_back(independent(arg, point));
            for (ValueId captured : map->captures.scalars) arguments.push_back(independent(captured, {}));
            return inlined(*map, std::move(arguments), l_.result(id));
        }
        if (const auto* view = std::get_if<View>(&binding.op)) return viewed(*view, l_.type(id).shape, point);
        if (const auto* gather = std::get_if<Gather>(&binding.op)) {
            std::vector<Local> at;
            for (ValueId each : gather->indices) at.push_back(independent(each, point));
            return read_unchanged(gather->sources[l_.result(id)], std::move(at));
        }
        return fail();
    }

    Local inlined(const Map& map, std::vector<Local> arguments, std::size_t result) {
        std::vector<std::size_t> slots;
        for (ValueId array : map.captures.arrays) {
            if (l_.is_local(array)) return fail();
            slots.push_back(place_in(arrays_, array));
        }
        if (!builder_) return Local(0);
        return inline_block(*builder_, map.fn.body, std::move(arguments), opt::renumber_arrays(std::move(slots)))[result];
    }

    Local read_unchanged(ValueId array, std::vector<Local> at) {
        return l_.is_local(array) ? fail() : read(array, std::move(at));
    }

    Local viewed(const View& view, const Shape& result, const std::vector<Local>& point) {
        const auto indices = l_.forms_.source(view, l_.type(view.arg).shape, result);
        if (!indices) return fail();
        std::vector<Local> at;
        for (const MaybeForm& form : *indices) at.push_back(form ? value(*form, point) : fail());
        return independent(view.arg, at);
    }

    /// Written as other passes would write it: without products by 1 and sums with 0.
    Local value(LinearForm form, const std::vector<Local>& point) {
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
    MaybeForm without_step(const LinearForm& form) const {
        const auto step = form.factors.find({Term::Kind::variable, l_.index().index});
        if (!l_.reverse_ || step == form.factors.end()) return std::nullopt;
        const LinearForm one{{}, 1}, own{{{{Term::Kind::variable, own_index.index}, 1}}, 0};
        const MaybeForm from_end = combine(combine(l_.forms_.of(l_.steps_), -1, one), -1, own);
        MaybeForm rest = form;
        rest->factors.erase(step->first);
        return combine(rest, step->second, from_end);
    }
    /// Of a scalar that depends on the step.
    MaybeForm backwards(ValueId id) const {
        const bool is_index = l_.type(id) == Type{Scalar::i64, {}};
        return is_index ? without_step(l_.forms_.of(id)) : std::nullopt;
    }

    Local plus(std::optional<Local> sum, Local more, Op op) {
        if (!builder_) return more;
        const Local zero = index(0);  // equal constants are one local
        if (sum && more == zero) return *sum;
        if (op == Op::add) return sum && *sum != zero ? builder_->emit(op, {*sum, more}) : more;
        return builder_->emit(op, {sum.value_or(zero), more});
    }

    Local part(const Term& term, std::int64_t factor, const std::vector<Local>& point) {
        const Local one = term.kind == Term::Kind::size   ? size(SizeId(term.index), point)
                          : term.kind == Term::Kind::axis ? point[term.index]
                                                          : independent(ValueId(term.index), {});
        return builder_ && factor != 1 ? builder_->emit(Op::mul, {one, index(factor)}) : one;
    }

    /// A size that is no form of others.
    Local size(SizeId id, const std::vector<Local>& point) {
        const Size known = l_.sizes_[id];
        if (known.kind == Size::Kind::input_extent) {
            const std::size_t slot = place_in(arrays_, ValueId(static_cast<std::size_t>(known.index)));
            const std::uint64_t bits = extent_bits({slot, static_cast<std::size_t>(known.axis)});
            return builder_ ? builder_->emit(Inst{Op::extent, {Scalar::i64}, bits, {}, {}}) : Local(0);
        }
        if (known.kind != Size::Kind::minimum && known.kind != Size::Kind::maximum) return fail();
        const Local left = value(l_.forms_.of(known.left), point), right = value(l_.forms_.of(known.right), point);
        const Op op = known.kind == Size::Kind::minimum ? Op::minimum : Op::maximum;
        return builder_ ? builder_->emit(op, {left, right}) : Local(0);
    }

    // With states.

    Local dependent(ValueId id) {
        if (const auto found = values_.find(id); found != values_.end()) return found->second;
        const Local made = new_dependent(id);
        return values_[id] = made;
    }

    Local new_dependent(ValueId id) {
        const bool is_lanes = !is_lane_index(id) && l_.type(id).shape == l_.lane_shape_;
        if (is_lane_index(id) || (l_.is_local(id) && !l_.dependent_[id.index - l_.outside_])) return element(id);
        if (!l_.is_local(id)) return is_lanes || l_.type(id).rank() == 0 ? scalar(id) : fail();
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

    Local element(ValueId id) {
        const bool is_value = is_lane_index(id) || l_.type(id).rank() == 0 || l_.type(id).shape == l_.lane_shape_;
        return is_value ? Local(first_element_ + place_in(*elements_, id)) : fail();
    }

    const LoopAsRecurrence& l_;
    std::optional<BlockBuilder> builder_;
    bool failed_ = false;
    std::vector<ValueId> scalars_, arrays_;  ///< captured variables
    std::vector<ValueId>* elements_ = nullptr;
    std::size_t first_element_ = 0, first_scalar_ = 0;
    std::vector<Local> point_;  ///< the index of the lane
    std::unordered_map<ValueId, Local> values_;
    std::map<std::pair<ValueId, std::vector<std::size_t>>, Local> known_;
};

std::size_t LoopAsRecurrence::add_map(Recurrence& to, ValueId id, bool& possible) {
    auto map = Function(*this).of_indices(id);
    possible = possible && map;
    if (map) to.maps.push_back(std::move(*map));
    to.map_types.push_back({is_lane_index(id) ? Scalar::i64 : type(id).scalar, space()});
    return to.map_types.size() - 1;
}

bool LoopAsRecurrence::add_scan(Recurrence& to, const std::vector<bool>& used) {
    std::vector<ValueId> states, next, elements;
    for (std::size_t k : lanes_)
        states.push_back(state(k)), next.push_back(body_.results[k]), to.scan.inits.push_back(loop_.inits[k]);
    for (const Filled& each : filled_) {
        if (!is_local(each.plane) || !dependent_[each.plane.index - outside_]) continue;
        if (std::find(next.begin(), next.end(), each.plane) != next.end()) continue;
        next.push_back(each.plane), to.fresh.push_back(type(each.plane).scalar);
    }
    auto fn = Function(*this).of_states(states, next, elements, to.scan.captures);
    if (!fn) return false;
    bool possible = true;
    for (ValueId id : elements) to.arguments.push_back(add_map(to, id, possible));
    to.scan.op = std::move(*fn);
    to.scan.axis = axis_, to.scan.reverse = reverse_, to.scan.sequential = true;
    for (std::size_t k : lanes_) to.scan.totals = to.scan.totals || used[k];
    for (ValueId id : next) to.scan_types.push_back({type(id).scalar, space()});
    for (std::size_t j = 0; to.scan.totals && j < next.size(); ++j)
        to.scan_types.push_back({type(next[j]).scalar, lane_shape_});
    for (std::size_t j = 0; j < lanes_.size(); ++j)
        if (used[lanes_[j]]) to.results[lanes_[j]] = {true, next.size() + j};
    for (const Filled& each : filled_) {
        const auto found = std::find(next.begin(), next.end(), each.plane);
        if (found != next.end()) to.results[each.state] = {true, static_cast<std::size_t>(found - next.begin())};
    }
    return possible;
}

bool LoopAsRecurrence::fits() { return loop_.count && loop_.changing.empty() && sort_states() && !uses_filled(); }

std::optional<Recurrence> LoopAsRecurrence::make(const std::vector<bool>& used) {
    if (!body_.guards.empty() || !fits()) return std::nullopt;
    find_dependent();
    Recurrence made;
    made.results.resize(loop_.inits.size());
    if (!lanes_.empty() && !add_scan(made, used)) return std::nullopt;
    if (!lanes_.empty() && made.arguments.empty()) return std::nullopt;
    bool possible = true;
    for (const Filled& each : filled_)
        if (!made.results[each.state]) made.results[each.state] = {false, add_map(made, each.plane, possible)};
    return possible ? std::optional(std::move(made)) : std::nullopt;
}

}  // namespace sinter::enable
