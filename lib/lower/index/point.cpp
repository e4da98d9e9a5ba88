// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/index/point.hpp"

#include "support/check.hpp"

namespace sinter::lower {

Ref Indexing::size(SizeId id) {
    const ir::Size& entry = sizes_[id];
    if (entry.kind == ir::Size::Kind::constant) return graph_.index(entry.index);
    return graph_.add(Op::size, Scalar::i64, id.index, {});
}

SizeId Indexing::elements(const Shape& shape, std::size_t first, std::size_t last) {
    SizeId product = sizes_.constant(1);
    for (std::size_t k = first; k < last; ++k) product = sizes_.mul(product, shape[k]);
    return product;
}

Ref Indexing::scaled(Ref index, SizeId stride) { return graph_.add(Op::mul, {index, size(stride)}); }

Ref Indexing::offset(const Point& point, const Shape& shape) {
    std::multimap<std::uint32_t, Ref> terms;  // by depth
    std::size_t axis = 0;
    for (const Segment& segment : point.segments) {
        axis += segment.axes;
        Ref term = scaled(segment.index, elements(shape, axis, shape.size()));
        terms.emplace(graph_[graph_[term.node].earliest].depth, term);
    }
    check(axis == shape.size(), "a point has the array's rank");
    Ref sum = graph_.index(0);
    for (const auto& [depth, term] : terms) sum = graph_.add(Op::add, {sum, term});
    return sum;
}

/// index / inner % extent; the outermost piece needs no %. Along an axis of extent 1 there is only one index.
Ref Indexing::piece(Ref index, SizeId inner, SizeId extent, bool outermost) {
    if (sizes_.is_constant(extent, 1)) return graph_.index(0);
    Ref result = graph_.add(Op::div, {index, size(inner)});
    if (!outermost) result = graph_.add(Op::rem, {result, size(extent)});
    set_range(result, extent);
    return result;
}

/// Splits a segment that begins at axis `first` into segments that begin at `starts`, the first of which is `first`.
void Indexing::append_pieces(Point& to, const Segment& segment, std::size_t first, const Shape& shape,
                             const std::vector<std::size_t>& starts) {
    if (starts.size() == 1) {
        to.segments.push_back(segment);
        return;
    }
    bool outermost = true;
    for (std::size_t k = 0; k < starts.size(); ++k) {
        std::size_t start = starts[k], end = k + 1 < starts.size() ? starts[k + 1] : first + segment.axes;
        const SizeId extent = elements(shape, start, end);
        Segment part{end - start, {}, {}};
        if (segment.origin) part.origin = *segment.origin + (start - first);
        if (segment.origin && !outermost) cuts_.insert(*part.origin);
        part.index = piece(segment.index, elements(shape, end, first + segment.axes), extent, outermost);
        to.segments.push_back(part);
        outermost = outermost && sizes_.is_constant(extent, 1);
    }
}

Point Indexing::split(const Point& point, const Shape& shape, const std::set<std::size_t>& boundaries) {
    Point result{{}, point.unproven};
    std::size_t first = 0;
    for (const Segment& segment : point.segments) {
        std::vector<std::size_t> starts{first};
        for (auto b = boundaries.upper_bound(first); b != boundaries.end() && *b < first + segment.axes; ++b)
            starts.push_back(*b);
        append_pieces(result, segment, first, shape, starts);
        first += segment.axes;
    }
    return result;
}

Ref Indexing::axis(const Point& point, const Shape& shape, std::size_t k) {
    Point apart = split(point, shape, {k, k + 1});
    std::size_t first = 0;
    for (const Segment& segment : apart.segments) {
        if (first == k && segment.axes == 1) return segment.index;
        first += segment.axes;
    }
    fail_check("a point has the array's rank", location::current());
}

bool Indexing::in_range(Ref index, SizeId extent) {
    auto known = ranges_.find(key(index));
    if (known != ranges_.end() && known->second == extent) return true;
    if (is_reversed(index, extent)) return true;
    const std::uint64_t* constant = graph_.constant_bits(index);
    const ir::Size& size = sizes_[extent];
    if (!constant || size.kind != ir::Size::Kind::constant) return is_proven(index, extent);
    auto value = static_cast<std::int64_t>(*constant);
    return value >= 0 && value < size.index;
}

/// True if it is extent - 1 - i, where i is in range.
bool Indexing::is_reversed(Ref index, SizeId extent) const {
    const Node& node = graph_[index.node];
    if (node.op != Op::sub || node.parameters) return false;
    const auto known = ranges_.find(key(node.operands[1]));
    if (known == ranges_.end() || known->second != extent) return false;
    const Node& last = graph_[node.operands[0].node];
    if (last.op != Op::sub || last.parameters || !graph_.is_constant(last.operands[1], 1)) return false;
    const Node& size = graph_[last.operands[0].node];
    return size.op == Op::size && SizeId(size.bits) == extent;
}

}  // namespace sinter::lower
