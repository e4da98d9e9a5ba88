// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sizes that are equal.
#pragma once

#include "convert/sizes/size_classes.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sinter::convert {

/// A table of sizes and the equations assumed between them. What follows is proved by congruence and by the table's normal
/// forms; other arithmetic is not looked for, so that an equation may be assumed, and checked, that holds anyway.
///
/// Equal sizes are written in one way, the best everywhere (SizeClasses). No input's extent is written as a variable's
/// value, and nothing as a value that has a place unless it mentions one of that place or a greater one.
class Equalities {
  public:
    using Equation = std::pair<SizeId, SizeId>;
    enum class Outcome : std::uint8_t { proved, assumed, contradiction };
    struct Answer {
        Outcome outcome;
        Equation equation;  ///< assumed: what remains to be checked; contradiction: the sides, resolved
    };

    ir::SizeTable table;

    /// Makes a and b equal. Each assumption is answered once: what it implies is proved from then on.
    Answer unify(SizeId a, SizeId b);
    /// Whether they are equal anyway.
    bool proves(SizeId a, SizeId b);
    /// What else has to be checked of what unify() assumed and concluded since the last call: equations of the sizes by
    /// which others are represented.
    std::vector<Equation> take_implied() { return classes_.take_implied(); }
    /// Normal form under all equations; equal forms are equal sizes. Linear in the classes it is made of.
    SizeId resolve(SizeId id);
    /// How often what sizes resolve to changed.
    std::uint32_t changes() const { return classes_.merges(); }
    /// The value of a symbol, as far as it is known in this conversion.
    void set_known(SizeId symbol, std::int64_t value);
    std::optional<std::int64_t> known(SizeId id) { return classes_.known(class_of(id)); }
    /// True if it cannot be negative: extents, literals, and sums, products, ... of those.
    bool is_nonnegative(SizeId id);
    void set_nonnegative(SizeId id) { classes_.set_nonnegative(class_of(id)); }
    /// Where a variable can be used, -1: it is known before the program runs. To be said when its value is entered.
    void set_place(SizeId value, std::int64_t place) { classes_.set_place(class_of(value), place); }
    /// As it stands.
    bool mentions_value(SizeId id);

  private:
    struct Resolved {
        SizeId form;
        std::uint32_t merges = 0;  ///< it was found after so many, plus one; 0: never
        bool begun = false;        ///< what it is made of is being resolved
    };

    std::uint32_t class_of(SizeId id) { return classes_.class_of(table, id); }
    Resolved& resolved(SizeId id);
    bool is_resolved(SizeId id) { return resolved(id).merges == classes_.merges() + 1; }
    SizeId rebuilt(SizeId representative);
    bool strip(SizeId& a, SizeId& b) const;
    void learn(SizeId a, SizeId b);

    SizeClasses classes_;
    std::vector<Resolved> resolved_;  ///< by number of a class
    std::vector<bool> mentions_;      ///< one an entry
};

/// Calls visit(id) once on every size in `whole`, itself included; it says whether to go on to the size's operands.
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
