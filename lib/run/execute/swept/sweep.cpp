// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/swept/sweep.hpp"

#include "lower/outputs/without_output.hpp"
#include "run/parts.hpp"
#include "run/plan/uses.hpp"
#include "schedule/steps/repeats.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace sinter::runtime {

using schedule::Interval;
using schedule::StepLaunch;

namespace {

using Name = std::optional<std::size_t>;

/// An iteration of one of the loops: what its variables are.
struct Scope {
    const LoopStep& loop;
    Frame& frame;  ///< of numbers, and of variables from outside under other names
    std::vector<Name> values;
    std::map<std::size_t, std::size_t> tapes{};  ///< by variable
    std::map<std::size_t, ValueId> others{};     ///< by variable: of which other one it is another name

    const BodyPlan& body() const { return *loop.body; }
    Name value_of(ValueId id) const { return id.index < body().base ? std::nullopt : values[id.index - body().base]; }
    Name tape_of(ValueId id) const {
        const auto found = tapes.find(id.index);
        return found == tapes.end() ? std::nullopt : Name(found->second);
    }
    ValueId first_name(ValueId id) const {
        for (auto other = others.find(id.index); other != others.end(); other = others.find(id.index)) id = other->second;
        return id;
    }
};

/// A kernel step as it is launched here.
struct Launching {
    const KernelStep& step;
    std::shared_ptr<const CachedKernel> kernel;
    std::vector<std::size_t> outputs;  ///< the step's that it has
    std::vector<std::int64_t> sizes;

    const lower::Buffer& input(std::size_t k) const { return kernel->kernel.buffers[k]; }
    const lower::Buffer& output(std::size_t o) const { return kernel->kernel.buffers[step.inputs.size() + o]; }
};

class Finder {
  public:
    Finder(const Execution& execution, const LoopStep& there, const LoopStep& back, std::int64_t count, bool lean,
           Frame& frame, Sweep& sweep)
        : execution_(execution),
          context_(execution.context()),
          there_(there),
          back_(back),
          count_(count),
          lean_(lean),
          frame_(frame),
          sweep_(sweep),
          iteration_(sweep.body.iteration) {}

    bool run() {
        tapes_ = find_tapes(*there_.body, there_.inits.size());
        if (std::find(tapes_.begin(), tapes_.end(), true) == tapes_.end()) return false;
        std::vector<Name> of_back, of_there;
        if (!add_states(back_, {}, of_back) || !add_states(there_, tapes_, of_there)) return false;
        iteration_.states = iteration_.values.size();
        for (std::int64_t i = 0; i < count_; ++i)
            if (!iterate(there_, i, of_there)) return false;
        for (std::int64_t i = 0; i < count_; ++i)
            if (!iterate(back_, i, of_back)) return false;
        for (auto [frame, variable] : borrowed_) frame->own(variable) = {};
        for (const Name& result : of_back) iteration_.results.push_back(*result);
        for (std::size_t k = back_.inits.size(); k < iteration_.states; ++k) iteration_.results.push_back(k);
        for (std::size_t k = 0; k < back_.inits.size(); ++k)
            if (!are_equal(iteration_.values[k], iteration_.values[iteration_.results[k]])) return false;
        return true;
    }

  private:
    static bool are_equal(const schedule::Iteration::Value& a, const schedule::Iteration::Value& b) {
        return a.elements == b.elements && a.bytes_each == b.bytes_each;
    }

    bool add_states(const LoopStep& loop, const std::vector<bool>& left_out, std::vector<Name>& names) {
        for (std::size_t k = 0; k < loop.inits.size(); ++k) {
            names.emplace_back();
            if (k < left_out.size() && left_out[k]) continue;
            const Type& type = loop.body->types[loop.body->base + 1 + k];
            std::int64_t elements = 1;
            for (SizeId size : type.shape) elements = ir::sizes::mul(elements, context_.size(size, frame_));
            if (elements <= 0 || ir::is_huge(elements) || !frame_.find(loop.inits[k]).data) return false;
            names.back() = iteration_.values.size();
            iteration_.values.push_back({elements, detail::size_of(type.scalar)});
        }
        return true;
    }

