// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ad/reverse/reverse.hpp"

#include "ad/variables.hpp"
#include "enable/slices/nests.hpp"
#include "ir/walk.hpp"
#include "support/check.hpp"
#include "support/match.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sinter::ad {

using namespace ir;

bool Reverse::before_renaming(Binding& binding) {
    if (Record* record = std::exchange(record_, nullptr)) return this->record(binding, *record);
    auto* derivative = std::get_if<Derivative>(&binding.op);
    if (derivative == nullptr || derivative->mode != Derivative::Mode::reverse ||
        enable::contains_nest(derivative->bodies[0]))
        return true;
    differentiate(binding, *derivative);
    return false;
}

void Reverse::differentiate(Binding& binding, Derivative& derivative) {
    const Body& body = derivative.bodies[0];
    const std::size_t level = old_level();
    at(binding.site);
    const std::vector<ValueId> args = renamed(derivative.args), seeds = renamed(derivative.seeds);
    define(args);
    Flags by(args.size());
    for (std::size_t argument : derivative.by) by[argument] = true;
    varied_ = {};
    varied_.set(level, by);
    infinite_ = {};
    for (ValueId seed : seeds) masked_.see_cotangent(seed);
    adjoints_.assign(old_level(), {});
    std::vector<Derived> cotangents;
    for (std::size_t k = 0, next = 0; k < body.results.size(); ++k)
        cotangents.push_back(detail::is_float(binding.types[k].scalar) ? Derived(seeds[next++]) : std::nullopt);
    std::vector<ValueId> results = traverse(body, cotangents);
    at(binding.site);
    for (std::size_t argument : derivative.by)
        results.push_back(or_zeros(adjoint(ValueId(level + argument)), type(args[argument])));
    adjoints_.clear();
    undefine(level);
    define(results);
}

std::vector<ValueId> Reverse::traverse(const Body& body, const std::vector<Derived>& cotangents) {
    const bool goes_back = std::exchange(goes_back_, false);
    Body copy = body;
    std::vector<Record> records(body.bindings.size());
    std::vector<std::size_t> levels;
    for (std::size_t i = 0; i < copy.bindings.size(); ++i) {
        const std::size_t level = old_level();
        levels.push_back(level);
        varied_.set(level, varied_.results(body.bindings[i], level));
        infinite_.set(level, infinite_.results(body.bindings[i], level));
        definitions_.resize(level);
        definitions_.push_back(body.bindings[i].types.size() == 1 ? &body.bindings[i] : nullptr);
        std::vector<Binding> one;
        one.push_back(std::move(copy.bindings[i]));
        record_ = &records[i];
        write(one);
    }
    write(copy.guards);
    const std::vector<ValueId> results = renamed(body.results);
    goes_back_ = true;
    adjoints_.resize(old_level());
    for (std::size_t k = 0; k < body.results.size(); ++k)
        if (cotangents[k])
            contribute(body.results[k],
                       enable::with_type(emitter(), *cotangents[k], type(*cotangents[k]), type(results[k])));
    for (std::size_t i = body.bindings.size(); i-- > 0;) {
        const Binding& binding = body.bindings[i];
        at(binding.site);
        Done done{binding, {}, {}, records[i]};
        const Adjoint first = binding.types.size() == 1 ? adjoints_[levels[i]] : Adjoint{};
        if (first.is_picked() && records[i].tapes.empty() && pull_picked(binding, *first.picked)) {
            forget(levels[i]);
            continue;
        }
        for (std::size_t k = 0; k < binding.types.size(); ++k) {
            done.results.push_back(rename(ValueId(levels[i] + k)));
            done.adjoints.push_back(adjoint(ValueId(levels[i] + k)));
        }
        forget(levels[i]);
        if (std::any_of(done.adjoints.begin(), done.adjoints.end(), [](const Derived& a) { return a.has_value(); }))
            pull(done);
    }
    goes_back_ = goes_back;
    return results;
}

/// The variables of a body from this one on, which has an old name.
void Reverse::forget(std::size_t level) {
    undefine(level);
    adjoints_.resize(level);
    definitions_.resize(level);
    varied_.set(level, {});
    infinite_.set(level, {});
}

bool Reverse::is_masked(const std::vector<Derived>& adjoints, const Fn& fn) const {
    auto chooses = [](const Inst& inst) {
        return inst.op == Op::select || inst.op == Op::cond || inst.op == Op::minimum || inst.op == Op::maximum ||
               inst.op == Op::fmin || inst.op == Op::fmax;
    };
    return std::any_of(adjoints.begin(), adjoints.end(), [&](const Derived& each) { return each && masked_(*each); }) ||
           any_inst(fn.body, chooses);
}

void Reverse::pull(const Done& done) {
    match(
        done.binding.op, [&](const Map& op) { pull_map(op, done); }, [&](const Fold& op) { pull_fold(op, done); },
        [&](const View& op) { pull_view(op, done); }, [&](const Gather& op) { pull_gather(op, done); },
        [&](const Force& op) {
            for (std::size_t k = 0; k < op.args.size(); ++k)
                if (done.adjoints[k]) contribute(op.args[k], *done.adjoints[k]);
        },
        [&](const Cond& op) { pull_cond(op, done); }, [&](const Loop& op) { pull_loop(op, done); },
        [&](const Scan& op) { pull_scan(op, done); }, [&](const Compact& op) { pull_compact(op, done); },
        [&](const Scatter& op) { pull_scatter(op, done); }, [&](const Sort& op) { pull_sort(op, done); },
        [&](const Foreign& op) { pull_foreign(op, done); }, [&](const Custom& op) { pull_custom(op, done); },
        [](const Vmap&) { fail_check("lifted before", location::current()); },
        [](const Rows&) { fail_check("lifted before", location::current()); },
        [](const Derivative&) { fail_check("differentiated before", location::current()); });
}

// Adjoints

Reverse::Adjoint& Reverse::adjoint_as_it_is(ValueId old) {
    check(old.index < adjoints_.size(), "an adjoint of a variable out of scope");
    return adjoints_[old.index];
}

void Reverse::contribute(ValueId old, ValueId value) {
    if (!wants(old)) return;
    Derived& sum = adjoint_as_it_is(old).sum;
    sum = sum ? add(*sum, value) : value;
}

void Reverse::contribute_sum(ValueId old, ValueId value) {
    if (!wants(old)) return;
    if (type(rename(old)).rank() > 0) return contribute(old, value);
    std::vector<std::size_t> axes(type(value).rank());
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    contribute(old, sum_of_product(value, std::move(axes)));
}

std::vector<ValueId> Reverse::outside(const ArrayOp& op) const {
    std::vector<ValueId> used;
    const std::vector<Body>* bodies = bodies_of(op);
    const std::size_t level = old_level();
    for (const Body& body : *bodies) {
        auto use = [&](ValueId id) {
            if (id.index < level && wants(id)) used.push_back(id);
        };
        for (const Binding& binding : body.bindings) for_each_variable(binding.op, use);
        std::for_each(body.results.begin(), body.results.end(), use);
    }
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    return used;
}

}  // namespace sinter::ad
