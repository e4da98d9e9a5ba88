// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/rules/overwrites.hpp"

#include <algorithm>

namespace sinter::fuse {

using ir::AffineIndex;
using ir::AffinePoint;
using ir::LinearForm;
using ir::MaybeForm;

Overwrites::Overwrites(const DepGraph& graph) : graph_(graph), forms_(graph.program->sizes, graph.types) {}

bool Overwrites::may_read(const Access& access, Operation scatter, const LabelTable& labels, Label label) {
    const Window& window = this->window(scatter);
    if (!window || access.reduced) return false;
    const ir::Shape& points = graph_.points(scatter);
    if (!access.whole) {
        const auto read = labels.affine(label, points.size(), graph_.program->sizes, forms_);
        return read && (*read == *window || is_beside(*read, points, *window, points));
    }
    const auto* map = std::get_if<ir::Map>(&graph_.binding(access.reader).op);
    if (map == nullptr) return false;
    const auto reads = forms_.reads(*map, access.variable);
    return reads && !reads->empty() && std::all_of(reads->begin(), reads->end(), [&](const AffinePoint& read) {
               return is_beside(read, graph_.points(access.reader), *window, points);
           });
}

const Overwrites::Window& Overwrites::window(Operation scatter) {
    for (std::size_t i = 0; !defined_ && i < graph_.body->bindings.size(); ++i)
        forms_.define(graph_.body->bindings[i], graph_.levels[i]);
    defined_ = true;
    const auto [position, is_new] = windows_.try_emplace(scatter.index);
    if (is_new) position->second = find_window(*graph_.scatter(scatter));
    return position->second;
}

/// Different points go to different elements where each axis of the points moves along one axis of the destination. With
/// several destinations, a point may overwrite the one before it has read the other.
Overwrites::Window Overwrites::find_window(const ir::Scatter& scatter) {
    if (scatter.op || scatter.drops || scatter.dests.size() > 1) return std::nullopt;
    AffinePoint window;
    std::vector<std::size_t> moved(graph_.types[scatter.indices[0].index].rank(), 0);
    for (ir::ValueId id : scatter.indices) {
        const MaybeForm form = index_form(id);
        const auto index = form ? ir::affine_index(*form) : std::nullopt;
        if (!index || (index->axis && index->step < 1)) return std::nullopt;
        if (index->axis) ++moved[*index->axis];
        window.push_back(*index);
    }
    const bool is_apart = std::all_of(moved.begin(), moved.end(), [](std::size_t times) { return times == 1; });
    return is_apart ? Window(std::move(window)) : std::nullopt;
}

/// Of an index array that a function of the indices alone makes.
MaybeForm Overwrites::index_form(ir::ValueId id) {
    const auto after = std::upper_bound(graph_.levels.begin(), graph_.levels.end(), id.index);
    if (after == graph_.levels.begin() || id.index < graph_.levels[0]) return std::nullopt;
    const auto producer = static_cast<std::size_t>(after - graph_.levels.begin() - 1);
    const auto* map = std::get_if<ir::Map>(&graph_.body->bindings[producer].op);
    if (map == nullptr || !map->args.empty()) return std::nullopt;
    return forms_.results(*map)[id.index - graph_.levels[producer]];
}

namespace {

/// The last index that is read or written, if the axes have these extents.
MaybeForm last(const AffineIndex& index, const ir::Shape& shape, ir::LinearForms& forms) {
    if (!index.axis) return index.start;
    const MaybeForm steps = ir::combine(forms.of(shape[*index.axis]), -1, LinearForm{{}, 1});
    return ir::combine(index.start, index.step, steps);
}

bool is_less(const MaybeForm& a, const MaybeForm& b) {
    const MaybeForm difference = ir::combine(b, -1, a);
    return difference && difference->is_constant() && difference->constant > 0;
}

}  // namespace

bool Overwrites::is_beside(const AffinePoint& read, const ir::Shape& reader, const AffinePoint& window,
                           const ir::Shape& points) {
    for (std::size_t axis = 0; axis < window.size(); ++axis) {
        if (read[axis].step < 0) continue;
        if (is_less(last(read[axis], reader, forms_), window[axis].start)) return true;
        if (is_less(last(window[axis], points, forms_), read[axis].start)) return true;
    }
    return false;
}

}  // namespace sinter::fuse
