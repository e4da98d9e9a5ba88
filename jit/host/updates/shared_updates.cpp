// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/updates/shared_updates.hpp"

#include "jit/host/launch.hpp"
#include "jit/host/updates/accumulators.hpp"

#include <algorithm>
#include <cstring>

namespace sinter::host {

namespace {

using schedule::Interval;
using schedule::PartFacts;

class SharedUpdates final : public runtime::SharedKernel {
  public:
    SharedUpdates(Binding binding, std::int64_t runs, const std::shared_ptr<const Target>& target)
        : binding_(std::move(binding)),
          updates_(kernel(), target),
          runs_(schedule::runs_of(tasks(), (tasks().points + runs - 1) / runs)) {
        facts_ =
            schedule::part_facts(kernel(), binding_.sizes.data(), schedule::Overwriting::refused, schedule::Updating::apart);
        const bool columns =
            schedule::has_lanes_on_points(binding_.code->way(binding_.decision.choice.way)) && kernel().space.size() == 1;
        const std::int64_t rows = columns ? 1 : runs_.row_count / std::max<std::int64_t>(1, facts_.extent);
        length_ = columns ? runs_.inner_per_task : runs_.rows_per_task / std::max<std::int64_t>(1, rows);
        const bool at_points =
            columns || (runs_.inner_tasks() == 1 && runs_.rows_per_task % std::max<std::int64_t>(1, rows) == 0);
        if (!facts_.possible) refusal_ = "its points depend on each other";
        if (!at_points) refusal_ = "runs of points end within its outermost points";
    }

    double work() const override { return tasks().work; }
    std::string refusal() const override { return refusal_; }
    const PartFacts& points() const override { return none_; }
    std::int64_t least_points() const override { return 1; }
    void launch_points(void* const*, Interval, runtime::ErrorSlot&, bool) const override {}

    Loop loop() const override { return Loop::update; }
    const PartFacts& reduced() const override { return facts_; }
    std::int64_t chunk_length() const override { return length_; }
    std::int64_t chunks() const override { return runs_.count(); }

    std::vector<std::size_t> updated() const override {
        std::vector<std::size_t> buffers;
        for (const Accumulators::Group& group : updates_.groups())
            for (std::size_t v = 0; v < group.bytes.size(); ++v) buffers.push_back(group.first + v);
        return buffers;
    }

    std::vector<std::size_t> partial_bytes() const override {
        std::vector<std::size_t> bytes;
        for (const Accumulators::Group& group : updates_.groups())
            for (std::size_t each : group.bytes) bytes.push_back(elements(group) * each);
        return bytes;
    }

    bool joins_in_any_order() const override {
        const std::vector<std::size_t> buffers = updated();
        return std::none_of(buffers.begin(), buffers.end(),
                            [&](std::size_t b) { return detail::is_float(kernel().buffers[b].scalar); });
    }

    void launch_chunks(void* const* buffers, void* const* partials, Interval chunks,
                       runtime::ErrorSlot& error) const override {
        if (chunks.empty()) return;
        if (chunks.begin == 0) begin_as_copies(buffers, partials);
        const runtime::Launch launch{buffers, binding_.sizes.data(), &error, binding_.threads};
        const WayCode::Working working(*binding_.way_code, runs_.work);
        updates_.run(binding_.way_code->kernel(), *binding_.code, runs_, {chunks.begin, chunks.end}, copies(partials),
                     launch);
    }

    void join_chunks(void* const* buffers, void* const* partials, Interval chunks,
                     runtime::ErrorSlot& error) const override {
        const runtime::Launch launch{buffers, binding_.sizes.data(), &error, binding_.threads};
        updates_.merge(runs_, {chunks.begin, chunks.end}, copies(partials), launch);
    }

    void chain_chunks(void* const*, void* const*, runtime::ErrorSlot&) const override {}
    void complete_chunks(void* const*, void* const*, Interval, runtime::ErrorSlot&) const override {}
    std::size_t first_kept() const override { return 0; }
    std::size_t kept_values() const override { return 0; }
    std::int64_t keep_chunks(void* const*, Interval, runtime::ErrorSlot&) const override { return 0; }
    void finish_chunks(void* const*, void* const*, runtime::ErrorSlot&) const override {}

  private:
    const lower::Kernel& kernel() const { return binding_.code->kernel(); }
    const schedule::Tasks& tasks() const { return binding_.tasks(); }
    std::size_t elements(const Accumulators::Group& group) const {
        return static_cast<std::size_t>(binding_.sizes[group.elements.index]);
    }

    ArrayCopies copies(void* const* partials) const {
        ArrayCopies result;
        const std::vector<std::size_t> bytes = partial_bytes();
        for (std::size_t v = 0; v < bytes.size(); ++v) {
            char* const first = static_cast<char*>(partials[v]);
            result.arrays.push_back({first, first + bytes[v], bytes[v]});
        }
        return result;
    }

    void begin_as_copies(void* const* buffers, void* const* partials) const {
        const std::vector<std::size_t> bytes = partial_bytes(), arrays = updated();
        for (std::size_t v = 0; v < arrays.size(); ++v)
            if (const auto& dest = kernel().buffers[arrays[v]].dest) std::memcpy(partials[v], buffers[*dest], bytes[v]);
    }

    const Binding binding_;
    const Accumulators updates_;
    const schedule::Tasks runs_;
    PartFacts facts_, none_;
    std::int64_t length_ = 1;
    std::string refusal_;
};

}  // namespace

std::shared_ptr<const runtime::SharedKernel> share_updates(Binding binding, std::int64_t runs,
                                                           const std::shared_ptr<const Target>& target) {
    return std::make_shared<const SharedUpdates>(std::move(binding), runs, target);
}

}  // namespace sinter::host
