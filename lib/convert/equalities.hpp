// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sizes that are equal: union-find by substitution.
#pragma once

#include "convert/hash_table.hpp"
#include "ir/type.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sinter::convert {

using ir::Size;
using ir::SizeId;

/// A table of sizes with rewriting rules `left := right` between its entries. A symbol (an input's extent, an argument, a
/// variable's value) is replaced by what it must equal; where neither side is a symbol, one expression by the other.
///
/// A rule replaces towards what is known wherever a size may be written. No input's extent is replaced by a variable's
/// value, and nothing by a value of a *local* variable, one the program computes, unless it mentions a later one itself.
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
    /// Normal form under all rules; equal forms are equal sizes.
    SizeId resolve(SizeId id);
    /// The value of a symbol, as far as it is known in this conversion.
    void set_known(SizeId symbol, std::int64_t value);
    std::optional<std::int64_t> known(SizeId id);
    /// True if it cannot be negative: extents, literals, and sums, products, ... of those.
    bool is_nonnegative(SizeId id);
    void set_nonnegative(SizeId id);
    /// `symbol` is the value of an input of the program, not of a local variable. To be said when the symbol is entered.
    void set_global(SizeId symbol);
    bool mentions_value(SizeId id) { return facts(id).mentions_value; }

  private:
    struct Facts {
        SizeId rule;      ///< what it is replaced by
        SizeId resolved;  ///< valid if epoch is the present one
        std::uint32_t epoch = 0;
        bool nonnegative = false;
        bool mentions_value = false;
        std::int64_t last_local = -1;  ///< the last local variable it mentions
        std::optional<std::int64_t> known;
    };

    Facts& facts(SizeId id);
    void compute(SizeId id);
    bool occurs(SizeId part, SizeId whole) const;
    bool is_replaced(SizeId left, SizeId right);
    Answer assume(SizeId left, SizeId right);

    std::vector<Facts> facts_;
    std::uint32_t epoch_ = 1;  ///< number of rules + 1
};

/// Calls visit(id) once on every size in `whole`, itself included; it says whether to go on to the size's operands.
template <class F>
void for_each_part(const ir::SizeTable& table, SizeId whole, F visit);

inline bool is_symbol(const Size& size) { return size.kind <= Size::Kind::value; }
inline bool is_compound(const Size& size) { return size.kind > Size::Kind::constant; }

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
