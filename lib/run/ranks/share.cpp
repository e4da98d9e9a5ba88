// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/ranks/share.hpp"

#include "place/share.hpp"
#include "place/tuning.hpp"
#include "run/explain/launch_log.hpp"
#include "run/messages.hpp"
#include "run/parts.hpp"
#include "run/ranks/collectives.hpp"
#include "run/ranks/job.hpp"
#include "run/ranks/meeting.hpp"
#include "run/ranks/spread_array.hpp"
#include "support/match.hpp"
#include "support/settings.hpp"
#include "support/text/dump.hpp"

#include <sinter/detail/ranks.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

namespace sinter::runtime {

namespace {

/// SINTER_SHARE=always, for tests; never, for comparison.
double least_work() {
    static const double least = [] {
        const std::string_view wish = setting("SINTER_SHARE");
        if (wish == "always") return 0.0;
        return wish == "never" ? std::numeric_limits<double>::infinity() : place::tuning::least_work;
    }();
    return least;
}

/// Its parts, if it has any.
std::shared_ptr<const SharedKernel> bind(const KernelStep& step, const std::int64_t* sizes, int threads) {
    const auto* in_parts = dynamic_cast<const LaunchedInParts*>(step.kernel->code.get());
    return in_parts ? in_parts->bind_shared(sizes, threads) : nullptr;
}

class SharedLaunch {
  public:
    SharedLaunch(const Context& context, const KernelStep& step, const BodyPlan& plan, Frame& frame, const Numbers& sizes)
        : context_(context),
          step_(step),
          plan_(plan),
          frame_(frame),
          sizes_(sizes),
          kernel_(step.kernel->kernel),
          ranks_(detail::rank_count()),
          rank_(detail::own_rank()) {}

    bool run() {
        if (!describe()) return false;
        share_ = place::share(facts_, ranks_, least_work());
        if (dumps("place")) dump("place", fmt::format("{}: {}\n", kernel_.name, text()));
        if (share_.way == place::Way::whole) return false;
        context_.call.sharing->used = true;
        LaunchTimer timer(context_.backend());
        gather_inputs();
        bring();
        execute();
        if (watched()) timer.finish_shared(kernel_, bytes(), text());
        return true;
    }

  private:
    /// False where the launch has no parts.
    bool describe() {
        if (kernel_.buffers.size() != step_.inputs.size() + step_.outputs.size()) return false;
        shared_ = bind(step_, sizes_.data(), context_.call.threads);
        if (!shared_) return false;
        facts_ = {shared_->work(),
                  &shared_->points(),
                  shared_->least_points(),
                  &shared_->reduced(),
                  shared_->chunk_length(),
                  {},
                  {}};
        for (std::size_t k = 0; k < step_.inputs.size(); ++k) {
            const SpreadArray* array = spread(frame_.find(step_.inputs[k]).owner);
            facts_.inputs.push_back({array ? array->layout() : place::Layout{}, bytes_each(k)});
        }
        for (std::size_t k = 0; k < step_.outputs.size(); ++k) {
            const ir::Type& type = plan_.types[step_.outputs[k].index];
            const std::size_t buffer = step_.inputs.size() + k;
            place::Layout layout{type.rank() > 0};
            for (std::size_t axis = 0; axis < type.shape.size(); ++axis) {
                if (is_output(context_.plan.program.sizes, type.shape[axis], step_)) return false;
                (axis == 0 ? layout.rows : layout.row) *= context_.size(type.shape[axis], frame_);
            }
            if (layout.elements() != sizes_[kernel_.buffers[buffer].elements.index]) return false;
            if (frame_.own(step_.outputs[k]).data) return false;
            facts_.outputs.push_back({layout, bytes_each(buffer)});
        }
        return true;
    }

    std::int64_t bytes_each(std::size_t buffer) const { return detail::size_of(kernel_.buffers[buffer].scalar); }

    void gather_inputs() {
        std::vector<ValueId> ids;
        for (std::size_t k = 0; k < step_.inputs.size(); ++k)
            if (share_.gathered[k]) ids.push_back(step_.inputs[k]);
        gather_variables(context_, ids, frame_);
    }

    /// Brings together what pieces read of other ranks' rows.
    void bring() {
        std::vector<std::vector<place::Piece>> pieces;
        std::vector<place::Transfer> transfers;
        for (int rank = 0; rank < ranks_; ++rank) {
            pieces.push_back(place::pieces(facts_, share_, ranks_, rank));
            const auto to_rank = place::transfers_to(facts_, pieces.back(), ranks_, rank);
            transfers.insert(transfers.end(), to_rank.begin(), to_rank.end());
        }
        pieces_ = std::move(pieces[static_cast<std::size_t>(rank_)]);
        for (const place::Piece& piece : pieces_) brought_.push_back(copy_own(piece));
        if (transfers.empty()) return;
        meet_others();
        std::vector<sinter_message> sends, receives;
        for (const place::Transfer& t : transfers) {
            if (t.from != rank_ && t.to != rank_) continue;
            const bool sent = t.from == rank_;
            void* base = sent ? frame_.find(step_.inputs[t.input]).data : brought_[t.piece][t.input].data;
            const std::int64_t each = bytes_each(t.input);
            const sinter_message message{sent ? t.to : t.from, at(base, t.elements.begin * each),
                                         static_cast<std::size_t>(t.elements.length() * each)};
            (sent ? sends : receives).push_back(message);
        }
        exchange(sends, receives, "run", context_.call.where);
    }

