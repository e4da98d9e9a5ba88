// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convert/inputs.hpp"

#include "convert/hash_table.hpp"
#include "convert/tuning.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

namespace sinter::convert {

namespace {

class Finding {
  public:
    Finding(const Pruned& pruned, const Live& live, bool lift_literals)
        : pruned_(pruned), live_(live), lift_literals_(lift_literals) {
        out_.input_of.resize(pruned.variables, Inputs::none);
        out_.lifted_of.resize(pruned.terms.size(), Inputs::none);
    }

    Inputs run() {
        if (!lift_literals_) find_families();
        for (std::size_t t = 0; t < pruned_.terms.size(); ++t)
            if (live_.terms[t]) look_at(TermId(t));
        return std::move(out_);
    }

  private:
    void look_at(TermId id) {
        const Term& term = pruned_[id];
        const front::NodeOp& op = term.node->op;
        if (const auto* input = std::get_if<front::Input>(&op)) {
            add(term, 0, ArrayArgument{input->buffer, term.node->types[0].shape});
        } else if (const auto* parameter = std::get_if<front::Parameter>(&op)) {
            if (term.binder != ScopeId(0)) return;
            for (std::uint32_t r = 0; r < term.node->types.size(); ++r)
                if (live_.variables[term.first_variable + r]) add(term, r, ParameterArgument{parameter->position + r});
        } else if (!lift_literals_) {
            if (const auto found = families_.find(id.index); found != families_.end()) lift_from(id, *found->second);
        } else if (const auto* constant = std::get_if<front::Literal>(&op)) {
            LiteralValue value{term.node->types[0].scalar, constant->bits};
            if (is_lifted(value)) out_.input_of[term.first_variable] = literal(value);
        } else if (const auto* map = std::get_if<front::Map>(&op)) {
            lift_from(id, map->fn);
        } else if (const auto* fold = std::get_if<front::Fold>(&op)) {
            lift_from(id, fold->op);
        } else if (const auto* scan = std::get_if<front::Scan>(&op)) {
            lift_from(id, scan->op);
        } else if (const auto* scatter = std::get_if<front::Scatter>(&op); scatter && scatter->op) {
            lift_from(id, *scatter->op);
        }
    }

    void add(const Term& term, std::uint32_t result, Argument argument) {
        std::uint32_t variable = term.first_variable + result;
        out_.input_of[variable] = append(term.node->types[result].scalar, variable, std::move(argument));
    }

    std::uint32_t append(ir::Scalar scalar, std::uint32_t variable, Argument argument) {
        out_.scalars.push_back(scalar);
        out_.variables.push_back(variable);
        out_.arguments.push_back(std::move(argument));
        return static_cast<std::uint32_t>(out_.arguments.size() - 1);
    }

    std::uint32_t literal(LiteralValue value) {
        std::uint64_t key = mix(static_cast<std::uint64_t>(value.scalar), value.bits);
        for (std::uint32_t found; (found = literals_.find(key)) != HashTable::none; ++key)
            if (out_.arguments[found] == Argument(LiteralArgument{value.scalar, value.bits})) return found;
        std::uint32_t input = append(value.scalar, Inputs::none, LiteralArgument{value.scalar, value.bits});
        literals_.insert(key, input);
        return input;
    }

    /// Maps whose functions differ by literals only, as those of a loop that C++ has unrolled do: their kernels are one
    /// kernel if these are inputs.
    void find_families() {
        std::vector<std::vector<std::pair<TermId, std::shared_ptr<LiftedFn>>>> families;
        for (std::size_t t = 0; t < pruned_.terms.size(); ++t) {
            const auto* map = live_.terms[t] ? std::get_if<front::Map>(&pruned_.terms[t].node->op) : nullptr;
            if (!map || !has_lifted_literals(map->fn)) continue;
            auto lifted = std::make_shared<LiftedFn>(lift(map->fn));
            if (lifted->literals.empty()) continue;
            const auto alike = [&](const auto& family) { return family.front().second->fn == lifted->fn; };
            auto family = std::find_if(families.begin(), families.end(), alike);
            if (family == families.end()) family = families.emplace(families.end());
            family->emplace_back(TermId(t), std::move(lifted));
        }
        for (const auto& family : families) {
            std::vector<std::vector<LiteralValue>> distinct;
            for (const auto& [id, lifted] : family)
                if (std::find(distinct.begin(), distinct.end(), lifted->literals) == distinct.end())
                    distinct.push_back(lifted->literals);
            if (distinct.size() < tuning::least_family) continue;
            for (const auto& [id, lifted] : family) families_.emplace(id.index, lifted);
        }
    }

    void lift_from(TermId id, const ir::Fn& fn) {
        if (has_lifted_literals(fn)) lift_from(id, lift(fn));
    }

    void lift_from(TermId id, LiftedFn lifted) {
        if (lifted.literals.empty()) return;
        std::vector<ir::ValueId> inputs;
        for (const LiteralValue& value : lifted.literals) inputs.push_back(ir::ValueId(literal(value)));
        out_.lifted_of[id.index] = static_cast<std::uint32_t>(out_.lifted.size());
        out_.lifted.push_back(std::move(lifted));
        out_.literals.push_back(std::move(inputs));
    }

    const Pruned& pruned_;
    const Live& live_;
    bool lift_literals_;
    std::map<std::uint32_t, std::shared_ptr<const LiftedFn>> families_;  ///< by term
    Inputs out_;
    HashTable literals_;
};

}  // namespace

Inputs find_inputs(const Pruned& pruned, const Live& live, const Options& options) {
    return Finding(pruned, live, options.lift_literals).run();
}

}  // namespace sinter::convert
