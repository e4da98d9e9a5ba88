// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute.hpp"

#include "run/interpret.hpp"
#include "run/launch_log.hpp"
#include "run/messages.hpp"
#include "run/size_values.hpp"
#include "run/sort.hpp"
#include "run/threads.hpp"
#include "support/check.hpp"
#include "support/foreign.hpp"
#include "support/match.hpp"
#include "support/stack_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace sinter::runtime {

namespace {

using ir::SizeId;
using ir::Type;
using ir::ValueId;

using Numbers = StackArray<std::int64_t, 16>;

struct Slot {
    void* data = nullptr;
    BufferRef owner;
};

/// The variables of one body; enclosing ones are found through the parent.
struct Frame {
    const Frame* parent;
    std::size_t base;
    StackArray<Slot, 16> slots;

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

    std::vector<Array> run() {
        for (const ir::Guard* guard : plan_.static_guards)
            check_guard(*guard, sizes_.statics()[guard->left.index], sizes_.statics()[guard->right.index]);
        Frame frame(nullptr, plan_.body);
        for (std::size_t k = 0; k < call_.inputs.size(); ++k) {
            const InputView& input = call_.inputs[k];
            frame.slots[k] = {const_cast<void*>(input.data), nullptr};
            if (input.owner) frame.slots[k] = resident(input.given ? std::move(*input.given) : *input.owner, k);
        }
        run_steps(plan_.body, frame);
        std::vector<Array> results;
        results.reserve(plan_.body.results.size());
        for (ValueId id : plan_.body.results) results.push_back(result(id, frame));
        plan_.backend->finish();
        return results;
    }

  private:
    /// Input k, where the kernels reach it.
    Slot resident(BufferRef owner, std::size_t k) const {
        try {
            owner = plan_.backend->resident(owner);
        } catch (const std::bad_alloc&) {
            throw_out_of_memory(plan_.body.types[k].scalar, call_.inputs[k].shape, owner->bytes, call_.where);
        }
        return {owner->data, std::move(owner)};
    }

    void check_guard(const ir::Guard& guard, std::int64_t left, std::int64_t right) const {
        if (left != right) throw_guard_failure(plan_.program.sizes, guard, left, right, site_location(guard.site));
    }

    void check_guards(const std::vector<const ir::Guard*>& guards, const Frame& frame) const {
        for (const ir::Guard* guard : guards) check_guard(*guard, size(guard->left, frame), size(guard->right, frame));
    }

    std::int64_t size(SizeId id, const Frame& frame) const {
        return sizes_.value(id, [&](ValueId value) { return number(frame.find(value).data); });
    }

    /// A computed i64.
    std::int64_t number(const void* data) const {
        plan_.backend->finish();
        std::int64_t v;
        std::memcpy(&v, data, sizeof v);
        return v;
    }

    void run_steps(const BodyPlan& plan, Frame& frame) const {
        for (const Step& step : plan.steps) {
            check_guards(step.guards, frame);
            match(
                step.action, [&](const KernelStep& s) { launch(s, step.dying, plan, frame); },
                [&](const AliasStep& s) { alias(s.from, s.to, frame); }, [&](const SortStep& s) { sort(s, plan, frame); },
                [&](const ForeignStep& s) { call(s, plan, frame); }, [&](const CondStep& s) { branch(s, frame); },
                [&](const LoopStep& s) { loop(s, frame); });
            for (ValueId id : step.dying) frame.own(id) = {};
        }
        check_guards(plan.final_guards, frame);
    }

    void launch(const KernelStep& step, const std::vector<ValueId>& dying, const BodyPlan& plan, Frame& frame) const {
        const lower::Kernel& kernel = step.kernel->kernel;
        Numbers arguments(step.sizes.size()), sizes(kernel.sizes.count());
        for (std::size_t k = 0; k < step.sizes.size(); ++k) arguments[k] = size(step.sizes[k], frame);
        evaluate_kernel_sizes(kernel.sizes, arguments, sizes);
        StackArray<void*, 16> buffers(kernel.buffers.size());
        std::size_t next = 0;
        for (ValueId id : step.inputs) buffers[next++] = frame.find(id).data;
        for (ValueId id : step.outputs) {
            const lower::Buffer& buffer = kernel.buffers[next];
            if (buffer.dest)
                buffers[next] = updated_variable(id, *buffer.dest, step, dying, plan, frame);
            else
                buffers[next] = allocate_variable(id, plan, sizes[buffer.elements.index], frame, step);
            ++next;
        }
        ErrorSlot error;
        const LaunchTimer timer;
        const Launch launch{buffers.data(), sizes.data(), &error, call_.threads};
        try {
            run_kernel(*step.kernel, launch);
        } catch (const std::bad_alloc&) {
            throw MemoryError(fmt::format("cannot allocate what {} needs while it runs", kernel.name), call_.where);
        }
        if (timer.active()) plan_.backend->finish();
        timer.finish(kernel, sizes);
        if (error.check.load(std::memory_order_acquire) != 0) {
            throw_check_failure(kernel.checks[error.check - 1], error, step.sites, plan_.program, call_.sites);
        }
    }

