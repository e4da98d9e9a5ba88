// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ad/forward.hpp"

#include "ad/variables.hpp"
#include "enable/slices/nests.hpp"
#include "support/check.hpp"
#include "support/match.hpp"

#include <algorithm>

namespace sinter::ad {

using namespace ir;

bool Forward::before_renaming(Binding& binding) {
    if (auto* derivative = std::get_if<Derivative>(&binding.op)) {
        if (derivative->mode != Derivative::Mode::forward || enable::contains_nest(derivative->bodies[0])) return true;
        differentiate(binding, *derivative);
        return false;
    }
    if (!active_) return true;
    tangents_.resize(old_level());
    if (!is_varied(binding)) return true;
    push(binding);
    return false;
}

void Forward::differentiate(Binding& binding, Derivative& derivative) {
    Body& body = derivative.bodies[0];
    const std::size_t level = old_level();
    at(binding.site);
    std::vector<ValueId> args = renamed(derivative.args), seeds = renamed(derivative.seeds);
    define(args);
    tangents_.assign(old_level(), std::nullopt);
    for (std::size_t k = 0; k < derivative.by.size(); ++k) tangents_[level + derivative.by[k]] = seeds[k];
    active_ = true;
    write(body.bindings);
    tangents_.resize(old_level());
    std::vector<ValueId> results = renamed(body.results);
    const std::size_t count = results.size();
    for (std::size_t k = 0; k < count; ++k)
        if (const Type type = this->type(results[k]); detail::is_float(type.scalar))
            results.push_back(or_zeros(tangent(body.results[k]), type));
    write(body.guards);
    active_ = false;
    undefine(level);
    define(results);
}

bool Forward::is_varied(const Binding& binding) const {
    bool varied = false;
    for_each_variable(binding.op, [&](ValueId id) { varied = varied || tangent(id).has_value(); });
    return varied;
}

std::vector<ValueId> Forward::all_tangents(const std::vector<ValueId>& old) {
    std::vector<ValueId> ids;
    for (ValueId id : old)
        if (const Type type = this->type(rename(id)); detail::is_float(type.scalar))
            ids.push_back(or_zeros(tangent(id), type));
    return ids;
}

std::vector<ValueId> Forward::some_tangents(const std::vector<ValueId>& old, std::vector<std::size_t>& which) const {
    std::vector<ValueId> ids;
    for (std::size_t k = 0; k < old.size(); ++k)
        if (const Derived derived = tangent(old[k])) ids.push_back(*derived), which.push_back(k);
    return ids;
}

void Forward::define_results(std::vector<ValueId> primals, std::vector<Derived> tangents) {
    define(primals);
    tangents_.insert(tangents_.end(), tangents.begin(), tangents.end());
}

void Forward::define_results(ValueId first, std::size_t count, const std::vector<std::size_t>& varied) {
    std::vector<ValueId> primals;
    std::vector<Derived> tangents(count);
    for (std::size_t k = 0; k < count; ++k) primals.emplace_back(first.index + k);
    for (std::size_t k = 0; k < varied.size(); ++k) tangents[varied[k]] = ValueId(first.index + count + k);
    define_results(std::move(primals), std::move(tangents));
}

void Forward::push(Binding& binding) {
    at(binding.site);
    rename_types(binding);
    std::vector<Type> types = std::move(binding.types);
    match(
        binding.op, [&](Map& op) { push_map(op, std::move(types)); }, [&](Fold& op) { push_fold(op, std::move(types)); },
        [&](View& op) { push_view(op, std::move(types[0])); }, [&](Gather& op) { push_gather(op, std::move(types)); },
        [&](Force& op) { push_force(op, std::move(types)); }, [&](Cond& op) { push_cond(op, std::move(types)); },
        [&](Loop& op) { push_loop(op, std::move(types)); }, [&](Scan& op) { push_scan(op, std::move(types)); },
        [&](Compact& op) { push_compact(op, std::move(types)); }, [&](Scatter& op) { push_scatter(op, std::move(types)); },
        [&](Sort& op) { push_sort(op, std::move(types)); }, [&](Foreign& op) { refuse_foreign(op, where(site())); },
        [&](Custom& op) { push_custom(op, std::move(types)); },
        [](Vmap&) { fail_check("lifted before", location::current()); },
        [](Rows&) { fail_check("lifted before", location::current()); },
        [](Derivative&) { fail_check("differentiated before", location::current()); });
}

}  // namespace sinter::ad
