// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/launcher.hpp"
#include "run/execute/loops.hpp"
#include "run/execute/region/region.hpp"
#include "run/explain/launch_log.hpp"
#include "run/messages.hpp"
#include "run/threads/threads.hpp"
#include "run/tuning.hpp"
#include "support/match.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace sinter::runtime {

namespace region {

namespace {

class Runner {
  public:
    Runner(const Context& context, Region& region)
        : context_(context),
          call_(context.call),
          region_(region),
          memory_(region.memory),
          thread_use_(context.call.threads > 1 ? region.loop.step->thread_use.get() : nullptr, region.bytes) {}

    /// The initial states are in the table.
    void run(LoopNode& node) {
        const LoopStep& step = *node.step;
        for (std::size_t k = 0; k < step.inits.size(); ++k) {
            Variable& init = variable(node.inits[k]);
            node.states[k] = node.moves[k] ? std::exchange(init, {}) : memory_.share(init);
        }
        for (std::size_t k = 0; k < step.first.size(); ++k) node.extents[k] = size(step.first[k]);
        const std::int64_t count = step.count ? number(variable(node.count).data) : 0;
        RunControl::Loop control(call_.control, count);
        for (std::int64_t i = 0; !step.count || i < count; ++i) {
            if (control.stops()) throw_loop_stopped(context_, step, control, i);
            if (!step.count && !holds(node)) break;
            iterate(node, i);
            control.done(i + 1);
            if (&node == &region_.loop) thread_use_.iterated(false);
        }
        if (&node == &region_.loop) thread_use_.iterated(true);
    }

    /// The results of a nested loop.
    void leave(LoopNode& node) {
        std::size_t next = node.to;
        for (std::int64_t extent : node.extents) region_.variables[next++] = number_variable(extent);
        for (Variable& state : node.states) region_.variables[next++] = std::exchange(state, {});
    }

    void evaluate(const SizeCode& code) {
        std::int64_t* const sizes = region_.sizes.data();
        for (const SizeOp& op : code)
            sizes[op.to] = op.kind == ir::Size::Kind::value ? number(region_.variables[op.left].data)
                                                            : ir::apply(op.kind, sizes[op.left], sizes[op.right]);
    }

  private:
    Variable& variable(std::uint32_t place) { return region_.variables[place]; }
    std::int64_t size(SizeId id) const { return region_.sizes[id.index]; }

    static std::int64_t number(const void* data) {
        std::int64_t value = 0;
        std::memcpy(&value, data, sizeof value);
        return value;
    }

    // Control flow.

    bool holds(LoopNode& node) {
        std::size_t next = node.condition.first;
        enter(node, next);
        run(node.condition);
        const bool result = *static_cast<const unsigned char*>(node.condition.results[0].data) != 0;
        memory_.release(node.condition.results[0]);
        return result;
    }

    void iterate(LoopNode& node, std::int64_t i) {
        std::size_t next = node.body.first;
        node.counter = i;
        if (node.step->count) region_.variables[next++] = {&node.counter, -1};
        next = enter(node, next);
        // The body owns the old states now: they die at their last use.
        for (std::size_t k = 0; k < node.states.size(); ++k)
            region_.variables[next - node.states.size() + k].block = node.states[k].block;
        run(node.body);
        for (std::size_t k = 0; k < node.states.size(); ++k) node.states[k] = keep(node, node.body.results[k]);
        for (std::size_t k = 0; k < node.extents.size(); ++k) node.extents[k] = size(node.step->next[k]);
    }

    /// Parameters from place `next` on; they do not own the states. Returns the place behind them.
    std::size_t enter(LoopNode& node, std::size_t next) {
        for (std::int64_t& extent : node.extents) region_.variables[next++] = {&extent, -1};
        for (const Variable& state : node.states) region_.variables[next++] = {state.data, -1};
        return next;
    }

    /// A state that is the counter, or an extent, is what it is now.
    Variable keep(LoopNode& node, Variable result) {
        const auto* const data = static_cast<const std::int64_t*>(result.data);
        const bool is_extent = std::any_of(node.extents.begin(), node.extents.end(), [&](auto& e) { return &e == data; });
        return data == &node.counter || is_extent ? number_variable(*data) : result;
    }

