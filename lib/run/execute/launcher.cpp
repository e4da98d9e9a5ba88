// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/launcher.hpp"

#include "lower/guarded.hpp"
#include "run/execute/ahead.hpp"
#include "run/explain/launch_log.hpp"
#include "run/messages.hpp"
#include "run/plan/loop_kernel.hpp"
#include "run/ranks/job/meeting.hpp"
#include "run/ranks/launch/share.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

namespace sinter::runtime {

namespace {

/// The number of outputs that begin as copies of the array `dest`.
std::int64_t destinations(const KernelStep& step, ValueId dest) {
    const std::vector<lower::Buffer>& buffers = step.kernel->kernel.buffers;
    return std::count_if(buffers.begin(), buffers.end(),
                         [&](const lower::Buffer& b) { return b.dest && step.inputs[*b.dest] == dest; });
}

/// Whether an output may have the memory of an input, which nobody else sees; forgets the copies that devices have of it.
bool takes(ValueId input, const std::vector<ValueId>& dying, const Frame& frame) {
    const BufferRef& owner = frame.find(input).owner;
    const bool is_last = !frame.ahead && std::find(dying.begin(), dying.end(), input) != dying.end();
    if (!is_last || !owner || !owner->reusable || owner.use_count() != 1) return false;
    owner->copy.reset();
    return true;
}

}  // namespace

const fuse::Made* find_bad_shape(const Context& context, const KernelStep& step, const Frame& frame) {
    for (const fuse::Made& made : step.made)
        if (is_bad_shape(made.shape, [&](SizeId id) { return context.size(id, frame); })) return &made;
    return nullptr;
}

void Launcher::launch(const KernelStep& step, const std::vector<ValueId>& dying, const BodyPlan& plan, Frame& frame) const {
    const ir::Program& program = context_.plan.program;
    const Call& call = context_.call;
    if (const fuse::Made* bad = find_bad_shape(context_, step, frame))
        throw_bad_shape(context_.extents(bad->shape, frame), bad->site, program, call.sites);
    const lower::Kernel& kernel = step.kernel->kernel;
    Numbers arguments(step.sizes.size()), sizes(kernel.sizes.count());
    for (std::size_t k = 0; k < step.sizes.size(); ++k) arguments[k] = context_.size(step.sizes[k], frame);
    evaluate_kernel_sizes(kernel.sizes, arguments, sizes);
    if (call.sharing) {
        if (are_small(kernel, {sizes.data(), sizes.size()}) && !lower::reads_empty(kernel, sizes.data()) &&
            launch_shared(context_, step, plan, frame, sizes))
            return count_launch();
        gather_variables(context_, step.inputs, frame);
    }
    StackArray<void*, 16> buffers(kernel.buffers.size());
    place_buffers(step, dying, plan, frame, sizes, buffers);
    if (!are_small(kernel, {sizes.data(), sizes.size()}))
        throw_too_large(step.sites.empty() ? ir::SiteId() : step.sites.back(), program, call.sites);
    if (step.needs_only_memory && !call.sharing) return;
    ErrorSlot error;
    LaunchTimer timer(context_.backend());
    Launch launch{buffers.data(), sizes.data(), &error, call.threads, nullptr, nullptr, call.control, plan.has_branches};
    if (frame.ahead) frame.ahead->prepare(step, launch);
    try {
        with_operation(step.largest, [&] { step.kernel->code->launch(launch); });
    } catch (const std::bad_alloc&) {
        throw MemoryError(fmt::format("cannot allocate what {} needs while it runs", kernel.name), call.where);
    }
    if (call.control && call.control->stopped())
        throw_stopped(call, step.sites.empty() ? ir::SiteId() : step.sites.back(), program);
    timer.finish(kernel, sizes, *step.kernel->code, call.threads);
    if (error.check.load(std::memory_order_acquire) != 0)
        throw_failure(context_, step, error, [&](SizeId id) { return context_.size(id, frame); });
    if (call.sharing) count_launch();
}

void throw_failure(const Context& context, const KernelStep& step, const ErrorSlot& error,
                   const std::function<std::int64_t(SizeId)>& size) {
    const lower::Check& check = step.kernel->kernel.checks[error.check - 1];
    if (check.kind == lower::Check::Kind::guard)
        context.check_guard(*step.loop->guards[check.axis], error.index, error.extent);
    if (check.kind == lower::Check::Kind::shape) {
        const fuse::Made& made = step.loop->shapes[check.axis];
        std::vector<std::int64_t> shape;
        std::int64_t next = error.index;
        for (SizeId id : made.shape) shape.push_back(step.loop->is_known(id) ? size(id) : std::exchange(next, error.extent));
        throw_bad_shape(shape, made.site, context.plan.program, context.call.sites);
    }
    throw_check_failure(check, error, step.sites, context.plan.program, context.call.sites);
}

void Launcher::place_buffers(const KernelStep& step, const std::vector<ValueId>& dying, const BodyPlan& plan, Frame& frame,
                             const Numbers& sizes, StackArray<void*, 16>& buffers) const {
    std::size_t next = 0;
    for (ValueId id : step.inputs) buffers[next++] = frame.find(id).data;
    for (ValueId id : step.outputs) {
        const lower::Buffer& buffer = step.kernel->kernel.buffers[next];
        if (buffer.dest)
            buffers[next] = updated_variable(id, *buffer.dest, step, dying, plan, frame);
        else if (buffer.takes && takes(step.inputs[*buffer.takes], dying, frame))
            buffers[next] = (frame.own(id) = std::move(frame.own(step.inputs[*buffer.takes]))).data;
        else
            buffers[next] = allocate_variable(id, plan, sizes[buffer.elements.index], frame, step);
        ++next;
    }
}

bool is_output(const ir::SizeTable& sizes, SizeId id, const KernelStep& step) {
    const ir::Size& size = sizes[id];
    ValueId value(static_cast<std::size_t>(size.index));
    return size.kind == ir::Size::Kind::value &&
           std::find(step.outputs.begin(), step.outputs.end(), value) != step.outputs.end();
}

bool may_overwrite(const KernelStep& step, ValueId dest) { return !step.needs_copy && destinations(step, dest) == 1; }

bool may_take(const KernelStep& step, ValueId dest, const std::vector<ValueId>& dying) {
    return may_overwrite(step, dest) && std::find(dying.begin(), dying.end(), dest) != dying.end();
}

void* Launcher::allocate_variable(ValueId id, const BodyPlan& plan, std::int64_t room, Frame& frame,
                                  const KernelStep& step) const {
    if (void* placed = frame.own(id).data) return placed;
    const Type& type = plan.types[id.index];
    ir::SiteId site = step.sites.empty() ? ir::SiteId() : step.sites.back();
    for (SizeId extent : type.shape)
        if (is_output(context_.plan.program.sizes, extent, step))
            return context_.allocate(frame.own(id), type.scalar, {&room, 1}, site);
    StackArray<std::int64_t, 8> shape(type.shape.size());
    for (std::size_t k = 0; k < shape.size(); ++k) shape[k] = context_.size(type.shape[k], frame);
    // The extent of a filter's result may have been found equal to another size; this is checked once it is known.
    if (ir::sizes::product({shape.data(), shape.size()}) < room)
        return context_.allocate(frame.own(id), type.scalar, {&room, 1}, site);
    return context_.allocate(frame.own(id), type.scalar, shape, site);
}

void* Launcher::updated_variable(ValueId id, std::size_t input, const KernelStep& step, const std::vector<ValueId>& dying,
                                 const BodyPlan& plan, Frame& frame) const {
    ValueId dest = step.inputs[input];
    const BufferRef& owner = frame.find(dest).owner;
    const long others = frame.ahead ? frame.ahead->kept(owner) : 0;  // nobody looks at these once the array is written
    if (may_take(step, dest, dying) && owner && owner->reusable && owner.use_count() - others == 1) {
        owner->copy.reset();
        frame.own(id) = std::move(frame.own(dest));
        return frame.own(id).data;
    }
    const Slot& from = frame.find(dest);
    const Type& type = plan.types[id.index];
    std::vector<std::int64_t> shape = context_.shape_of(type, frame);
    void* to = context_.allocate(frame.own(id), type.scalar, shape, step.sites.empty() ? ir::SiteId() : step.sites.back());
    context_.copy(to, from.data, checked_bytes(type.scalar, shape, context_.call.where));
    return to;
}

}  // namespace sinter::runtime
