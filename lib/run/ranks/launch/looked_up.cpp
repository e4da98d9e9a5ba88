// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows at computed numbers: each rank finds the rows that its part looks up, each of them once, asks the ranks that have
// them, and puts what it gets where the kernel expects it. If most rows are looked up, the array is gathered instead.
#include "run/ranks/job/collectives.hpp"
#include "run/ranks/launch/shared_launch.hpp"

#include <algorithm>
#include <cstring>

namespace sinter::runtime {

namespace {

/// Packs rows, or unpacks them.
template <class Copy>
void each_row(const std::vector<std::int64_t>& rows, std::int64_t bytes, void* packed, Copy copy) {
    auto* at = static_cast<char*>(packed);
    for (std::int64_t row : rows) {
        copy(row, at);
        at += bytes;
    }
}

/// Consecutive rows, in elements; and the first element, which kernels read where a check fails.
std::vector<Interval> elements_of(const std::vector<std::int64_t>& rows, std::int64_t row) {
    std::vector<Interval> parts{{0, 1}};
    for (std::int64_t k : rows) {
        if (k * row <= parts.back().end)
            parts.back().end = (k + 1) * row;
        else
            parts.push_back({k * row, (k + 1) * row});
    }
    return parts;
}

}  // namespace

void SharedLaunch::look_up() {
    for (std::size_t k = 0; k < step_.inputs.size(); ++k) {
        if (!share_.looked_up[k]) continue;
        receive();  // the numbers
        look_up(k);
    }
}

/// In their order. Numbers that are no rows are left to the kernel's checks.
std::vector<std::int64_t> SharedLaunch::rows_looked_up(std::size_t k) const {
    const place::Layout& layout = facts_.inputs[k].layout;
    const schedule::PartFacts& facts = share_.way == place::Way::points ? *facts_.points : *facts_.reduced;
    const std::size_t by = facts.reach[k].lookup.by;
    std::vector<bool> is_read(static_cast<std::size_t>(layout.rows));
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
        const Piece& brought = brought_[p][by];
        void* const numbers = brought.memory ? brought.data : frame_.find(step_.inputs[by]).data;
        for (const Interval& part : place::needed(facts_, share_.way, by, pieces_[p].part))
            for (std::int64_t i = part.begin; i < part.end; ++i) {
                std::int64_t row = 0;
                std::memcpy(&row, at(numbers, i * 8), sizeof row);
                if (row >= 0 && row < layout.rows) is_read[static_cast<std::size_t>(row)] = true;
            }
    }
    std::vector<std::int64_t> rows;
    for (std::int64_t row = 0; row < layout.rows; ++row)
        if (is_read[static_cast<std::size_t>(row)]) rows.push_back(row);
    return rows;
}

/// By reader and owner: how many rows are read.
std::vector<std::int64_t> SharedLaunch::gather_readers(const std::vector<std::int64_t>& rows,
                                                       const place::Layout& layout) const {
    const auto ranks = static_cast<std::size_t>(ranks_);
    std::vector<std::int64_t> mine(ranks), all(ranks * ranks);
    for (std::int64_t row : rows) ++mine[static_cast<std::size_t>(layout.owner(ranks_, row * layout.row))];
    meet_others();
    gather(mine.data(), all.data(), std::vector<std::size_t>(ranks, ranks * 8), "run", context_.call.where);
    return all;
}

void SharedLaunch::look_up(std::size_t k) {
    const place::Layout& layout = facts_.inputs[k].layout;
    const std::int64_t bytes = layout.row * bytes_each(k);
    const std::vector<std::int64_t> rows = rows_looked_up(k), counts = gather_readers(rows, layout);
    auto count = [&](int reader, int owner) { return counts[static_cast<std::size_t>(reader * ranks_ + owner)]; };
    std::int64_t missed = 0;
    for (int reader = 0; reader < ranks_; ++reader)
        for (int owner = 0; owner < ranks_; ++owner) missed += reader == owner ? 0 : count(reader, owner);
    if (!place::is_worth_looking_up(missed, layout, bytes_each(k), ranks_))
        return gather_variables(context_, {step_.inputs[k]}, frame_);

    // Room for everything, before the ranks meet.
    const Piece found = allocate_piece(elements_of(rows, layout.row), bytes_each(k));
    for (std::vector<Piece>& inputs : brought_) inputs[k] = found;
    std::vector<std::int64_t> own, others, asked;
    for (std::int64_t row : rows) (layout.owner(ranks_, row * layout.row) == rank_ ? own : others).push_back(row);
    for (int reader = 0; reader < ranks_; ++reader)
        asked.resize(asked.size() + static_cast<std::size_t>(reader == rank_ ? 0 : count(reader, rank_)));
    const BufferRef answers = allocate(static_cast<std::size_t>(bytes) * asked.size()),
                    answered = allocate(static_cast<std::size_t>(bytes) * others.size());
    void *const to = found.data, *const from = frame_.find(step_.inputs[k]).data;
    each_row(own, 0, nullptr, [&](std::int64_t row, char*) {
        std::memcpy(at(to, row * bytes), at(from, row * bytes), static_cast<std::size_t>(bytes));
    });
    meet_others();

    // Where each rank's questions and answers are, one rank after the other.
    std::vector<sinter_message> ask, hear, answer, get;
    std::int64_t mine = 0, theirs = 0;
    for (int rank = 0; rank < ranks_; ++rank) {
        if (rank == rank_) continue;
        const std::int64_t out = count(rank_, rank), in = count(rank, rank_);
        if (out > 0) {
            ask.push_back({rank, at(others.data(), mine * 8), static_cast<std::size_t>(out * 8)});
            get.push_back({rank, at(answered->data, mine * bytes), static_cast<std::size_t>(out * bytes)});
        }
        if (in > 0) {
            hear.push_back({rank, at(asked.data(), theirs * 8), static_cast<std::size_t>(in * 8)});
            answer.push_back({rank, at(answers->data, theirs * bytes), static_cast<std::size_t>(in * bytes)});
        }
        mine += out, theirs += in;
    }
    exchange(ask, hear, "run", context_.call.where);
    each_row(asked, bytes, answers->data, [&](std::int64_t row, char* packed) {
        std::memcpy(packed, at(from, row * bytes), static_cast<std::size_t>(bytes));
    });
    exchange(answer, get, "run", context_.call.where);
    each_row(others, bytes, answered->data, [&](std::int64_t row, const char* packed) {
        std::memcpy(at(to, row * bytes), packed, static_cast<std::size_t>(bytes));
    });
}

}  // namespace sinter::runtime