    /// `states`: what they are before the iteration, and then behind it.
    bool iterate(const LoopStep& loop, std::int64_t number, std::vector<Name>& states) {
        const BodyPlan& body = *loop.body;
        Frame& frame = sweep_.frames.emplace_back(&frame_, body);
        frame.slots[0] = {&sweep_.numbers.emplace_back(number), nullptr};
        Scope scope{loop, frame, std::vector<Name>(body.types.size() - body.base)};
        std::copy(states.begin(), states.end(), scope.values.begin() + 1);
        const bool is_there = &loop == &there_;
        for (std::size_t k = 0; k < there_.inits.size(); ++k)
            if (tapes_[k]) scope.tapes.emplace((is_there ? body.base + 1 : there_.to.index) + k, k);
        for (const Step& step : body.steps)
            if (!step.guards.empty() || !add(step, scope)) return false;
        if (!body.final_guards.empty()) return false;
        for (std::size_t k = 0; k < states.size(); ++k) {
            if (is_there && tapes_[k]) continue;
            states[k] = scope.value_of(body.results[k]);
            if (!states[k]) return false;
        }
        return true;
    }

    bool add(const Step& step, Scope& scope) {
        if (const auto* alias = std::get_if<AliasStep>(&step.action)) return name(*alias, scope);
        const auto* kernel = std::get_if<KernelStep>(&step.action);
        if (!kernel) return false;
        if (!is_of_numbers(*kernel, scope)) return add_launch(*kernel, scope);
        execution_.run_step(step, scope.body(), scope.frame);
        return true;
    }

    bool name(const AliasStep& alias, Scope& scope) {
        for (std::size_t k = 0; k < alias.from.size(); ++k) {
            const ValueId from = alias.from[k], to(alias.to.index + k);
            scope.values[to.index - scope.body().base] = scope.value_of(from);
            if (const Name tape = scope.tape_of(from)) {
                scope.tapes.emplace(to.index, *tape);
            } else if (!scope.value_of(from)) {
                scope.others.emplace(to.index, from);
                scope.frame.own(to) = scope.frame.find(from);
                borrowed_.emplace_back(&scope.frame, to);
            }
        }
        return true;
    }

    /// Whether a kernel computes numbers that do not depend on states.
    bool is_of_numbers(const KernelStep& step, const Scope& scope) const {
        auto is_rank_0 = [&](ValueId id) { return scope.body().types[id.index].rank() == 0; };
        return std::all_of(step.outputs.begin(), step.outputs.end(), is_rank_0) &&
               std::all_of(step.inputs.begin(), step.inputs.end(),
                           [&](ValueId id) { return is_rank_0(id) && !scope.value_of(id) && !scope.tape_of(id); });
    }

    bool add_launch(const KernelStep& step, Scope& scope) {
        if (has_local_buffers(step) || find_bad_shape(context_, step, scope.frame)) return false;
        auto sizes = sizes_of_launch(step, context_.extents(step.sizes, scope.frame));
        if (!sizes) return false;
        Launching launching{step, step.kernel, {}, std::move(*sizes)};
        for (std::size_t o = 0; o < step.outputs.size(); ++o) launching.outputs.push_back(o);
        known_ = known_numbers(step, scope);
        if (lean_ && !leave_out_copies(launching, scope)) return false;
        if (launching.outputs.empty()) return true;
        StepLaunch launch{facts_of(launching), {}, {}, {}, 0};
        const auto bound = launch.facts.possible ? bind(launching) : nullptr;
        if (!bound) return false;
        launch.work = bound->work();
        TiledLaunches::Launched made{&step, bound, std::vector<std::int64_t>(launching.kernel->kernel.buffers.size())};
        sweep_.outside.emplace_back();
        for (std::size_t k = 0; k < step.inputs.size(); ++k)
            if (!add_input(launching, k, scope, launch, made)) return false;
        for (std::size_t o = 0; o < launching.outputs.size(); ++o)
            if (!add_output(launching, o, scope, launch, made)) return false;
        sweep_.kernels.push_back(launching.kernel);
        iteration_.launches.push_back(std::move(launch));
        sweep_.body.launches.push_back(std::move(made));
        return true;
    }

