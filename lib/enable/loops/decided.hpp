// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Comparisons that come out the same for all elements of a part of an elimination's box (blocked_steps.hpp).
#pragma once

#include "ir/builder.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace sinter::enable {

/// What is known of the indices of a part's elements. Knows the locals of the function that is being written.
class Decided {
  public:
    struct Bounds {
        std::int64_t least;
        std::optional<std::int64_t> most = {};
    };
    Decided() = default;
    /// Of each index, minus the counter. `apart`: columns are greater than rows.
    Decided(std::array<Bounds, 2> bounds, bool apart) : bounds_(bounds), apart_(apart) {}

    void counter(ir::Local local) { known_[local] = {{0, 0}, 1, 0}; }
    /// The local is the index along the axis, minus the counter, minus `less`.
    void place(ir::Local local, std::size_t axis, std::int64_t less) {
        Form& form = known_[local] = {{0, 0}, -1, -less};
        form.of_index[axis] = 1;
    }

    /// The local is the index along the axis: what comes to it, plus a constant, and comparisons of rows with columns are
    /// written without the counter.
    void index(ir::Local local, std::size_t axis) {
        known_[local].of_index[axis] = 1;
        index_[axis] = local;
    }

    /// For inline_block: writes a constant in place of a comparison that is decided.
    std::optional<ir::Local> rewrite(ir::BlockBuilder& to, const ir::Inst& inst);

  private:
    /// The sum of of_index[axis] * the index along the axis, and of_counter * the counter + constant.
    struct Form {
        std::array<std::int64_t, 2> of_index = {};
        std::int64_t of_counter = 0, constant = 0;
    };
    struct Range {
        std::optional<std::int64_t> least, most;
    };
    std::optional<Form> form(const ir::Inst& inst) const;
    std::optional<Form> difference(ir::Local a, ir::Local b, std::int64_t sign) const;
    Range range(const Form& form) const;
    std::optional<ir::Local> write(ir::BlockBuilder& to, const Form& form) const;
    std::optional<ir::Local> compared(ir::BlockBuilder& to, const ir::Inst& inst) const;
    std::optional<bool> holds(const ir::Inst& inst) const;

    std::array<Bounds, 2> bounds_{};
    bool apart_ = false;
    std::array<ir::Local, 2> index_{};
    std::unordered_map<ir::Local, Form> known_;
};

}  // namespace sinter::enable
