// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Index vectors of arrays as values of the kernel, and what views do to them.
///
/// A *point* of an array is given in segments: runs of adjacent axes with one index each, which is the row-major position
/// within the run. If a point of a contiguous array has a single segment, its index is the offset: so a rank-3 element-wise
/// kernel counts along one axis.
#pragma once

#include "ir/program.hpp"
#include "ir/sizes/linear.hpp"
#include "lower/graph.hpp"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace sinter::lower {

using ir::Shape;

struct Segment {
    std::size_t axes;  ///< number of axes
    Ref index;
    std::optional<std::size_t> origin;  ///< from here on, the axes are those of the element space
    bool operator==(const Segment&) const = default;
};

struct Point {
    std::vector<Segment> segments;
    bool unproven = false;  ///< it may lie outside the array: to be used only where it was asked for
    bool operator==(const Point&) const = default;
};

/// Index arithmetic on a graph. Wherever axes of the element space that share a segment are needed one by one, this is noted
/// in `cuts`: lowering starts again with the axes separated (collapse.hpp). What is built in the meantime is correct.
class Indexing {
  public:
    Indexing(Graph& graph, ir::SizeTable& sizes)
        : graph_(graph), sizes_(sizes), forms_(sizes, [](ir::ValueId) -> const ir::Type& { return no_type(); }) {}

    /// The value of a size.
    Ref size(SizeId id);
    /// The number of elements of shape[first, last).
    SizeId elements(const Shape& shape, std::size_t first, std::size_t last);
    SizeId elements(const Shape& shape) { return elements(shape, 0, shape.size()); }

    /// The row-major offset. Terms that change least often are added first.
    Ref offset(const Point& point, const Shape& shape);
    /// The point with a segment boundary before each of these axes.
    Point split(const Point& point, const Shape& shape, const std::set<std::size_t>& boundaries);
    /// The index along one axis.
    Ref axis(const Point& point, const Shape& shape, std::size_t k);
    /// The point of the argument that a view shows at `point`.
    Point source(const ir::IndexFunction& function, const Shape& arg, const Shape& result, const Point& point);
    /// The same for a slice that may leave its argument. The condition that it does not is a boolean, or nothing if it never
    /// does.
    struct Padded {
        Point point;
        std::optional<Ref> inside;
    };
    Padded padded(const ir::Slice& slice, const Shape& arg, const Shape& result, const Point& point);

    /// States that 0 <= index < extent.
    void set_range(Ref index, SizeId extent) { ranges_.emplace(key(index), extent); }
    /// States that a loop's index is less than its count.
    void set_count(Ref index, Ref count);
    /// States that no call has a negative value for this size.
    void set_extent(SizeId size) { extents_.insert(size); }
    /// True if 0 <= index < extent is known, or follows from what is known of the indices that it is computed from.
    bool in_range(Ref index, SizeId extent);

    /// The axes of the element space that have to begin a segment.
    const std::set<std::size_t>& cuts() const { return cuts_; }

  private:
    bool is_reversed(Ref index, SizeId extent) const;
    class Proof;  ///< proof.cpp
    /// `beside`: a point that is there where the index is needed.
    bool is_proven(Ref index, SizeId extent, const Point& beside = {});
    static const ir::Type& no_type();
    static std::pair<std::uint32_t, std::uint32_t> key(Ref ref) { return {ref.node.index, ref.result}; }
    void append_pieces(Point& to, const Segment& segment, std::size_t first, const Shape& shape,
                       const std::vector<std::size_t>& starts);
    Ref piece(Ref index, SizeId inner, SizeId extent, bool outermost);
    Ref scaled(Ref index, SizeId stride);
    Point transposed(const ir::Transpose& transpose, const Shape& result, const Point& point);
    Point broadcast(const ir::Broadcast& broadcast, const Shape& arg, const Shape& result, const Point& point);
    Point sliced(const ir::Slice& slice, const Shape& arg, const Shape& result, const Point& point);
    Segment sliced(const ir::Slice& slice, const Shape& arg, const Segment& segment, std::size_t first);
    std::set<std::size_t> slice_boundaries(const ir::Slice& slice, const Shape& arg, const Shape& result) const;
    Point shifted(const ir::Shift& shift, const Shape& arg, const Point& point);
    Ref shifted(Ref index, std::int64_t offset, SizeId extent, ir::Boundary boundary);
    Ref neighbour_of(Ref index, std::int64_t offset);
    Ref distance(std::int64_t offset, SizeId extent, ir::Boundary boundary);
    Point reshaped(const Shape& arg, const Shape& result, const Point& point);
    Segment joined(const Point& point, std::size_t first, std::size_t last, const Shape& shape);
    std::map<SizeId, std::size_t> factors(const Shape& shape, std::size_t first, std::int64_t& constant) const;
    bool same_elements(const Shape& a, std::size_t a_first, const Shape& b, std::size_t b_first) const;

    Graph& graph_;
    ir::SizeTable& sizes_;
    std::set<std::size_t> cuts_;
    ir::LinearForms forms_;  ///< of sizes
    std::map<std::pair<std::uint32_t, std::uint32_t>, SizeId> ranges_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, ir::LinearForm> counts_;  ///< of loops, in terms of indices
    std::set<SizeId> extents_;
};

}  // namespace sinter::lower