    /// Memory for what a piece needs brought together, with the elements that this rank has.
    std::vector<Piece> copy_own(const place::Piece& piece) const {
        std::vector<Piece> memory(step_.inputs.size());
        for (std::size_t k = 0; k < memory.size(); ++k) {
            const Interval need = piece.brought[k];
            if (need.empty()) continue;
            memory[k] = allocate_piece(need, bytes_each(k));
            const Interval own = facts_.inputs[k].layout.own(ranks_, rank_);
            const std::int64_t begin = std::max(need.begin, own.begin), end = std::min(need.end, own.end);
            if (begin >= end) continue;
            const std::int64_t each = bytes_each(k);
            std::memcpy(at(memory[k].data, begin * each), at(frame_.find(step_.inputs[k]).data, begin * each),
                        static_cast<std::size_t>((end - begin) * each));
        }
        return memory;
    }

    static void* at(void* base, std::int64_t bytes) {
        return reinterpret_cast<void*>(reinterpret_cast<std::intptr_t>(base) + bytes);
    }

    void execute() {
        const bool points = share_.way == place::Way::points;
        std::vector<Slot> results;
        for (std::size_t k = 0; k < step_.outputs.size(); ++k) results.push_back(allocate_result(k, points));
        ErrorSlot error;
        if (points)
            for (std::size_t p = 0; p < pieces_.size(); ++p)
                shared_->launch_points(buffers(p, results).data(), pieces_[p].part, error);
        else
            reduce(results, error);
        check(error);
        for (std::size_t k = 0; k < results.size(); ++k) frame_.own(step_.outputs[k]) = std::move(results[k]);
    }

    Slot allocate_result(std::size_t k, bool in_blocks) const {
        const place::Operand& output = facts_.outputs[k];
        Slot slot;
        if (!in_blocks) {
            const std::vector<std::int64_t> shape = context_.shape_of(plan_.types[step_.outputs[k].index], frame_);
            context_.allocate(slot, plan_.types[step_.outputs[k].index].scalar, shape, site());
            return slot;
        }
        const std::int64_t length = output.layout.own(ranks_, rank_).length();
        try {
            slot.owner = std::make_shared<SpreadArray>(output.layout, output.bytes_each);
        } catch (const std::bad_alloc&) {
            throw_out_of_memory(plan_.types[step_.outputs[k].index].scalar, {&length, 1},
                                static_cast<std::size_t>(length * output.bytes_each), context_.site_location(site()));
        }
        slot.data = slot.owner->data;
        return slot;
    }

    ir::SiteId site() const { return step_.sites.empty() ? ir::SiteId() : step_.sites.back(); }

    std::vector<void*> buffers(std::size_t piece, const std::vector<Slot>& results) const {
        std::vector<void*> all;
        for (std::size_t k = 0; k < step_.inputs.size(); ++k) {
            const Piece* brought = piece < brought_.size() ? &brought_[piece][k] : nullptr;
            all.push_back(brought && brought->memory ? brought->data : frame_.find(step_.inputs[k]).data);
        }
        for (const Slot& slot : results) all.push_back(slot.data);
        return all;
    }

    /// Makes the partial results of this rank's chunks, gathers all, and combines them.
    void reduce(const std::vector<Slot>& results, ErrorSlot& error) {
        const std::vector<std::size_t> bytes = shared_->partial_bytes();
        const auto chunks = static_cast<std::size_t>(share_.parts.back().end);
        std::vector<BufferRef> memory;
        std::vector<void*> partials;
        for (std::size_t b : bytes) {
            memory.push_back(sinter::allocate(chunks * b));
            partials.push_back(memory.back()->data);
        }
        for (std::size_t p = 0; p < pieces_.size(); ++p)
            shared_->launch_chunks(buffers(p, results).data(), partials.data(), pieces_[p].part, error);
        check(error);
        meet_others();
        for (std::size_t v = 0; v < bytes.size(); ++v) {
            std::vector<std::size_t> lengths;
            for (const Interval& part : share_.parts) lengths.push_back(static_cast<std::size_t>(part.length()) * bytes[v]);
            const auto first = static_cast<std::size_t>(share_.parts[static_cast<std::size_t>(rank_)].begin);
            gather(static_cast<char*>(partials[v]) + first * bytes[v], partials[v], lengths, "run", context_.call.where);
        }
        shared_->finish_chunks(buffers(pieces_.size(), results).data(), partials.data(), error);
    }