    void run(BodyNode& body) {
        for (StepNode& step : body.steps) {
            if (call_.control && call_.control->stops()) throw_stopped(call_, step.site, context_.plan.program);
            evaluate(step.before);
            check(step.guards);
            match(
                step.action, [&](KernelNode& node) { run(node, step.site); }, [&](AliasNode& node) { name(node); },
                [&](BranchNode& node) { branch(node); },
                [&](LoopNode& node) {
                    if (node.whole && launches_whole(node)) return run(node.whole->kernel, step.site);
                    run(node);
                    leave(node);
                });
            for (std::uint32_t place : step.dying) memory_.release(variable(place));
        }
        evaluate(body.after);
        check(body.guards);
        for (std::size_t k = 0; k < body.results.size(); ++k) {
            Variable& result = variable(body.wanted[k]);
            body.results[k] = body.moves[k] ? std::exchange(result, {}) : memory_.share(result);
        }
        for (std::uint32_t place : body.left) memory_.release(variable(place));
    }

    void check(const std::vector<const ir::Guard*>& guards) const {
        for (const ir::Guard* guard : guards) context_.check_guard(*guard, size(guard->left), size(guard->right));
    }

    void name(const AliasNode& node) {
        for (std::size_t k = 0; k < node.from.size(); ++k)
            region_.variables[node.to + k] = memory_.share(variable(node.from[k]));
    }

    void branch(BranchNode& node) {
        BodyNode& body = *static_cast<const unsigned char*>(variable(node.condition).data) != 0 ? node.then : node.otherwise;
        run(body);
        for (std::size_t k = 0; k < body.results.size(); ++k)
            region_.variables[node.to + k] = std::exchange(body.results[k], {});
    }

    /// Whether a nested loop is launched as one kernel, which then has code.
    bool launches_whole(LoopNode& node) {
        WholeLoop& whole = *node.whole;
        const LoopStep& step = *node.step;
        if (!whole.decision) whole.decision.emplace(context_, *step.kernel, values_of(whole));
        if (!whole.decision->launches(step)) return false;
        if (!whole.kernel.code) {
            step.kernel->compile(context_.backend());
            whole.kernel.code = step.kernel->step.kernel->code->repeat(call_.threads);
        }
        return true;
    }

    KnownValues values_of(const WholeLoop& whole) {
        const auto value = [this, &whole](ValueId id) {
            const auto found = std::find_if(whole.numbers.begin(), whole.numbers.end(),
                                            [id](const auto& number) { return number.first == id; });
            return number(variable(found->second).data);
        };
        return {[this](SizeId id) { return size(id); }, value};
    }

    // Kernels.

    void run(KernelNode& node, ir::SiteId site) {
        if (node.checks_shapes) check_shapes(node);
        const bool among_shared = unshared_ < tuning::remembered_launches;
        if (!node.is_sized || among_shared != node.among_shared || changed(node)) resize(node, among_shared);
        void** next = node.buffers.data();
        for (std::uint32_t input : node.inputs) *next++ = variable(input).data;
        for (Output& output : node.outputs) *next++ = place(output, node, site);
        if (node.is_too_large) throw_too_large(site, context_.plan.program, call_.sites);
        if (node.step->needs_only_memory) return;
        if (node.prints) error_.debug = {};
        const bool shared = launch(node, error_);
        thread_use_.launched(node.code->work(), shared);
        unshared_ = shared ? 0 : unshared_ + 1;
        if (call_.control && call_.control->stopped()) throw_stopped(call_, site, context_.plan.program);
        if (error_.check.load(std::memory_order_acquire) != 0)
            throw_failure(context_, *node.step, error_, [&](SizeId id) { return size(id); });
    }

    bool launch(KernelNode& node, ErrorSlot& error) {
        try {
            return node.code->launch(node.buffers.data(), error, call_.control, thread_use_.way());
        } catch (const std::bad_alloc&) {
            throw MemoryError(fmt::format("cannot allocate what {} needs while it runs", node.step->kernel->kernel.name),
                              call_.where);
        }
    }

    void check_shapes(const KernelNode& node) const {
        for (const fuse::Made& made : node.step->made)
            if (is_bad_shape(made.shape, [&](SizeId id) { return size(id); })) throw_shape(made);
    }

    [[noreturn]] void throw_shape(const fuse::Made& made) const {
        std::vector<std::int64_t> shape;
        for (SizeId id : made.shape) shape.push_back(size(id));
        throw_bad_shape(shape, made.site, context_.plan.program, call_.sites);
    }

    bool changed(const KernelNode& node) const {
        return std::any_of(node.arguments.begin(), node.arguments.end(), [&](const auto& argument) {
            return node.sizes[argument.first] != region_.sizes[argument.second];
        });
    }

