// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What blocks have to keep to wherever they are: in functions (verify.hpp) and in kernels (lower/verify.hpp).
#pragma once

#include "ir/function.hpp"

#include <string>
#include <vector>

namespace sinter::ir {

/// Goes through blocks with the types of the locals in scope. Other instructions than control flow are the derived
/// verifier's.
class BlockVerifier {
  protected:
    using Scalars = std::vector<Scalar>;

    /// What the invariants of scopes, constants and control flow are called.
    struct Names {
        const char *scope, *constant, *control;
    };

    BlockVerifier(std::string what, Names names) : what_(std::move(what)), names_(names) {}
    virtual ~BlockVerifier() = default;

    /// Anything but cond, while_loop and for_loop.
    virtual void instruction(const Inst& inst, const Scalars& operands) = 0;

    /// Throws InternalError, which names the place, if the condition does not hold.
    void require(bool condition, const char* invariant, const char* what) const;

    /// The types of its results.
    Scalars block(const Block& block);
    /// A block of an instruction, which takes and gives values of these types.
    void nested(const Inst& inst, std::size_t position, const Scalars& params, const Scalars& results,
                const char* invariant);
    /// A block of an instruction, whatever it gives.
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
