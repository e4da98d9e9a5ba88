// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Classes of sizes that are equal, and for each the one that stands for all.
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

/// The entries of a growing SizeTable, which every function has to be given, partitioned: sizes that were merged are one
/// class, and so are sums, products, ... of equal operands. Entering and merging n sizes costs O(n log n) look-ups, and for
/// each change of a representative a walk over what it is made of.
///
/// A class is represented by the entry that can be written in most places: what mentions no variable's value before what
/// does, earlier variables before later ones; then constants, expressions, symbols. No representative is made of its
/// own class, not even through the representatives of its operands.
class SizeClasses {
  public:
    using Table = ir::SizeTable;

    /// A number for id's class, the same until it is merged.
    std::uint32_t class_of(const Table& table, SizeId id);
    SizeId representative(std::uint32_t number) const { return classes_[number].representative; }
    /// Makes a and b equal; they are of two classes. True if a's representative stands for both now.
    bool merge(const Table& table, SizeId a, SizeId b);
    /// How often merge() was called.
    std::uint32_t merges() const { return merges_; }

    // Facts of a class, known from any of its members.
    bool is_nonnegative(std::uint32_t number) const { return classes_[number].nonnegative; }
    std::optional<std::int64_t> known(std::uint32_t number) const { return classes_[number].known; }
    void set_nonnegative(std::uint32_t number) { classes_[number].nonnegative = true; }
    void set_known(std::uint32_t number, std::int64_t value) { classes_[number].known = value; }
    /// The class is that of a variable's value which is known before the program runs. To be said when that is entered.
    void set_global(std::uint32_t number) { classes_[number].reach.last_local = -1; }

  private:
    /// Where a size can be written.
    struct Reach {
        std::int64_t last_local = -1;  ///< the last variable it mentions that the program computes
        bool mentions_value = false;
        auto operator<=>(const Reach&) const = default;
    };
    struct Class {
        SizeId representative;
        Reach reach;  ///< of the representative, its operands represented
        bool nonnegative = false;
        std::optional<std::int64_t> known;
        std::vector<SizeId> users;  ///< compound sizes with an operand in this class
    };
    using Order = std::tuple<std::int64_t, int, SizeId>;

    void enter(const Table& table, SizeId id);
    void enter_compound(const Table& table, SizeId id);
    std::uint32_t find(SizeId id);
    std::uint64_t signature(const Size& size);
    Reach reach(const Size& size);
    static Order order(const Size& size, SizeId id, const Reach& reach);
    bool is_made_of(const Table& table, SizeId compound, std::uint32_t number);

    void merge_pending(const Table& table);
    void join(const Table& table, std::uint32_t kept, std::uint32_t left);
    bool stands_for_both(const Table& table, std::uint32_t a, std::uint32_t b);
    void reconsider_pending(const Table& table);
    void reconsider(const Table& table, SizeId user);

    std::vector<Class> classes_;          ///< one an entry; of use while the entry is its own parent
    std::vector<std::uint32_t> parents_;  ///< one an entry
    std::vector<std::uint32_t> visited_;  ///< one an entry: the last walk that met its class
    std::uint32_t walks_ = 0, merges_ = 0;
    HashTable signatures_;                          ///< compound sizes by kind and classes of operands
    std::vector<std::pair<SizeId, SizeId>> equal_;  ///< still to be merged
    std::vector<std::uint32_t> improved_;           ///< classes whose users may have become better representatives
};

}  // namespace sinter::convert