    void run_kernel(const CachedKernel& cached, const Launch& launch) const {
        if (!reads_empty(cached.kernel, launch.sizes)) return cached.code->launch(launch);
        plan_.backend->finish();
        launch_interpreted(cached.kernel, launch);
    }

    /// Generated code would read behind an empty array before it can report that there is nothing to read.
    static bool reads_empty(const lower::Kernel& kernel, const std::int64_t* sizes) {
        return std::any_of(kernel.nonempty.begin(), kernel.nonempty.end(), [&](SizeId id) { return sizes[id.index] == 0; });
    }

    /// `room`: how many elements, where the extents are results of the kernel themselves.
    void* allocate_variable(ValueId id, const BodyPlan& plan, std::int64_t room, Frame& frame,
                            const KernelStep& step) const {
        const Type& type = plan.types[id.index];
        ir::SiteId site = step.sites.empty() ? ir::SiteId() : step.sites.back();
        for (SizeId extent : type.shape)
            if (is_output(extent, step)) return allocate_slot(frame.own(id), type.scalar, {&room, 1}, site);
        StackArray<std::int64_t, 8> shape(type.shape.size());
        std::int64_t elements = 1;
        for (std::size_t k = 0; k < shape.size(); ++k) elements *= shape[k] = size(type.shape[k], frame);
        // A filter's extent may have been found equal to another: whether it is, is checked when it is known.
        if (elements < room) return allocate_slot(frame.own(id), type.scalar, {&room, 1}, site);
        return allocate_slot(frame.own(id), type.scalar, shape, site);
    }

    bool is_output(SizeId id, const KernelStep& step) const {
        const ir::Size& size = plan_.program.sizes[id];
        ValueId value(static_cast<std::size_t>(size.index));
        return size.kind == ir::Size::Kind::value &&
               std::find(step.outputs.begin(), step.outputs.end(), value) != step.outputs.end();
    }

    void* allocate_slot(Slot& slot, ir::Scalar scalar, std::span<const std::int64_t> shape, ir::SiteId site) const {
        std::size_t bytes = checked_bytes(scalar, shape, site_location(site));
        try {
            slot.owner = plan_.backend->allocate(bytes);
        } catch (const std::bad_alloc&) {
            throw_out_of_memory(scalar, shape, bytes, site_location(site));
        }
        slot.data = slot.owner->data;
        return slot.data;
    }

    /// Takes the destination's memory if nobody else can see it any more, else copies it.
    void* updated_variable(ValueId id, std::size_t input, const KernelStep& step, const std::vector<ValueId>& dying,
                           const BodyPlan& plan, Frame& frame) const {
        ValueId dest = step.inputs[input];
        bool once = !step.kernel->loaded[input] && destinations(step, dest) == 1;
        bool last = once && std::find(dying.begin(), dying.end(), dest) != dying.end();
        const BufferRef& owner = frame.find(dest).owner;
        if (last && owner && owner->reusable && owner.use_count() == 1) {
            owner->copy.reset();
            frame.own(id) = std::move(frame.own(dest));
            return frame.own(id).data;
        }
        const Slot& from = frame.find(dest);
        const Type& type = plan.types[id.index];
        std::vector<std::int64_t> shape = shape_of(type, frame);
        void* to = allocate_slot(frame.own(id), type.scalar, shape, step.sites.empty() ? ir::SiteId() : step.sites.back());
        plan_.backend->finish();
        copy_bytes(to, from.data, checked_bytes(type.scalar, shape, call_.where), call_.threads);
        return to;
    }

    static std::int64_t destinations(const KernelStep& step, ValueId dest) {
        const std::vector<lower::Buffer>& buffers = step.kernel->kernel.buffers;
        return std::count_if(buffers.begin(), buffers.end(),
                             [&](const lower::Buffer& b) { return b.dest && step.inputs[*b.dest] == dest; });
    }

    void sort(const SortStep& step, const BodyPlan& plan, Frame& frame) const {
        std::vector<std::int64_t> shape = shape_of(plan.types[step.to.index], frame);
        std::vector<SortColumn> columns;
        for (std::size_t k = 0; k < step.args.size(); ++k) {
            ValueId to(step.to.index + k);
            ir::Scalar scalar = plan.types[to.index].scalar;
            columns.push_back({scalar, frame.find(step.args[k]).data, allocate_slot(frame.own(to), scalar, shape, {})});
        }
        std::int64_t rows = 1;
        for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis) rows *= shape[axis];
        if (plan_.backend->sort(columns, step.keys, step.descending, rows, shape.back())) return;
        plan_.backend->finish();
        sort_rows(columns, step.keys, step.descending, rows, shape.back(), call_.threads);
    }

