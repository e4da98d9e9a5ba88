// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/plan/loop_kernel.hpp"

#include "ir/walk.hpp"
#include "lower/compose/bounded_folds.hpp"
#include "lower/verify.hpp"
#include "run/execute/launcher.hpp"
#include "run/plan/loop_checks.hpp"
#include "run/plan/loop_memory.hpp"
#include "run/plan/loop_sizes.hpp"
#include "run/plan/uses.hpp"
#include "run/tuning.hpp"
#include "support/match.hpp"

#include <algorithm>

namespace sinter::runtime {

namespace {

using ir::Inst;
using ir::Local;
using ir::Op;
using ir::Scalar;
using ir::Size;
using ir::SizeId;
using ir::Type;
using ir::ValueId;
using lower::Block;
using lower::Place;

bool contains(const std::vector<ValueId>& ids, ValueId id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); }

class Builder {
  public:
    Builder(const Plan& plan, const LoopStep& loop, const std::vector<Type>& types, LoopKernel& result)
        : program_(plan.program),
          loop_(loop),
          types_(types),
          result_(result),
          sizes_(program_, loop, result, kernel_, to_),
          memory_(kernel_, to_, sizes_),
          checks_(result, kernel_, to_, sizes_) {}

    void operator()() {
        if (!loop_.next.empty()) throw Impossible();
        LoopScope around{nullptr, 0, std::vector<Place>(loop_.to.index)};
        add_inputs(around);
        add_outputs();
        std::vector<Place> inits;
        for (std::size_t k = 0; k < loop_.inits.size(); ++k) {
            const Place& init = around.find(loop_.inits[k]);
            inits.push_back(is_array(k) ? Place(first_output_ + k) : init);
        }
        const std::vector<Place> states = loop(loop_, inits, around);
        for (std::size_t k = 0; k < states.size(); ++k)
            if (!is_array(k)) to_.append({Op::store, {}, first_output_ + k, {zero_, local_at(states[k])}, {}});
        kernel_.body = to_.close({});
        result_.step.sites.push_back(loop_.site);
        kernel_.name = (loop_.count ? "for_loop" : "while_loop") + name_;
        lower::verified(kernel_);
        result_.set_kernel(std::move(kernel_));
    }

  private:
    // Around the loop.

    void add_inputs(LoopScope& around) {
        zero_ = to_.index(0);
        std::vector<ValueId> uses = loop_.inits;
        if (loop_.count) uses.push_back(*loop_.count);
        add_inside(loop_, uses);
        for (ValueId id : uses) {
            if (contains(result_.step.inputs, id)) continue;
            const Type& type = types_[id.index];
            const std::size_t buffer = kernel_.buffers.size();
            kernel_.buffers.push_back({type.scalar, false, sizes_.elements(type)});
            result_.step.inputs.push_back(id);
            around.find(id) = buffer;
            if (!is_single(type)) continue;
            const Local value = to_.append({Op::load, {type.scalar}, buffer, {zero_}, {}});
            if (type.scalar == Scalar::i64 && type.rank() == 0) {
                const std::int64_t most = sizes_.most_of_number(id);
                to_.set_range(value, {-most, most});
                result_.numbers.push_back({id, most});
            }
            around.find(id) = value;
        }
    }

    void add_outputs() {
        first_output_ = kernel_.buffers.size();
        std::vector<ValueId> inside;
        add_inside(loop_, inside);
        for (std::size_t k = 0; k < loop_.inits.size(); ++k) {
            const ValueId init = loop_.inits[k];
            lower::Buffer buffer{types_[init.index].scalar, true, sizes_.elements(types_[init.index])};
            if (is_array(k)) {
                const auto& inputs = result_.step.inputs;
                buffer.dest = static_cast<std::size_t>(std::find(inputs.begin(), inputs.end(), init) - inputs.begin());
                result_.step.needs_copy |= contains(inside, init);
            }
            kernel_.buffers.push_back(buffer);
            result_.step.outputs.emplace_back(loop_.to.index + k);
        }
    }

    static void add_inside(const LoopStep& loop, std::vector<ValueId>& uses) {
        if (loop.condition) add_uses(*loop.condition, uses);
        add_uses(*loop.body, uses);
    }

    bool is_single(const Type& type) const {
        return std::all_of(type.shape.begin(), type.shape.end(),
                           [&](SizeId id) { return program_.sizes.is_constant(id, 1); });
    }
    bool is_array(std::size_t state) const { return !is_single(types_[loop_.inits[state].index]); }