    schedule::PartFacts facts_of(const Launching& launching) const {
        return schedule::part_facts(launching.kernel->kernel, launching.sizes.data(), schedule::Overwriting::apart,
                                    schedule::Updating::refused, known_);
    }

    schedule::KnownNumbers known_numbers(const KernelStep& step, const Scope& scope) const {
        schedule::KnownNumbers known(step.inputs.size());
        for (std::size_t k = 0; k < step.inputs.size(); ++k) {
            const ValueId id = step.inputs[k];
            const Type& type = scope.body().types[id.index];
            if (type.rank() > 0 || type.scalar != ir::Scalar::i64 || scope.value_of(id)) continue;
            if (const void* data = scope.frame.find(id).data) known[k] = context_.number(data);
        }
        return known;
    }

    /// The same for all launches of a kernel with the same sizes.
    std::shared_ptr<const PartKernel> bind(const Launching& launching) {
        auto& bound = bound_[{launching.kernel.get(), launching.sizes}];
        const auto* in_parts = dynamic_cast<const LaunchedInParts*>(launching.kernel->code.get());
        if (!bound && in_parts) bound = in_parts->bind_parts(launching.sizes.data(), context_.call.threads);
        return bound;
    }

    bool add_input(const Launching& launching, std::size_t k, const Scope& scope, StepLaunch& launch,
                   TiledLaunches::Launched& made) {
        const lower::Buffer& buffer = launching.input(k);
        const ValueId id = launching.step.inputs[k];
        const bool is_read = launch.facts.reach[k].kind != schedule::Reach::Kind::nothing;
        Name value = scope.value_of(id);
        std::int64_t elements = launching.sizes[buffer.elements.index];
        if (const Name tape = scope.tape_of(id); tape && is_read) {
            const auto slice = slice_of(launch.facts, k, elements);
            const auto found = slice ? slices_.find({*tape, *slice}) : slices_.end();
            if (found == slices_.end()) return false;
            value = found->second;
            move_to_slice(*slice, buffer, k, elements, launch, made);
        }
        launch.reads.push_back(value);
        launch.bytes_read.push_back(is_read ? static_cast<double>(elements * detail::size_of(buffer.scalar)) : 0);
        return add_outside(value ? ValueId() : scope.first_name(id), scope) || value || !is_read;
    }

    /// What is passed for a variable that no iteration changes; of one that is not valid, null.
    bool add_outside(ValueId variable, const Scope& scope) {
        std::vector<const void*>& places = sweep_.outside.back();
        places.push_back(variable.valid() ? scope.frame.find(variable).data : nullptr);
        if (!places.back() || variable.index >= scope.body().base) return places.back() != nullptr;
        sweep_.around.push_back({sweep_.outside.size() - 1, places.size() - 1, variable});
        places.back() = nullptr;
        return true;
    }

    bool add_output(const Launching& launching, std::size_t o, Scope& scope, StepLaunch& launch,
                    TiledLaunches::Launched& made) {
        const KernelStep& step = launching.step;
        const lower::Buffer& buffer = launching.output(o);
        const std::int64_t elements = launching.sizes[buffer.elements.index];
        if (const Name tape = tape_of_output(launching, o, scope)) return add_slice(launching, o, *tape, launch, made);
        scope.values[step.outputs[launching.outputs[o]].index - scope.body().base] = iteration_.values.size();
        add_value(elements, buffer, launch);
        launch.copies.push_back(buffer.dest);
        return elements > 0 && !ir::is_huge(elements);
    }

