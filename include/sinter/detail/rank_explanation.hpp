// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What ranks.hpp tells of messages. Definitions: lib/run.
#pragma once

#include <sinter/detail/export.hpp>
#include <sinter/detail/handle.hpp>
#include <sinter/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sinter {

/// How ranks would share the launches of a program, and what would travel.
struct RankExplanation {
    std::vector<std::int64_t> received;  ///< bytes of arrays and of partial results that each rank receives in one run
    std::int64_t at_least = 0;           ///< what all ranks together have to receive: what their parts read of other ranks'
                                         ///< rows, and combined results that all get
    bool data_decides = false;           ///< the bytes depend on values, as those of filters and sorts do, and are estimates
    std::string text;                    ///< a line for each launch: how it is shared or why not, and its bytes
};

/// Prints its text. A template, so that the header needs no <ostream>.
template <class Stream>
auto operator<<(Stream& stream, const RankExplanation& e) -> decltype(stream << e.text) {
    return stream << e.text;
}

}  // namespace sinter

namespace sinter::detail {

/// `ranks`: 0 for those that there are.
SINTER_API RankExplanation explain_ranks(const LeafRef* leaves, std::size_t count, int ranks, location where);
/// Bytes that this rank has received since it joined the job, without those by which ranks find out where the others are.
SINTER_API std::int64_t bytes_received() noexcept;

}  // namespace sinter::detail