    // Bodies.

    std::vector<Place> body(const BodyPlan& plan, const std::vector<ValueId>& given, const std::vector<Place>& params,
                            LoopScope& outer) {
        LoopScope scope{&outer, plan.base, params};
        scope.variables.resize(plan.types.size() - plan.base);
        const std::vector<std::vector<ValueId>> dying = dying_in(plan, given);
        for (std::size_t k = 0; k < plan.steps.size(); ++k) step(plan.steps[k], plan, dying[k], scope);
        checks_.guards(plan.final_guards, scope);
        std::vector<Place> results;
        for (ValueId id : plan.results) results.push_back(scope.find(id));
        return results;
    }

    void step(const Step& step, const BodyPlan& plan, const std::vector<ValueId>& dying, LoopScope& scope) {
        checks_.guards(step.guards, scope);
        match(
            step.action, [&](const KernelStep& s) { kernel(s, plan, dying, scope); },
            [&](const AliasStep& s) { alias(s, dying, scope); }, [](const SortStep&) { throw Impossible(); },
            [](const ForeignStep&) { throw Impossible(); }, [&](const CondStep& s) { branch(s, dying, scope); },
            [&](const LoopStep& s) { nested(s, plan, dying, scope); });
    }

    /// An array that may be overwritten has one name.
    void alias(const AliasStep& step, const std::vector<ValueId>& dying, LoopScope& scope) {
        for (std::size_t k = 0; k < step.from.size(); ++k) {
            const ValueId from = step.from[k];
            const Place place = scope.find(from);
            const bool moves = contains(dying, from) && std::count(step.from.begin(), step.from.end(), from) == 1;
            if (memory_.is_writable(place) && !moves) throw Impossible();
            scope.find(ValueId(step.to.index + k)) = place;
        }
    }

    void branch(const CondStep& step, const std::vector<ValueId>& dying, LoopScope& scope) {
        const Local condition = local_at(scope.find(step.condition));
        Inst inst{Op::cond, {}, 0, {condition}, {}};
        std::vector<Place> sides[2];
        for (const BodyPlan* side : {step.then.get(), step.otherwise.get()}) {
            to_.open({});
            auto& results = sides[inst.blocks.size()] = body(*side, dying, {}, scope);
            inst.blocks.push_back(to_.close(locals_among(results)));
        }
        const BodyPlan& then = *step.then;
        for (std::size_t k = 0; k < then.results.size(); ++k) {
            if (std::holds_alternative<Local>(sides[0][k]) != std::holds_alternative<Local>(sides[1][k])) throw Impossible();
            if (std::holds_alternative<Local>(sides[0][k]))
                inst.types.push_back(then.types[then.results[k].index].scalar);
            else if (sides[0][k] != sides[1][k] || std::count(sides[0].begin(), sides[0].end(), sides[0][k]) > 1)
                throw Impossible();
            else if (memory_.is_writable(sides[0][k]) && !(ends(*step.then, k, dying) && ends(*step.otherwise, k, dying)))
                throw Impossible();
        }
        Local next = to_.append(std::move(inst));
        for (std::size_t k = 0; k < then.results.size(); ++k)
            scope.find(ValueId(step.to.index + k)) =
                std::holds_alternative<Local>(sides[0][k]) ? Place(next_of(next)) : sides[0][k];
    }

    /// Whether nothing else names what a body returns as result k. `dying`: the variables around it of which that is known.
    static bool ends(const BodyPlan& plan, std::size_t k, const std::vector<ValueId>& dying) {
        return plan.results[k].index >= plan.base || contains(dying, plan.results[k]);
    }

    static Local next_of(Local& local) { return std::exchange(local, Local(std::size_t{local.index} + 1)); }

    void nested(const LoopStep& step, const BodyPlan& plan, const std::vector<ValueId>& dying, LoopScope& scope) {
        if (!step.next.empty()) throw Impossible();
        std::vector<ValueId> inside;
        add_inside(step, inside);
        std::vector<Place> inits;
        for (ValueId id : step.inits) {
            inits.push_back(scope.find(id));
            const bool moves =
                contains(dying, id) && !contains(inside, id) && std::count(step.inits.begin(), step.inits.end(), id) == 1;
            if (std::holds_alternative<Local>(inits.back())) continue;
            if (!moves || !memory_.is_writable(inits.back()))
                inits.back() = memory_.copied(inits.back(), plan.types[id.index], scope);
        }
        const std::vector<Place> states = loop(step, inits, scope);
        std::copy(states.begin(), states.end(),
                  scope.variables.begin() + static_cast<std::ptrdiff_t>(step.to.index - scope.base));
    }

