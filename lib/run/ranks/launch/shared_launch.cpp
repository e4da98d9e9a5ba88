// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/ranks/launch/shared_launch.hpp"

#include "run/explain/launch_log.hpp"
#include "run/messages.hpp"
#include "run/ranks/ahead/describe.hpp"
#include "run/ranks/job/collectives.hpp"
#include "run/ranks/job/meeting.hpp"
#include "run/ranks/tuning.hpp"
#include "support/text/dump.hpp"

#include <sinter/detail/ranks.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

namespace sinter::runtime {

std::shared_ptr<const SharedKernel> bind_shared(const KernelStep& step, const std::int64_t* sizes, int threads) {
    const auto* in_parts = dynamic_cast<const LaunchedInParts*>(step.kernel->code.get());
    return in_parts ? in_parts->bind_shared(sizes, threads) : nullptr;
}

SharedLaunch::SharedLaunch(const Context& context, const KernelStep& step, const BodyPlan& plan, Frame& frame,
                           const Numbers& sizes)
    : context_(context),
      step_(step),
      plan_(plan),
      frame_(frame),
      sizes_(sizes),
      kernel_(step.kernel->kernel),
      ranks_(detail::rank_count()),
      rank_(detail::own_rank()) {}

bool SharedLaunch::run() {
    if (describe()) share_ = place::share(facts_, ranks_, least_shared(), context_.call.sharing->placement->wish(step_));
    if (dumps("place")) dump("place", fmt::format("{}: {}\n", kernel_.name, text_of(share_, ranks_)));
    if (share_.way == place::Way::whole) return false;
    context_.call.sharing->used = true;
    record(what_is_launched());
    LaunchTimer timer(context_.backend());
    gather_inputs();
    if (share_.way == place::Way::points) allocate_points();
    bring();
    look_up();
    share_.way == place::Way::points ? execute_points() : execute_chunks();
    if (watched()) timer.finish_shared(kernel_, bytes(), text_of(share_, ranks_));
    return true;
}

/// False where the launch has no parts.
bool SharedLaunch::describe() {
    shared_ = bind_shared(step_, sizes_.data(), context_.call.threads);
    if (!shared_) return false;
    auto layout_of = [&](ValueId id) {
        const SpreadArray* array = spread(frame_.find(id).owner);
        return array ? array->layout() : place::Layout{};
    };
    const LaunchView view{step_, plan_, context_.plan.program.sizes, sizes_.data()};
    auto facts =
        runtime::describe(view, *shared_, layout_of, [&](SizeId id) { return context_.size(id, frame_); }, share_.why);
    if (!facts) return false;
    auto is_placed = [&](ValueId id) { return frame_.own(id).data != nullptr; };
    if (std::any_of(step_.outputs.begin(), step_.outputs.end(), is_placed)) return false;
    facts_ = std::move(*facts);
    return true;
}

std::int64_t SharedLaunch::bytes_each(std::size_t buffer) const { return detail::size_of(kernel_.buffers[buffer].scalar); }

void SharedLaunch::gather_inputs() {
    std::vector<ValueId> ids;
    for (std::size_t k = 0; k < step_.inputs.size(); ++k)
        if (share_.gathered[k] && !share_.looked_up[k]) ids.push_back(step_.inputs[k]);
    gather_variables(context_, ids, frame_);
}

/// Begins to bring together what pieces read of other ranks' rows.
void SharedLaunch::bring() {
    std::vector<std::vector<place::Piece>> pieces;
    std::vector<place::Transfer> transfers;
    for (int rank = 0; rank < ranks_; ++rank) {
        pieces.push_back(place::pieces(facts_, share_, ranks_, rank));
        const auto to_rank = place::transfers_to(facts_, pieces.back(), ranks_, rank);
        transfers.insert(transfers.end(), to_rank.begin(), to_rank.end());
    }
    pieces_ = std::move(pieces[static_cast<std::size_t>(rank_)]);
    for (ValueId id : step_.inputs) {
        const SpreadArray* array = spread(frame_.find(id).owner);
        shown_.push_back(array ? show(*array) : Shown());
    }
    for (std::size_t p = 0; p < pieces_.size(); ++p) allocate_brought(p);
    if (transfers.empty()) return;
    for (const place::Transfer& t : transfers) {
        if (t.from != rank_ && t.to != rank_) continue;
        const std::int64_t each = bytes_each(t.input);
        const Interval bytes{t.elements.begin * each, t.elements.end * each};
        const std::size_t group = group_of(t.piece, t.input);
        if (t.from == rank_) parcels_.send(t.to, group, shown_[t.input], bytes);
        if (t.to == rank_) parcels_.receive(t.from, group, brought_[t.piece][t.input].data, bytes);
    }
    parcels_.pack();
    meet_others();
    parcels_.begin("run", context_.call.where);
}

/// Returns when everything is where the kernel expects it.
void SharedLaunch::receive() {
    if (!parcels_.wait()) return;
    for (std::size_t p = 0; p < pieces_.size(); ++p)
        for (std::size_t k = 0; k < step_.inputs.size(); ++k)
            if (may_view(p, k) && !view(p, k)) copy_own(p, k);
    parcels_.unpack();
    if (looks_up()) parcels_.release();  // ranks meet before the kernel has read
}

bool SharedLaunch::looks_up() const {
    return std::find(share_.looked_up.begin(), share_.looked_up.end(), true) != share_.looked_up.end();
}

/// Memory for what a piece needs brought together, with the elements that this rank has, unless it may be left where it is.
void SharedLaunch::allocate_brought(std::size_t p) {
    brought_.emplace_back(step_.inputs.size());
    for (std::size_t k = 0; k < step_.inputs.size(); ++k) {
        if (pieces_[p].brought[k].empty()) continue;
        brought_[p][k] = allocate_piece(pieces_[p].brought[k], bytes_each(k));
        if (pieces_[p].brought[k].size() > tuning::most_places) expect_columns(facts_.inputs[k].layout, bytes_each(k));
        if (!may_view(p, k)) copy_own(p, k);
    }
}

void SharedLaunch::copy_own(std::size_t p, std::size_t k) const {
    const Interval own = facts_.inputs[k].layout.own(ranks_, rank_);
    const std::int64_t each = bytes_each(k);
    for (const Interval& need : pieces_[p].brought[k]) {
        const std::int64_t begin = std::max(need.begin, own.begin), end = std::min(need.end, own.end);
        if (begin < end)
            std::memcpy(at(brought_[p][k].data, begin * each), at(frame_.find(step_.inputs[k]).data, begin * each),
                        static_cast<std::size_t>((end - begin) * each));
    }
}

/// Whether a piece may read an input where the ranks have it: if it reads many places, so that it costs less to map than to
/// copy them, and does not do so after the ranks have exchanged something else, as scans do.
bool SharedLaunch::may_view(std::size_t p, std::size_t k) const {
    if (pieces_[p].brought[k].size() <= tuning::most_places || looks_up()) return false;
    if (share_.way == place::Way::chunks && shared_->loop() == SharedKernel::Loop::scan) return false;
    const Interval own = facts_.inputs[k].layout.own(ranks_, rank_);
    return own.empty() || shown_[k].file >= 0;
}

/// False where this rank cannot map what others have.
bool SharedLaunch::view(std::size_t p, std::size_t k) {
    std::vector<std::pair<int, Shown>> others;
    if (!parcels_.find_shown(group_of(p, k), others)) return false;
    others.emplace_back(rank_, shown_[k]);
    std::sort(others.begin(), others.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    const place::Layout& layout = facts_.inputs[k].layout;
    const std::int64_t each = bytes_each(k);
    std::vector<ShownPart> parts;
    for (const auto& [rank, shown] : others) {
        const Interval own = layout.own(ranks_, rank);
        parts.push_back({{own.begin * each, own.end * each}, shown});
    }
    std::optional<Piece> piece = view_of(layout.elements() * each, parts);
    if (!piece) return false;
    brought_[p][k] = std::move(*piece);
    parcels_.leave(group_of(p, k));
    return true;
}

/// Before the ranks meet, so that nothing is left that may fail on one of them.
void SharedLaunch::allocate_points() {
    for (std::size_t k = 0; k < step_.outputs.size(); ++k) rows_.push_back(allocate_rows(k, facts_.outputs[k].layout));
}

void SharedLaunch::execute_points() {
    ErrorSlot error;
    each_piece([&](std::size_t p) { shared_->launch_points(buffers(p, rows_).data(), pieces_[p].part, error); });
    check(error);
    keep(std::move(rows_));
}

void SharedLaunch::keep(Results results) {
    for (std::size_t k = 0; k < results.size(); ++k) frame_.own(step_.outputs[k]) = std::move(results[k]);
}

Slot SharedLaunch::allocate_result(std::size_t k) const {
    Slot slot;
    const ir::Type& type = plan_.types[step_.outputs[k].index];
    context_.allocate(slot, type.scalar, context_.shape_of(type, frame_), site());
    return slot;
}

Slot SharedLaunch::allocate_rows(std::size_t k, const place::Layout& layout, Interval more) const {
    const std::int64_t length = schedule::hull(layout.own(ranks_, rank_), more).length(),
                       each = facts_.outputs[k].bytes_each;
    Slot slot;
    try {
        slot.owner = std::make_shared<SpreadArray>(layout, each, more);
    } catch (const std::bad_alloc&) {
        throw_out_of_memory(plan_.types[step_.outputs[k].index].scalar, {&length, 1},
                            static_cast<std::size_t>(length * each), context_.site_location(site()));
    }
    slot.data = slot.owner->data;
    return slot;
}

std::vector<void*> SharedLaunch::buffers(std::size_t piece, const Results& results) const {
    std::vector<void*> all;
    for (std::size_t k = 0; k < step_.inputs.size(); ++k) {
        const Piece* brought = piece < brought_.size() ? &brought_[piece][k] : nullptr;
        all.push_back(brought && brought->memory ? brought->data : frame_.find(step_.inputs[k]).data);
    }
    for (const Slot& slot : results) all.push_back(slot.data);
    return all;
}

/// Throws what a check of this rank's part found; the others learn of it when the ranks meet.
void SharedLaunch::check(const ErrorSlot& error) const {
    const std::uint32_t failed = error.check.load(std::memory_order_acquire);
    if (failed == 0) return;
    throw_check_failure(kernel_.checks[failed - 1], error, step_.sites, context_.plan.program, context_.call.sites);
}

/// Of the kernel, and of the extents and numbers that it gets: all ranks have to launch the same, and their processors have
/// to round alike.
std::uint64_t SharedLaunch::what_is_launched() const {
    std::uint64_t number = step_.kernel->digest + static_cast<std::uint64_t>(share_.way);
    auto add = [&](std::uint64_t more) { number = number * 1000003 + more; };
    for (std::int64_t size : sizes_) add(static_cast<std::uint64_t>(size));
    for (char c : context_.backend().identity()) add(static_cast<unsigned char>(c));
    for (std::size_t k = 0; k < step_.inputs.size(); ++k) {
        if (plan_.types[step_.inputs[k].index].rank() > 0) continue;
        std::uint64_t bits = 0;
        std::memcpy(&bits, frame_.find(step_.inputs[k]).data, static_cast<std::size_t>(bytes_each(k)));
        add(bits);
    }
    return number;
}

/// Before ranks exchange anything: that all of them are here. What they have allocated until then is all that the launch
/// needs, if it is the last time; a kernel with checks, or with memory of its own, may fail in any case.
void SharedLaunch::meet_others() const {
    meet("run", 0, context_.call.where);
    auto is_local = [](const lower::Buffer& buffer) { return buffer.local; };
    const bool may_fail = !kernel_.checks.empty() || std::any_of(kernel_.buffers.begin(), kernel_.buffers.end(), is_local);
    context_.call.sharing->settled = !may_fail;
}

/// What follows allocates memory.
void SharedLaunch::unsettle() const { context_.call.sharing->settled = false; }

/// This rank's part of the launch's arrays, about.
double SharedLaunch::bytes() const {
    double all = 0;
    for (std::size_t k = 0; k < kernel_.buffers.size(); ++k)
        all += static_cast<double>(sizes_[kernel_.buffers[k].elements.index] * bytes_each(k));
    return all / ranks_;
}

}  // namespace sinter::runtime
