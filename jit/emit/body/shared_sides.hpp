// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Long sides of branches as functions. The rare path of a mathematical function, such as the reduction of a large angle, is
/// several times as long as the usual one. A kernel has a copy of it for each call and each column; all of these call one
/// function of one vector instead, which takes a third of the time to compile.
#pragma once

#include "jit/emit/body/scope.hpp"

#include <optional>
#include <string>
#include <unordered_map>

namespace sinter::emit {

class SharedSides {
  public:
    SharedSides(Code& code, const Scope& scope) : code_(code), scope_(scope) {}

    /// The results of the block, which varies from lane to lane, as those of a call for each part; nothing if it is short,
    /// or does more than compute numbers from numbers. They are arbitrary in lanes in which the block is not executed.
    std::optional<Values> call(const Block& b);

  private:
    /// What a block reads from outside of it: constants, which the function has as well, and its parameters.
    struct Outside {
        std::vector<ir::Local> parameters;
        std::string text;  ///< of the function: equal texts are equal functions
    };
    std::optional<Outside> outside(const Block& b) const;
    llvm::Function* function(const Block& b, const Outside& outside);
    llvm::Function* declare(const Block& b, const Outside& outside);

    Code& code_;
    const Scope& scope_;
    std::unordered_map<std::string, llvm::Function*> functions_;  ///< by text
};

}  // namespace sinter::emit
