// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slab.hpp"

#include <sinter/detail/rows.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace sinter::files {

namespace {

/// Bytes of a block of rows: a part of the second cache of usual processors, so that it is still there when it is unpacked.
constexpr std::int64_t block_bytes = 1 << 20;

void restrict_axis(const Place& place, const std::vector<std::size_t>& extents, const detail::SliceArgument& range,
                   std::size_t axis, Slab& slab) {
    if (range.low.scalar.trace != 0 || range.high.scalar.trace != 0)
        place.fail("is in a file, so a part of it is given by numbers, not by an Exp");
    if (range.step < 1) place.fail(fmt::format("is read and written in steps of 1 or more, not {}", range.step));
    const std::int64_t low = range.low.literal, high = range.high.literal;
    if (low < 0 || high < low || high > static_cast<std::int64_t>(extents[axis]))
        place.fail_shape(
            fmt::format("has no indices {} to {} in axis {}; its shape is {}", low, high, axis, print(extents)));
    slab.first[axis] = static_cast<std::size_t>(low);
    slab.count[axis] = static_cast<std::size_t>((high - low + range.step - 1) / range.step);
    slab.step[axis] = static_cast<std::size_t>(range.step);
}

std::int64_t row_count(const std::vector<std::int64_t>& shape) { return shape.empty() ? 1 : shape[0]; }

}  // namespace

std::string print(const std::vector<std::size_t>& extents) { return fmt::format("[{}]", fmt::join(extents, ", ")); }
std::string print(const std::vector<std::int64_t>& extents) { return fmt::format("[{}]", fmt::join(extents, ", ")); }

std::string Place::text(const std::string& message) const {
    return fmt::format("{}: {}{}{} {}", what, path, name.empty() ? "" : ": ", name, message);
}
void Place::fail(const std::string& message) const { throw UsageError(text(message), where); }
void Place::fail_shape(const std::string& message) const { throw ShapeError(text(message), where); }

std::vector<std::int64_t> Slab::shape() const {
    std::vector<std::int64_t> extents;
    for (std::size_t axis : kept) extents.push_back(static_cast<std::int64_t>(count[axis]));
    return extents;
}

std::size_t Slab::elements() const {
    std::size_t product = 1;
    for (std::size_t n : count) product *= n;
    return product;
}

Slab Slab::rows(std::int64_t begin, std::int64_t end) const {
    Slab part = *this;
    if (kept.empty()) return part;
    part.first[kept[0]] += static_cast<std::size_t>(begin) * step[kept[0]];
    part.count[kept[0]] = static_cast<std::size_t>(end - begin);
    return part;
}

Slab whole(const std::vector<std::size_t>& extents) {
    Slab slab{std::vector<std::size_t>(extents.size()), extents, std::vector<std::size_t>(extents.size(), 1), {}};
    for (std::size_t axis = 0; axis < extents.size(); ++axis) slab.kept.push_back(axis);
    return slab;
}

Slab select(const Place& place, const std::vector<std::size_t>& extents, const detail::StoredPart* parts,
            std::size_t part_count, std::size_t rank) {
    const std::size_t expected = part_count == 0 ? rank : part_count;
    if (extents.size() != expected)
        place.fail_shape(fmt::format("has rank {}, shape {}; expected rank {}", extents.size(), print(extents), expected));
    Slab slab = whole(extents);
    if (part_count == 0) return slab;
    slab.kept.clear();
    for (std::size_t axis = 0; axis < part_count; ++axis) {
        if (!parts[axis].index) slab.kept.push_back(axis);
        if (!parts[axis].range.all) restrict_axis(place, extents, parts[axis].range, axis, slab);
    }
    return slab;
}

void each_block(std::int64_t begin, std::int64_t end, std::int64_t row_bytes,
                const std::function<void(std::int64_t, std::int64_t)>& f) {
    const std::int64_t rows = std::max<std::int64_t>(1, block_bytes / std::max<std::int64_t>(1, row_bytes));
    for (std::int64_t next = begin; next < end; next += rows) f(next, std::min(end, next + rows));
}

namespace {

Columns columns_of(const detail::LeafRef* leaves, std::size_t count, location where) {
    Columns columns;
    for (std::size_t k = 0; k < count; ++k)
        columns.push_back(static_cast<std::byte*>(const_cast<void*>(detail::own_rows(leaves[k], where))));
    return columns;
}

}  // namespace

void load_rows(const Place& place, const detail::Scalar* scalars, std::size_t leaf_count,
               const std::function<std::vector<std::int64_t>()>& shape,
               const std::function<void(std::int64_t, std::int64_t, const Columns&)>& read, detail::LeafRef* out) {
    detail::meet_for_file(place.what, leaf_count, place.where);
    detail::together(place.what, place.where, [&] {
        const std::vector<std::int64_t> extents = shape();
        std::int64_t bytes = 0;
        for (std::size_t k = 0; k < leaf_count; ++k) bytes += detail::size_of(scalars[k]);
        for (std::int64_t extent : extents) bytes *= extent;
        for (std::size_t k = 0; k < leaf_count; ++k)
            out[k] = detail::make_rows(scalars[k], extents.data(), extents.size(), bytes, place.where);
        const std::int64_t rows = row_count(extents);
        const Part here = detail::in_blocks(out[0], place.where) ? detail::own_part(rows) : Part{0, rows};
        if (here.first < here.last && bytes > 0) read(here.first, here.last, columns_of(out, leaf_count, place.where));
    });
}

void save_rows(const Place& place, const std::vector<std::int64_t>& shape, const detail::LeafRef* leaves,
               std::size_t leaf_count, const std::function<void()>& prepare,
               const std::function<void(std::int64_t, std::int64_t, const Columns&)>& write) {
    detail::meet_for_file(place.what, leaf_count, place.where);
    const std::int64_t rows = row_count(shape);
    bool in_blocks = false;
    for (std::size_t k = 0; k < leaf_count; ++k) in_blocks = in_blocks || detail::in_blocks(leaves[k], place.where);
    Columns columns;
    detail::together(place.what, place.where, [&] {
        columns = columns_of(leaves, leaf_count, place.where);
        if (detail::own_rank() == 0) prepare();
    });
    for (int rank = 0; rank < (in_blocks ? detail::rank_count() : 1); ++rank)
        detail::together(place.what, place.where, [&] {
            const Part own = in_blocks ? detail::own_part(rows) : Part{0, rows};
            if (detail::own_rank() == rank && own.first < own.last) write(own.first, own.last, columns);
        });
}

}  // namespace sinter::files
