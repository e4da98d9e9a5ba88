// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What does not depend on a state is computed beforehand for all steps, by maps over lanes and steps, which fuse with the
// recurrence and read memory in its order; what does depend on one becomes the function of the recurrence.
#include "enable/loops/loop_as_recurrence.hpp"

#include "enable/loops/recurrence_function.hpp"
#include "ir/sizes/size_parts.hpp"
#include "opt/cost.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

LoopAsRecurrence::LoopAsRecurrence(const Binding& binding, std::size_t outside, const std::vector<Type>& types,
                                   SizeTable& sizes, LinearForms& forms)
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
    if (filled_.empty()) take_lanes();
    return known_ && std::all_of(lanes_.begin(), lanes_.end(), [&](std::size_t k) {
               return body_.params[1 + k].shape == lane_shape_ && type(body_.results[k]).shape == lane_shape_;
           });
}

/// A loop that fills nothing: its steps go along an axis in front of the lanes. Where no step takes views, interchange()
/// makes one map of the loop.
void LoopAsRecurrence::take_lanes() {
    known_ = !lanes_.empty() && std::any_of(body_.bindings.begin(), body_.bindings.end(),
                                            [](const Binding& binding) { return std::holds_alternative<View>(binding.op); });
    if (known_) lane_shape_ = body_.params[1 + lanes_[0]].shape;
}

bool LoopAsRecurrence::fill(std::size_t k) {
    const auto& scatter = std::get<Scatter>(maker(body_.results[k])->op);
    auto window = forms_.window(scatter);
    for (std::size_t axis = 0; window && axis < window->size(); ++axis)
        if (auto& of = (*window)[axis].axis; of && sizes_.is_constant(type(scatter.indices[0]).shape[*of], 1)) of.reset();
    if (!window || scatter.dests[0] != state(k) || !set_axis(*window, type(scatter.indices[0]).shape)) return false;
    const auto plane = plane_of(scatter.values[0]);
    if (plane) filled_.push_back({k, *plane, std::move(*window)});
    return plane.has_value();
}

/// True if lanes are written at places along one axis that follow one another; the axis is the same for all states.
bool LoopAsRecurrence::set_axis(const AffinePoint& window, const Shape& points) {
    const Term step{Term::Kind::variable, index().index};
    auto is_step = [&](const AffineIndex& i) { return !i.axis && i.start.factors.contains(step); };
    const auto at = static_cast<std::size_t>(std::find_if(window.begin(), window.end(), is_step) - window.begin());
    if (at == window.size()) return false;
    LinearForm base = window[at].start;
    const std::int64_t factor = base.factors[step];
    base.factors.erase(step);
    if ((factor != 1 && factor != -1) || !is_outside(base)) return false;
    Shape lanes;
    std::size_t previous = 0, axis = 0;
    for (std::size_t k = 0; k < window.size(); ++k) {
        if (k == at) axis = lanes.size();
        if (k == at || is_fixed(window[k])) continue;
        const AffineIndex& lane = window[k];
        if (!lane.axis || lane.step != 1 || !is_outside(lane.start)) return false;
        if (!lanes.empty() && *lane.axis <= previous) return false;  // transposed
        previous = *lane.axis;
        lanes.push_back(points[previous]);
    }
    if (!is_outside(lanes)) return false;
    if (known_ && (lanes != lane_shape_ || at != step_axis_ || axis != axis_ || (factor < 0) != reverse_)) return false;
    known_ = true, lane_shape_ = std::move(lanes), step_axis_ = at, axis_ = axis, reverse_ = factor < 0;
    return true;
}

/// True for an axis of an array of whose planes the loop changes only one.
bool LoopAsRecurrence::is_fixed(const AffineIndex& index) const { return !index.axis && is_outside(index.start); }

