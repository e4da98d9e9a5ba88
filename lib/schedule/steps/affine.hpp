// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Numbers that a kernel computes, as affine functions of the indices of the point and of the counters of loops around them.
/// Sizes are numbers.
#pragma once

#include "schedule/steps/reach.hpp"

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

class AffineNumbers {
  public:
    AffineNumbers(const lower::Kernel& kernel, const std::int64_t* sizes, const KnownNumbers& known);

    /// Of a local of the kernel's body, outside of its loops.
    const MaybeAffine& operator[](ir::Local local) const { return locals_[local.index]; }
    /// What has made it; null for an index.
    const lower::Inst* maker(ir::Local local) const { return makers_[local.index]; }

    /// Whether each element of an output is stored exactly once, by one instruction, be it in counted loops.
    bool stores_each_once(std::size_t output) const;

  private:
    struct Store {
        std::size_t buffer;
        MaybeAffine offset;                 ///< none: anywhere, or not always
        std::vector<std::int64_t> extents;  ///< by index
    };

    void walk(const lower::Block& block);
    void enter(const lower::Inst& inst);
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
    bool always_ = true;                 ///< whether what is there is executed for all these indices
    std::vector<Store> stores_;
};

}  // namespace sinter::schedule
