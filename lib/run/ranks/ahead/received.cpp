// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/ranks/ahead/received.hpp"

#include "place/intervals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace sinter::runtime {

using place::common;
using place::Layout;
using schedule::Interval;

void Received::add(const Received& other, std::int64_t times) {
    by_rank.resize(std::max(by_rank.size(), other.by_rank.size()));
    for (std::size_t rank = 0; rank < other.by_rank.size(); ++rank) by_rank[rank] += times * other.by_rank[rank];
    at_least += times * other.at_least;
    data_decides |= other.data_decides;
}

std::int64_t Received::all() const { return std::accumulate(by_rank.begin(), by_rank.end(), std::int64_t{0}); }
std::int64_t Received::most() const { return by_rank.empty() ? 0 : *std::max_element(by_rank.begin(), by_rank.end()); }

std::string text_of(const Received& received) {
    return fmt::format("received: {} bytes by the busiest, {} by all, {}{}", received.most(), received.all(),
                       received.data_decides ? "about; at least " : "at least ", received.at_least);
}

namespace {

/// What each rank receives of one launch.
class LaunchForecast {
  public:
    LaunchForecast(const place::LaunchFacts& facts, const place::Share& share, const SharedKernel& shared, int ranks)
        : facts_(facts), share_(share), shared_(shared), ranks_(ranks), received_{std::vector<std::int64_t>(size())} {}

    Received take() {
        for (std::size_t k = 0; k < facts_.inputs.size(); ++k)
            if (share_.gathered[k]) share_.looked_up[k] ? look_up(k) : gather(facts_.inputs[k]);
        if (share_.way == place::Way::whole) return std::move(received_);
        for (int rank = 0; rank < ranks_; ++rank) bring(rank);
        if (share_.way == place::Way::chunks) chunks();
        return std::move(received_);
    }

  private:
    std::size_t size() const { return static_cast<std::size_t>(ranks_); }
    std::int64_t& of(int rank) { return received_.by_rank[static_cast<std::size_t>(rank)]; }

    /// All ranks get all of it. How much a launch needs at least is known of what it reads along the axis that is cut.
    void gather(const place::Operand& input) {
        for (int rank = 0; rank < ranks_; ++rank)
            of(rank) += (input.layout.elements() - input.layout.own(ranks_, rank).length()) * input.bytes_each;
    }

    void look_up(std::size_t k) {
        const place::Operand& input = facts_.inputs[k];
        received_.data_decides = true;
        const std::vector<std::int64_t> missed = place::rows_missed(facts_, share_, k, ranks_);
        const std::int64_t all = std::accumulate(missed.begin(), missed.end(), std::int64_t{0});
        if (!place::is_worth_looking_up(all, input.layout, input.bytes_each, ranks_)) return gather(input);
        for (int rank = 0; rank < ranks_; ++rank)  // rows, and questions of others
            of(rank) += missed[static_cast<std::size_t>(rank)] * input.layout.row * input.bytes_each +
                        all / ranks_ * place::number_bytes;
    }

    void bring(int rank) {
        for (const place::Piece& piece : place::pieces(facts_, share_, ranks_, rank))
            for (std::size_t k = 0; k < piece.brought.size(); ++k) {
                of(rank) += place::missing(piece.brought[k], facts_.inputs[k].layout.own(ranks_, rank)) *
                            facts_.inputs[k].bytes_each;
            }
        // The hull of what all points of the part read, once.
        const schedule::PartFacts& parts = share_.way == place::Way::points ? *facts_.points : *facts_.reduced;
        for (std::size_t k = 0; k < facts_.inputs.size(); ++k) {
            const Layout& layout = facts_.inputs[k].layout;
            if (!layout.blocks || parts.reach[k].kind != schedule::Reach::Kind::near) continue;
            const auto needed = place::needed(facts_, share_.way, k, share_.parts[static_cast<std::size_t>(rank)]);
            received_.at_least += place::missing(needed, layout.own(ranks_, rank)) * facts_.inputs[k].bytes_each;
        }
    }

    /// Partial results, and elements that a rank has written for others.
    void chunks() {
        std::vector<std::size_t> bytes = shared_.partial_bytes();
        const SharedKernel::Loop loop = shared_.loop();
        if (loop == SharedKernel::Loop::compact) return kept();
        if (loop == SharedKernel::Loop::scan) bytes.resize(bytes.size() / 2);
        const auto each = static_cast<std::int64_t>(std::accumulate(bytes.begin(), bytes.end(), std::size_t{0}));
        std::vector<std::int64_t> counts;
        for (const Interval& part : share_.parts)
            counts.push_back(shared_.joins_in_any_order() ? std::min<std::int64_t>(1, part.length()) : part.length());
        const std::int64_t count = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
        for (int rank = 0; rank < ranks_; ++rank) of(rank) += (count - counts[static_cast<std::size_t>(rank)]) * each;
        // One combined result of each rank, and, but for scans, the result on all ranks but one.
        const std::int64_t makers = ranks_ - std::count(counts.begin(), counts.end(), 0);
        received_.at_least += each * (makers - 1 + (loop == SharedKernel::Loop::scan ? 0 : ranks_ - 1));
        for (std::size_t k = 0; k < facts_.outputs.size(); ++k)
            for (int rank = 0; place::writes(facts_, k) && rank < ranks_; ++rank) {
                const Interval own = facts_.outputs[k].layout.own(ranks_, rank);
                const Interval made = place::written(facts_, share_, k, rank);
                of(rank) += (own.length() - common(own, made).length()) * facts_.outputs[k].bytes_each;
            }
    }

    /// What a compact keeps belongs to others to an extent that data decide: not more than all of it.
    void kept() {
        for (int rank = 0; rank < ranks_; ++rank) of(rank) += 8 * (ranks_ - 1);
        received_.at_least += 8 * (ranks_ - 1);
        received_.data_decides = true;
    }

    const place::LaunchFacts& facts_;
    const place::Share& share_;
    const SharedKernel& shared_;
    const int ranks_;
    Received received_;
};

}  // namespace

Received received_for(const place::LaunchFacts& facts, const place::Share& share, const SharedKernel& shared, int ranks) {
    return LaunchForecast(facts, share, shared, ranks).take();
}

}  // namespace sinter::runtime
