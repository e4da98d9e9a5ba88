// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Equalities between sizes.
#pragma once

#include "convert/sizes/size_classes.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sinter::convert {

/// A table of sizes and the equations assumed between them. Consequences are proved by congruence and by the normal forms of
/// the table; no other arithmetic is tried, so an equation that always holds may still be assumed, and checked.
///
/// Equal sizes are written in one way, the best everywhere (SizeClasses). No extent of an input is written as the value of a
/// variable, and nothing is written as a value that has a place unless it mentions a value of that place or a greater one.
class Equalities {
  public:
    using Equation = std::pair<SizeId, SizeId>;
    enum class Outcome : std::uint8_t { proved, assumed, contradiction };
    struct Answer {
        Outcome outcome;
        Equation equation;  ///< if assumed: what remains to be checked; for a contradiction: the two sides, resolved
    };

    ir::SizeTable table;

    /// Makes a and b equal. Each assumption is reported once: from then on, what it implies can be proved.
    Answer unify(SizeId a, SizeId b);
    /// True if they are equal without further assumptions.
    bool proves(SizeId a, SizeId b);
    /// What else has to be checked for the assumptions and conclusions of unify() since the last call: equations between
    /// sizes and those that represent them.
    std::vector<Equation> take_implied() { return classes_.take_implied(); }
    /// The normal form under all equations; sizes with equal forms are equal. Linear in the classes of which it is made.
    SizeId resolve(SizeId id);
    /// How often the normal forms of sizes have changed.
    std::uint32_t changes() const { return classes_.merges(); }
    /// The value of a symbol, where this conversion knows it.
    void set_known(SizeId symbol, std::int64_t value);
    std::optional<std::int64_t> known(SizeId id) { return classes_.known(class_of(id)); }
    /// True if it cannot be negative: extents, literals, and sums, products, ... of those.
    bool is_nonnegative(SizeId id);
    void set_nonnegative(SizeId id) { classes_.set_nonnegative(class_of(id)); }
    /// Where a variable can be used; -1 if it is known before the program runs. Has to be set when its value is entered.
    void set_place(SizeId value, std::int64_t place) { classes_.set_place(class_of(value), place); }
    /// For the size as it stands, without resolving it.
    bool mentions_value(SizeId id);

  private:
    struct Resolved {
        SizeId form;
        std::uint32_t merges = 0;  ///< number of merges at which it was found, plus one; 0 if it was not
        bool begun = false;        ///< its operands are being resolved
    };

    std::uint32_t class_of(SizeId id) { return classes_.class_of(table, id); }
    Resolved& resolved(SizeId id);
    bool is_resolved(SizeId id) { return resolved(id).merges == classes_.merges() + 1; }
    SizeId rebuilt(SizeId representative);
    bool strip(SizeId& a, SizeId& b) const;
    void learn(SizeId a, SizeId b);

    SizeClasses classes_;
    std::vector<Resolved> resolved_;  ///< by number of the class
    std::vector<bool> mentions_;      ///< one per entry
};

/// Calls visit(id) once on every size in `whole`, including itself; visit returns true to continue with the size's operands.
template <class F>
void for_each_part(const ir::SizeTable& table, SizeId whole, F visit);

template <class F>
void for_each_part(const ir::SizeTable& table, SizeId whole, F visit) {
    if (!is_compound(table[whole])) return void(visit(whole));
    HashTable seen;
    std::vector<SizeId> stack{whole};
    while (!stack.empty()) {
        SizeId top = stack.back();
        stack.pop_back();
        if (seen.find(top.index) != HashTable::none) continue;
        seen.insert(top.index, 1);
        if (!visit(top) || !is_compound(table[top])) continue;
        stack.push_back(table[top].right);
        stack.push_back(table[top].left);
    }
}

}  // namespace sinter::convert