/// The lanes behind views that add an axis with a single index, and behind arrays of a single element.
std::optional<ValueId> LoopAsRecurrence::plane_of(ValueId id) const {
    while (type(id).shape != lane_shape_) {
        if (const auto element = only_element(id)) {
            id = *element;
            continue;
        }
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

/// The scalar of which an array with one element consists.
std::optional<ValueId> LoopAsRecurrence::only_element(ValueId id) const {
    const auto* map = is_local(id) && maker(id) ? std::get_if<Map>(&maker(id)->op) : nullptr;
    if (map == nullptr || !map->args.empty() || !map->captures.arrays.empty() || map->indexed) return std::nullopt;
    for (SizeId extent : type(id).shape)
        if (!sizes_.is_constant(extent, 1)) return std::nullopt;
    const Local made = map->fn.body.results[result(id)];
    if (made.index >= map->captures.scalars.size()) return std::nullopt;
    return map->captures.scalars[made.index];
}

void LoopAsRecurrence::find_dependent() {
    dependent_.assign(local_.size(), false);
    for (std::size_t k = 0; k < loop_.inits.size(); ++k) dependent_[1 + k] = true;
    for (std::size_t v = body_.params.size(); v < local_.size(); ++v) {
        if (initial_.contains(ValueId(outside_ + v))) continue;
        const bool reads_initial = reads_initial_.contains(ValueId(outside_ + v));
        for (ValueId id : operands(makers_[v]->op))
            if (is_local(id) && dependent_[id.index - outside_] && !(reads_initial && filled_by(id))) dependent_[v] = true;
    }
}

/// Where a literal begins a slice, it is a size that is given to the program.
void LoopAsRecurrence::add_numbers(Recurrence& to) {
    to.variables = local_.size();
    for (const Binding& binding : body_.bindings) {
        const auto* view = std::get_if<View>(&binding.op);
        const auto* slice = view ? std::get_if<Slice>(&view->function) : nullptr;
        if (slice == nullptr) continue;
        for (SizeId start : slice->start)
            for (const auto& part : forms_.of(start).factors) {
                const SizeId size(part.first.index);
                if (part.first.kind != Term::Kind::size || sizes_[size].kind != Size::Kind::argument) continue;
                if (!numbers_.emplace(size, ValueId(outside_ + local_.size())).second) continue;
                to.numbers.push_back(size);
                local_.push_back({Scalar::i64, {}});
            }
    }
}

/// Folds to numbers, and to lanes, are computed for all steps beforehand, in parallel, because a recurrence cannot fold.
/// (The distribution of loops of Kennedy and McKinley, "Loop Distribution with Arbitrary Control Flow", SC 1990.)
void LoopAsRecurrence::add_folds(Recurrence& to) {
    std::size_t first = body_.params.size();
    for (const Binding& binding : body_.bindings) {
        if (auto fold = of_all_steps(binding)) {
            for (std::size_t k = 0; k < binding.types.size(); ++k) {
                folds_.emplace(ValueId(outside_ + first + k), ValueId(outside_ + local_.size()));
                local_.push_back(fold->types[k]);
            }
            to.folds.push_back(std::move(*fold));
        }
        first += binding.types.size();
    }
}

std::optional<Recurrence::FoldOfSteps> LoopAsRecurrence::of_all_steps(const Binding& binding) const {
    const auto* fold = std::get_if<Fold>(&binding.op);
    const auto outside = [&](ValueId id) { return !is_local(id); };
    const auto all_outside = [&](const std::vector<ValueId>& ids) { return std::all_of(ids.begin(), ids.end(), outside); };
    if (!fold || !opt::is_speculative(fold->op.body)) return std::nullopt;
    if (binding.types[0].rank() > 0 && binding.types[0].shape != lane_shape_) return std::nullopt;  // large
    if (!all_outside(fold->inits) || !all_outside(fold->captures.scalars) || !all_outside(fold->captures.arrays))
        return std::nullopt;
    Recurrence::FoldOfSteps made{{}, {}, *fold, {}};
    LoopAsRecurrence of_args(*this);
    of_args.lane_shape_ = type(fold->args[0]).shape, of_args.axis_ = 0;
    if (!is_outside(of_args.lane_shape_)) return std::nullopt;
    for (ValueId arg : fold->args) {
        if (is_local(arg) && dependent_[arg.index - outside_]) return std::nullopt;
        auto map = Function(of_args).of_indices(arg);
        if (!map) return std::nullopt;
        made.args.push_back(std::move(*map));
        made.arg_types.push_back({type(arg).scalar, of_args.space()});
    }
    made.fold.args.clear();
    for (std::size_t& axis : made.fold.axes) ++axis;
    for (Type each : binding.types) {
        each.shape.insert(each.shape.begin(), steps_);
        made.types.push_back(std::move(each));
    }
    return made;
}

/// True if no extent is a value that the body computes.
bool LoopAsRecurrence::is_outside(const Shape& shape) const {
    bool outside = true;
    for (SizeId extent : shape) for_each_value(sizes_, extent, [&](ValueId id) { outside = outside && !is_local(id); });
    return outside;
}

Shape LoopAsRecurrence::space() const {
    Shape shape = lane_shape_;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis_), steps_);
    return shape;
}

std::size_t LoopAsRecurrence::add_map(Recurrence& to, ValueId id, bool& possible) {
    Function function(*this);
    auto map = function.of_indices(id);
    possible = possible && map;
    if (map) to.maps.push_back(std::move(*map));
    to.map_types.push_back({function.scalar_of(id), space()});
    to.map_sites.push_back(function.site());
    return to.map_types.size() - 1;
}

