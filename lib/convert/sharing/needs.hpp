// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The scopes on which a term depends.
#pragma once

#include "convert/sharing/prune.hpp"

#include <vector>

namespace sinter::convert {

/// The innermost scope of which a term uses a parameter. The scopes that a term needs are nested, and a scope is numbered
/// before those inside it: the greater of two needs is the inner one, and terms that need it also need the other.
class Needs {
  public:
    /// Linear in terms and uses.
    explicit Needs(const Pruned& pruned);

    /// The scope of the program if the term needs no parameter.
    ScopeId of(TermId id) const { return of_term_[id.index]; }
    /// The inner one of two needed scopes, if there are two; notes that it lies inside the other.
    ScopeId innermost(ScopeId a, ScopeId b);

  private:
    ScopeId of_results(const Pruned& pruned, ScopeId scope);

    std::vector<ScopeId> of_term_;
    std::vector<ScopeId> outer_;  ///< one per scope: what the terms that need it also need outside it
};

}  // namespace sinter::convert
