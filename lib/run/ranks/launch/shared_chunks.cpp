// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of one loop that is cut into chunks, of which each rank executes some. Partial results are gathered and combined
// by every rank, in the order of one rank. What scans and compacts write for their elements is in blocks: a rank has written
// the elements of its chunks, and gives those that belong to others to them.
#include "run/ranks/ahead/describe.hpp"
#include "run/ranks/job/collectives.hpp"
#include "run/ranks/job/job.hpp"
#include "run/ranks/launch/shared_launch.hpp"
#include "run/ranks/tuning.hpp"

#include <algorithm>
#include <cstring>

namespace sinter::runtime {

namespace {

Interval common(const Interval& a, const Interval& b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

/// The elements of the result that a rank has kept.
Interval made_by(const std::vector<std::int64_t>& ends, int rank) {
    const auto r = static_cast<std::size_t>(rank);
    return {r == 0 ? 0 : ends[r - 1], ends[r]};
}

}  // namespace

void SharedLaunch::execute_chunks() {
    switch (shared_->loop()) {
        case SharedKernel::Loop::fold:
            return fold();
        case SharedKernel::Loop::scan:
            return scan();
        case SharedKernel::Loop::compact:
            return compact();
        case SharedKernel::Loop::update:
            return update();
    }
}

SharedLaunch::Partials SharedLaunch::allocate_partials(std::int64_t chunks) const {
    Partials partials;
    for (std::size_t bytes : shared_->partial_bytes()) {
        partials.memory.push_back(sinter::allocate(static_cast<std::size_t>(chunks + 1) * bytes));
        partials.arrays.push_back(partials.memory.back()->data);
    }
    return partials;
}

/// Makes the partial results of this rank's chunks, and gathers all.
void SharedLaunch::make_partials(const Results& results, const Partials& partials) {
    ErrorSlot error;
    each_piece([&](std::size_t p) {
        shared_->launch_chunks(buffers(p, results).data(), partials.arrays.data(), pieces_[p].part, error);
    });
    check(error);
    meet_others();
    std::vector<std::size_t> bytes = shared_->partial_bytes();
    if (shared_->loop() == SharedKernel::Loop::scan) bytes.resize(bytes.size() / 2);
    for (std::size_t v = 0; v < bytes.size(); ++v) {
        std::vector<std::size_t> lengths;
        for (const Interval& part : share_.parts) lengths.push_back(static_cast<std::size_t>(part.length()) * bytes[v]);
        const std::int64_t first = share_.parts[static_cast<std::size_t>(rank_)].begin;
        gather(at(partials.arrays[v], first * static_cast<std::int64_t>(bytes[v])), partials.arrays[v], lengths, "run",
               context_.call.where);
    }
}

void SharedLaunch::fold() {
    Results results;
    for (std::size_t k = 0; k < step_.outputs.size(); ++k) results.push_back(allocate_result(k));
    const Partials partials = allocate_partials(facts_.chunks);
    make_partials(results, partials);
    ErrorSlot error;
    shared_->finish_chunks(buffers(pieces_.size(), results).data(), partials.arrays.data(), error);
    check(error);
    keep(std::move(results));
}

void SharedLaunch::scan() {
    Results results;
    for (std::size_t k = 0; k < step_.outputs.size(); ++k) {
        const bool spread = place::writes(facts_, k);
        results.push_back(spread ? allocate_rows(k, facts_.outputs[k].layout, place::written(facts_, share_, k, rank_))
                                 : allocate_result(k));
    }
    const Partials partials = allocate_partials(facts_.chunks);
    make_partials(results, partials);
    ErrorSlot error;
    const std::vector<void*> all = buffers(pieces_.size(), results);
    shared_->chain_chunks(all.data(), partials.arrays.data(), error);
    for (std::size_t p = 0; p < pieces_.size(); ++p)
        shared_->complete_chunks(buffers(p, results).data(), partials.arrays.data(), pieces_[p].part, error);
    shared_->finish_chunks(all.data(), partials.arrays.data(), error);
    check(error);
    unsettle();
    exchange_scanned(results);
    keep(std::move(results));
}

/// Gives the elements that this rank has written, and that belong to others, to them.
void SharedLaunch::exchange_scanned(const Results& results) const {
    bool any = false;
    std::vector<sinter_message> sends, receives;
    for (std::size_t k = 0; k < results.size(); ++k)
        for (int from = 0; from < ranks_; ++from)
            for (int to = 0; to < ranks_; ++to) {
                const Interval elements =
                    common(place::written(facts_, share_, k, from), facts_.outputs[k].layout.own(ranks_, to));
                if (from == to || elements.empty()) continue;
                any = true;
                if (from != rank_ && to != rank_) continue;
                const std::int64_t each = facts_.outputs[k].bytes_each;
                const sinter_message message{from == rank_ ? to : from, at(results[k].data, elements.begin * each),
                                             static_cast<std::size_t>(elements.length() * each)};
                (from == rank_ ? sends : receives).push_back(message);
            }
    if (!any) return;
    meet_others();
    exchange(sends, receives, "run", context_.call.where);
}

/// What is kept of a piece, by value, in the order of elements.
struct SharedLaunch::Kept {
    std::int64_t begin = 0;  ///< the first chunk
    std::int64_t count = 0;
    std::int64_t room = 0, margin = 0;  ///< for elements, and before the first of them
    std::vector<BufferRef> values;

