// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/cascade/run_cascade.hpp"

#include "run/execute/cascade/cascade.hpp"
#include "run/explain/launch_log.hpp"
#include "run/plan/uses.hpp"
#include "run/ranks/job/job.hpp"
#include "support/text/dump.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace sinter::runtime {

namespace {

/// Whether near caches have room for what launches leave to each other.
bool is_small(const Context& context, const BodyPlan& plan, const LaunchRun& run, const Frame& frame) {
    double bytes = 0;
    for (ValueId id : run.inner) bytes += context.bytes_of(plan.types[id.index], frame);
    return bytes <= static_cast<double>(near_caches().second) * context.call.threads;
}

KnownCascades::Key key_of(const Context& context, const BodyPlan& plan, const LaunchRun& run, const Frame& frame) {
    KnownCascades::Key key{context.call.threads, has_ranks() ? 1 : 0};
    for (std::size_t k = run.first; k <= run.last; ++k)
        for (SizeId id : std::get<KernelStep>(plan.steps[k].action).sizes) key.push_back(context.size(id, frame));
    return key;
}

/// Null where none is worth looking for.
std::shared_ptr<const Cascades> cascades_of(const Context& context, const BodyPlan& plan, const LaunchRun& run,
                                            const Frame& frame) {
    if (!wanted_rows() && is_small(context, plan, run, frame)) return nullptr;
    KnownCascades::Key key = key_of(context, plan, run, frame);
    std::shared_ptr<const Cascades> cascades = run.known->find(key);
    if (!cascades) run.known->keep(std::move(key), cascades = find_cascades(context, plan, run, frame));
    return cascades;
}

class CascadeExecution {
  public:
    CascadeExecution(const Execution& execution, const Cascade& cascade, const BodyPlan& plan, Frame& frame)
        : execution_(execution), context_(execution.context()), cascade_(cascade), plan_(plan), frame_(frame) {}

    /// False where a check failed, the run is to stop or memory is short: then it is as if nothing had been done.
    bool run() {
        for (std::size_t k : cascade_.before) execution_.launch(step(k), plan_, frame_);
        if (launch()) return true;
        for (std::size_t k : cascade_.before)
            for (ValueId id : step(k).outputs) frame_.own(id) = {};
        return false;
    }

  private:
    const KernelStep& step(std::size_t k) const { return std::get<KernelStep>(plan_.steps[k].action); }

    bool launch() try {
        std::vector<void*> to;
        for (ValueId id : cascade_.results) to.push_back(id.valid() ? allocate(id) : nullptr);
        for (const Cascade::Chunked& chunked : cascade_.chunked) partials_.push_back(chunked.parts->allocate());
        ErrorSlot error;
        const Clock::time_point begin = Clock::now();
        cascade_.round->run(std::vector<void*>(to.size()), to, outside(), 0, context_, error);
        if (is_over(error)) return false;
        for (std::size_t k = 0; k < partials_.size(); ++k) combine(cascade_.chunked[k], partials_[k], error);
        if (is_over(error)) return false;
        report(begin);
        for (auto& [id, slot] : made_) frame_.own(id) = std::move(slot);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }

    void* allocate(ValueId id) {
        Slot& slot = made_.emplace_back(id, Slot()).second;
        const double bytes = context_.bytes_of(plan_.types[id.index], frame_);
        slot.owner = context_.backend().allocate(static_cast<std::size_t>(bytes));
        return slot.data = slot.owner->data;
    }

    Outside outside() const {
        Outside outside;
        for (const schedule::StepLaunch& launch : cascade_.body.iteration.launches)
            outside.emplace_back(launch.reads.size());
        for (const Cascade::Source& source : cascade_.sources)
            outside[source.launch][source.input] = frame_.find(source.variable).data;
        for (std::size_t k = 0; k < partials_.size(); ++k) {
            const std::size_t launch = cascade_.chunked[k].launch;
            const std::size_t inputs = cascade_.body.launches[launch].step->inputs.size();
            for (std::size_t v = 0; v < partials_[k].size(); ++v) outside[launch][inputs + v] = partials_[k][v]->data;
        }
        return outside;
    }

