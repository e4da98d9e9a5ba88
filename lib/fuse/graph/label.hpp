// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Traversal orders (van Balen 2024, section 3.3) as index functions: the label of a read is the chain of views and gathers
/// from the reader's index to the array's. Equal labels are equal index functions; unequal labels may still be equal
/// functions.
#pragma once

#include "fuse/partition.hpp"
#include "ir/sizes/linear.hpp"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace sinter::fuse {

using Label = Id<struct LabelTag>;

/// The reader's own index.
inline constexpr Label identity{std::size_t{0}};
/// A rank-0 variable: no index at all, whatever the reader's.
inline constexpr Label scalar_read{std::size_t{1}};

/// Chains of index functions, hash-consed. Adjacent transposes are merged.
class LabelTable {
  public:
    LabelTable();
    /// One view of an array of type `arg` with results of type `result`; views that change nothing are the identity.
    Label view(const ir::SizeTable& sizes, const ir::View& view, const ir::Type& arg, const ir::Type& result);
    /// A broadcast to a higher rank, of an array whose rank is not 0.
    Label broadcast(const ir::Broadcast& function);
    /// The order in which gather `operation` reads its sources; no other read has it.
    Label gather(Operation operation);
    /// First `outer`, applied to the reader's index, then `inner`.
    Label compose(Label outer, Label inner);
    /// True if several of the reader's indices lead to the same element.
    bool repeats(Label label) const { return entries_[label.index].repeats; }
    /// True if the elements read for neighbouring points may lie anywhere.
    bool gathers(Label label) const { return entries_[label.index].gathers; }
    /// The label without offsets of up to tuning::near elements. Reads of one course follow each other through an array so
    /// closely that what one of them has brought into the caches is still there for the others.
    Label course(Label label) const { return entries_[label.index].course; }
    /// The distance, in elements, between elements that are read one after the other along the array's last axis: 1 if they
    /// are neighbours, `far_apart` if they are in different lines of the array or anywhere. `rank` is that of the array.
    std::int64_t stride(Label label, std::size_t rank) const;
    /// The array's index as affine functions of the reader's, which has `rank` axes; nothing if it is not affine.
    std::optional<ir::AffinePoint> affine(Label label, std::size_t rank, const ir::SizeTable& sizes,
                                          ir::LinearForms& forms) const;

    static constexpr std::int64_t far_apart = std::int64_t{1} << 30;

  private:
    using AtomId = std::uint32_t;
    using Code = std::vector<std::int64_t>;  ///< kind, then parameters
    struct Atom {
        Code code;
        Code course;  ///< the same without near offsets; empty if nothing is left
        bool repeats;
    };
    struct Entry {
        Label parent;
        AtomId atom;
        bool repeats;
        bool gathers;
        Label course;
    };
    AtomId atom(std::vector<std::int64_t> code, bool repeats) { return atom(code, code, repeats); }
    AtomId atom(std::vector<std::int64_t> code, std::vector<std::int64_t> course, bool repeats);
    AtomId slice(const ir::SizeTable& sizes, const ir::View& view, const ir::Type& arg, const ir::Type& result);
    AtomId shift(const ir::Shift& function);
    Label append(Label label, AtomId atom);
    Label append_transpose(Label label, AtomId atom);
    Label course_of(Label parent, AtomId atom);
    Label enter(Label parent, AtomId atom);

    std::vector<Atom> atoms_;
    std::map<std::vector<std::int64_t>, AtomId> atom_ids_;
    std::vector<Entry> entries_;
    std::unordered_map<std::uint64_t, Label> ids_;       ///< by parent and atom
    std::unordered_map<std::uint64_t, Label> composed_;  ///< by outer and inner
};

}  // namespace sinter::fuse
