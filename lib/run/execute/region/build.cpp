// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/sizes/size_parts.hpp"
#include "run/execute/launcher.hpp"
#include "run/execute/region/region.hpp"
#include "run/plan/uses.hpp"
#include "run/tuning.hpp"
#include "support/match.hpp"

#include <algorithm>

namespace sinter::runtime::region {

namespace {

using ir::Size;

bool contains(const std::vector<ValueId>& values, ValueId id) {
    return std::find(values.begin(), values.end(), id) != values.end();
}

/// Where sizes are asked for: a body, and the place in it that is being built.
struct Scope {
    Scope* parent;            ///< null: outside of the loop
    std::size_t base;         ///< level of its first variable
    std::uint32_t first;      ///< and the place of that
    std::vector<bool> known;  ///< by size: computed before
    SizeCode* code;           ///< what is computed here goes there
};

class Builder {
  public:
    Builder(const Context& context, Region& region) : context_(context), program_(context.plan.program), region_(region) {}

    bool operator()(const LoopStep& step, const std::vector<ValueId>& dying) {
        Scope scope{nullptr, 0, 0, std::vector<bool>(program_.sizes.count()), &region_.before};
        for (std::size_t k = 0; k < program_.sizes.count(); ++k)
            region_.sizes.push_back(context_.is_dynamic(SizeId(k)) ? 0 : context_.static_size(SizeId(k)));
        places_ = step.to.index;
        if (!loop(step, dying, scope, region_.loop)) return false;
        find_outsides(step);
        for (ValueId id : step.inits) region_.bytes += bytes_of(step.body->types[id.index]);
        region_.variables.resize(places_);
        return true;
    }

  private:
    static std::uint32_t place(ValueId id, const Scope& scope) {
        const Scope* owner = &scope;
        while (id.index < owner->base) owner = owner->parent;
        return owner->first + static_cast<std::uint32_t>(id.index - owner->base);
    }

    static Places places(const std::vector<ValueId>& ids, const Scope& scope) {
        Places result;
        for (ValueId id : ids) result.push_back(place(id, scope));
        return result;
    }

    // Sizes.

    /// Extents that only the running program knows count as one.
    std::size_t bytes_of(const ir::Type& type) const {
        auto bytes = static_cast<std::int64_t>(sinter::detail::size_of(type.scalar));
        for (SizeId id : type.shape) bytes *= context_.is_dynamic(id) ? 1 : context_.static_size(id);
        return static_cast<std::size_t>(bytes);
    }

    /// Computes a size where all it depends on is first known.
    void need(SizeId id, Scope& scope) {
        if (!context_.is_dynamic(id) || scope.known[id.index]) return;
        scope.known[id.index] = true;
        if (scope.parent && newest(id) < scope.base) return need(id, *scope.parent);
        const Size& size = program_.sizes[id];
        if (size.kind == Size::Kind::value) {
            const ValueId value(static_cast<std::size_t>(size.index));
            scope.code->push_back({size.kind, id.index, place(value, scope), 0});
            return;
        }
        need(size.left, scope);
        need(size.right, scope);
        scope.code->push_back({size.kind, id.index, size.left.index, size.right.index});
    }

    std::size_t newest(SizeId id) const {
        std::size_t level = 0;
        ir::for_each_value(program_.sizes, id, [&](ValueId value) { level = std::max(level, std::size_t{value.index}); });
        return level;
    }

    bool is_dynamic(const std::vector<SizeId>& shape) const {
        return std::any_of(shape.begin(), shape.end(), [&](SizeId id) { return context_.is_dynamic(id); });
    }

    /// Those that are left to check; false where one fails that may not be reached.
    bool add_guards(const std::vector<const ir::Guard*>& all, Scope& scope, std::vector<const ir::Guard*>& guards) {
        for (const ir::Guard* guard : all) {
            if (context_.is_dynamic(guard->left) || context_.is_dynamic(guard->right)) {
                need(guard->left, scope);
                need(guard->right, scope);
                guards.push_back(guard);
            } else if (!ir::sizes::equal(context_.static_size(guard->left), context_.static_size(guard->right))) {
                return false;
            }
        }
        return true;
    }

