// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Indices in a map's function that denote a neighbour of its own point.
#pragma once

#include "ir/program.hpp"

#include <functional>
#include <optional>

namespace sinter::enable {

/// The map's index along an axis plus an offset; beyond the end of an axis with the map's extent, the boundary says what is
/// read. If the offset is not 0, there is a boundary.
struct NeighbourIndex {
    std::size_t axis;
    std::int64_t offset = 0;
    std::optional<ir::Boundary> boundary = {};
    bool operator==(const NeighbourIndex&) const = default;
};

/// What the locals of a function are, while its blocks are being walked through.
class NeighbourIndices {
  public:
    /// How much larger than an extent a parameter is that is not an index; nothing if that is not the same in every call.
    using Beyond = std::function<std::optional<std::int64_t>(ir::Local param, ir::SizeId extent)>;
    /// `rank`: the number of indices, which are the first parameters. `extent`: the size for which an instruction `extent`
    /// asks.
    NeighbourIndices(std::size_t rank, std::function<ir::SizeId(const ir::Inst&)> extent, Beyond beyond)
        : rank_(rank), extent_(std::move(extent)), beyond_(std::move(beyond)) {}

    /// The bound of offsets: sums of fewer do not wrap around.
    static constexpr std::int64_t farthest = std::int64_t{1} << 31;

    std::size_t level() const { return defined_.size(); }
    void enter(const ir::Block& block) {
        if (level() == 0) params_ = block.params.size();
        defined_.resize(level() + block.params.size(), nullptr);
    }
    /// Adds an instruction, which defines its results.
    void add(const ir::Inst& inst) { defined_.resize(level() + inst.types.size(), &inst); }
    void leave(std::size_t level) { defined_.resize(level); }

    /// Matches an index of an axis with this extent: i, max(i - 1, 0), min(i + 1, extent - 1), both of these, (i + 1) %
    /// extent and (i + extent - 1) % extent, with any constants that keep these in bounds.
    std::optional<NeighbourIndex> match(ir::Local index, ir::SizeId extent) const;

    /// The index along an axis + extents · extent + offset.
    struct Sum {
        std::size_t axis;
        std::int64_t extents, offset;
    };
    std::optional<Sum> sum(ir::Local local, ir::SizeId extent) const;
    /// By how much a number that is this extent plus a constant is larger than the extent.
    std::optional<std::int64_t> beyond_extent(ir::Local local, ir::SizeId extent) const;
    std::optional<std::int64_t> constant(ir::Local local) const;
    /// The instruction that makes a local; null for a parameter.
    const ir::Inst* definition(ir::Local local) const { return defined_[local.index]; }

  private:
    std::optional<NeighbourIndex> clamped(ir::Local index, ir::SizeId extent) const;
    std::optional<NeighbourIndex> wrapped(ir::Local index, ir::SizeId extent) const;
    const ir::Inst* definition(ir::Local local, ir::Op op) const;
    bool is_given(ir::Local local, ir::SizeId extent, std::int64_t more) const;
    bool is_extent(ir::Local local, ir::SizeId extent) const;
    bool is_last(ir::Local local, ir::SizeId extent) const;

    std::size_t rank_;
    std::function<ir::SizeId(const ir::Inst&)> extent_;
    Beyond beyond_;
    std::size_t params_ = 0;                ///< number of parameters of the function
    std::vector<const ir::Inst*> defined_;  ///< by local; null for a parameter
};

}  // namespace sinter::enable