    /// Throws what a check of this rank's part found; the others learn of it when the ranks meet.
    void check(const ErrorSlot& error) const {
        const std::uint32_t failed = error.check.load(std::memory_order_acquire);
        if (failed == 0) return;
        throw_check_failure(kernel_.checks[failed - 1], error, step_.sites, context_.plan.program, context_.call.sites);
    }

    /// Before ranks exchange anything: that all of them are here, and have processors that round alike.
    void meet_others() const {
        std::uint64_t number = static_cast<std::uint64_t>(share_.way);
        for (std::size_t k = 0; k < sizes_.size(); ++k) number = number * 1000003 + static_cast<std::uint64_t>(sizes_[k]);
        for (char c : kernel_.name + context_.backend().identity())
            number = number * 1000003 + static_cast<unsigned char>(c);
        meet("run", number, context_.call.where);
    }

    /// This rank's part of the launch's arrays, about.
    double bytes() const {
        double all = 0;
        for (std::size_t k = 0; k < kernel_.buffers.size(); ++k)
            all += static_cast<double>(sizes_[kernel_.buffers[k].elements.index] * bytes_each(k));
        return all / ranks_;
    }

    /// "by points on 3 ranks (why not otherwise), gathers input 0".
    std::string text() const {
        constexpr std::string_view ways[] = {"whole on each of", "by points on", "by chunks on"};
        std::string result = fmt::format("{} {} ranks", ways[static_cast<std::size_t>(share_.way)], ranks_);
        if (!share_.why.empty()) result += fmt::format(" ({})", share_.why);
        for (std::size_t k = 0; k < share_.gathered.size(); ++k)
            if (share_.gathered[k]) result += fmt::format(", gathers input {}", k);
        return result;
    }

    const Context& context_;
    const KernelStep& step_;
    const BodyPlan& plan_;
    Frame& frame_;
    const Numbers& sizes_;
    const lower::Kernel& kernel_;
    const int ranks_, rank_;
    std::shared_ptr<const SharedKernel> shared_;
    place::LaunchFacts facts_;
    place::Share share_;
    std::vector<place::Piece> pieces_;         ///< of this rank
    std::vector<std::vector<Piece>> brought_;  ///< by piece and input
};

}  // namespace

bool may_share(const Plan& plan) { return job() && plan.backend->immediate() && speaks(); }

namespace {

bool is_memory_error(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const MemoryError&) {
        return true;
    } catch (const std::bad_alloc&) {
        return true;
    } catch (...) {
        return false;
    }
}

}  // namespace

void settle(const Call& call) {
    if (call.sharing && call.sharing->used) meet("run", 0, call.where);
}

/// What all ranks compute fails on all of them alike; only memory may be missing on one of them.
void fail_run(const Call& call) {
    if (!call.sharing->used && !is_memory_error(std::current_exception())) throw;
    fail_together(call.where);
}

bool launch_shared(const Context& context, const KernelStep& step, const BodyPlan& plan, Frame& frame,
                   const Numbers& sizes) try {
    return SharedLaunch(context, step, plan, frame, sizes).run();
} catch (const std::bad_alloc&) {
    throw MemoryError(fmt::format("cannot allocate what {} needs while it runs", step.kernel->kernel.name),
                      context.call.where);
}

void gather_variables(const Context& context, const std::vector<ValueId>& ids, Frame& frame) {
    for (ValueId id : ids) {
        Slot& slot = frame.find(id);
        if (!spread(slot.owner)) continue;
        context.call.sharing->used = true;
        try {
            slot.owner = slot.owner->fetch();
        } catch (const std::bad_alloc&) {  // on all ranks
            throw MemoryError("no room for the rows of other ranks", context.call.where);
        }
        slot.data = slot.owner->data;
    }
}

bool shares_launches(const Context& context, const BodyPlan& body) {
    auto shares = [&](const KernelStep& step) {
        if (std::any_of(step.sizes.begin(), step.sizes.end(), [&](SizeId id) { return context.is_dynamic(id); }))
            return true;
        std::vector<std::int64_t> arguments, sizes(step.kernel->kernel.sizes.count());
        for (SizeId id : step.sizes) arguments.push_back(context.static_size(id));
        evaluate_kernel_sizes(step.kernel->kernel.sizes, arguments, sizes);
        if (!are_small(step.kernel->kernel, sizes)) return false;
        const auto shared = bind(step, sizes.data(), context.call.threads);
        return shared && shared->work() >= least_work();
    };
    return std::any_of(body.steps.begin(), body.steps.end(), [&](const Step& step) {
        if (const auto* kernel = std::get_if<KernelStep>(&step.action)) return shares(*kernel);
        if (const auto* cond = std::get_if<CondStep>(&step.action))
            return shares_launches(context, *cond->then) || shares_launches(context, *cond->otherwise);
        if (const auto* loop = std::get_if<LoopStep>(&step.action)) return shares_launches(context, *loop->body);
        return false;
    });
}

}  // namespace sinter::runtime
