// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stencils: maps over shifted or padded copies of an array, one per offset that the function reads.
#include <sinter/detail/build.hpp>
#include <sinter/detail/trace.hpp>

#include "front/shape.hpp"
#include "front/traced.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

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
        case detail::Border::keep:
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

/// The function at points all of whose neighbours lie inside, the elements themselves elsewhere: what was recorded becomes a
/// branch or, where nobody can tell, is executed everywhere. The function's body gets the indices as parameters.
class InnerPoints {
  public:
    InnerPoints(Frame& frame, const LeafRef* array)
        : frame_(frame), function_(std::get<FunctionFrame>(frame.body)), array_(array) {
        rank_ = type_of(to_leaf(array[0], frame.where)).shape.size();
    }

    /// The results of the branch, in place of `results`.
    std::vector<Handle> enclose(const Handle* results, std::size_t count) {
        std::vector<ValueNumber> computed, own;
        std::vector<Scalar> types;
        for (std::size_t k = 0; k < count; ++k) {
            computed.push_back(resolve(frame_, results[k]));
            types.push_back(function_.values[computed[k]].type);
            own.push_back(centre(k));
        }
        computed = after_effects(frame_, std::move(computed));
        RecordedBlock& body = function_.open[0];
        if (is_harmless(body)) return select(computed, own, types);
        RecordedBlock inside{function_.blocks++, {}, std::exchange(body.insts, {}), std::move(computed), {}};
        body.effects.reset();
        RecordedBlock outside{function_.blocks++, {}, {}, std::move(own), {}};
        const ValueNumber condition = is_inside();
        Recorded branch{Op::cond, types, 0, {condition}, {}};
        branch.blocks.push_back(std::move(inside)), branch.blocks.push_back(std::move(outside));
        Handle first = add_inst(frame_, std::move(branch));
        std::vector<Handle> made;
        for (std::size_t k = 0; k < count; ++k) made.push_back({first.trace, first.local + static_cast<ValueNumber>(k)});
        return made;
    }

  private:
    static bool is_harmless(const RecordedBlock& body) {
        return std::all_of(body.insts.begin(), body.insts.end(),
                           [](const Recorded& inst) { return inst.blocks.empty() && ir::is_pure(inst.op, inst.types[0]); });
    }

    std::vector<Handle> select(const std::vector<ValueNumber>& inside, const std::vector<ValueNumber>& outside,
                               const std::vector<Scalar>& types) {
        const ValueNumber condition = is_inside();
        std::vector<Handle> made;
        for (std::size_t k = 0; k < types.size(); ++k)
            made.push_back({frame_.serial, add(Op::select, {condition, inside[k], outside[k]}, types[k])});
        return made;
    }

    ValueNumber centre(std::size_t leaf) {
        const std::vector<std::int64_t> here(rank_);
        return detail::neighbour(frame_.serial, array_[leaf], leaf, here.data(), rank_).local;
    }

    ValueNumber add(Op op, std::vector<ValueNumber> operands, Scalar type) {
        return add_inst(frame_, {op, {type}, 0, std::move(operands), {}}).local;
    }
    ValueNumber number(std::int64_t value) {
        return add_inst(frame_, {Op::constant, {Scalar::i64}, static_cast<std::uint64_t>(value), {}, {}}).local;
    }

    ValueNumber is_inside() {
        std::optional<ValueNumber> all;
        auto also = [&](ValueNumber one) { all = all ? add(Op::bit_and, {*all, one}, Scalar::boolean) : one; };
        for (std::size_t axis = 0; axis < rank_; ++axis) {
            const ValueNumber index = add_value(function_, Scalar::i64);
            std::int64_t least = 0, most = 0;
            for (const Neighbour& one : function_.neighbours)
                least = std::min(least, one.offset[axis]), most = std::max(most, one.offset[axis]);
            if (least < 0) also(add(Op::less, {number(-(least + 1)), index}, Scalar::boolean));
            if (most == 0) continue;
            const ValueNumber extent = detail::extent(array_[0], static_cast<std::int64_t>(axis), frame_.where).local;
            also(add(Op::less, {index, add(Op::sub, {extent, number(most)}, Scalar::i64)}, Scalar::boolean));
        }
        if (!all) all = add_inst(frame_, {Op::constant, {Scalar::boolean}, 1, {}, {}}).local;
        return *all;
    }

    Frame& frame_;
    FunctionFrame& function_;
    const LeafRef* array_;
    std::size_t rank_;
};

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
    bool indexed = border == Border::keep;
    std::vector<Handle> made(results, results + result_count);
    if (indexed) made = InnerPoints(frame, args).enclose(results, result_count);
    ir::Fn fn = finish_element_function(frame, made.data(), result_count, here.size(), indexed);
    Map map{.fn = std::move(fn), .args = {}, .captures = take_captures(frame), .indexed = indexed, .shape = {}};
    for (const Neighbour& one : std::get<FunctionFrame>(frame.body).neighbours)
        map.args.push_back(moved(to_leaf(args[one.leaf], frame.where), one.offset, border,
                                 border == Border::constant ? fills + one.leaf : nullptr, frame.where));
    auto types = typed(ir::result_types(map.fn), merged_shape(map.args));
    write_results(make_node(std::move(map), std::move(types), frame.where, frame.combinator), out);
}

}  // namespace sinter::detail
