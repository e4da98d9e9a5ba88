// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/rebuild.hpp"
#include "opt/algebra/view_algebra.hpp"
#include "opt/passes.hpp"
#include "opt/trim.hpp"
#include "support/match.hpp"

namespace sinter::opt {

using namespace ir;

namespace {

class CopyPropagation : public Rebuilder {
    void binding(Binding&& binding) override {
        match(
            binding.op, [&](Map& map) { copies_of(sources(map, binding.types[0].rank()), std::move(binding)); },
            [&](View& view) { this->view(view, binding); }, [&](Force& force) { this->force(force, std::move(binding)); },
            [&](Cond& cond) { this->cond(cond, std::move(binding)); },
            [&](Loop& loop) { this->loop(loop, std::move(binding)); }, [&](auto&) { keep(std::move(binding)); });
    }

    /// Forgets the variables of scopes that have ended: their levels are used again.
    void close() override {
        if (views_.size() > level()) views_.resize(level());
        if (forced_.size() > level()) forced_.resize(level());
    }

    /// For each result of the map, the variable of which it is a copy; invalid if it is not a copy.
    static std::vector<ValueId> sources(const Map& map, std::size_t rank) {
        std::size_t first_arg = map.indexed ? rank : 0, first_scalar = first_arg + map.args.size();
        std::vector<ValueId> sources;
        for (Local result : map.fn.body.results) {
            std::size_t local = result.index;
            ValueId source;
            if (local >= first_arg && local < first_scalar) source = map.args[local - first_arg];
            bool scalar = local >= first_scalar && local < map.fn.body.params.size();
            if (scalar && rank == 0) source = map.captures.scalars[local - first_scalar];
            sources.push_back(source);
        }
        return sources;
    }

    /// Keeps the binding for the results that have no source, if there are any.
    void copies_of(std::vector<ValueId> sources, Binding&& binding) {
        bool all = true;
        for (ValueId source : sources) all = all && source.valid();
        if (all) return define(sources);
        ValueId first = append(std::move(binding));
        for (std::size_t i = 0; i < sources.size(); ++i)
            if (!sources[i].valid()) sources[i] = ValueId(first.index + i);
        define(sources);
    }

    void view(View view, Binding& binding) {
        const View* inner = view_of(view.arg);
        if (inner && !inner->fill && !view.fill)
            if (auto composed = compose(sizes(), inner->function, view.function)) view = {inner->arg, std::move(*composed)};
        if (is_identity(sizes(), view.function, type(view.arg), binding.types[0])) return define({view.arg});
        binding.op = view;
        views_.resize(level());
        views_.emplace_back(std::move(view));
        keep(std::move(binding));
    }

    const View* view_of(ValueId id) const {
        return id.index < views_.size() && views_[id.index] ? &*views_[id.index] : nullptr;
    }

    /// Inputs of the program and results of force are already manifest.
    void force(const Force& force, Binding&& binding) {
        if (force.again) return keep(std::move(binding));
        std::vector<ValueId> sources;
        for (ValueId arg : force.args) {
            bool manifest = arg.index < inputs_ || (arg.index < forced_.size() && forced_[arg.index]);
            sources.push_back(manifest ? arg : ValueId{});
        }
        std::size_t first = level(), count = sources.size();
        copies_of(std::move(sources), std::move(binding));
        if (level() == first) return;
        forced_.resize(first, false);
        forced_.resize(first + count, true);
    }

    void cond(Cond& cond, Binding&& binding) {
        for (Body& body : cond.bodies) body = nested(std::move(body), {});
        std::vector<ValueId> sources;
        std::vector<bool> differs;
        for (std::size_t i = 0; i < binding.types.size(); ++i) {
            ValueId then = cond.bodies[0].results[i];
            differs.push_back(then != cond.bodies[1].results[i] || then.index >= level());
            sources.push_back(differs.back() ? ValueId{} : then);
        }
        for (Body& body : cond.bodies) filter(body.results, differs);
        results_kept(std::move(binding), differs, std::move(sources));
    }

    /// A state whose extent changes is a different one after each iteration.
    void loop(Loop& loop, Binding&& binding) {
        const std::size_t extents = loop.changing.size(), before = loop.indices() + extents;
        const Body& body = loop.bodies.back();
        std::vector<bool> changes(extents, true);
        std::vector<ValueId> sources(extents);
        std::vector<Param> params(before);
        for (std::size_t i = 0; i < loop.inits.size(); ++i) {
            bool same = body.results[i] == ValueId(old_level() + before + i) && !has_changing_extent(loop, i);
            changes.push_back(!same);
            sources.push_back(same ? loop.inits[i] : ValueId{});
            params.push_back({!same, sources.back()});
        }
        const std::vector<bool> states(changes.begin() + static_cast<std::ptrdiff_t>(extents), changes.end());
        for (Body& each : loop.bodies) {
            bool is_condition = &each != &loop.bodies.back();
            each = nested(std::move(each), params, is_condition ? std::vector<bool>{} : states);
        }
        filter(loop.inits, states);
        keep_changing(loop, states);
        results_kept(std::move(binding), changes, std::move(sources));
    }

    /// Appends the binding with the results marked in `kept`, unless there are none; sources are the other results.
    void results_kept(Binding&& binding, const std::vector<bool>& kept, std::vector<ValueId> sources) {
        keep_results(binding, kept, true);
        ValueId next;
        if (!binding.types.empty()) next = append(std::move(binding));
        for (std::size_t i = 0; i < sources.size(); ++i)
            if (kept[i]) sources[i] = next, next = ValueId(next.index + 1);
        define(sources);
    }

    std::vector<std::optional<View>> views_;  ///< by level
    std::vector<bool> forced_;                ///< by level
    std::size_t inputs_ = 0;

  public:
    explicit CopyPropagation(std::size_t inputs) : inputs_(inputs) {}
};

}  // namespace

Program copy_propagation(Program program) {
    std::size_t inputs = program.body.params.size();
    return CopyPropagation(inputs).run(std::move(program));
}

}  // namespace sinter::opt
