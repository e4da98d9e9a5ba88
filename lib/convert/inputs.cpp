// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convert/inputs.hpp"

#include "convert/hash_table.hpp"

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
            return;
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

    void lift_from(TermId id, const ir::Fn& fn) {
        if (!has_lifted_literals(fn)) return;
        LiftedFn lifted = lift(fn);
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
    Inputs out_;
    HashTable literals_;
};

}  // namespace

Inputs find_inputs(const Pruned& pruned, const Live& live, const Options& options) {
    return Finding(pruned, live, options.lift_literals).run();
}

}  // namespace sinter::convert
