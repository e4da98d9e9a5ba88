// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that all ranks read and write: whose rows are whose, and errors that all of them throw.
#include <sinter/detail/build.hpp>
#include <sinter/detail/rows.hpp>

#include "front/shape.hpp"
#include "place/tuning.hpp"
#include "run/entry.hpp"
#include "run/ranks/arrays/spread_array.hpp"
#include "run/ranks/job/collectives.hpp"
#include "run/ranks/job/job.hpp"
#include "run/ranks/job/meeting.hpp"
#include "support/check.hpp"
#include "support/settings.hpp"

#include <fmt/format.h>

#include <new>
#include <vector>

namespace sinter::runtime {

namespace {

/// What a rank tells others of its error.
struct Report {
    std::int32_t kind = -1;  ///< -1: there is none
    std::int32_t length = 0;
};

bool is_worth_blocks(std::int64_t bytes) {
    const std::string_view share = setting("SINTER_SHARE");
    return share == "always" || (share != "never" && bytes >= place::tuning::least_blocks_bytes);
}

/// The message without the place in the program, which errors are given again.
std::string without_place(const Error& error) {
    std::string text = error.what();
    if (error.where().line() != 0)
        text.resize(text.size() - fmt::format(" ({}:{})", error.where().file_name(), error.where().line()).size());
    return text;
}

/// The error's kind and text.
Report describe(const std::exception_ptr& mine, std::string& text) {
    if (!mine) return {};
    ErrorKind kind = ErrorKind::internal;
    try {
        std::rethrow_exception(mine);
    } catch (const Error& error) {
        kind = error.kind();
        text = without_place(error);
    } catch (const std::bad_alloc&) {
        kind = ErrorKind::memory;
        text = "no room for what a file contains";
    } catch (const std::exception& error) {
        text = error.what();
    }
    return {static_cast<std::int32_t>(kind), static_cast<std::int32_t>(text.size())};
}

}  // namespace

}  // namespace sinter::runtime

namespace sinter::detail {

using namespace sinter::runtime;

LeafRef make_rows(Scalar scalar, const std::int64_t* shape, std::size_t rank, std::int64_t bytes, location where) {
    if (!job() || !speaks() || rank == 0 || !is_worth_blocks(bytes)) return make_array(scalar, shape, rank, where);
    const std::vector<front::Extent> extents(shape, shape + rank);
    place::Layout layout{true, shape[0], 1};
    for (std::size_t axis = 1; axis < rank; ++axis) layout.row *= shape[axis];
    try {
        auto rows = std::make_shared<SpreadArray>(layout, size_of(scalar));
        return front::to_ref({front::make_input(std::move(rows), scalar, extents, where), 0});
    } catch (const std::bad_alloc&) {
        throw MemoryError(fmt::format("no room for this rank's rows of an array of shape {}", front::print_shape(extents)),
                          where);
    }
}

bool in_blocks(const LeafRef& array, location where) {
    const front::Leaf leaf = front::to_leaf(array, where);
    const auto* input = std::get_if<front::Input>(&leaf.node->op);
    return input && job() && spread(input->buffer);
}

void agree_ranks(const char* what, const std::exception_ptr& mine, location where) {
    if (!job()) {
        if (mine) std::rethrow_exception(mine);
        return;
    }
    const auto ranks = static_cast<std::size_t>(job()->count);
    std::string text;
    const Report own = describe(mine, text);
    std::vector<Report> all(ranks);
    runtime::gather(&own, all.data(), std::vector<std::size_t>(ranks, sizeof own), what, where);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        if (all[rank].kind < 0) continue;
        forget_past();
        std::vector<std::size_t> lengths(ranks);
        lengths[rank] = static_cast<std::size_t>(all[rank].length);
        std::string first(lengths[rank], ' ');
        runtime::gather(text.data(), first.data(), lengths, what, where);
        throw_at(Error(static_cast<ErrorKind>(all[rank].kind), first, location()), where);
    }
}

void meet_for_file(const char* what, std::uint64_t number, location where) {
    if (!job()) return;
    if (!speaks())
        throw Limitation(fmt::format("{}: with several ranks, only the thread that made Ranks reads and writes files", what),
                         where);
    meet_ranks(what, number, where);
}

}  // namespace sinter::detail
