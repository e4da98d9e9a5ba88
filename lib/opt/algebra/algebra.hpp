// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A block builder that emits the simplest equivalent of each instruction: constants are folded, identities that hold bit
/// for bit under IEEE 754 are applied (all NaNs count as equal), and operands of commutative operations are put in order.
#pragma once

#include "ir/builder.hpp"

#include <optional>
#include <vector>

namespace sinter::opt {

class Algebra {
  public:
    ir::Local open(const std::vector<ir::Scalar>& params);
    ir::Block close(std::vector<ir::Local> results);

    /// The value of an instruction without blocks and with one result; emits whatever is needed for it.
    ir::Local emit(ir::Inst inst);
    /// Appends an instruction unchanged; returns its first result.
    ir::Local append(ir::Inst inst);
    ir::Local constant(ir::Scalar type, std::uint64_t bits);
    std::optional<std::uint64_t> constant(ir::Local local) const;

    std::size_t level() const { return to_.level(); }

  private:
    using Local = ir::Local;
    using Inst = ir::Inst;
    using Op = ir::Op;
    using Scalar = ir::Scalar;
    using Found = std::optional<Local>;  ///< a simpler value, if there is one

    Local emit(Op op, Local a, Local b);
    Local emit(Op op, Local a);
    const Inst* definition(Local local, Op op) const;
    bool is(Local local, double value) const;
    bool is_all_ones(Local local) const;
    std::optional<int> power_of_two(Local local) const;
    Local number(Scalar type, std::int64_t value);

    Found folded(const Inst& inst);
    void order(Inst& inst) const;
    Found simpler(const Inst& inst);
    Found add(Local a, Local b);
    Found sub(Local a, Local b);
    Found mul(Local a, Local b);
    Found div(Local a, Local b);
    Found rem(Local a, Local b);
    Found pow(Local a, Local b);
    Found combine_constants(Op op, Local a, Local b);
    Found logic(Op op, Local a, Local b);
    Found bit_not(Local a);
    Found comparison(Op op, Local a, Local b);
    Found select(Local condition, Local a, Local b);
    Found cast(Scalar to, Local a);
    Found bit_cast(Scalar to, Local a);
    Found rounding(Local a) const;

    ir::BlockBuilder to_;
    std::vector<Inst> definitions_;  ///< by local; parameters and results of control have op == Op::store
};

}  // namespace sinter::opt
