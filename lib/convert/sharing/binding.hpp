// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The environments of McDonell 2013 are stack positions here: a variable's name is the number of variables bound before it,
/// so an inner body can use the names of outer variables unchanged. Scopes are filled in prune's order, which sorts the
/// terms of each scope by first use. bind.cpp has scopes, sizes and bodies, bind_operations.cpp each operation,
/// bind_sides.cpp conds that become loops.
#pragma once

#include "convert/sharing/bind.hpp"
#include "support/check.hpp"
#include "support/match.hpp"

#include <utility>

namespace sinter::convert {

using ir::ValueId;

class Binding {
  public:
    Binding(const Pruned& pruned, Sized& sized, const Live& live, const Floated& floated, Inputs inputs)
        : pruned_(pruned),
          sized_(sized),
          floated_(floated),
          inputs_(std::move(inputs)),
          level_(pruned.variables),
          site_of_(pruned.terms.size()) {
        sort_into_scopes(live);
    }

    Result run();

  private:
    void sort_into_scopes(const Live& live);
    void bind_inputs();
    void sort_guards();
    std::vector<ir::Guard> guards(ScopeId scope);
    bool needs_binding(const Term& term) const;
    ir::Body body(ScopeId scope);
    void bind(TermId id, std::vector<ir::Binding>& made);
    ir::Binding binding(TermId id);
    void bind_sides(TermId id, std::vector<ir::Binding>& made);
    ir::Body side(const Term& term, ScopeId scope);
    ir::Type type_with(const Term& term, std::uint32_t result, std::size_t& position, const SizeId*& extents);
    std::vector<ir::Type> types_with(const Term& term, const std::vector<SizeId>& extents);
    std::vector<SizeId> extents_from(ValueId first, std::size_t count);
    ValueId append(ir::ArrayOp op, std::vector<ir::Type> types, ir::SiteId where, std::vector<ir::Binding>& made);
    ir::SiteId site(TermId id);

    ir::ArrayOp operation(TermId id);
    ir::Fn function(TermId id, const ir::Fn& fn, ir::Captures& captures);
    ir::ArrayOp map(TermId id, const front::Map& op);
    template <class Made, class Op>
    Made reduction(TermId id, const Op& op);
    ir::ArrayOp fold(TermId id, const front::Fold& op);
    ir::ArrayOp scan(TermId id, const front::Scan& op);
    ir::ArrayOp scatter(TermId id, const front::Scatter& op);
    ir::View slice(TermId id, std::vector<std::int64_t> steps);
    ir::View pad(TermId id);
    std::size_t foreign(const ForeignRef& function);
    ir::ArrayOp loop(TermId id, const front::Loop& op);
    void bind_changing(const Term& term, std::vector<ir::Type>& types);
    void bind_parameters(const Scope& scope, std::vector<ir::Type>& params);
    ir::Map constant(const Term& term, std::uint64_t bits) const;
    ir::Map extent(const Term& term, std::size_t axis) const;
    std::vector<ir::Body> bodies(const Term& term);

    /// Takes the operands of a term one after another.
    class OperandReader {
      public:
        OperandReader(const Binding& binding, TermId id) : binding_(binding), rest_(binding.uses(id)) {}
        std::vector<ValueId> take(std::size_t count) {
            std::vector<ValueId> ids = binding_.values(rest_.first(count));
            rest_ = rest_.subspan(count);
            return ids;
        }
        ir::Captures take(const front::Captures& captures) {
            std::vector<ValueId> scalars = take(captures.scalars.size());
            return {std::move(scalars), take(captures.arrays.size())};
        }

      private:
        const Binding& binding_;
        std::span<const Use> rest_;
    };

    ValueId value(const Use& use) const { return level_[pruned_.variable(use)]; }
    std::vector<ValueId> values(std::span<const Use> uses) const;
    std::span<const Use> uses(TermId id) const { return pruned_.in(pruned_[id].uses); }
    ir::Type type(const Term& term, std::uint32_t result);
    SizeId size(SizeId provisional) { return final_size(sized_.sizes.resolve(provisional)); }
    SizeId final_size(SizeId provisional);
    SizeId enter(const Size& provisional);

    const Pruned& pruned_;
    Sized& sized_;
    const Floated& floated_;
    Inputs inputs_;
    Result out_;
    std::vector<TermId> order_;                               ///< live terms by home, each in prune's order
    std::vector<Range> order_of_;                             ///< one per scope: its part of order_
    std::vector<ValueId> level_;                              ///< one per variable
    std::vector<ir::SiteId> site_of_;                         ///< one per term
    std::vector<std::vector<Requirement*>> requirements_of_;  ///< one per scope
    std::vector<SizeId> final_;                               ///< one per provisional size; invalid if it has not been
                                                              ///< entered yet
    std::vector<std::uint32_t> argument_of_;                  ///< one per provisional size argument
    std::size_t next_level_ = 0;
};

}  // namespace sinter::convert
