// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/loops/box_step.hpp"

#include "ir/free_variables.hpp"
#include "ir/walk.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

namespace {

constexpr std::size_t axes_of_box = 2;

class BoxStepFinder {
  public:
    BoxStepFinder(SizeTable& sizes, const Loop& loop, std::size_t base, const std::vector<Type>& types, LinearForms& forms)
        : sizes_(sizes),
          loop_(loop),
          body_(loop.bodies.back()),
          counter_(base),
          matrix_(base + 1),
          types_(types),
          forms_(forms) {
        std::size_t level = base + body_.params.size();
        for (const Binding& binding : body_.bindings) levels_.push_back(level), level += binding.types.size();
    }

    std::optional<BoxStep> operator()() {
        if (!find_box() || !find_versions()) return std::nullopt;
        step_.is_element.resize(body_.bindings.size());
        if (!is_element(scatter(step_.update)->values[0]) || step_.vectors.empty()) return std::nullopt;
        for (std::size_t at = 0; at < body_.bindings.size(); ++at)
            if (at != step_.update && !step_.is_element[at] && !keeps_to_known(at)) return std::nullopt;
        return std::move(step_);
    }

  private:
    const Scatter* scatter(std::size_t at) const { return std::get_if<Scatter>(&body_.bindings[at].op); }
    const Shape& shape(ValueId id) const { return types_[id.index].shape; }
    bool is_in_body(ValueId id) const { return id.index > matrix_.index; }

    std::size_t maker(ValueId id) const {
        const auto after = std::upper_bound(levels_.begin(), levels_.end(), id.index);
        return static_cast<std::size_t>(after - levels_.begin()) - 1;
    }

    /// How far an index starts behind the counter.
    std::optional<std::int64_t> behind_counter(const LinearForm& start) const {
        const MaybeForm more = combine(start, -1, forms_.of(counter_));
        return more && more->is_constant() ? std::optional(more->constant) : std::nullopt;
    }

    bool find_box() {
        const ValueId result = body_.results[0];
        if (!is_in_body(result)) return false;
        step_.update = maker(result);
        const Scatter* const update = scatter(step_.update);
        if (update == nullptr) return false;
        const auto window = forms_.window(*update);
        if (!window || shape(update->values[0]).size() != axes_of_box) return false;
        box_ = shape(update->values[0]);
        for (std::size_t axis = 0; axis < axes_of_box; ++axis) {
            const AffineIndex& index = (*window)[axis];
            const auto first = behind_counter(index.start);
            if (index.step != 1 || index.axis != axis || !first || *first < 0 || *first > 1) return false;
            step_.first[axis] = *first;
            if (!reaches_end(index.start, axis)) return false;
            step_.if_long[axis] = *first == 0 && !has_counter_in_range(axis);
        }
        return true;
    }

    bool reaches_end(const LinearForm& start, std::size_t axis) {
        const MaybeForm end = combine(start, 1, forms_.of(box_[axis]));
        if (!end || *end == forms_.of(shape(matrix_)[axis])) return end.has_value();
        step_.if_square = true;
        return *end == forms_.of(shape(matrix_)[1 - axis]);
    }

    /// Whether the counter is known to be an index of the axis, always.
    bool has_counter_in_range(std::size_t axis) {
        const MaybeForm more = combine(forms_.of(shape(matrix_)[axis]), -1, forms_.of(*loop_.count));
        return more && more->is_constant() && more->constant >= 0;
    }

    /// The matrix, and what it is after each of its updates before that of the box. These are in row k or column k, and
    /// outside of the box.
    bool find_versions() {
        versions_ = {matrix_};
        for (ValueId id = scatter(step_.update)->dests[0]; id != matrix_;) {
            const Scatter* const update = is_in_body(id) ? scatter(maker(id)) : nullptr;
            const auto window = update != nullptr ? forms_.window(*update) : std::nullopt;
            if (!window || !is_outside(*window, shape(update->indices[0]))) return false;
            versions_.push_back(id);
            id = update->dests[0];
        }
        return true;
    }

    bool is_outside(const AffinePoint& point, const Shape& points) {
        for (std::size_t axis = 0; axis < axes_of_box; ++axis)
            if (is_at_counter(point[axis], points) && step_.first[axis] == 1) return true;
        return false;
    }