    void resize(KernelNode& node, bool among_shared) {
        const lower::Kernel& kernel = node.step->kernel->kernel;
        node.is_sized = false;  // if this does not come to its end
        std::int64_t* const sizes = node.sizes.data();
        for (const auto& [to, from] : node.arguments) sizes[to] = region_.sizes[from];
        for (const SizeOp& op : node.varying) sizes[op.to] = ir::apply(op.kind, sizes[op.left], sizes[op.right]);
        node.is_too_large = !are_small(kernel, node.sizes);
        if (!node.is_too_large) with_operation(node.step->largest, [&] { node.code->resize(sizes, among_shared); });
        node.among_shared = among_shared;
        node.is_sized = true;
    }

    void* place(Output& output, KernelNode& node, ir::SiteId site) {
        Variable& to = variable(output.place);
        if (!output.dest) {
            if (!output.takes || !memory_.is_alone(variable(*output.takes))) return (to = allocate(output, node, site)).data;
            memory_.forget_copy(variable(*output.takes));
            return (to = std::exchange(variable(*output.takes), {})).data;
        }
        Variable& from = variable(*output.dest);
        if (output.may_take && memory_.is_alone(from)) {
            memory_.forget_copy(from);
            to = std::exchange(from, {});
            return to.data;
        }
        to = allocate(output, node, site);
        copy_bytes(to.data, from.data, *output.bytes, call_.threads);
        return to.data;
    }

    std::vector<std::int64_t> shape_of(const Output& output) const {
        std::vector<std::int64_t> shape;
        for (SizeId id : output.shape) shape.push_back(size(id));
        return shape;
    }

    std::size_t bytes_of(const Output& output, std::int64_t room, ir::SiteId site) const {
        const location where = context_.site_location(site);
        std::size_t bytes = 0;
        if (output.is_array) {
            StackArray<std::int64_t, 8> shape(output.shape.size());
            for (std::size_t k = 0; k < shape.size(); ++k) shape[k] = size(output.shape[k]);
            bytes = checked_bytes(output.scalar, {shape.data(), shape.size()}, where);
        }
        return output.dest ? bytes : std::max(bytes, checked_bytes(output.scalar, {&room, 1}, where));
    }

    Variable allocate(Output& output, const KernelNode& node, ir::SiteId site) {
        const std::int64_t room = node.sizes[output.room.index];
        if (output.varies || !output.bytes) output.bytes = bytes_of(output, room, site);
        try {
            return memory_.take(*output.bytes);
        } catch (const std::bad_alloc&) {
            const std::vector<std::int64_t> shape = output.is_array ? shape_of(output) : std::vector{room};
            throw_out_of_memory(output.scalar, shape, *output.bytes, context_.site_location(site));
        }
    }

    Variable number_variable(std::int64_t value) try {
        const Variable made = memory_.take(sizeof value);
        std::memcpy(made.data, &value, sizeof value);
        return made;
    } catch (const std::bad_alloc&) {
        throw_out_of_memory(ir::Scalar::i64, {}, sizeof value, call_.where);
    }

    const Context& context_;
    const Call& call_;
    Region& region_;
    RegionMemory& memory_;
    ThreadUseRun thread_use_;
    ErrorSlot error_;                             ///< the first failed check ends the run
    int unshared_ = tuning::remembered_launches;  ///< launches since the last one that was worth sharing among threads
};

}  // namespace

void run(const Context& context, Region& region, Frame& frame) {
    const LoopStep& step = *region.loop.step;
    for (std::size_t level : region.outsides) region.variables[level] = region.memory.adopt(frame.find(ValueId(level)));
    for (std::size_t k = 0; k < step.inits.size(); ++k)
        if (region.loop.moves[k]) frame.own(step.inits[k]) = {};
    Runner runner(context, region);
    runner.evaluate(region.before);
    runner.run(region.loop);
    std::size_t next = step.to.index;
    for (std::int64_t extent : region.loop.extents) context.set_number(frame.own(ValueId(next++)), extent);
    for (const Variable& state : region.loop.states) frame.own(ValueId(next++)) = {state.data, region.memory.owner(state)};
}

}  // namespace region

bool run_loop_region(const Execution& execution, const LoopStep& step, const std::vector<ValueId>& dying, Frame& frame) {
    const Context& context = execution.context();
    if (!context.backend().immediate() || watched() || frame.ahead) return false;
    if (step.count && context.number(frame.find(*step.count).data) < tuning::fewest_iterations) return false;
    region::Region region(context.backend());
    if (!region::build(context, step, dying, region)) return false;
    region::run(context, region, frame);
    return true;
}

}  // namespace sinter::runtime
