// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/sizes/linear.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>

namespace sinter::ir {

namespace {

/// Forms with larger numbers are not computed with.
constexpr std::int64_t most_factor = std::int64_t{1} << 16, most_constant = std::int64_t{1} << 40;

LinearForm of_term(Term term) { return {{{term, 1}}, 0}; }

MaybeForm checked(LinearForm form) {
    std::erase_if(form.factors, [](const auto& term) { return term.second == 0; });
    const bool is_small = std::abs(form.constant) <= most_constant &&
                          std::all_of(form.factors.begin(), form.factors.end(),
                                      [](const auto& term) { return std::abs(term.second) <= most_factor; });
    return is_small ? MaybeForm(std::move(form)) : std::nullopt;
}

MaybeForm constant(std::int64_t value) {
    if (value < -most_constant || value > most_constant) return std::nullopt;
    return LinearForm{{}, value};
}

}  // namespace

MaybeForm combine(const MaybeForm& a, std::int64_t factor, const MaybeForm& b) {
    if (!a || !b || factor < -most_factor || factor > most_factor) return std::nullopt;
    LinearForm sum = *a;
    sum.constant += factor * b->constant;
    for (const auto& [term, times] : b->factors) sum.factors[term] += factor * times;
    return checked(std::move(sum));
}

MaybeForm product(const MaybeForm& a, const MaybeForm& b) {
    if (!a || !b) return std::nullopt;
    if (a->is_constant()) return combine(LinearForm{}, a->constant, b);
    return b->is_constant() ? combine(LinearForm{}, b->constant, a) : std::nullopt;
}

std::optional<AffineIndex> affine_index(LinearForm form) {
    AffineIndex index;
    auto is_axis = [](const auto& term) { return term.first.kind == Term::Kind::axis; };
    for (const auto& [term, factor] : form.factors) {
        if (term.kind != Term::Kind::axis) continue;
        if (index.axis) return std::nullopt;
        index.axis = term.index, index.step = factor;
    }
    std::erase_if(form.factors, is_axis);
    index.start = std::move(form);
    return index;
}

namespace {

/// Runs a function on forms.
class Evaluator {
  public:
    using ExtentForm = std::function<LinearForm(ExtentOf)>;
    using Visit = std::function<void(const Inst&, const std::vector<MaybeForm>& operands)>;
    Evaluator(std::vector<MaybeForm> arguments, ExtentForm extent, Visit visit)
        : locals_(std::move(arguments)), extent_(std::move(extent)), visit_(std::move(visit)) {}

    /// The block's parameters have to be in locals().
    void block(const Block& block) {
        for (const Inst& inst : block.insts) {
            std::vector<MaybeForm> operands;
            for (Local operand : inst.operands) operands.push_back(locals_[operand.index]);
            visit_(inst, operands);
            for (const Block& nested : inst.blocks) inner(nested);
            const bool is_index = inst.types.size() == 1 && inst.type() == Scalar::i64;
            locals_.push_back(is_index ? execute(inst, operands) : std::nullopt);
            locals_.resize(locals_.size() + inst.types.size() - 1);
        }
    }

    const std::vector<MaybeForm>& locals() const { return locals_; }

  private:
    void inner(const Block& nested) {
        const std::size_t outside = locals_.size();
        locals_.resize(outside + nested.params.size());
        block(nested);
        locals_.resize(outside);
    }

    MaybeForm execute(const Inst& inst, const std::vector<MaybeForm>& operands) const {
        switch (inst.op) {
            case Op::constant:
                return constant(static_cast<std::int64_t>(inst.bits));
            case Op::extent:
                return extent_(extent_of(inst));
            case Op::add:
                return combine(operands[0], 1, operands[1]);
            case Op::sub:
                return combine(operands[0], -1, operands[1]);
            case Op::mul:
                return product(operands[0], operands[1]);
            default:
                return std::nullopt;
        }
    }