    bool is_at_counter(const AffineIndex& index, const Shape& points) const {
        const bool moves = index.axis && index.step != 0 && !sizes_.is_constant(points[*index.axis], 1);
        return !moves && behind_counter(index.start) == 0;
    }

    bool is_version(ValueId id) const { return std::find(versions_.begin(), versions_.end(), id) != versions_.end(); }

    /// An array of the box's shape whose elements are made from elements at the same place and from what is known.
    bool is_element(ValueId id) {
        if (step_.leaves.contains(id) || step_.makers.contains(id)) return true;
        if (!is_in_body(id) || shape(id) != box_) return false;
        const std::size_t at = maker(id);
        const ArrayOp& op = body_.bindings[at].op;
        if (const auto* view = std::get_if<View>(&op)) {
            const auto leaf = leaf_of(*view);
            if (!leaf) return false;
            step_.leaves.emplace(id, *leaf);
        } else if (const auto* map = std::get_if<Map>(&op)) {
            if (!is_element(*map)) return false;
            step_.makers.emplace(id, BoxStep::Maker{at, id.index - levels_[at]});
        } else {
            return false;
        }
        step_.is_element[at] = true;
        return true;
    }

    bool is_element(const Map& map) {
        const auto fails = [](const Inst& inst) {
            return has_effect(inst.op) || inst.op == Op::print ||
                   (!inst.types.empty() && inst.blocks.empty() && may_fail(inst.op, inst.type()));
        };
        if (!map.captures.arrays.empty() || any_inst(map.fn.body, fails)) return false;
        step_.uses_place = step_.uses_place || map.indexed;
        for (ValueId scalar : map.captures.scalars)
            if (!is_scalar(scalar)) return false;
        return std::all_of(map.args.begin(), map.args.end(), [&](ValueId arg) { return is_element(arg); });
    }

    bool is_scalar(ValueId id) {
        if (!shape(id).empty()) return false;
        if (id == counter_)
            step_.uses_counter = true;
        else if (is_in_body(id))
            add(step_.scalars, variable(id));
        else
            add(step_.outside, id);
        return true;
    }

    std::optional<BoxStep::Leaf> leaf_of(const View& view) {
        using Kind = BoxStep::Leaf::Kind;
        if (view.fill) return std::nullopt;
        if (is_version(view.arg)) return is_box(view) ? std::optional(BoxStep::Leaf{Kind::own}) : std::nullopt;
        if (const auto* transpose = std::get_if<Transpose>(&view.function)) return transposed(view.arg, *transpose);
        const auto* broadcast = std::get_if<Broadcast>(&view.function);
        return broadcast != nullptr ? repeated(view.arg, *broadcast, false) : std::nullopt;
    }

    std::optional<BoxStep::Leaf> transposed(ValueId arg, const Transpose& transpose) {
        if (!is_in_body(arg) || transpose.axes != std::vector<std::size_t>{1, 0}) return std::nullopt;
        const std::size_t at = maker(arg);
        const auto* view = std::get_if<View>(&body_.bindings[at].op);
        const auto* broadcast = view != nullptr ? std::get_if<Broadcast>(&view->function) : nullptr;
        const auto leaf = broadcast != nullptr ? repeated(view->arg, *broadcast, true) : std::nullopt;
        if (leaf) step_.is_element[at] = true, step_.leaves.emplace(arg, *leaf);
        return leaf;
    }

    std::optional<BoxStep::Leaf> repeated(ValueId arg, const Broadcast& broadcast, bool turned) {
        using Kind = BoxStep::Leaf::Kind;
        if (!is_in_body(arg)) return std::nullopt;
        if (shape(arg).empty()) return BoxStep::Leaf{Kind::scalar, add(step_.scalars, variable(arg))};
        if (shape(arg).size() != 1) return std::nullopt;
        const std::size_t axis = turned ? 1 - broadcast.axes[0] : broadcast.axes[0];
        return BoxStep::Leaf{axis == 0 ? Kind::column : Kind::row, add(step_.vectors, vector(arg, axis))};
    }

    BoxStep::Vector vector(ValueId array, std::size_t axis) const { return {array, axis, types_[array.index].scalar}; }

    BoxStep::Variable variable(ValueId id) const { return {id, types_[id.index].scalar}; }

