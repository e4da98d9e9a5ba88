// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of few bytes, which would spend most of their time on deciding the same things in every iteration: kernels are bound
// to their sizes once, and what they write is allocated once. The states that an iteration writes are in different memory
// than the states that it reads.
#include "run/execute/loops.hpp"
#include "run/explain/launch_log.hpp"
#include "run/messages.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <new>

namespace sinter::runtime {

namespace {

constexpr std::size_t most_bytes =
    1 << 20;  ///< of everything that an iteration writes: larger arrays should be freed as soon as possible
constexpr std::int64_t fewest_iterations = 4;

/// A body whose kernels are bound.
class BoundBody {
  public:
    BoundBody(const Context& context, const BodyPlan& body, const Frame& outer)
        : context_(context),
          body_(body),
          outer_(outer),
          places_(body.types.size() - body.base, nullptr),
          names_(places_.size()),
          owners_(places_.size()) {
        for (std::size_t k = 0; k < names_.size(); ++k) names_[k] = ValueId(body.base + k);
    }
    BoundBody(const BoundBody&) = delete;
    BoundBody& operator=(const BoundBody&) = delete;

    /// Returns false if iterations may differ, or do anything other than launching kernels.
    bool bind() {
        if (!body_.final_guards.empty()) return false;
        for (const Step& step : body_.steps) {
            if (!step.guards.empty()) return false;
            if (const auto* alias = std::get_if<AliasStep>(&step.action))
                name(*alias);
            else if (const auto* kernel = std::get_if<KernelStep>(&step.action); !kernel || !bind(*kernel))
                return false;
        }
        return bytes_ <= most_bytes;
    }

    std::size_t bytes() const { return bytes_; }
    ValueId result(std::size_t k) const { return named(body_.results[k]); }
    bool is_outside(ValueId id) const { return id.index < body_.base; }
    /// The number of the state of which the variable is the parameter, where `first` parameters come before the states.
    std::optional<std::size_t> state(ValueId id, std::size_t first) const {
        const std::size_t k = id.index - body_.base;
        return k >= first && k < body_.parameters ? std::optional(k - first) : std::nullopt;
    }

    /// Allocates memory for what the kernels write; if `states`, twice for the states.
    void allocate(bool states) {
        for (const Output& output : outputs_) {
            const bool is_state = states && std::any_of(body_.results.begin(), body_.results.end(),
                                                        [&](ValueId id) { return named(id).index == output.id.index; });
            auto& own = owners_[output.id.index - body_.base];
            for (int k = 0; k <= (is_state ? 1 : 0); ++k) own[k] = context_.backend().allocate(output.bytes);
            place(output.id) = own[0]->data;
            if (is_state) alternating_.push_back(output.id);
        }
    }

    void*& place(ValueId id) { return places_[id.index - body_.base]; }
    const BufferRef& owner(ValueId id, int turn) const { return owners_[id.index - body_.base][turn]; }

    /// `turn` says to which of the two memories states are written.
    void run(int turn) {
        for (ValueId id : alternating_) place(id) = owner(id, turn)->data;
        for (const KernelCall& call : calls_) {
            StackArray<void*, 16> buffers(call.buffers.size());
            for (std::size_t k = 0; k < call.buffers.size(); ++k) buffers[k] = *call.buffers[k];
            ErrorSlot error;
            call.code->launch(buffers.data(), error);
            if (error.check.load(std::memory_order_acquire) != 0)
                throw_check_failure(call.step->kernel->kernel.checks[error.check - 1], error, call.step->sites,
                                    context_.plan.program, context_.call.sites);
        }
    }

    /// The address of a value after run().
    const void* data(ValueId id) { return is_outside(id) ? outer_.find(id).data : place(id); }

  private:
    struct KernelCall {
        std::unique_ptr<const BoundKernel> code;
        const KernelStep* step;
        std::vector<void* const*> buffers;  ///< where the pointers to them are
    };
    struct Output {
        ValueId id;
        std::size_t bytes;
    };

    ValueId named(ValueId id) const { return is_outside(id) ? id : names_[id.index - body_.base]; }

    void name(const AliasStep& alias) {
        for (std::size_t k = 0; k < alias.from.size(); ++k) names_[alias.to.index + k - body_.base] = named(alias.from[k]);
    }

    bool bind(const KernelStep& step) {
        const lower::Kernel& kernel = step.kernel->kernel;
        auto is_updated = [](const lower::Buffer& buffer) { return buffer.dest.has_value(); };
        if (std::any_of(kernel.buffers.begin(), kernel.buffers.end(), is_updated)) return false;
        std::vector<std::int64_t> arguments, sizes(kernel.sizes.count());
        for (SizeId id : step.sizes) {
            if (context_.is_dynamic(id)) return false;
            arguments.push_back(context_.static_size(id));
        }
        if (find_bad_shape(context_, step, outer_)) return false;
        evaluate_kernel_sizes(kernel.sizes, arguments, sizes);
        if (!are_small(kernel, sizes) || reads_empty(kernel, sizes.data())) return false;
        KernelCall call{nullptr, &step, {}};
        for (ValueId id : step.inputs) call.buffers.push_back(pointer(named(id)));
        for (std::size_t k = 0; k < step.outputs.size(); ++k)
            if (!add_output(step.outputs[k], sizes[kernel.buffers[step.inputs.size() + k].elements.index], call))
                return false;
        call.code = step.kernel->code->bind(std::move(sizes), context_.call.threads);
        calls_.push_back(std::move(call));
        return true;
    }

