// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays made of parts: rows go from the ranks that have made them to those that are to have them.
#include <sinter/combinators/from.hpp>
#include <sinter/detail/parts.hpp>
#include <sinter/detail/ranks.hpp>

#include "front/shape.hpp"
#include "place/tuning.hpp"
#include "run/entry.hpp"
#include "run/ranks/arrays/spread_array.hpp"
#include "run/ranks/job/collectives.hpp"
#include "run/ranks/job/job.hpp"
#include "run/ranks/job/meeting.hpp"
#include "support/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

namespace sinter::runtime {

namespace {

Interval common(const Interval& a, const Interval& b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

/// The elements that each rank has made.
std::vector<Interval> made_by(const std::int64_t* rows, std::int64_t row, int ranks) {
    std::vector<Interval> made;
    for (std::int64_t rank = 0, next = 0; rank < ranks; next += rows[rank++] * row)
        made.push_back({next, next + rows[rank] * row});
    return made;
}

/// `mine`: what this rank has made.
BufferRef gather_parts(const char* mine, const std::vector<Interval>& made, std::int64_t each, location where) {
    std::vector<std::size_t> bytes;
    for (const Interval& part : made) bytes.push_back(static_cast<std::size_t>(part.length() * each));
    BufferRef whole = prepare(where, [&] { return allocate(static_cast<std::size_t>(made.back().end * each)); });
    meet("from_parts", whole->bytes, where);
    gather(mine, whole->data, bytes, "from_parts", where);
    return whole;
}

BufferRef exchange_parts(const char* mine, const std::vector<Interval>& made, const place::Layout& layout, std::int64_t each,
                         location where) {
    auto array = prepare(where, [&] { return std::make_shared<SpreadArray>(layout, each); });
    meet("from_parts", array->bytes, where);
    const int ranks = job()->count, own = job()->rank;
    const Interval here = made[static_cast<std::size_t>(own)];
    auto from = [&](std::int64_t element) { return const_cast<char*>(mine) + (element - here.begin) * each; };
    auto to = [&](std::int64_t element) {
        return reinterpret_cast<void*>(reinterpret_cast<std::intptr_t>(array->data) + element * each);
    };
    std::vector<sinter_message> sends, receives;
    for (int rank = 0; rank < ranks; ++rank) {
        const Interval out = common(here, layout.own(ranks, rank));
        const Interval in = common(made[static_cast<std::size_t>(rank)], array->own());
        if (rank == own && !in.empty())
            std::memcpy(to(in.begin), from(in.begin), static_cast<std::size_t>(in.length() * each));
        if (rank == own) continue;
        if (!out.empty()) sends.push_back({rank, from(out.begin), static_cast<std::size_t>(out.length() * each)});
        if (!in.empty()) receives.push_back({rank, to(in.begin), static_cast<std::size_t>(in.length() * each)});
    }
    exchange(sends, receives, "from_parts", where);
    return array;
}

}  // namespace

}  // namespace sinter::runtime

namespace sinter::detail {

using namespace sinter::runtime;

const void* own_rows(const LeafRef& array, location where) {
    const front::Leaf leaf = front::to_leaf(array, where);
    const auto* input = std::get_if<front::Input>(&leaf.node->op);
    const SpreadArray* rows = input && job() ? spread(input->buffer) : nullptr;
    return rows ? rows->data : data(array, where);
}

LeafRef join_parts(const LeafRef& part, Scalar scalar, const std::int64_t* rows, const std::int64_t* shape, std::size_t rank,
                   location where) {
    if (!job()) return part;
    const std::vector<front::Extent> extents(shape, shape + rank);
    place::Layout layout{true, shape[0], 1};
    for (std::size_t axis = 1; axis < rank; ++axis) layout.row *= shape[axis];
    const std::int64_t each = size_of(scalar), bytes = front::element_count(extents, "from_parts", where) * each;
    const std::vector<Interval> made = made_by(rows, layout.row, job()->count);
    const auto* mine = prepare(where, [&] { return static_cast<const char*>(data(part, where)); });
    const bool small = setting("SINTER_SHARE") != "always" && bytes < place::tuning::least_blocks_bytes;
    try {
        BufferRef joined = small || setting("SINTER_SHARE") == "never" ? gather_parts(mine, made, each, where)
                                                                       : exchange_parts(mine, made, layout, each, where);
        return front::to_ref({front::make_input(std::move(joined), scalar, extents, where), 0});
    } catch (const std::bad_alloc&) {
        throw MemoryError(
            fmt::format("from_parts: no room for this rank's rows of an array of shape {}", front::print_shape(extents)),
            where);
    }
}

}  // namespace sinter::detail
