// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Dual numbers, the instructions of forward mode.
#pragma once

#include "ir/derivative/terms.hpp"

#include <utility>
#include <vector>

namespace sinter::ir::derivative {

/// Copies instructions and follows each by those that compute its tangents in a number of directions.
class Duals {
  public:
    /// `primal`: by local of the function that is read; `tangents`: by local, then by direction; `slots`: by array, the slot
    /// of its tangent, which is one of the first direction.
    Duals(BlockBuilder& to, std::vector<Local> primal, std::vector<std::vector<Term>> tangents,
          const std::vector<std::optional<std::size_t>>& slots, std::size_t directions)
        : to_(to),
          terms_(to),
          primal_(std::move(primal)),
          tangents_(std::move(tangents)),
          slots_(slots),
          directions_(directions) {}

    void copy(const std::vector<Inst>& insts) {
        for (const Inst& inst : insts) copy(inst);
    }
    void copy(const Inst& inst);
    Local primal(Local old) const { return primal_[old.index]; }
    const Term& tangent(Local old, std::size_t direction = 0) const { return tangents_[old.index][direction]; }
    Terms& terms() { return terms_; }

  private:
    void define(Local local, std::vector<Term> tangents) {
        primal_.push_back(local);
        tangents_.push_back(std::move(tangents));
    }
    void forget(std::size_t level) {
        primal_.resize(level);
        tangents_.resize(level);
    }
    std::vector<Term> none() const { return std::vector<Term>(directions_); }
    std::vector<Local> primals(const std::vector<Local>& old) const {
        std::vector<Local> locals;
        for (Local local : old) locals.push_back(primal(local));
        return locals;
    }

    void read(const Inst& inst);
    void control(const Inst& inst);
    bool is_varied(const Inst& inst, std::size_t direction) const;
    void unvaried(const Inst& inst);
    /// What has tangents among the results of a control operation.
    struct Varied {
        std::vector<std::size_t> floats;      ///< the floating-point results
        std::vector<std::size_t> directions;  ///< those in which something comes in
    };
    Block block(const Block& old, const std::vector<Scalar>& params, std::size_t states, const Varied& varied,
                bool with_tangents);

    BlockBuilder& to_;
    Terms terms_;
    std::vector<Local> primal_;
    std::vector<std::vector<Term>> tangents_;
    const std::vector<std::optional<std::size_t>>& slots_;
    std::size_t directions_;
};

}  // namespace sinter::ir::derivative