LoopAsRecurrence::States LoopAsRecurrence::states(Recurrence& to) const {
    States states;
    for (std::size_t k : lanes_)
        states.known.push_back(state(k)), states.next.push_back(body_.results[k]), to.scan.inits.push_back(loop_.inits[k]);
    for (const Filled& each : filled_) {
        const bool is_dependent = is_local(each.plane) && dependent_[each.plane.index - outside_];
        const bool is_next = std::find(states.next.begin(), states.next.end(), each.plane) != states.next.end();
        if (each.depth == 0 && (!is_dependent || is_next)) continue;
        states.earlier[{static_cast<std::size_t>(&each - filled_.data()), 1}] = states.next.size();
        states.next.push_back(each.plane);
    }
    return states;
}

bool LoopAsRecurrence::add_scan(Recurrence& to, const std::vector<bool>& used) {
    States states = this->states(to);
    for (const auto& [first, slot] : std::map(states.earlier)) {
        const Filled& filled = filled_[first.filled];
        to.starts.push_back(filled.depth > 0 ? start(filled, 1) : Recurrence::Start{type(filled.plane).scalar});
    }
    for (std::size_t f = 0; f < filled_.size(); ++f)
        for (std::int64_t distance = 2; distance <= filled_[f].depth; ++distance) {
            const std::size_t before = states.earlier.at({f, distance - 1});
            states.earlier[{f, distance}] = states.next.size() + states.previous.size();
            states.previous.push_back(before);
            to.starts.push_back(start(filled_[f], distance));
        }
    for (std::size_t k = 0; k < fixed_.size(); ++k) {
        states.earlier[{fixed_[k].filled, 0, k + 1}] = states.first_fixed() + k;
        to.starts.push_back(start(filled_[fixed_[k].filled], fixed_[k].plane));
    }
    std::vector<ValueId> elements;
    auto fn = Function(*this).of_states(states, elements, to.scan.captures);
    if (!fn) return false;
    bool possible = true;
    for (ValueId id : elements) to.arguments.push_back(add_map(to, id, possible));
    to.scan.op = std::move(*fn);
    to.scan.axis = axis_, to.scan.reverse = reverse_, to.scan.sequential = true;
    for (std::size_t k : lanes_) to.scan.totals = to.scan.totals || used[k];
    const std::vector<Scalar> scalars = result_types(to.scan.op);
    for (Scalar scalar : scalars) to.scan_types.push_back({scalar, space()});
    for (std::size_t j = 0; to.scan.totals && j < scalars.size(); ++j) to.scan_types.push_back({scalars[j], lane_shape_});
    for (std::size_t j = 0; j < lanes_.size(); ++j)
        if (used[lanes_[j]]) to.results[lanes_[j]] = {true, scalars.size() + j};
    for (std::size_t f = 0; f < filled_.size(); ++f) {
        const auto own = states.earlier.find({f, 1});
        const auto found = std::find(states.next.begin(), states.next.end(), filled_[f].plane);
        if (own != states.earlier.end())
            to.results[filled_[f].state] = {true, own->second};
        else if (found != states.next.end())
            to.results[filled_[f].state] = {true, static_cast<std::size_t>(found - states.next.begin())};
    }
    return possible;
}

/// True if a step needs what the one before has left.
bool LoopAsRecurrence::has_states() const {
    return !lanes_.empty() || std::any_of(filled_.begin(), filled_.end(), [](const Filled& each) { return each.depth > 0; });
}

/// A recurrence of a single lane would gain nothing.
bool LoopAsRecurrence::fits() {
    const bool known = loop_.count && loop_.changing.empty() && sort_states() && reads_are_known();
    return known && !(has_states() && lane_shape_.empty());
}

std::optional<Recurrence> LoopAsRecurrence::make(const std::vector<bool>& used) {
    if (!body_.guards.empty() || !fits()) return std::nullopt;
    find_dependent();
    const auto whole = std::find_if(filled_.begin(), filled_.end(), [&](const Filled& filled) { return is_whole(filled); });
    steps_ = whole != filled_.end() ? body_.params[1 + whole->state].shape[step_axis_] : steps_of_part();
    Recurrence made;
    made.results.resize(loop_.inits.size());
    add_numbers(made);
    add_folds(made);
    if (has_states() && (!add_scan(made, used) || made.arguments.empty())) return std::nullopt;
    bool possible = true;
    for (const Filled& each : filled_) {
        if (!used[each.state]) continue;
        auto& result = made.results[each.state];
        if (!result) result = {false, add_map(made, each.plane, possible)};
        if (!is_whole(each)) possible = add_part(made, each) && possible, result->part = made.parts.size() - 1;
    }
    return possible ? std::optional(std::move(made)) : std::nullopt;
}

}  // namespace sinter::enable
