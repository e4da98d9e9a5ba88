// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What parts of a launch read and write, and what a rank lacks of it.
#include "place/intervals.hpp"
#include "place/share.hpp"

#include <algorithm>

namespace sinter::place {

using schedule::Reach;

Interval indices(const LaunchFacts& launch, Way way, const Interval& part) {
    if (way == Way::points || part.empty()) return part;
    return {part.begin * launch.chunk_length,
            part.end == launch.chunks ? launch.reduced->extent : part.end * launch.chunk_length};
}

std::vector<Interval> needed(const LaunchFacts& launch, Way way, std::size_t input, const Interval& part) {
    return facts_of(launch, way).reach[input].parts_of(indices(launch, way, part), launch.inputs[input].layout.elements());
}

std::int64_t missing(const std::vector<Interval>& needed, const Interval& own) {
    std::int64_t elements = 0;
    for (const Interval& part : needed) elements += part.length() - common(part, own).length();
    return elements;
}

bool is_worth_looking_up(std::int64_t missed, const Layout& layout, std::int64_t bytes_each, int ranks) {
    const auto row = static_cast<double>(layout.row * bytes_each), number = static_cast<double>(number_bytes);
    return 2 * static_cast<double>(missed) * (row + number) <=
           static_cast<double>(ranks - 1) * static_cast<double>(layout.rows) * row;
}

bool writes(const LaunchFacts& launch, std::size_t output) {
    return launch.reduced->reach[launch.inputs.size() + output].kind != Reach::Kind::nothing;
}

Interval written(const LaunchFacts& launch, const Share& share, std::size_t output, int rank) {
    const Interval part = share.parts[static_cast<std::size_t>(rank)];
    if (part.empty() || !writes(launch, output)) return {};
    const std::int64_t each = launch.reduced->reach[launch.inputs.size() + output].slope;
    const Interval range = indices(launch, share.way, part);
    return {range.begin * each, range.end * each};
}

std::int64_t gathered_bytes(const Operand& input, int ranks) {
    return (input.layout.elements() - input.layout.own(ranks, ranks - 1).length()) * input.bytes_each;
}

std::vector<std::int64_t> rows_missed(const LaunchFacts& launch, const Share& share, std::size_t input, int ranks) {
    const Layout& layout = launch.inputs[input].layout;
    const std::size_t by = facts_of(launch, share.way).reach[input].lookup.by;
    std::vector<std::int64_t> missed;
    for (int rank = 0; rank < ranks; ++rank) {
        std::int64_t numbers = 0;
        for (const Interval& part : needed(launch, share.way, by, share.parts[static_cast<std::size_t>(rank)]))
            numbers += part.length();
        const std::int64_t others = layout.rows - rows_of(layout.rows, ranks, rank).length();
        missed.push_back(layout.rows > 0 ? std::min(numbers, layout.rows) * others / layout.rows : 0);
    }
    return missed;
}

}  // namespace sinter::place
