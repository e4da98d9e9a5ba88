// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One round of lift: the vmaps that contain no vmap are replaced by their lifted bodies. lift.cpp explains the idea; the
/// rules are in lift_rules.hpp.
#pragma once

#include "enable/flatten/flats.hpp"

namespace sinter::enable {

class Lifter final : public Slices {
  private:
    bool before_renaming(ir::Binding& binding) override;
    void binding(ir::Binding&& binding) override;
    void guard(ir::Guard&& guard) override;
    void vmap(ir::Binding& binding, ir::Vmap& vmap);
    /// Applies the rule of the binding's operation. `batched`: the flags of its results.
    void lift(const ir::Binding& binding, const Flags& batched);
    void lift_extents(ir::Binding& binding);
    void refuse_varying_sizes(const ir::Binding& binding);
    void flatten(ir::Binding& binding);

    Flats flats_{*this};
};

}  // namespace sinter::enable
