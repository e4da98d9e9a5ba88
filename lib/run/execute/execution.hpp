// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One execution of a plan. execute.cpp has steps, sizes and guards, execute_kernel.cpp launches and the memory they write,
/// execute_control.cpp control flow, sorts and foreign functions, execute_ahead.cpp loops that the device ends by itself,
/// execute_bound_loop.cpp loops of few bytes.
#pragma once

#include "run/execute/execute.hpp"
#include "run/plan/size_values.hpp"
#include "support/stack_array.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sinter::runtime {

using ir::SizeId;
using ir::Type;
using ir::ValueId;

using Numbers = StackArray<std::int64_t, 16>;

struct Slot {
    void* data = nullptr;
    BufferRef owner;
};

/// Iterations of a loop that are launched before it is known whether they are wanted.
struct Ahead {
    std::unique_ptr<Lookahead> device;
    const void* guard = nullptr;             ///< of what is launched now
    std::vector<std::vector<Slot>> states;   ///< before each iteration, and behind the last
    std::vector<const KernelStep*> checked;  ///< what was launched with records

    void prepare(const KernelStep& step, Launch& launch);
    /// How many of an array's owners are `states`.
    long kept(const BufferRef& array) const;
};

/// The variables of one body; enclosing ones are found through the parent.
struct Frame {
    const Frame* parent;
    std::size_t base;
    StackArray<Slot, 16> slots;
    Ahead* ahead = nullptr;  ///< null: what is launched is wanted

    Frame(const Frame* parent_frame, const BodyPlan& plan)
        : parent(parent_frame), base(plan.base), slots(plan.types.size() - plan.base) {}

    Slot& own(ValueId id) { return slots[id.index - base]; }
    const Slot& find(ValueId id) const {
        const Frame* frame = this;
        while (id.index < frame->base) frame = frame->parent;
        return frame->slots[id.index - frame->base];
    }
};

class Execution {
  public:
    Execution(const Plan& plan, const Call& call) : plan_(plan), call_(call), sizes_(plan, call) {}

    std::vector<Array> run();

  private:
    /// Input k, where the kernels reach it.
    Slot resident(BufferRef owner, std::size_t k) const;
    void check_guard(const ir::Guard& guard, std::int64_t left, std::int64_t right) const;
    void check_guards(const std::vector<const ir::Guard*>& guards, const Frame& frame) const {
        for (const ir::Guard* guard : guards) check_guard(*guard, size(guard->left, frame), size(guard->right, frame));
    }

    std::int64_t size(SizeId id, const Frame& frame) const {
        return sizes_.value(id, [&](ValueId value) { return number(frame.find(value).data); });
    }

    /// What the step would make that has a negative extent or too many elements; null if it would make nothing of the kind.
    const fuse::Made* find_bad_shape(const KernelStep& step, const Frame& frame) const;

    /// A computed i64.
    std::int64_t number(const void* data) const;
    void run_steps(const BodyPlan& plan, Frame& frame) const;
    void launch(const KernelStep& step, const std::vector<ValueId>& dying, const BodyPlan& plan, Frame& frame) const;
    void run_kernel(const CachedKernel& cached, const Launch& launch) const;

    /// Generated code would read behind an empty array before it can report that there is nothing to read.
    static bool reads_empty(const lower::Kernel& kernel, const std::int64_t* sizes);

    /// `room`: how many elements, where the extents are results of the kernel themselves.
    void* allocate_variable(ValueId id, const BodyPlan& plan, std::int64_t room, Frame& frame, const KernelStep& step) const;
    bool is_output(SizeId id, const KernelStep& step) const;
    void* allocate_slot(Slot& slot, ir::Scalar scalar, std::span<const std::int64_t> shape, ir::SiteId site) const;

    /// Takes the destination's memory if nobody else can see it any more, else copies it.
    void* updated_variable(ValueId id, std::size_t input, const KernelStep& step, const std::vector<ValueId>& dying,
                           const BodyPlan& plan, Frame& frame) const;
    static std::int64_t destinations(const KernelStep& step, ValueId dest);
    void sort(const SortStep& step, const BodyPlan& plan, Frame& frame) const;
    void call(const ForeignStep& step, const BodyPlan& plan, Frame& frame) const;
    static BufferRef scalar_copy(const Slot& slot, ir::Scalar scalar);
    location site_location(ir::SiteId site) const {
        return site.valid() && site.index < call_.sites.size() ? call_.sites[site.index].where : call_.where;
    }

    static void alias(const std::vector<ValueId>& from, ValueId to, Frame& frame);
    bool truth(ValueId id, const Frame& frame) const;
    void branch(const CondStep& step, Frame& frame) const;

    /// The states of a loop between two iterations.
    struct States {
        std::vector<std::int64_t> extents;  ///< that change
        std::vector<Slot> slots;

        /// As parameters from position `first`. The extents stay here.
        void enter(Frame& frame, std::size_t first) {
            for (std::int64_t& extent : extents) frame.slots[first++] = {&extent, nullptr};
            for (const Slot& slot : slots) frame.slots[first++] = slot;
        }
    };
    void loop(const LoopStep& step, Frame& frame) const;
    class BoundBody;
    /// The same with kernels that are bound once. False: nothing was done, iterations may differ or take much memory.
    bool loop_bound(const LoopStep& step, Frame& frame) const;
    /// The same without waiting for every condition. False: nothing was done, this loop has to wait.
    bool loop_ahead(const LoopStep& step, Frame& frame) const;
    std::size_t iterations_ahead(const LoopStep& step, const Frame& frame) const;
    std::optional<std::size_t> bytes_of_launches(const BodyPlan& plan, const Frame& frame) const;
    std::optional<std::size_t> bytes_of_launch(const KernelStep& step, const BodyPlan& plan, const Frame& frame) const;
    bool batch(const LoopStep& step, std::vector<Slot>& states, std::size_t count, bool begun, Frame& frame) const;
    void evaluate_ahead(const BodyPlan& condition, std::size_t flag, Ahead& ahead, Frame& frame) const;
    void iterate_ahead(const LoopStep& step, std::size_t flag, Ahead& ahead, Frame& frame) const;
    void keep_flags(const Ahead& ahead, std::size_t flags, std::vector<Slot>& states) const;
    void check_ahead(const Ahead& ahead) const;
    bool holds(const BodyPlan& condition, States& states, Frame& frame) const;
    std::vector<std::int64_t> extents(const std::vector<SizeId>& sizes, const Frame& frame) const;
    void set_number(Slot& slot, std::int64_t value) const;
    Array result(ValueId id, const Frame& frame) const;
    std::vector<std::int64_t> shape_of(const Type& type, const Frame& frame) const;

    const Plan& plan_;
    const Call& call_;
    SizeValues sizes_;
};

}  // namespace sinter::runtime