    void* first(std::size_t value, std::int64_t bytes_each) const { return at(values[value]->data, margin * bytes_each); }
    /// The memory may become that of the elements [own.begin, own.end), of which `made` are those that were kept here, and
    /// is not much more than they need.
    bool fits(Interval made, Interval own) const {
        return made.begin - own.begin <= margin && own.end - made.begin <= room - margin &&
               room <= tuning::most_kept_room * own.length();
    }
};

std::vector<SharedLaunch::Kept> SharedLaunch::keep_pieces(const Results& results) {
    std::vector<Kept> all;
    ErrorSlot error;
    each_piece([&](std::size_t p) {
        const std::int64_t elements = place::indices(facts_, share_.way, pieces_[p].part).length();
        const std::int64_t margin = elements / tuning::kept_margin + 16;
        Kept kept{pieces_[p].part.begin, 0, elements + 2 * margin, margin, {}};
        std::vector<void*> to = buffers(p, results);
        for (std::size_t v = 0; v < shared_->kept_values(); ++v) {
            const std::size_t buffer = shared_->first_kept() + v;
            kept.values.push_back(sinter::allocate(static_cast<std::size_t>(kept.room * bytes_each(buffer))));
            to[buffer] = kept.first(v, bytes_each(buffer));
        }
        kept.count = shared_->keep_chunks(to.data(), pieces_[p].part, error);
        all.push_back(std::move(kept));
    });
    check(error);
    std::sort(all.begin(), all.end(), [](const Kept& a, const Kept& b) { return a.begin < b.begin; });
    return all;
}

/// By rank: the number of elements that are kept up to its end.
std::vector<std::int64_t> SharedLaunch::gather_counts(std::int64_t own) const {
    std::vector<std::int64_t> ends(static_cast<std::size_t>(ranks_));
    meet_others();
    gather(&own, ends.data(), std::vector<std::size_t>(ends.size(), sizeof own), "run", context_.call.where);
    for (std::size_t rank = 1; rank < ends.size(); ++rank) ends[rank] += ends[rank - 1];
    return ends;
}

/// Small results are on all ranks. Others stay where they are, if what a rank has kept is about what it is to have.
Slot SharedLaunch::allocate_kept(std::size_t value, const std::vector<Kept>& kept,
                                 const std::vector<std::int64_t>& ends) const {
    const std::size_t k = shared_->first_kept() - step_.inputs.size() + value;
    const std::int64_t each = facts_.outputs[k].bytes_each;
    Slot slot;
    if (ends.back() * each < least_kept_bytes()) {
        context_.allocate(slot, plan_.types[step_.outputs[k].index].scalar, {&ends.back(), 1}, site());
        return slot;
    }
    const place::Layout layout{true, ends.back(), 1};
    const Interval made = made_by(ends, rank_);
    if (kept.size() != 1 || !kept[0].fits(made, layout.own(ranks_, rank_))) return allocate_rows(k, layout);
    slot.owner = std::make_shared<SpreadArray>(
        layout, each, Piece{kept[0].values[value], at(kept[0].first(value, each), -made.begin * each)});
    slot.data = slot.owner->data;
    return slot;
}

void SharedLaunch::exchange_kept(std::size_t value, const std::vector<Kept>& kept, const std::vector<std::int64_t>& ends,
                                 const Slot& to) const {
    const std::int64_t each = bytes_each(shared_->first_kept() + value);
    const SpreadArray* array = spread(to.owner);
    auto wanted_by = [&](int rank) { return array ? array->layout().own(ranks_, rank) : Interval{0, ends.back()}; };
    std::vector<sinter_message> sends, receives;
    for (int rank = 0; rank < ranks_; ++rank) {
        std::int64_t begin = made_by(ends, rank_).begin;
        for (const Kept& piece : kept) {
            const Interval part = common({begin, begin + piece.count}, wanted_by(rank));
            void *const from = at(piece.first(value, each), (part.begin - begin) * each), *const here =
                                                                                              at(to.data, part.begin * each);
            const auto bytes = static_cast<std::size_t>(part.length() * each);
            begin += piece.count;
            if (part.empty()) continue;
            if (rank != rank_)
                sends.push_back({rank, from, bytes});
            else if (here != from)
                std::memcpy(here, from, bytes);
        }
        const Interval in = common(made_by(ends, rank), wanted_by(rank_));
        if (rank == rank_ || in.empty()) continue;
        receives.push_back({rank, at(to.data, in.begin * each), static_cast<std::size_t>(in.length() * each)});
    }
    exchange(sends, receives, "run", context_.call.where);
}

void SharedLaunch::compact() {
    Results results(step_.outputs.size());
    for (std::size_t k = 0; k < results.size(); ++k)
        if (!is_kept(*shared_, step_.inputs.size() + k)) results[k] = allocate_result(k);
    const Partials partials = allocate_partials(facts_.chunks);
    const std::vector<Kept> kept = keep_pieces(results);
    std::int64_t own = 0;
    for (const Kept& piece : kept) own += piece.count;
    const std::vector<std::int64_t> ends = gather_counts(own);
    const std::size_t first = shared_->first_kept() - step_.inputs.size();
    for (std::size_t v = 0; v < shared_->kept_values(); ++v) results[first + v] = allocate_kept(v, kept, ends);
    meet_others();
    for (std::size_t v = 0; v < shared_->kept_values(); ++v) exchange_kept(v, kept, ends, results[first + v]);
    static_cast<std::int64_t*>(partials.arrays[1])[share_.parts.back().end] = ends.back();
    ErrorSlot error;
    shared_->finish_chunks(buffers(pieces_.size(), results).data(), partials.arrays.data(), error);
    check(error);
    keep(std::move(results));
}

}  // namespace sinter::runtime
