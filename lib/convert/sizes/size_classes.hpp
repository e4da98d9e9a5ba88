// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Classes of equal sizes, and for each the size that stands for all of them.
#pragma once

#include "convert/hash_table.hpp"
#include "ir/type.hpp"

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace sinter::convert {

using ir::Size;
using ir::SizeId;

inline bool is_symbol(const Size& size) { return size.kind <= Size::Kind::value; }
inline bool is_compound(const Size& size) { return size.kind > Size::Kind::constant; }

/// A partition of the entries of a growing SizeTable, which has to be passed to every function: sizes that were merged are
/// one class, and so are sums, products, ... of equal operands. Entering and merging n sizes costs O(n log n) look-ups, and
/// for each change of a representative a walk over its parts.
///
/// A class is represented by the entry that can be written in most places: sizes that mention no variable's value come
/// first, and earlier variables come before later ones; then come constants, expressions and symbols. No representative
/// contains its own class, not even through the representatives of its operands.
class SizeClasses {
  public:
    using Table = ir::SizeTable;

    /// A number for the class of id, which stays the same until the class is merged.
    std::uint32_t class_of(const Table& table, SizeId id);
    SizeId representative(std::uint32_t number) const { return classes_[number].representative; }
    /// Makes a and b, which are in two classes, equal. Returns true if a's representative now stands for both.
    bool merge(const Table& table, SizeId a, SizeId b);
    /// How often representatives have changed.
    std::uint32_t merges() const { return merges_; }

    // Facts about a class, known from any of its members.
    bool is_nonnegative(std::uint32_t number) const { return classes_[number].nonnegative; }
    std::optional<std::int64_t> known(std::uint32_t number) const { return classes_[number].known; }
    void set_nonnegative(std::uint32_t number) { classes_[number].nonnegative = true; }
    void set_known(std::uint32_t number, std::int64_t value) { classes_[number].known = value; }
    /// Where the variable can be used whose value the class is. Has to be set when the class has just been entered: -1
    /// before the program runs, otherwise the number of the variable; the greater it is, the fewer the places.
    void set_place(std::uint32_t number, std::int64_t place) { classes_[number].reach.last_place = place; }
    /// Equations that follow from merged sizes, but whose sides can be written in places where the merged ones cannot.
    /// Empties the list.
    std::vector<std::pair<SizeId, SizeId>> take_implied() { return std::exchange(implied_, {}); }

  private:
    /// Where a size can be written.
    struct Reach {
        std::int64_t last_place = -1;  ///< the greatest place of the variables that it mentions
        bool mentions_value = false;
        auto operator<=>(const Reach&) const = default;
    };
    struct Class {
        SizeId representative;
        Reach reach;  ///< reach of the representative with represented operands
        bool nonnegative = false;
        std::optional<std::int64_t> known;
        std::vector<SizeId> users;  ///< compound sizes with an operand in this class
    };
    using Order = std::tuple<std::int64_t, int, SizeId>;

    void enter(const Table& table, SizeId id);
    void enter_compound(const Table& table, SizeId id);
    void join_congruent(const Table& table, SizeId id, std::uint32_t number);
    std::uint32_t find(SizeId id);
    std::uint64_t signature(const Size& size);
    Reach reach(const Size& size);
    static Order order(const Size& size, SizeId id, const Reach& reach);
    bool is_made_of(const Table& table, SizeId compound, std::uint32_t number);

    void merge_equal(const Table& table);
    void join(const Table& table, std::uint32_t kept, std::uint32_t left);
    bool stands_for_both(const Table& table, std::uint32_t a, std::uint32_t b);

    std::vector<Class> classes_;          ///< one per entry; valid while the entry is its own parent
    std::vector<std::uint32_t> parents_;  ///< one per entry
    std::vector<std::uint32_t> visited_;  ///< one per entry: the last walk that met its class
    std::uint32_t walks_ = 0, merges_ = 0;
    HashTable signatures_;                          ///< compound sizes by kind and classes of operands
    std::vector<std::pair<SizeId, SizeId>> equal_;  ///< still to be merged
    std::vector<std::pair<SizeId, SizeId>> implied_;
};

}  // namespace sinter::convert