    // Bodies.

    /// `given`: variables of enclosing bodies that nothing reads behind this one.
    /// `next`: sizes that are asked for at its end.
    bool body(const BodyPlan& plan, const std::vector<ValueId>& given, const std::vector<SizeId>& next, Scope& outer,
              BodyNode& node) {
        Scope scope{&outer, plan.base, static_cast<std::uint32_t>(places_), outer.known, nullptr};
        forget_sizes(scope.known, plan.base);
        node.first = scope.first;
        places_ += plan.types.size() - plan.base;
        node.steps = std::vector<StepNode>(plan.steps.size());
        const std::vector<std::vector<ValueId>> dying = dying_in(plan, given);
        for (std::size_t k = 0; k < plan.steps.size(); ++k)
            if (!step(plan.steps[k], plan, dying[k], scope, node.steps[k])) return false;
        scope.code = &node.after;
        if (!add_guards(plan.final_guards, scope, node.guards)) return false;
        for (SizeId id : next) need(id, scope);
        find_left(plan, scope, node);
        forget_sizes(outer.known, plan.base);
        return true;
    }

    /// Sizes of variables from this level on are others in the body that begins there: levels number the variables of a body
    /// and those that its surroundings define later alike.
    void forget_sizes(std::vector<bool>& known, std::size_t base) const {
        for (std::size_t k = 0; k < known.size(); ++k)
            if (known[k] && newest(SizeId(k)) >= base) known[k] = false;
    }

    static void find_left(const BodyPlan& plan, const Scope& scope, BodyNode& node) {
        std::vector<bool> dies(plan.types.size(), false);
        for (const Step& step : plan.steps)
            for (ValueId id : step.dying) dies[id.index] = true;
        for (std::size_t level = plan.base; level < plan.types.size(); ++level)
            if (!dies[level]) node.left.push_back(place(ValueId(level), scope));
        for (ValueId id : plan.results)
            node.moves.push_back(id.index >= plan.base && std::count(plan.results.begin(), plan.results.end(), id) == 1);
        node.wanted = places(plan.results, scope);
        node.results.resize(plan.results.size());
    }

    bool step(const Step& step, const BodyPlan& plan, const std::vector<ValueId>& dying, Scope& scope, StepNode& node) {
        scope.code = &node.before;
        node.dying = places(dying, scope);
        if (!add_guards(step.guards, scope, node.guards)) return false;
        return match(
            step.action,
            [&](const KernelStep& s) {
                if (!s.sites.empty()) node.site = s.sites.back();
                auto& made = node.action.emplace<KernelNode>();
                made.code = s.kernel->code->repeat(context_.call.threads);
                return kernel(s, plan, dying, scope, made);
            },
            [&](const AliasStep& s) {
                node.action = AliasNode{places(s.from, scope), place(s.to, scope)};
                return true;
            },
            [](const SortStep&) { return false; }, [](const ForeignStep&) { return false; },
            [&](const CondStep& s) {
                auto& branch = node.action.emplace<BranchNode>();
                branch.condition = place(s.condition, scope);
                branch.to = place(s.to, scope);
                return body(*s.then, dying, {}, scope, branch.then) &&
                       body(*s.otherwise, dying, {}, scope, branch.otherwise);
            },
            [&](const LoopStep& s) {
                if (may_be_tiled(s)) return false;
                node.site = s.site;
                auto& nested = node.action.emplace<LoopNode>();
                if (s.kernel && may_be_kernels(context_)) nested.whole = whole(s, plan, dying, scope);
                return loop(s, dying, scope, nested);
            });
    }

