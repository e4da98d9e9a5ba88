// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What scopes a term depends on.
#pragma once

#include "convert/sharing/prune.hpp"

#include <vector>

namespace sinter::convert {

/// The innermost scope of which a term uses a parameter. The scopes that it needs are nested, and a scope stands before
/// those inside it: of two needs the greater is the inner one, and the terms that need it also need the other.
class Needs {
  public:
    /// Linear in terms and uses.
    explicit Needs(const Pruned& pruned);

    /// The program's if it needs no parameter.
    ScopeId of(TermId id) const { return of_term_[id.index]; }
    /// Of two needed scopes, if there are two, the inner one; notes that it lies in the other.
    ScopeId innermost(ScopeId a, ScopeId b);

  private:
    ScopeId of_results(const Pruned& pruned, ScopeId scope);

    std::vector<ScopeId> of_term_;
    std::vector<ScopeId> outer_;  ///< one a scope: what the terms that need it also need, outside it
};

}  // namespace sinter::convert
