// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What an operation needs of its operands' sizes.
#pragma once

#include "convert/hash_table.hpp"
#include "convert/sizes/sizes.hpp"

#include <functional>
#include <string>

namespace sinter::convert {

/// Proves each requirement, or adds it to Sized::requirements, once.
class Requirements {
  public:
    /// `branches`: some terms may be executed in only one branch of a conditional.
    Requirements(Sized& sized, bool branches) : sized_(sized), branches_(branches) {}

    /// The term that needs what follows, for messages and requirements.
    void set_term(TermId term, const front::Node& node) {
        term_ = term;
        node_ = &node;
    }
    /// `describe` says what the user did; it is called only if something has to be reported.
    template <class Describe>
    void equal(SizeId a, SizeId b, Describe describe) {
        if (a == b) return;
        Equalities::Answer answer = sized_.sizes.unify(a, b);
        if (answer.outcome != Equalities::Outcome::proved) settle(answer, describe());
        implied(describe);
    }
    /// Takes over what the equations between sizes imply.
    template <class Describe>
    void implied(Describe describe) {
        for (auto [left, right] : sized_.sizes.take_implied()) add(left, right, describe());
    }
    /// Requires low <= high, as maximum(low, high) = high. If this is known not to hold, float_terms throws once it knows
    /// that no branch of a conditional keeps the term from being executed.
    void at_most(SizeId low, SizeId high, const std::function<std::string()>& describe) {
        at_most(low, high, describe, Requirement::Place::branch);
    }
    /// The same, but needed only where the term is executed, and an error only there.
    void at_most_there(SizeId low, SizeId high, const std::function<std::string()>& describe) {
        at_most(low, high, describe, Requirement::Place::term);
    }

  private:
    void at_most(SizeId low, SizeId high, const std::function<std::string()>& describe, Requirement::Place place);
    void settle(const Equalities::Answer& answer, std::string message);
    void add(SizeId left, SizeId right, std::string message);
    bool enter(SizeId left, SizeId right);

    Sized& sized_;
    bool branches_;
    HashTable entered_;
    TermId term_;
    const front::Node* node_ = nullptr;
};

}  // namespace sinter::convert
