// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The variables of an execution.
#pragma once

#include "run/plan/plan.hpp"
#include "support/buffer.hpp"
#include "support/stack_array.hpp"

namespace sinter::runtime {

using ir::ValueId;
struct Ahead;

struct Slot {
    void* data = nullptr;
    BufferRef owner;
};

/// The variables of one body; those of enclosing bodies are found through the parent.
struct Frame {
    Frame* parent;
    std::size_t base;
    StackArray<Slot, 16> slots;
    Ahead* ahead = nullptr;  ///< null if everything that is launched is wanted

    Frame(Frame* parent_frame, const BodyPlan& plan)
        : parent(parent_frame), base(plan.base), slots(plan.types.size() - plan.base) {}

    Slot& own(ValueId id) { return slots[id.index - base]; }
    const Slot& find(ValueId id) const { return const_cast<Frame*>(this)->find(id); }
    Slot& find(ValueId id) {
        Frame* frame = this;
        while (id.index < frame->base) frame = frame->parent;
        return frame->slots[id.index - frame->base];
    }
};

}  // namespace sinter::runtime
