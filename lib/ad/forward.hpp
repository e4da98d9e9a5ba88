// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Forward mode of programs.
#pragma once

#include "ad/sweep.hpp"

namespace sinter::ad {

/// Replaces each jvp whose body contains no nest and no derivative: every operation on something that depends on the
/// arguments is followed or accompanied by one on the tangents.
class Forward final : public Sweep {
  private:
    bool before_renaming(ir::Binding& binding) override;
    void differentiate(ir::Binding& binding, ir::Derivative& derivative);

    /// Applies the rule of a binding on which a tangent depends. The binding has old names, except in its types.
    void push(ir::Binding& binding);
    void push_map(const ir::Map& map, std::vector<ir::Type> types);
    void push_fold(const ir::Fold& fold, std::vector<ir::Type> types);
    void push_scan(const ir::Scan& scan, std::vector<ir::Type> types);
    void push_view(const ir::View& view, ir::Type type);
    void push_gather(const ir::Gather& gather, std::vector<ir::Type> types);
    void push_compact(const ir::Compact& compact, std::vector<ir::Type> types);
    void push_scatter(const ir::Scatter& scatter, std::vector<ir::Type> types);
    void push_chosen(const ir::Scatter& scatter, ir::Type type);
    void push_last(const ir::Scatter& scatter, std::vector<ir::Type> types);
    void push_sort(const ir::Sort& sort, std::vector<ir::Type> types);
    void push_force(const ir::Force& force, std::vector<ir::Type> types);
    void push_cond(ir::Cond& cond, std::vector<ir::Type> types);
    void push_loop(ir::Loop& loop, std::vector<ir::Type> types);
    void push_custom(ir::Custom& custom, std::vector<ir::Type> types);
    void push_checkpoint(ir::Custom& custom);

    /// The tangent of a variable, by its old name.
    Derived tangent(ir::ValueId old) const { return old.index < tangents_.size() ? tangents_[old.index] : std::nullopt; }
    bool is_varied(const ir::Binding& binding) const;
    /// The tangents of floating-point variables, zeros where there are none; nothing for other variables.
    std::vector<ir::ValueId> all_tangents(const std::vector<ir::ValueId>& old);
    /// The same for those variables that have a tangent. `which`: their positions.
    std::vector<ir::ValueId> some_tangents(const std::vector<ir::ValueId>& old, std::vector<std::size_t>& which) const;
    struct Operator;
    Operator dual_operator(const ir::Fn& op, const ir::Captures& captures, std::size_t states);
    /// Defines the binding's results and their tangents. The latter are the variables from `tangent` on, for the results
    /// `varied`.
    void define_results(std::vector<ir::ValueId> primals, std::vector<Derived> tangents);
    void define_results(ir::ValueId first, std::size_t count, const std::vector<std::size_t>& varied);
    /// The parameters of a body that have tangents.
    struct DualParams {
        std::size_t first_state = 0;
        std::vector<std::size_t> states;      ///< which of those from number first_state on
        std::vector<ir::StateAxis> changing;  ///< axes of these tangents whose extents are parameters, before the states
    };
    /// A body with the tangents of its parameters, which follow these, and those of its results.
    ir::Body dual_body(ir::Body& body, const DualParams& dual, bool with_tangents);

    bool active_ = false;
    std::vector<Derived> tangents_;  ///< by old level
};

}  // namespace sinter::ad
