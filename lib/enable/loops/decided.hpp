// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Comparisons that come out the same for all elements behind a panel (blocked_steps.hpp).
#pragma once

#include "ir/builder.hpp"

#include <unordered_map>

namespace sinter::enable {

/// Both indices of an element behind the panel are greater than the counter of each step of its block. So `i > k` holds,
/// and `j == k` does not. Knows the locals of the function that is being written.
class Decided {
  public:
    void counter(ir::Local local) { known_[local] = {0, 0, 1, 0}; }
    /// The local is the index along the axis, minus the counter, minus `less`.
    void place(ir::Local local, std::size_t axis, std::int64_t less) { known_[local] = {axis, 1, -1, -less}; }

    /// For inline_block: writes a constant in place of a comparison that is decided.
    std::optional<ir::Local> rewrite(ir::BlockBuilder& to, const ir::Inst& inst);

  private:
    /// of_index * the index along `axis` + of_counter * the counter + constant
    struct Form {
        std::size_t axis = 0;
        std::int64_t of_index = 0, of_counter = 0, constant = 0;
    };
    std::optional<Form> form(const ir::Inst& inst) const;
    std::optional<Form> difference(ir::Local a, ir::Local b, std::int64_t sign) const;
    std::optional<bool> holds(const ir::Inst& inst) const;

    std::unordered_map<ir::Local, Form> known_;
};

}  // namespace sinter::enable