    static Name tape_of_output(const Launching& launching, std::size_t o, const Scope& scope) {
        const auto& dest = launching.output(o).dest;
        return dest ? scope.tape_of(launching.step.inputs[*dest]) : std::nullopt;
    }

    void add_value(std::int64_t elements, const lower::Buffer& buffer, StepLaunch& launch) {
        launch.writes.push_back(iteration_.values.size());
        iteration_.values.push_back({elements, detail::size_of(buffer.scalar)});
    }

    /// Output o of a kernel, which is a slice of a tape. If it repeats a state, that is read instead, and nothing reads it.
    bool add_slice(const Launching& launching, std::size_t o, std::size_t tape, StepLaunch& launch,
                   TiledLaunches::Launched& made) {
        const std::size_t k = launching.step.inputs.size() + o;
        const lower::Buffer& buffer = launching.output(o);
        std::int64_t elements = launching.sizes[buffer.elements.index];
        const auto slice = slice_of(launch.facts, k, elements);
        if (!slice || !stores_all(launch.facts, k, *slice, elements / count_)) return false;
        const Name same = repeated(launching, k, *slice * (elements / count_), elements / count_, launch.reads, &made.ahead);
        move_to_slice(*slice, buffer, k, elements, launch, made);
        add_value(elements, buffer, launch);
        launch.copies.push_back(std::nullopt);
        return slices_.emplace(std::pair(tape, *slice), same ? *same : launch.writes.back()).second;
    }

    /// Whether a launch stores all elements of a slice.
    static bool stores_all(const schedule::PartFacts& facts, std::size_t k, std::int64_t slice, std::int64_t length) {
        const schedule::Reach& reach = facts.reach[k];
        return facts.dense[k] && reach.low == slice * length && reach.high + 1 == reach.low + reach.slope &&
               reach.slope * facts.extent == length;
    }

    /// The state of so many elements that buffer k repeats, `begin` elements on. `reads`: values by input. `ahead`: as in
    /// Launched, or null where no input is a tape.
    Name repeated(const Launching& launching, std::size_t k, std::int64_t begin, std::int64_t length,
                  const std::vector<Name>& reads, const std::vector<std::int64_t>* ahead) const {
        const auto input = schedule::repeated_input(launching.kernel->kernel, launching.sizes.data(), known_, k, begin);
        const Name same = input ? reads[*input] : std::nullopt;
        const bool repeats =
            same && iteration_.values[*same].elements == length && (ahead == nullptr || (*ahead)[*input] == 0);
        return repeats ? same : std::nullopt;
    }

    /// Takes the kernel that does not make slices which repeat states, if it can be compiled, and notes what they repeat.
    bool leave_out_copies(Launching& launching, const Scope& scope) {
        const KernelStep& step = launching.step;
        std::vector<Name> reads;
        for (ValueId id : step.inputs) reads.push_back(scope.value_of(id));
        for (std::size_t o = launching.outputs.size(); o-- > 0;) {
            const Name tape = tape_of_output(launching, o, scope);
            if (!tape) continue;
            const schedule::PartFacts facts = facts_of(launching);
            const std::size_t k = step.inputs.size() + o;
            const std::int64_t elements = launching.sizes[launching.output(o).elements.index];
            const auto slice = facts.possible ? slice_of(facts, k, elements) : std::nullopt;
            if (!slice || !stores_all(facts, k, *slice, elements / count_)) continue;
            const Name same = repeated(launching, k, *slice * (elements / count_), elements / count_, reads, nullptr);
            if (!same) continue;
            auto kernel = launching.outputs.size() > 1 ? without_output(launching, k) : nullptr;
            if (!kernel && launching.outputs.size() > 1) continue;
            if (!slices_.emplace(std::pair(*tape, *slice), *same).second) return false;
            if (kernel) launching.kernel = std::move(kernel);
            launching.outputs.erase(launching.outputs.begin() + static_cast<std::ptrdiff_t>(o));
        }
        return true;
    }

