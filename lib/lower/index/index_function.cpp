// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views as maps of points. Segments stay whole where the argument's axes are arranged like the result's.
#include "lower/index/point.hpp"

#include "support/check.hpp"
#include "support/match.hpp"

namespace sinter::lower {

Point Indexing::source(const ir::IndexFunction& function, const Shape& arg, const Shape& result, const Point& point) {
    return match(
        function, [&](const ir::Transpose& t) { return transposed(t, result, point); },
        [&](const ir::Slice& s) { return sliced(s, arg, result, point); },
        [&](const ir::Broadcast& b) { return broadcast(b, arg, result, point); },
        [&](const ir::Reshape&) { return reshaped(arg, result, point); },
        [&](const ir::Shift& s) { return shifted(s, arg, point); });
}

/// Result axes that are adjacent in the argument, in the same order, may share a segment.
Point Indexing::transposed(const ir::Transpose& transpose, const Shape& result, const Point& point) {
    std::set<std::size_t> boundaries;
    for (std::size_t k = 1; k < result.size(); ++k)
        if (transpose.axes[k] != transpose.axes[k - 1] + 1) boundaries.insert(k);
    Point apart = split(point, result, boundaries);
    std::map<std::size_t, Segment> by_source_axis;
    std::size_t first = 0;
    for (const Segment& segment : apart.segments) {
        by_source_axis.emplace(transpose.axes[first], segment);
        first += segment.axes;
    }
    Point source{{}, point.unproven};
    for (const auto& [axis, segment] : by_source_axis) source.segments.push_back(segment);
    return source;
}

/// Drops the new axes; kept axes may share a segment with kept axes only.
Point Indexing::broadcast(const ir::Broadcast& broadcast, const Shape& arg, const Shape& result, const Point& point) {
    std::set<std::size_t> kept(broadcast.axes.begin(), broadcast.axes.end()), boundaries;
    for (std::size_t k = 1; k < result.size(); ++k)
        if (kept.contains(k) != kept.contains(k - 1)) boundaries.insert(k);
    Point apart = split(point, result, boundaries), source{{}, point.unproven};
    std::size_t first = 0, axes = 0;
    for (const Segment& segment : apart.segments) {
        if (kept.contains(first)) {
            source.segments.push_back(segment);
            axes += segment.axes;
        }
        first += segment.axes;
    }
    check(axes == arg.size(), "a broadcast keeps its argument's axes");
    return source;
}

namespace {

bool is_whole(const ir::SizeTable& sizes, const ir::Slice& slice, const Shape& arg, const Shape& result, std::size_t k) {
    return sizes.is_constant(slice.start[k], 0) && slice.step[k] == 1 && arg[k] == result[k];
}

}  // namespace

/// A segment may be sliced as a whole if only its outermost axis is cut, with step 1.
std::set<std::size_t> Indexing::slice_boundaries(const ir::Slice& slice, const Shape& arg, const Shape& result) const {
    std::set<std::size_t> boundaries;
    for (std::size_t k = 0; k < result.size(); ++k) {
        if (is_whole(sizes_, slice, arg, result, k)) continue;
        boundaries.insert(k);
        if (slice.step[k] != 1) boundaries.insert(k + 1);
    }
    return boundaries;
}

/// Segments are shifted as a whole; a shifted index is inside the argument if and only if the outermost axis of its segment
/// is.
Indexing::Padded Indexing::padded(const ir::Slice& slice, const Shape& arg, const Shape& result, const Point& point) {
    Padded padded{split(point, result, slice_boundaries(slice, arg, result)), {}};
    std::size_t first = 0;
    for (Segment& segment : padded.point.segments) {
        if (!is_whole(sizes_, slice, arg, result, first)) {
            SizeId inner = elements(arg, first + 1, first + segment.axes);
            segment.index = graph_.add(Op::add, {segment.index, size(sizes_.mul(slice.start[first], inner))});
            segment.origin.reset();
            const SizeId reach = elements(arg, first, first + segment.axes);
            if (!is_proven(segment.index, reach, padded.point)) {
                Ref inside = graph_.add(Op::inside, {segment.index, size(reach)});
                padded.inside = padded.inside ? graph_.add(Op::bit_and, {*padded.inside, inside}) : inside;
            }
        }
        first += segment.axes;
    }
    return padded;
}

/// Axes that are shifted have segments of their own.
Point Indexing::shifted(const ir::Shift& shift, const Shape& arg, const Point& point) {
    std::set<std::size_t> boundaries;
    for (std::size_t k = 0; k < arg.size(); ++k)
        if (shift.offset[k] != 0) boundaries.insert({k, k + 1});
    Point source = split(point, arg, boundaries);
    std::size_t first = 0;
    for (Segment& segment : source.segments) {
        if (shift.offset[first] != 0) {
            segment.index = shifted(segment.index, shift.offset[first], arg[first], shift.boundary);
            segment.origin.reset();
            set_range(segment.index, arg[first]);
        }
        first += segment.axes;
    }
    return source;
}

namespace {

/// The operation that maps an index beyond the axis to one inside; none for clamp.
std::optional<Op> continuation(ir::Boundary boundary) {
    switch (boundary) {
        case ir::Boundary::wrap:
            return Op::wrap;
        case ir::Boundary::symmetric:
            return Op::symmetric;
        case ir::Boundary::reflect:
            return Op::reflect;
        case ir::Boundary::clamp:
            break;
    }
    return std::nullopt;
}

constexpr std::int64_t far = std::int64_t{1} << 47;  ///< no index of a kernel is as large

}  // namespace

/// The number that is added to an index of the axis, limited so that the sum does not wrap around.
Ref Indexing::distance(std::int64_t offset, SizeId extent, ir::Boundary boundary) {
    if (-far <= offset && offset <= far) return graph_.index(offset);
    if (boundary == ir::Boundary::clamp) return graph_.index(offset < 0 ? -far : far);
    SizeId period = boundary == ir::Boundary::wrap ? extent : sizes_.mul(extent, sizes_.constant(2));
    if (boundary == ir::Boundary::reflect) period = sizes_.sub(period, sizes_.constant(2));
    return graph_.add(Op::rem, {graph_.index(offset), size(sizes_.maximum(period, sizes_.constant(1)))});
}

/// A neighbour of a neighbour, of which one may be the point itself: that is inside, and needs no limit.
Ref Indexing::neighbour_of(Ref index, std::int64_t offset) {
    const Node& node = graph_[index.node];
    const std::uint64_t* by = node.parameters || node.op != Op::add ? nullptr : graph_.constant_bits(node.operands[1]);
    if (!by || offset < -far || offset > far) return {};
    const Ref first = node.operands[0];
    const auto both = static_cast<std::int64_t>(*by + static_cast<std::uint64_t>(offset));
    return graph_.add(Op::add, {first, graph_.index(both)});
}

Ref Indexing::shifted(Ref index, std::int64_t offset, SizeId extent, ir::Boundary boundary) {
    if (const Ref near = neighbour_of(index, offset); near.node.valid() && in_range(near, extent)) return near;
    Ref moved = graph_.add(Op::add, {index, distance(offset, extent, boundary)});
    if (auto op = continuation(boundary)) return graph_.add(*op, {moved, size(extent)});
    if (offset < 0) return graph_.add(Op::maximum, {moved, graph_.index(0)});
    return graph_.add(Op::minimum, {moved, size(sizes_.sub(extent, sizes_.constant(1)))});
}

Point Indexing::sliced(const ir::Slice& slice, const Shape& arg, const Shape& result, const Point& point) {
    Point source = split(point, result, slice_boundaries(slice, arg, result));
    std::size_t first = 0;
    for (Segment& segment : source.segments) {
        if (!is_whole(sizes_, slice, arg, result, first)) segment = sliced(slice, arg, segment, first);
        first += segment.axes;
    }
    return source;
}

Segment Indexing::sliced(const ir::Slice& slice, const Shape& arg, const Segment& segment, std::size_t first) {
    SizeId inner = elements(arg, first + 1, first + segment.axes);
    Ref index = graph_.add(Op::mul, {segment.index, graph_.index(slice.step[first])});
    index = graph_.add(Op::add, {index, size(sizes_.mul(slice.start[first], inner))});
    set_range(index, elements(arg, first, first + segment.axes));
    return {segment.axes, index, segment.origin};
}

/// The segments of axes [first, last) as one segment.
Segment Indexing::joined(const Point& point, std::size_t first, std::size_t last, const Shape& shape) {
    Point part{{}, point.unproven};
    std::size_t axis = 0;
    for (const Segment& segment : point.segments) {
        if (axis >= first && axis < last) part.segments.push_back(segment);
        axis += segment.axes;
    }
    if (part.segments.size() == 1) return part.segments[0];
    Shape run(shape.begin() + static_cast<std::ptrdiff_t>(first), shape.begin() + static_cast<std::ptrdiff_t>(last));
    return {last - first, offset(part, run), {}};
}

/// Wherever as many elements lie behind an axis of one shape as behind an axis of the other, and a segment begins there, the
/// index vectors agree: what lies between two such places is one segment of the argument.
Point Indexing::reshaped(const Shape& arg, const Shape& result, const Point& point) {
    std::set<std::size_t> starts;
    std::size_t axis = 0;
    for (const Segment& segment : point.segments) starts.insert(axis), axis += segment.axes;

    Point source{{}, point.unproven};
    std::size_t result_end = result.size(), arg_end = arg.size();
    auto take = [&](std::size_t result_first, std::size_t arg_first) {
        Segment segment = joined(point, result_first, result_end, result);
        bool same = std::equal(arg.begin() + static_cast<std::ptrdiff_t>(arg_first),
                               arg.begin() + static_cast<std::ptrdiff_t>(arg_end),
                               result.begin() + static_cast<std::ptrdiff_t>(result_first),
                               result.begin() + static_cast<std::ptrdiff_t>(result_end));
        if (!same) segment.origin.reset();
        segment.axes = arg_end - arg_first;
        if (segment.axes > 0) {
            set_range(segment.index, elements(arg, arg_first, arg_end));
            source.segments.insert(source.segments.begin(), segment);
        }
        result_end = result_first;
        arg_end = arg_first;
    };
    for (auto start = starts.rbegin(); start != starts.rend() && *start > 0; ++start)
        for (std::size_t a = arg_end; a-- > 1;)
            if (same_elements(arg, a, result, *start)) {
                take(*start, a);
                break;
            }
    take(0, 0);
    return source;
}

/// The symbolic factors of the number of elements behind axis `first`, and the constant factor.
std::map<SizeId, std::size_t> Indexing::factors(const Shape& shape, std::size_t first, std::int64_t& constant) const {
    std::map<SizeId, std::size_t> result;
    std::vector<SizeId> stack(shape.begin() + static_cast<std::ptrdiff_t>(first), shape.end());
    constant = 1;
    while (!stack.empty()) {
        SizeId id = stack.back();
        stack.pop_back();
        const ir::Size& size = sizes_[id];
        if (size.kind == ir::Size::Kind::mul)
            stack.insert(stack.end(), {size.left, size.right});
        else if (size.kind == ir::Size::Kind::constant)
            constant *= size.index;
        else
            ++result[id];
    }
    return result;
}

bool Indexing::same_elements(const Shape& a, std::size_t a_first, const Shape& b, std::size_t b_first) const {
    std::int64_t a_constant, b_constant;
    return factors(a, a_first, a_constant) == factors(b, b_first, b_constant) && a_constant == b_constant;
}

}  // namespace sinter::lower
