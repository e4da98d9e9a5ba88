// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What does not depend on a state is computed beforehand for all steps, by maps over lanes and steps, which fuse with the
// recurrence and read memory in its order; what does depend on one becomes the function of the recurrence.
#include "enable/loops/loop_as_recurrence.hpp"

#include "enable/loops/recurrence_function.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

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
