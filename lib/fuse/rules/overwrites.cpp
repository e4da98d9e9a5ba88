// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/rules/overwrites.hpp"

#include <algorithm>

namespace sinter::fuse {

using ir::AffinePoint;

Overwrites::Overwrites(const DepGraph& graph) : graph_(graph), forms_(graph.program->sizes, graph.types) {}

bool Overwrites::may_read(const Access& access, Operation scatter, const LabelTable& labels, Label label) {
    const Window& window = this->window(scatter);
    if (!window || access.reduced) return false;
    const ir::Shape& points = graph_.points(scatter);
    if (!access.whole) {
        const auto read = labels.affine(label, points.size(), graph_.program->sizes, forms_);
        return read && (*read == *window || forms_.are_apart(*read, points, *window, points));
    }
    const auto* map = std::get_if<ir::Map>(&graph_.binding(access.reader).op);
    if (map == nullptr) return false;
    const auto reads = forms_.reads(*map, access.variable);
    return reads && !reads->empty() && std::all_of(reads->begin(), reads->end(), [&](const AffinePoint& read) {
               return forms_.are_apart(read, graph_.points(access.reader), *window, points);
           });
}

const Overwrites::Window& Overwrites::window(Operation scatter) {
    for (std::size_t i = 0; !defined_ && i < graph_.body->bindings.size(); ++i)
        forms_.define(graph_.body->bindings[i], graph_.levels[i]);
    defined_ = true;
    const auto [position, is_new] = windows_.try_emplace(scatter.index);
    if (is_new) position->second = forms_.window(*graph_.scatter(scatter));
    return position->second;
}

}  // namespace sinter::fuse