    KnownSweeps::Kernel without_output(const Launching& launching, std::size_t k) const {
        return there_.sweeps->kernel_for(*launching.kernel, [&]() -> KnownSweeps::Kernel {
            auto kernel = lower::without_output(launching.kernel->kernel, k);
            if (!kernel) return nullptr;
            auto made = std::make_shared<CachedKernel>();
            made->kernel = std::move(*kernel);
            try {
                made->code = context_.backend().compile(made->kernel);
            } catch (const CodeTooLarge&) {
                return nullptr;
            }
            return made;
        });
    }

    /// The slice of a tape of so many elements that a launch touches, if it is one.
    std::optional<std::int64_t> slice_of(const schedule::PartFacts& facts, std::size_t buffer, std::int64_t elements) const {
        const Interval& within = facts.within[buffer];
        if (facts.reach[buffer].kind != schedule::Reach::Kind::near || within.empty() || elements % count_ != 0)
            return std::nullopt;
        const std::int64_t length = elements / count_, slice = within.begin / length;
        const bool is_one = within.begin >= 0 && within.end <= (slice + 1) * length;
        return is_one ? std::optional(slice) : std::nullopt;
    }

    /// `elements`: of the tape, and then of the slice.
    void move_to_slice(std::int64_t slice, const lower::Buffer& buffer, std::size_t k, std::int64_t& elements,
                       StepLaunch& launch, TiledLaunches::Launched& made) const {
        elements /= count_;
        launch.facts.reach[k].low -= slice * elements;
        launch.facts.reach[k].high -= slice * elements;
        launch.facts.reach[k].bands = {};
        made.ahead[k] = slice * elements * detail::size_of(buffer.scalar);
    }

    const Execution& execution_;
    const Context& context_;
    const LoopStep &there_, &back_;
    const std::int64_t count_;
    const bool lean_;
    Frame& frame_;
    Sweep& sweep_;
    schedule::Iteration& iteration_;
    std::vector<bool> tapes_;                                             ///< by state of the first loop
    std::map<std::pair<std::size_t, std::int64_t>, std::size_t> slices_;  ///< by tape and number: the value
    std::vector<std::pair<Frame*, ValueId>> borrowed_;                    ///< other names of what is around the loops
    schedule::KnownNumbers known_;                                        ///< of the launch that is added
    std::map<std::pair<const CachedKernel*, std::vector<std::int64_t>>, std::shared_ptr<const PartKernel>> bound_;
};

}  // namespace

std::vector<bool> find_tapes(const BodyPlan& body, std::size_t states) {
    std::vector<ValueId> uses = body.results;
    for (const Step& step : body.steps) add_uses(step, uses);
    std::vector<bool> tapes(states);
    for (const Step& step : body.steps) {
        const auto* kernel = std::get_if<KernelStep>(&step.action);
        for (std::size_t o = 0; kernel && o < kernel->outputs.size(); ++o) {
            const auto dest = kernel->kernel->kernel.buffers[kernel->inputs.size() + o].dest;
            if (!dest) continue;
            for (std::size_t k = 0; k < states; ++k) {
                const ValueId param(body.base + 1 + k);
                const bool updates = kernel->inputs[*dest] == param && body.results[k] == kernel->outputs[o];
                if (updates && std::count(uses.begin(), uses.end(), param) == 1) tapes[k] = true;
            }
        }
    }
    return tapes;
}

bool find_launches(const Execution& execution, const LoopStep& there, const LoopStep& back, std::int64_t count, bool lean,
                   Frame& frame, Sweep& sweep) {
    return Finder(execution, there, back, count, lean, frame, sweep).run();
}

}  // namespace sinter::runtime