    void combine(const Cascade::Chunked& chunked, const std::vector<BufferRef>& partials, ErrorSlot& error) {
        const KernelStep& step = *cascade_.body.launches[chunked.launch].step;
        std::vector<void*> buffers;
        for (ValueId id : step.inputs) buffers.push_back(frame_.find(id).data);
        for (std::size_t o = 0; o < step.outputs.size(); ++o)
            buffers.push_back(chunked.parts->writes(o) ? nullptr : allocate(step.outputs[o]));
        chunked.parts->finish(std::move(buffers), partials, error);
    }

    bool is_over(const ErrorSlot& error) const {
        return error.check.load(std::memory_order_acquire) != 0 || (context_.call.control && context_.call.control->stops());
    }

    void report(Clock::time_point begin) const {
        if (!watched() && !dumps("schedule")) return;
        const std::string why = schedule::print(cascade_.choice);
        const std::size_t launches = cascade_.body.launches.size();
        if (dumps("schedule")) dump("schedule", "cascade\n" + why + "\n");
        report_steps(step(cascade_.last).kernel->kernel.name, begin, launches, cascade_.choice.bytes, context_.backend(),
                     why);
    }

    const Execution& execution_;
    const Context& context_;
    const Cascade& cascade_;
    const BodyPlan& plan_;
    Frame& frame_;
    std::vector<std::pair<ValueId, Slot>> made_;
    std::vector<std::vector<BufferRef>> partials_;  ///< by launch in chunks
};

}  // namespace

CascadesOfBody::CascadesOfBody(const Execution& execution, const BodyPlan& plan, Frame& frame)
    : execution_(execution), plan_(plan), frame_(frame) {
    const Context& context = execution.context();
    if (!context.backend().immediate() || frame.ahead || context.call.sharing) next_ = plan.runs.size();
}

std::size_t CascadesOfBody::run(std::size_t position) {
    while (next_ < plan_.runs.size() && plan_.runs[next_].first <= position)
        cascades_ = cascades_of(execution_.context(), plan_, plan_.runs[next_++], frame_);
    if (!cascades_) return 0;
    for (const auto& cascade : *cascades_)
        if (cascade->first == position)
            return CascadeExecution(execution_, *cascade, plan_, frame_).run() ? cascade->last + 1 - position : 0;
    return 0;
}

namespace {

/// False where that depends on what is computed on the way.
bool has_cascades(const Context& context, const BodyPlan& body, const LaunchRun& run) {
    bool is_dynamic = false;
    for (std::size_t k = run.first; k <= run.last; ++k)
        for_each_size_of(std::get<KernelStep>(body.steps[k].action), body,
                         [&](SizeId id) { is_dynamic = is_dynamic || context.is_dynamic(id); });
    if (is_dynamic) return false;
    const Frame frame(nullptr, body);
    const auto cascades = cascades_of(context, body, run, frame);
    return cascades && !cascades->empty();
}

}  // namespace

bool always_has_cascades(const Context& context, const BodyPlan& body) {
    if (!context.backend().immediate() || context.call.sharing) return false;
    if (std::any_of(body.runs.begin(), body.runs.end(),
                    [&](const LaunchRun& run) { return has_cascades(context, body, run); }))
        return true;
    return std::any_of(body.steps.begin(), body.steps.end(), [&](const Step& step) {
        if (const auto* loop = std::get_if<LoopStep>(&step.action)) return always_has_cascades(context, *loop->body);
        const auto* cond = std::get_if<CondStep>(&step.action);
        return cond && (always_has_cascades(context, *cond->then) || always_has_cascades(context, *cond->otherwise));
    });
}

bool has_cascades(const Plan& plan, const Call& call) {
    if (plan.body.runs.empty()) return false;
    const Context context(plan, call);
    return std::any_of(plan.body.runs.begin(), plan.body.runs.end(),
                       [&](const LaunchRun& run) { return has_cascades(context, plan.body, run); });
}

}  // namespace sinter::runtime