    /// Returns the final states. Arrays stay where they are.
    std::vector<Place> loop(const LoopStep& step, const std::vector<Place>& inits, LoopScope& scope) {
        Inst inst{step.count ? Op::for_loop : Op::while_loop, {}, 0, {}, {}};
        if (step.count) inst.operands.push_back(local_at(scope.find(*step.count)));
        for (std::size_t k = 0; k < inits.size(); ++k) {
            if (!std::holds_alternative<Local>(inits[k])) continue;
            inst.operands.push_back(std::get<Local>(inits[k]));
            inst.types.push_back(scalar(step, k));
        }
        if (step.condition) {
            const std::vector<Place> params = with_locals(inits, to_.open(inst.types), 0);
            const bool outside = std::exchange(in_condition_, true);
            const std::vector<Place> holds = body(*step.condition, {}, params, scope);
            in_condition_ = outside;
            inst.blocks.push_back(to_.close({local_at(holds[0])}));
        }
        inst.blocks.push_back(body_of_loop(step, inst, inits, scope));
        const Local first = to_.append(inst);
        std::vector<Local> finals;
        for (std::size_t k = 0; k < inst.types.size(); ++k) finals.emplace_back(std::size_t{first.index} + k);
        return with_locals(inits, finals, 0);
    }

    Block body_of_loop(const LoopStep& step, const Inst& inst, const std::vector<Place>& inits, LoopScope& scope) {
        std::vector<Scalar> types = inst.types;
        if (step.count) types.insert(types.begin(), Scalar::i64);
        const std::int64_t most = step.count ? to_.range(inst.operands[0]).most : 0;
        const std::vector<Local> locals = to_.open(types);
        std::vector<Place> params;
        if (step.count) {
            to_.set_range(locals[0], {0, std::max<std::int64_t>(most, 1) - 1});
            sizes_.count(ValueId(step.body->base), *step.count);
            params.emplace_back(locals[0]);
        }
        const std::vector<Place> states = with_locals(inits, locals, step.count ? 1 : 0);
        params.insert(params.end(), states.begin(), states.end());
        const std::vector<Place> next = body(*step.body, {}, params, scope);
        sizes_.forget(ValueId(step.body->base));
        LoopScope inside{&scope, step.body->base, params};
        const std::size_t first_state = step.body->base + (step.count ? 1 : 0);
        memory_.settle(next, inits, std::span(step.body->types).subspan(first_state), inside);
        return to_.close(locals_among(next));
    }

    Scalar scalar(const LoopStep& step, std::size_t state) const {
        const BodyPlan& body = *step.body;
        return body.types[body.base + (step.count ? 1 : 0) + state].scalar;
    }

    static std::vector<Place> with_locals(std::vector<Place> places, const std::vector<Local>& locals, std::size_t next) {
        for (Place& place : places)
            if (std::holds_alternative<Local>(place)) place = locals[next++];
        return places;
    }

    static std::vector<Local> locals_among(const std::vector<Place>& places) {
        std::vector<Local> locals;
        for (const Place& place : places)
            if (const auto* local = std::get_if<Local>(&place)) locals.push_back(*local);
        return locals;
    }

    // Kernels.

    void kernel(const KernelStep& step, const BodyPlan& plan, const std::vector<ValueId>& dying, LoopScope& scope) {
        for (const fuse::Made& made : step.made) checks_.shape(made, scope);
        const lower::Kernel& part = step.kernel->kernel;
        lower::Part appended{part, {}, {}, kernel_.checks.size()};
        for (ValueId id : step.inputs) appended.buffers.push_back(scope.find(id));
        for (std::size_t k = 0; k < step.outputs.size(); ++k) {
            const Place place = output(step, k, plan, dying, scope);
            const auto outputs = appended.buffers.begin() + static_cast<std::ptrdiff_t>(step.inputs.size());
            const bool is_taken = std::find(outputs, appended.buffers.end(), place) != appended.buffers.end();
            if (is_taken && !std::holds_alternative<std::monostate>(place)) throw Impossible();
            appended.buffers.push_back(place);
        }
        if (sizes_.varies(step) && !lower::has_bounded_folds(part)) throw Impossible();
        appended.sizes = sizes_.of_part(step, scope);
        for (SizeId id : part.nonempty) kernel_.nonempty.push_back(sizes_.known_entry(step, id));
        add_checks(step);
        const auto stored = lower::append_kernel(to_, appended);
        if (!stored) throw Impossible();
        for (std::size_t k = 0; k < step.outputs.size(); ++k) {
            const std::size_t buffer = step.inputs.size() + k;
            const bool is_local = std::holds_alternative<std::monostate>(appended.buffers[buffer]);
            if (is_local && !(*stored)[buffer]) throw Impossible();
            scope.find(step.outputs[k]) = is_local ? Place(*(*stored)[buffer]) : appended.buffers[buffer];
        }
        result_.parts.push_back(&step);
        for (SizeId id : step.sizes) add_part_size(id);
        constexpr std::size_t longest = 60;
        if (name_.size() <= longest) name_ += "_" + part.name;
    }

