// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What an operation needs of its operands' sizes.
#pragma once

#include "convert/hash_table.hpp"
#include "convert/sizes/sizes.hpp"

#include <functional>
#include <string>

namespace sinter::convert {

/// Proves, or adds to Sized::requirements, each once.
class Requirements {
  public:
    /// `branches`: some term may be executed in one branch of a conditional alone.
    Requirements(Sized& sized, bool branches) : sized_(sized), branches_(branches) {}

    /// The term that needs what follows, for messages and requirements.
    void set_term(TermId term, const front::Node& node) {
        term_ = term;
        node_ = &node;
    }
    /// `describe` says what the user did; it is called only if there is something to say.
    template <class Describe>
    void equal(SizeId a, SizeId b, Describe describe) {
        if (a == b) return;
        Equalities::Answer answer = sized_.sizes.unify(a, b);
        if (answer.outcome != Equalities::Outcome::proved) settle(answer, describe());
        implied(describe);
    }
    /// What the sizes' equations imply.
    template <class Describe>
    void implied(Describe describe) {
        for (auto [left, right] : sized_.sizes.take_implied()) add(left, right, describe());
    }
    /// low <= high, as maximum(low, high) = high. Where it is known not to hold, float_terms throws, once it is known that
    /// no branch of a conditional keeps the term from being executed.
    void at_most(SizeId low, SizeId high, const std::function<std::string()>& describe) {
        at_most(low, high, describe, Requirement::Place::branch);
    }
    /// The same, needed only where the term is executed, and an error only there.
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