    void call(const ForeignStep& step, const BodyPlan& plan, Frame& frame) const {
        std::vector<ForeignArray> args;
        for (ValueId id : step.args) {
            const Type& type = plan.types[id.index];
            const Slot& slot = frame.find(id);
            args.push_back({type.scalar, shape_of(type, frame), slot.owner ? slot.owner : scalar_copy(slot, type.scalar)});
        }
        plan_.backend->finish();
        std::vector<ForeignArray> made = foreign_function(step.function)(args);
        std::size_t next = step.to.index;
        for (const ForeignArray& array : made)
            for (std::int64_t extent : array.shape) set_number(frame.own(ValueId(next++)), extent);
        for (ForeignArray& array : made) {
            void* data = array.buffer->data;
            frame.own(ValueId(next++)) = {data, std::move(array.buffer)};
        }
        check(next == step.to.index + step.results, "a foreign function returns what it was declared to");
    }

    static BufferRef scalar_copy(const Slot& slot, ir::Scalar scalar) {
        BufferRef copy = allocate(static_cast<std::size_t>(detail::size_of(scalar)));
        std::memcpy(copy->data, slot.data, copy->bytes);
        return copy;
    }

    location site_location(ir::SiteId site) const {
        return site.valid() && site.index < call_.sites.size() ? call_.sites[site.index] : call_.where;
    }

    static void alias(const std::vector<ValueId>& from, ValueId to, Frame& frame) {
        for (std::size_t k = 0; k < from.size(); ++k) frame.own(ValueId(to.index + k)) = frame.find(from[k]);
    }

    bool truth(ValueId id, const Frame& frame) const {
        plan_.backend->finish();
        return *static_cast<const unsigned char*>(frame.find(id).data) != 0;
    }

    void branch(const CondStep& step, Frame& frame) const {
        const BodyPlan& body = truth(step.condition, frame) ? *step.then : *step.otherwise;
        Frame inner(&frame, body);
        run_steps(body, inner);
        for (std::size_t k = 0; k < body.results.size(); ++k) {
            frame.own(ValueId(step.to.index + k)) = inner.find(body.results[k]);
        }
    }

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

    void loop(const LoopStep& step, Frame& frame) const {
        States states{extents(step.first, frame), {}};
        for (ValueId id : step.inits) states.slots.push_back(frame.find(id));
        const std::int64_t count = step.count ? number(frame.find(*step.count).data) : 0;
        for (std::int64_t i = 0; step.count ? i < count : holds(*step.condition, states, frame); ++i) {
            Frame inner(&frame, *step.body);
            if (step.count) inner.slots[0] = {&i, nullptr};
            states.enter(inner, step.count ? 1 : 0);
            // The frame owns the old states now: they die at their last use, and the pool hands their memory to the new
            // ones.
            std::fill(states.slots.begin(), states.slots.end(), Slot{});
            run_steps(*step.body, inner);
            for (std::size_t k = 0; k < states.slots.size(); ++k) states.slots[k] = inner.find(step.body->results[k]);
            states.extents = extents(step.next, inner);
        }
        std::size_t next = step.to.index;
        for (std::int64_t extent : states.extents) set_number(frame.own(ValueId(next++)), extent);
        for (Slot& slot : states.slots) frame.own(ValueId(next++)) = std::move(slot);
    }

    bool holds(const BodyPlan& condition, States& states, Frame& frame) const {
        Frame inner(&frame, condition);
        states.enter(inner, 0);
        run_steps(condition, inner);
        return truth(condition.results[0], inner);
    }

    std::vector<std::int64_t> extents(const std::vector<SizeId>& sizes, const Frame& frame) const {
        std::vector<std::int64_t> values;
        for (SizeId id : sizes) values.push_back(size(id, frame));
        return values;
    }

    void set_number(Slot& slot, std::int64_t value) const {
        allocate_slot(slot, ir::Scalar::i64, {}, {});
        plan_.backend->finish();
        std::memcpy(slot.data, &value, sizeof value);
    }

    Array result(ValueId id, const Frame& frame) const {
        const Type& type = plan_.body.types[id.index];
        const Slot& slot = frame.find(id);
        Array array{slot.owner, shape_of(type, frame)};
        if (!array.buffer) array.buffer = scalar_copy(slot, type.scalar);  // a literal input
        return array;
    }

    std::vector<std::int64_t> shape_of(const Type& type, const Frame& frame) const {
        std::vector<std::int64_t> shape;
        shape.reserve(type.shape.size());
        for (SizeId id : type.shape) shape.push_back(size(id, frame));
        return shape;
    }

    const Plan& plan_;
    const Call& call_;
    SizeValues sizes_;
};

}  // namespace

std::vector<Array> execute(const Plan& plan, const Call& call) { return Execution(plan, call).run(); }

}  // namespace sinter::runtime