    void add_part_size(SizeId id) {
        const Size& size = program_.sizes[id];
        if (!sizes_.is_known(id)) {
            if (size.left.valid()) add_part_size(size.left), add_part_size(size.right);
        } else if (auto& all = result_.part_sizes; std::find(all.begin(), all.end(), id) == all.end()) {
            all.push_back(id);
        }
    }

    Place output(const KernelStep& step, std::size_t k, const BodyPlan& plan, const std::vector<ValueId>& dying,
                 LoopScope& scope) {
        const lower::Kernel& part = step.kernel->kernel;
        const std::size_t buffer = step.inputs.size() + k;
        const Type& type = plan.types[step.outputs[k].index];
        if (const auto& dest = part.buffers[buffer].dest) {
            const Place place = scope.find(step.inputs[*dest]);
            const bool is_free = !in_condition_ && may_take(step, step.inputs[*dest], dying) && memory_.is_writable(place);
            const bool updates = ir::any_inst(part.body, [](const Inst& inst) { return inst.op == Op::update; });
            if (updates && !(is_free && memory_.is_output(place))) throw Impossible();
            return is_free ? place : memory_.copied(place, type, scope);
        }
        if (is_single(type)) return std::monostate();
        for (std::size_t input = 0; input < step.inputs.size(); ++input) {
            const ValueId id = step.inputs[input];
            const bool fits = id.index < plan.types.size() && plan.types[id.index] == type;
            if (in_condition_ || !fits || !contains(dying, id) || !memory_.is_writable(scope.find(id))) continue;
            if (lower::is_pointwise(part, input, buffer)) return scope.find(id);
        }
        return memory_.own(type, scope);
    }

    void add_checks(const KernelStep& step) {
        const std::size_t sites = result_.step.sites.size();
        for (lower::Check check : step.kernel->kernel.checks) {
            if (check.site.valid()) check.site = ir::SiteId(check.site.index + sites);
            kernel_.checks.push_back(std::move(check));
        }
        result_.step.sites.insert(result_.step.sites.end(), step.sites.begin(), step.sites.end());
    }

    const ir::Program& program_;
    const LoopStep& loop_;
    const std::vector<Type>& types_;
    LoopKernel& result_;
    lower::Kernel kernel_;
    lower::BlockWriter to_;
    LoopSizes sizes_;
    LoopMemory memory_;
    LoopChecks checks_;
    Local zero_;
    std::size_t first_output_ = 0;
    bool in_condition_ = false;  ///< of a loop: it leaves states as they are
    std::string name_;
};

}  // namespace

bool LoopKernel::pays(double launches) const {
    const double counted = launches_.load(std::memory_order_relaxed);
    return counted >= tuning::launches_before_kernel ||
           launches_.fetch_add(launches, std::memory_order_relaxed) + launches >= tuning::launches_before_kernel;
}

void LoopKernel::compile(Backend& backend) const {
    std::call_once(made_, [&] { cached_->code = backend.compile(cached_->kernel); });
}

void LoopKernel::set_kernel(lower::Kernel kernel) {
    cached_ = std::make_shared<CachedKernel>();
    cached_->kernel = std::move(kernel);
    step.kernel = cached_;
    step.loop = this;
}

std::shared_ptr<const LoopKernel> make_loop_kernel(const Plan& plan, const LoopStep& step,
                                                   const std::vector<Type>& types) try {
    auto result = std::make_shared<LoopKernel>();
    Builder(plan, step, types, *result)();
    return result;
} catch (const Impossible&) {
    return nullptr;
}

}  // namespace sinter::runtime
