// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Stage 1 of sharing recovery (McDonell 2013, section 3.2): the graph as terms, each of which occurs once, with its
/// occurrences counted.
#pragma once

#include "front/graph.hpp"
#include "support/id.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace sinter::convert {

/// A distinct node: its position in Pruned::terms. Operands come before their users.
using TermId = Id<struct TermTag>;
/// The program (0), a branch of a cond, or the condition or the body of a loop. A scope comes before those inside it.
using ScopeId = Id<struct ScopeTag>;

/// [begin, end) of one of Pruned's tables.
struct Range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

/// An occurrence of a term.
struct Use {
    TermId term;
    std::uint32_t result = 0;
    bool first = false;    ///< the traversal entered the term here; every other occurrence refers to it by name
    bool as_size = false;  ///< its value is used only as a size in the user's result
};

struct Term {
    const front::Node* node = nullptr;
    Range uses;                        ///< its operands, in for_each_operand's order
    Range scopes;                      ///< its nested scopes
    std::uint32_t occurrences = 0;     ///< number of uses that name it
    std::uint32_t first_variable = 0;  ///< its results are the variables from here on
    ScopeId binder;                    ///< for a parameter: the scope that binds it
    std::uint64_t changing = 0;        ///< one bit per axis, set if its extent changes (changing.hpp)
    std::uint32_t extents = 0;         ///< number of variables after its results that are extents of the results that change

    std::size_t variables() const { return node->types.size() + extents; }
    bool changes(std::size_t axis) const { return (changing & changing_bit(axis)) != 0; }
    /// The last bit stands for all axes that have none of their own.
    static std::uint64_t changing_bit(std::size_t axis) { return std::uint64_t{1} << std::min<std::size_t>(axis, 63); }
};

struct Scope {
    TermId owner;   ///< invalid for the program
    Range params;   ///< terms; empty for the program, whose parameters become terms where they are first used
    Range results;  ///< uses
};

/// The graph without its pointers, as linear tables. What McDonell 2013 draws as a tree with placeholders are here the uses
/// that are not `first`; a binder is represented by its scope.
struct Pruned {
    std::vector<Term> terms;
    std::vector<Use> uses;
    std::vector<Scope> scopes;
    std::uint32_t variables = 0;  ///< results of all terms, plus extents that change

    std::span<const Use> in(Range range) const { return std::span(uses).subspan(range.begin, range.end - range.begin); }
    const Term& operator[](TermId id) const { return terms[id.index]; }
    std::uint32_t variable(const Use& use) const { return terms[use.term.index].first_variable + use.result; }
    /// The operation whose body is `scope`; null for the program.
    template <class Op>
    const Op* owner(ScopeId scope) const {
        const TermId term = scopes[scope.index].owner;
        return term.valid() ? std::get_if<Op>(&terms[term.index].node->op) : nullptr;
    }
};

/// Visits the graph depth first, without recursion; linear in nodes and edges. `parameters` are those of the program. Nodes
/// with one name are one term. The name is the serial number, except that inputs are named by buffer and extents, and
/// literals by type and bits. Throws UsageError where a parameter is used outside the function to which it belongs.
Pruned prune(std::span<const front::Leaf> roots, std::span<const front::NodeRef> parameters);

}  // namespace sinter::convert
