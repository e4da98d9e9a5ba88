// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Numbers that a kernel computes, as affine functions of the indices of the point and of the counters of loops around them.
/// Sizes are numbers.
#pragma once

#include "lower/kernel.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::schedule {

/// A constant, and a factor for each index: those of the point, then the counters of loops, from the outermost on. Those
/// that are missing are 0.
struct Affine {
    std::vector<std::int64_t> factors;
    std::int64_t constant = 0;

    bool is_constant() const;
    bool operator==(const Affine&) const = default;
};
using MaybeAffine = std::optional<Affine>;

/// By buffer: the number that it consists of, where that is known. Missing ones are not known.
using KnownNumbers = std::vector<std::optional<std::int64_t>>;

class AffineNumbers {
  public:
    AffineNumbers(const lower::Kernel& kernel, const std::int64_t* sizes, const KnownNumbers& known);

    /// Of a local of the kernel's body, outside of its loops.
    const MaybeAffine& operator[](ir::Local local) const { return locals_[local.index]; }
    /// What has made it; null for an index.
    const lower::Inst* maker(ir::Local local) const { return makers_[local.index]; }

    /// A load, store or update, be it in counted loops or in those of one axis that make elements of a reduce or execute a
    /// block for each index: these are counters, too.
    struct Access {
        const lower::Inst* inst;
        const lower::Inst* loop;            ///< what contains it in the kernel's body; null if that does itself
        MaybeAffine offset;                 ///< none: anywhere
        std::vector<std::int64_t> extents;  ///< by index
        bool always;                        ///< whether it is known to be executed exactly once for all these indices
        bool guarded;                       ///< whether a condition decides if it is executed, be it that of a loop
        std::size_t level;                  ///< locals in scope
    };
    const std::vector<Access>& accesses() const { return accesses_; }

    /// Whether each element of an output is stored exactly once, by one instruction, be it in loops that are counted or go
    /// over one axis.
    bool stores_each_once(std::size_t output) const;
    /// Whether no element of `buffer` is updated by points that differ in the first `axes` axes. Not where conditions decide
    /// about updates: what lanes keep of them is combined with an element even if there was none.
    bool updates_apart(std::size_t buffer, std::size_t axes) const;

  private:
    void walk(const lower::Block& block);
    void enter(const lower::Inst& inst);
    std::int64_t count_of(const lower::Inst& inst) const;
    void add(MaybeAffine number, const lower::Inst* maker);
    Affine number(std::int64_t n) const;
    Affine index(std::size_t k) const;
    MaybeAffine value(const lower::Inst& inst) const;

    const lower::Kernel& kernel_;
    const std::int64_t* sizes_;
    const KnownNumbers& known_;
    std::vector<MaybeAffine> locals_;
    std::vector<const lower::Inst*> makers_;
    std::vector<std::int64_t> extents_;  ///< by index, where the walk is
    bool guarded_ = false;               ///< whether a condition decides about what is there
    bool always_ = true;                 ///< whether what is there is executed for all these indices
    const lower::Inst* loop_ = nullptr;  ///< of the body, where the walk is
    std::vector<Access> accesses_;
};

}  // namespace sinter::schedule
