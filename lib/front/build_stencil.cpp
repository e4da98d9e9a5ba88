// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stencils: maps over shifted or padded copies of an array, one per offset that the function reads.
#include <sinter/detail/build.hpp>

#include "front/shape.hpp"
#include "front/traced.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinter::front {
namespace {

ir::Boundary boundary_of(detail::Border border) {
    switch (border) {
        case detail::Border::wrap:
            return ir::Boundary::wrap;
        case detail::Border::symmetric:
            return ir::Boundary::symmetric;
        case detail::Border::reflect:
            return ir::Boundary::reflect;
        case detail::Border::clamp:
        case detail::Border::constant:
            break;
    }
    return ir::Boundary::clamp;
}

/// The array moved such that the element at `offset` from each element takes its place.
Leaf moved(const Leaf& leaf, const std::vector<std::int64_t>& offset, detail::Border border, const LeafRef* fill,
           location where) {
    if (std::all_of(offset.begin(), offset.end(), [](std::int64_t one) { return one == 0; })) return leaf;
    if (border != detail::Border::constant)
        return {make_node(Shift{leaf, offset, boundary_of(border)}, {type_of(leaf)}, where), 0};
    Pad op{leaf, to_leaf(*fill, where), {}, extent_operands(leaf, where), {}};
    for (std::size_t k = 0; k < offset.size(); ++k) op.start.push_back(clamped(offset[k], op.extent[k], where));
    return {make_node(std::move(op), {type_of(leaf)}, where), 0};
}

}  // namespace
}  // namespace sinter::front

namespace sinter::detail {

using namespace sinter::front;

Handle neighbour(std::uint64_t trace, const LeafRef& array, std::size_t leaf, const std::int64_t* offset, std::size_t rank) {
    Frame& frame = innermost("reading a neighbour");
    if (frame.serial != trace)
        throw UsageError(fmt::format("inside {}, the neighbourhood of another stencil is read", describe(frame)),
                         frame.where);
    auto& function = std::get<FunctionFrame>(frame.body);
    std::vector<std::int64_t> at(offset, offset + rank);
    for (const Neighbour& known : function.neighbours)
        if (known.leaf == leaf && known.offset == at) return {trace, known.value};
    ValueNumber value = add_outer_value(function, type_of(to_leaf(array, frame.where)).scalar);
    function.neighbours.push_back({leaf, std::move(at), value});
    return {trace, value};
}

void end_stencil(std::uint64_t trace, const Handle* results, std::size_t result_count, const LeafRef* args, Border border,
                 const LeafRef* fills, LeafRef* out) {
    Frame& frame = traced_function(trace);
    const std::vector<std::int64_t> here(type_of(to_leaf(args[0], frame.where)).shape.size());
    if (std::get<FunctionFrame>(frame.body).neighbours.empty()) neighbour(trace, args[0], 0, here.data(), here.size());
    bool indexed = false;
    ir::Fn fn = finish_element_function(frame, results, result_count, here.size(), indexed);
    Map map{.fn = std::move(fn), .args = {}, .captures = take_captures(frame), .indexed = indexed, .shape = {}};
    for (const Neighbour& one : std::get<FunctionFrame>(frame.body).neighbours)
        map.args.push_back(moved(to_leaf(args[one.leaf], frame.where), one.offset, border,
                                 border == Border::constant ? fills + one.leaf : nullptr, frame.where));
    auto types = typed(ir::result_types(map.fn), merged_shape(map.args));
    write_results(make_node(std::move(map), std::move(types), frame.where, frame.combinator), out);
}

}  // namespace sinter::detail