    /// Whether a loop may be executed tile by tile, and its steps are long (loop_tiled.cpp, swept/loops.cpp).
    bool may_be_tiled(const LoopStep& loop) const {
        auto is_launch = [](const Step& step) {
            return std::holds_alternative<KernelStep>(step.action) || std::holds_alternative<AliasStep>(step.action);
        };
        const std::vector<Step>& steps = loop.body->steps;
        if (!loop.count || !loop.first.empty() || !std::all_of(steps.begin(), steps.end(), is_launch)) return false;
        for (std::size_t k = 0; k < loop.inits.size(); ++k) {
            const ir::Type& type = loop.body->types[loop.body->base + 1 + k];
            std::int64_t bytes = detail::size_of(type.scalar);
            for (SizeId size : type.shape)
                if (!context_.is_dynamic(size)) bytes = ir::sizes::mul(bytes, context_.static_size(size));
            if (bytes >= tuning::least_bytes_of_long_step) return true;
        }
        return false;
    }

    /// Null where a check of shapes fails that may not be reached.
    std::unique_ptr<WholeLoop> whole(const LoopStep& step, const BodyPlan& plan, const std::vector<ValueId>& dying,
                                     Scope& scope) {
        auto result = std::make_unique<WholeLoop>();
        if (!kernel(step.kernel->step, plan, dying, scope, result->kernel)) return nullptr;
        for (const ir::Guard* guard : step.kernel->known_guards) {
            need(guard->left, scope);
            need(guard->right, scope);
        }
        for (const fuse::Made& made : step.kernel->known_shapes)
            for (SizeId id : made.shape) need(id, scope);
        for (SizeId id : step.kernel->part_sizes) need(id, scope);
        std::vector<ValueId> numbers;
        for (const LoopKernel::Number& number : step.kernel->numbers) numbers.push_back(number.id);
        add_counts(step, step.body->base, numbers);
        for (ValueId id : numbers) result->numbers.push_back({id, place(id, scope)});
        return result;
    }

    /// Counts of a loop, and of those inside of it, that are known before it begins.
    static void add_counts(const LoopStep& loop, std::size_t known, std::vector<ValueId>& counts) {
        if (loop.count && loop.count->index < known) counts.push_back(*loop.count);
        if (loop.condition) add_counts_in(*loop.condition, known, counts);
        add_counts_in(*loop.body, known, counts);
    }

    static void add_counts_in(const BodyPlan& body, std::size_t known, std::vector<ValueId>& counts) {
        for (const Step& step : body.steps)
            match(
                step.action, [&](const LoopStep& loop) { add_counts(loop, known, counts); },
                [&](const CondStep& branch) {
                    add_counts_in(*branch.then, known, counts);
                    add_counts_in(*branch.otherwise, known, counts);
                },
                [](const auto&) {});
    }

    bool loop(const LoopStep& step, const std::vector<ValueId>& dying, Scope& scope, LoopNode& node) {
        node.step = &step;
        node.inits = places(step.inits, scope);
        if (step.count) node.count = place(*step.count, scope);
        if (scope.parent) node.to = place(step.to, scope);
        for (SizeId id : step.first) need(id, scope);
        std::vector<ValueId> inside;
        if (step.condition) add_uses(*step.condition, inside);
        add_uses(*step.body, inside);
        for (ValueId id : step.inits)
            node.moves.push_back(contains(dying, id) && !contains(inside, id) && step.count != id &&
                                 std::count(step.inits.begin(), step.inits.end(), id) == 1);
        node.extents.resize(step.first.size());
        node.states.resize(step.inits.size());
        if (step.condition && !body(*step.condition, {}, {}, scope, node.condition)) return false;
        return body(*step.body, {}, step.next, scope, node.body);
    }

    // Kernels.

    bool kernel(const KernelStep& step, const BodyPlan& plan, const std::vector<ValueId>& dying, Scope& scope,
                KernelNode& node) {
        const lower::Kernel& kernel = step.kernel->kernel;
        node.step = &step;
        node.buffers.resize(kernel.buffers.size());
        node.prints = std::any_of(kernel.checks.begin(), kernel.checks.end(),
                                  [](const lower::Check& check) { return check.kind == lower::Check::Kind::print; });
        node.inputs = places(step.inputs, scope);
        const std::vector<bool> varies = kernel_sizes(step, scope, node);
        for (const fuse::Made& made : step.made) {
            for (SizeId id : made.shape) need(id, scope);
            if (is_dynamic(made.shape))
                node.checks_shapes = true;
            else if (is_bad_shape(made.shape, [&](SizeId size) { return context_.static_size(size); }))
                return false;
        }
        for (std::size_t k = 0; k < step.outputs.size(); ++k)
            node.outputs.push_back(output(step, k, plan, dying, varies, scope));
        return true;
    }