    template <class T>
    static std::size_t add(std::vector<T>& list, const T& what) {
        const auto known = std::find(list.begin(), list.end(), what);
        const auto at = static_cast<std::size_t>(known - list.begin());
        if (known == list.end()) list.push_back(what);
        return at;
    }

    /// The elements that the update overwrites, as they are before it: other updates are outside of the box.
    bool is_box(const View& view) {
        const auto* slice = std::get_if<Slice>(&view.function);
        if (slice == nullptr) return false;
        for (std::size_t axis = 0; axis < axes_of_box; ++axis)
            if (slice->step[axis] != 1 || behind_counter(forms_.of(slice->start[axis])) != step_.first[axis]) return false;
        return true;
    }

    /// Whether a binding reads nothing that is made element by element of the box, and of the matrix only row k or column k.
    bool keeps_to_known(std::size_t at) {
        const Binding& binding = body_.bindings[at];
        bool of_matrix = false;
        for (ValueId id : free_variables(sizes_, binding, levels_[at])) {
            if (step_.leaves.contains(id) || step_.makers.contains(id) || id == body_.results[0]) return false;
            of_matrix = of_matrix || is_version(id);
        }
        if (!of_matrix) return true;
        if (const auto* view = std::get_if<View>(&binding.op)) return reads_known(*view, binding.types[0].shape);
        if (const auto* map = std::get_if<Map>(&binding.op)) return reads_known(*map, binding.types[0].shape);
        if (const auto* gather = std::get_if<Gather>(&binding.op)) return reads_known(*gather);
        return std::holds_alternative<Scatter>(binding.op) && is_version(ValueId(levels_[at])) && updates_only(at);
    }

    bool reads_known(const View& view, const Shape& points) const {
        const auto* slice = std::get_if<Slice>(&view.function);
        if (slice == nullptr || view.fill) return false;
        for (std::size_t axis = 0; axis < axes_of_box; ++axis)
            if (sizes_.is_constant(points[axis], 1) && behind_counter(forms_.of(slice->start[axis])) == 0) return true;
        return false;
    }

    bool reads_known(const Map& map, const Shape& points) {
        if (std::any_of(map.args.begin(), map.args.end(), [&](ValueId id) { return is_version(id); })) return false;
        for (ValueId array : map.captures.arrays) {
            if (!is_version(array)) continue;
            const auto reads = forms_.reads(map, array);
            if (!reads) return false;
            for (const AffinePoint& point : *reads)
                if (!is_at_counter(point[0], points) && !is_at_counter(point[1], points)) return false;
        }
        return true;
    }

    /// Row k, column k or an element of these: `a(k, k)`.
    bool reads_known(const Gather& gather) const {
        const auto is_counter = [&](ValueId index) {
            const MaybeForm form = shape(index).empty() ? MaybeForm(forms_.of(index)) : forms_.elements(index);
            return form && behind_counter(*form) == 0;
        };
        const auto is_index = [&](ValueId id) { return std::count(gather.indices.begin(), gather.indices.end(), id) > 0; };
        return std::none_of(versions_.begin(), versions_.end(), is_index) &&
               std::any_of(gather.indices.begin(), gather.indices.end(), is_counter);
    }

    /// Whether an update before that of the box has the matrix as its destination only.
    bool updates_only(std::size_t at) const {
        const std::vector<ValueId> all = operands(body_.bindings[at].op);
        return std::count_if(all.begin(), all.end(), [&](ValueId id) { return is_version(id); }) == 1;
    }

    SizeTable& sizes_;
    const Loop& loop_;
    const Body& body_;
    const ValueId counter_, matrix_;
    const std::vector<Type>& types_;
    LinearForms& forms_;
    std::vector<std::size_t> levels_;  ///< by binding
    std::vector<ValueId> versions_;
    Shape box_;
    BoxStep step_;
};

}  // namespace

std::optional<BoxStep> box_step(SizeTable& sizes, const Loop& loop, std::size_t base, const std::vector<Type>& types,
                                LinearForms& forms) {
    if (!loop.count || loop.inits.size() != 1 || !loop.changing.empty() || types[base + 1].rank() != axes_of_box)
        return std::nullopt;
    return BoxStepFinder(sizes, loop, base, types, forms)();
}

}  // namespace sinter::enable
