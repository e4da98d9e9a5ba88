// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The rules for blocks, which are the same in functions (verify.hpp) and in kernels (lower/verify.hpp).
#pragma once

#include "ir/function.hpp"

#include <string>
#include <vector>

namespace sinter::ir {

/// Walks through blocks with the types of the locals in scope. Instructions other than control flow are left to the derived
/// verifier.
class BlockVerifier {
  protected:
    using Scalars = std::vector<Scalar>;

    /// The names of the invariants for scopes, constants and control flow.
    struct Names {
        const char *scope, *constant, *control;
        bool effects = false;  ///< blocks may store: a loop need not have states
    };

    BlockVerifier(std::string what, Names names) : what_(std::move(what)), names_(names) {}
    virtual ~BlockVerifier() = default;

    /// Checks any instruction but cond, while_loop and for_loop.
    virtual void instruction(const Inst& inst, const Scalars& operands) = 0;

    /// Throws an InternalError that names the place if the condition does not hold.
    void require(bool condition, const char* invariant, const char* what) const;

    /// Checks a block and returns the types of its results.
    Scalars block(const Block& block);
    /// Checks a block of an instruction that has to have parameters and results of these types.
    void nested(const Inst& inst, std::size_t position, const Scalars& params, const Scalars& results,
                const char* invariant);
    /// Checks a block of an instruction whose results may have any types.
    Scalars nested(const Inst& inst, std::size_t position, const Scalars& params, const char* invariant);
    void constant(const Inst& inst) const;

  private:
    Scalar use(Local local) const;
    Scalars use(const std::vector<Local>& locals) const;
    void control(const Inst& inst, const Scalars& operands);
    void cond(const Inst& inst, const Scalars& operands);
    void loop(const Inst& inst, const Scalars& operands);

    std::string what_;
    Names names_;
    const Inst* inst_ = nullptr;
    Scalars types_;
};

}  // namespace sinter::ir