    /// Which entries of the kernel's table vary; the others are computed here.
    std::vector<bool> kernel_sizes(const KernelStep& step, Scope& scope, KernelNode& node) {
        const ir::SizeTable& table = step.kernel->kernel.sizes;
        std::vector<bool> varies(table.count(), false);
        node.sizes.resize(table.count());
        for (std::uint32_t k = 0; k < table.count(); ++k) {
            const Size& size = table[SizeId(k)];
            if (size.kind == Size::Kind::argument) {
                const SizeId argument = step.sizes[static_cast<std::size_t>(size.index)];
                need(argument, scope);
                varies[k] = context_.is_dynamic(argument);
                if (varies[k])
                    node.arguments.push_back({k, argument.index});
                else
                    node.sizes[k] = context_.static_size(argument);
            } else if (size.kind == Size::Kind::constant) {
                node.sizes[k] = size.index;
            } else if (varies[k] = varies[size.left.index] || varies[size.right.index]; varies[k]) {
                node.varying.push_back({size.kind, k, size.left.index, size.right.index});
            } else {
                node.sizes[k] = ir::apply(size.kind, node.sizes[size.left.index], node.sizes[size.right.index]);
            }
        }
        return varies;
    }

    Output output(const KernelStep& step, std::size_t k, const BodyPlan& plan, const std::vector<ValueId>& dying,
                  const std::vector<bool>& varies, Scope& scope) {
        const lower::Buffer& buffer = step.kernel->kernel.buffers[step.inputs.size() + k];
        const ValueId id = step.outputs[k];
        const Type& type = plan.types[id.index];
        Output result{.place = place(id, scope), .scalar = type.scalar, .room = buffer.elements, .dest = {}, .bytes = {}};
        result.is_array = std::none_of(type.shape.begin(), type.shape.end(),
                                       [&](SizeId extent) { return is_output(program_.sizes, extent, step); });
        if (result.is_array) {
            result.shape = type.shape;
            for (SizeId extent : type.shape) need(extent, scope);
        }
        result.varies = varies[buffer.elements.index] || is_dynamic(result.shape);
        if (buffer.takes && contains(dying, step.inputs[*buffer.takes]))
            result.takes = place(step.inputs[*buffer.takes], scope);
        if (buffer.dest) {
            result.dest = place(step.inputs[*buffer.dest], scope);
            result.may_take = may_take(step, step.inputs[*buffer.dest], dying);
        }
        return result;
    }

    // Outer variables.

    void find_outsides(const LoopStep& step) {
        std::vector<ValueId> uses = step.inits;
        if (step.count) uses.push_back(*step.count);
        if (step.condition) add_uses(*step.condition, uses);
        add_uses(*step.body, uses);
        std::vector<bool> found(step.to.index, false);
        for (ValueId id : uses) found[id.index] = true;
        for (std::size_t k = 0; k < program_.sizes.count(); ++k) {
            const Size& size = program_.sizes[SizeId(k)];
            const auto level = static_cast<std::size_t>(size.index);
            if (size.kind == Size::Kind::value && level < found.size()) found[level] = true;
        }
        for (std::size_t level = 0; level < found.size(); ++level)
            if (found[level]) region_.outsides.push_back(level);
    }

    const Context& context_;
    const ir::Program& program_;
    Region& region_;
    std::size_t places_ = 0;  ///< of all bodies
};

}  // namespace

bool build(const Context& context, const LoopStep& step, const std::vector<ValueId>& dying, Region& region) {
    return Builder(context, region)(step, dying);
}

}  // namespace sinter::runtime::region