    bool add_output(ValueId id, std::int64_t room, KernelCall& call) {
        const Type& type = body_.types[id.index];
        std::vector<std::int64_t> shape;
        for (SizeId size : type.shape) {
            if (context_.is_dynamic(size)) return false;
            shape.push_back(context_.static_size(size));
        }
        const location& where = context_.call.where;
        outputs_.push_back(
            {id, std::max(checked_bytes(type.scalar, shape, where), checked_bytes(type.scalar, {&room, 1}, where))});
        bytes_ += outputs_.back().bytes;
        call.buffers.push_back(&place(id));
        return true;
    }

    void* const* pointer(ValueId id) {
        if (!is_outside(id)) return &place(id);
        return &outsides_.emplace_back(outer_.find(id).data);
    }

    const Context& context_;
    const BodyPlan& body_;
    const Frame& outer_;
    std::vector<void*> places_;                     ///< by variable of the body: its current address
    std::vector<ValueId> names_;                    ///< by variable: the variable of which it is another name
    std::vector<std::array<BufferRef, 2>> owners_;  ///< by variable
    std::deque<void*> outsides_;
    std::vector<KernelCall> calls_;
    std::vector<Output> outputs_;
    std::vector<ValueId> alternating_;
    std::size_t bytes_ = 0;
};

/// A loop with such bodies.
class BoundLoop {
  public:
    BoundLoop(const Context& context, const LoopStep& step, Frame& frame)
        : context_(context), step_(step), frame_(frame), first_(step.count ? 1 : 0), body_(context, *step.body, frame) {
        if (step.condition) condition_.emplace(context, *step.condition, frame);
    }

    /// Returns false if the loop cannot be executed in this way.
    bool bind() try {
        if (!body_.bind() || (condition_ && !condition_->bind())) return false;
        for (std::size_t k = 0; k < step_.inits.size(); ++k) {
            const ValueId id = body_.result(k);
            const bool is_parameter = !body_.is_outside(id) && id.index < step_.body->base + step_.body->parameters;
            if (is_parameter && body_.state(id, first_) != k) return false;  // states are permuted
        }
        body_.allocate(true);
        if (condition_) condition_->allocate(false);
        return true;
    } catch (const Error&) {
        return false;  // by an iteration that may not be wanted
    } catch (const std::bad_alloc&) {
        return false;
    }

    void run(std::int64_t count) {
        for (ValueId id : step_.inits) states_.push_back(frame_.find(id));
        RunControl::Loop control(context_.call.control, count);
        for (std::int64_t i = 0; condition_ || i < count; ++i) {
            if (control.stops()) throw_loop_stopped(context_, step_, control, i);
            if (condition_ && !holds()) break;
            iterate(i);
            control.done(i + 1);
        }
        for (std::size_t k = 0; k < states_.size(); ++k) frame_.own(ValueId(step_.to.index + k)) = std::move(states_[k]);
    }

  private:
    bool holds() {
        for (std::size_t k = 0; k < states_.size(); ++k)
            condition_->place(ValueId(step_.condition->base + k)) = states_[k].data;
        condition_->run(0);
        return *static_cast<const unsigned char*>(condition_->data(condition_->result(0))) != 0;
    }

    void iterate(std::int64_t i) {
        const std::size_t base = step_.body->base;
        if (first_ == 1) body_.place(ValueId(base)) = &i;
        for (std::size_t k = 0; k < states_.size(); ++k) body_.place(ValueId(base + first_ + k)) = states_[k].data;
        const int turn = static_cast<int>(i % 2);
        body_.run(turn);
        for (std::size_t k = 0; k < states_.size(); ++k) {
            const ValueId id = body_.result(k);
            if (body_.is_outside(id))
                states_[k] = frame_.find(id);
            else if (!body_.state(id, first_))
                states_[k] = {body_.place(id), body_.owner(id, turn)};
        }
    }

    const Context& context_;
    const LoopStep& step_;
    Frame& frame_;
    const std::size_t first_;  ///< number of the body's parameters before the states
    BoundBody body_;
    std::optional<BoundBody> condition_;
    std::vector<Slot> states_;
};

}  // namespace

bool run_loop_bound(const Execution& execution, const LoopStep& step, Frame& frame) {
    const Context& context = execution.context();
    if (!context.backend().immediate() || watched() || frame.ahead || !step.first.empty()) return false;
    const std::int64_t count = step.count ? context.number(frame.find(*step.count).data) : 0;
    if (step.count && count < fewest_iterations) return false;
    BoundLoop loop(context, step, frame);
    if (!loop.bind()) return false;
    loop.run(count);
    return true;
}

}  // namespace sinter::runtime