    std::vector<MaybeForm> locals_;
    ExtentForm extent_;
    Visit visit_;
};

}  // namespace

void LinearForms::define(const Binding& binding, std::size_t level) {
    if (const auto* view = std::get_if<View>(&binding.op)) return define(*view, binding.types[0], level);
    const auto* map = std::get_if<Map>(&binding.op);
    if (map == nullptr || (binding.types[0].rank() > 0 && !map->args.empty())) return;
    const std::vector<MaybeForm> forms = results(*map);
    for (std::size_t k = 0; k < forms.size(); ++k)
        if (forms[k] && binding.types[k].scalar == Scalar::i64) elements_[level + k] = *forms[k];
}

void LinearForms::forget(std::size_t level) {
    std::erase_if(elements_, [&](const auto& known) { return known.first >= level; });
    known_.clear();
}

LinearForm LinearForms::of(ValueId scalar) const {
    const auto known = elements_.find(scalar.index);
    return known != elements_.end() ? known->second : of_term({Term::Kind::variable, scalar.index});
}

MaybeForm LinearForms::elements(ValueId array) const {
    const auto known = elements_.find(array.index);
    return known != elements_.end() ? MaybeForm(known->second) : std::nullopt;
}

namespace {

MaybeForm axis(std::size_t index) { return of_term({Term::Kind::axis, index}); }

/// Inserts index 0 along axes of extent 1 that one of the shapes lacks.
std::optional<std::vector<MaybeForm>> reshaped(const SizeTable& sizes, const Shape& arg, const Shape& result) {
    std::vector<MaybeForm> indices;
    std::size_t next = 0;
    auto skip_ones = [&] {
        while (next < result.size() && sizes.is_constant(result[next], 1)) ++next;
    };
    for (SizeId extent : arg) {
        if (sizes.is_constant(extent, 1)) {
            indices.emplace_back(LinearForm{});
            continue;
        }
        skip_ones();
        if (next == result.size() || result[next] != extent) return std::nullopt;
        indices.push_back(axis(next++));
    }
    skip_ones();
    return next == result.size() ? std::optional(std::move(indices)) : std::nullopt;
}

}  // namespace

std::optional<std::vector<MaybeForm>> LinearForms::source(const View& view, const Shape& arg, const Shape& result) {
    if (view.fill) return std::nullopt;
    std::vector<MaybeForm> indices(arg.size());
    if (const auto* broadcast = std::get_if<Broadcast>(&view.function)) {
        for (std::size_t k = 0; k < arg.size(); ++k) indices[k] = axis(broadcast->axes[k]);
    } else if (const auto* transpose = std::get_if<Transpose>(&view.function)) {
        for (std::size_t k = 0; k < arg.size(); ++k) indices[transpose->axes[k]] = axis(k);
    } else if (const auto* slice = std::get_if<Slice>(&view.function)) {
        for (std::size_t k = 0; k < arg.size(); ++k) indices[k] = combine(of(slice->start[k]), slice->step[k], axis(k));
    } else if (std::holds_alternative<Reshape>(view.function)) {
        return reshaped(sizes_, arg, result);
    } else {
        return std::nullopt;
    }
    return indices;
}

/// An element of the view is an element of the array, at an index that is a form as well.
void LinearForms::define(const View& view, const Type& type, std::size_t level) {
    if (type.scalar != Scalar::i64) return;
    const Type& arg = type_(view.arg);
    const MaybeForm form = arg.rank() == 0 ? MaybeForm(of(view.arg)) : elements(view.arg);
    const auto indices = source(view, arg.shape, type.shape);
    if (!form || !indices) return;
    MaybeForm moved = LinearForm{{}, form->constant};
    for (const auto& [term, factor] : form->factors)
        moved = combine(moved, factor, term.kind == Term::Kind::axis ? (*indices)[term.index] : MaybeForm(of_term(term)));
    if (moved) elements_[level] = std::move(*moved);
}

LinearForm LinearForms::of(SizeId size) {
    if (const auto known = known_.find(size); known != known_.end()) return known->second;
    LinearForm form = compound(sizes_[size]).value_or(of_term({Term::Kind::size, size.index}));
    return known_[size] = std::move(form);
}

MaybeForm LinearForms::compound(const Size& size) {
    switch (size.kind) {
        case Size::Kind::constant:
            return constant(size.index);
        case Size::Kind::value:
            return of(ValueId(static_cast<std::size_t>(size.index)));
        case Size::Kind::add:
            return combine(of(size.left), 1, of(size.right));
        case Size::Kind::sub:
            return combine(of(size.left), -1, of(size.right));
        case Size::Kind::mul:
            return product(of(size.left), of(size.right));
        default:
            return std::nullopt;
    }
}

namespace {

/// The parameters of a map's function: indices, elements of arguments, captured scalars.
template <class OfScalar>
std::vector<MaybeForm> parameters(const Map& map, const LinearForms::TypeOf& type, OfScalar of) {
    std::vector<MaybeForm> forms;
    auto scalar = [&](ValueId id) { forms.push_back(type(id).rank() == 0 ? MaybeForm(of(id)) : std::nullopt); };
    const std::size_t indices = map.fn.body.params.size() - map.args.size() - map.captures.scalars.size();
    for (std::size_t axis = 0; axis < indices; ++axis) forms.push_back(of_term({Term::Kind::axis, axis}));
    std::for_each(map.args.begin(), map.args.end(), scalar);
    std::for_each(map.captures.scalars.begin(), map.captures.scalars.end(), scalar);
    return forms;
}

}  // namespace

std::vector<MaybeForm> LinearForms::results(const Map& map) {
    auto extent = [&](ExtentOf e) { return of(type_(map.captures.arrays[e.slot]).shape[e.axis]); };
    Evaluator evaluator(parameters(map, type_, [&](ValueId id) { return of(id); }), extent, [](const Inst&, const auto&) {});
    evaluator.block(map.fn.body);
    std::vector<MaybeForm> forms;
    for (Local result : map.fn.body.results) forms.push_back(evaluator.locals()[result.index]);
    return forms;
}

std::optional<std::vector<AffinePoint>> LinearForms::reads(const Map& map, ValueId array) {
    std::vector<AffinePoint> points;
    bool all = true;
    auto extent = [&](ExtentOf e) { return of(type_(map.captures.arrays[e.slot]).shape[e.axis]); };
    auto visit = [&](const Inst& inst, const std::vector<MaybeForm>& operands) {
        if (inst.op != Op::read || map.captures.arrays[inst.bits] != array) return;
        AffinePoint point;
        for (const MaybeForm& form : operands) {
            const auto index = form ? affine_index(*form) : std::nullopt;
            all = all && index;
            point.push_back(index.value_or(AffineIndex{}));
        }
        points.push_back(std::move(point));
    };
    Evaluator evaluator(parameters(map, type_, [&](ValueId id) { return of(id); }), extent, visit);
    evaluator.block(map.fn.body);
    return all ? std::optional(std::move(points)) : std::nullopt;
}

/// Different points go to different elements if each axis of the points moves along one axis of the destination.
std::optional<AffinePoint> LinearForms::window(const Scatter& scatter) const {
    if (scatter.op || scatter.drops || scatter.dests.size() > 1) return std::nullopt;
    AffinePoint window;
    std::vector<std::size_t> moved(type_(scatter.indices[0]).rank(), 0);
    for (ValueId id : scatter.indices) {
        const MaybeForm form = elements(id);
        const auto index = form ? affine_index(*form) : std::nullopt;
        if (!index || (index->axis && index->step < 1)) return std::nullopt;
        if (index->axis) ++moved[*index->axis];
        window.push_back(*index);
    }
    const Shape& points = type_(scatter.indices[0]).shape;
    for (std::size_t k = 0; k < moved.size(); ++k)
        if (moved[k] != 1 && !(moved[k] == 0 && sizes_.is_constant(points[k], 1))) return std::nullopt;
    return window;
}

/// The last index that is reached along an axis.
MaybeForm LinearForms::last(const AffineIndex& index, const Shape& shape) {
    if (!index.axis) return index.start;
    return combine(index.start, index.step, combine(of(shape[*index.axis]), -1, LinearForm{{}, 1}));
}

namespace {

bool is_less(const MaybeForm& a, const MaybeForm& b) {
    const MaybeForm difference = combine(b, -1, a);
    return difference && difference->is_constant() && difference->constant > 0;
}

}  // namespace

bool LinearForms::are_apart(const AffinePoint& a, const Shape& a_shape, const AffinePoint& b, const Shape& b_shape) {
    for (std::size_t axis = 0; axis < a.size(); ++axis) {
        if (a[axis].step < 0 || b[axis].step < 0) continue;
        if (is_less(last(a[axis], a_shape), b[axis].start) || is_less(last(b[axis], b_shape), a[axis].start)) return true;
    }
    return false;
}

}  // namespace sinter::ir
