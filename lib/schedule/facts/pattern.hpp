// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the locals of a block vary from lane to lane, found without emitting it; and what a lane loop over the block would
/// do.
#pragma once

#include "schedule/facts/control.hpp"

#include <optional>
#include <vector>

namespace sinter::schedule {

/// How a value varies between lanes: it is the same in all, or an i64 that grows by the same amount from lane to lane, or
/// arbitrary.
struct Pattern {
    enum class Kind : std::uint8_t { uniform, affine, varying } kind = Kind::uniform;
    std::optional<std::int64_t> number = {};  ///< for uniform the value, for affine the stride, if it is a known constant
    lower::Scalar type = lower::Scalar::i64;

    bool is_uniform() const { return kind == Kind::uniform; }
    /// True if lanes see neighbouring elements.
    bool is_neighbour() const { return kind == Kind::affine && number == 1; }
    /// True if they see elements at a distance that is not that of neighbours.
    bool is_apart() const { return kind == Kind::affine && (!number || *number > 1 || *number < -1); }
    static Pattern lane() { return {Kind::affine, 1}; }
    static Pattern varying() { return {Kind::varying}; }
    bool operator==(const Pattern& other) const { return kind == other.kind && number == other.number; }
};

/// What one lane executes, in instructions; those in inner loops count tuning::inner_iterations times.
struct Profile {
    double operations[4] = {};  ///< varying arithmetic, loads and stores on 1, 2, 4 and 8 bytes
    double expensive = 0;       ///< the divisions, roots and remainders among them
    double once = 0;            ///< the part of `operations` outside inner loops
    double expensive_once = 0;  ///< the part of `expensive` outside inner loops
    double contiguous = 0;      ///< loads of neighbours, or of elements between which there are few others
    double streamed = 0;        ///< those of them in inner loops
    double uniform_loads = 0;   ///< loads inside the loop that all lanes share
    double shared = 0;          ///< scalar instructions inside the loop that all lanes share, without sums of indices
    double gathers = 0;         ///< other loads
    double strided = 0;         ///< those of them that load from a fixed distance
    double stores = 0;
    double scatters = 0;         ///< stores to elements that are not neighbours
    double inner = 0;            ///< number of loops inside
    double in_turn = 0;          ///< instructions, per lane, of updates of elements at which lanes may meet
    double shared_updates = 0;   ///< those of one element by all lanes
    bool waits = false;          ///< steps of a loop inside wait for a division, or a root, of what is carried
    bool narrow_stores = false;  ///< there are stores to neighbours of 8 or 16 bits
    bool divergent = false;      ///< there is control flow that differs between lanes
    bool ragged = false;         ///< there is a reduce or for_each whose extents differ between lanes: lanes cannot execute
                                 ///< it
    bool empty = true;           ///< nothing varies

    double instructions() const { return operations[0] + operations[1] + operations[2] + operations[3]; }
};

/// The profile of `block` if its parameters have these patterns, in an environment with these patterns.
Profile profile(const lower::Kernel& kernel, const ControlFlow& control, const lower::Block& block,
                std::vector<Pattern> environment, const std::vector<Pattern>& params);

/// The patterns of an environment, followed by those of all locals of a block in it.
std::vector<Pattern> block_patterns(const lower::Kernel& kernel, const ControlFlow& control, const lower::Block& block,
                                    std::vector<Pattern> environment, const std::vector<Pattern>& params);

/// The patterns of all locals of the kernel's body.
std::vector<Pattern> body_patterns(const lower::Kernel& kernel, const ControlFlow& control,
                                   const std::vector<Pattern>& params);

}  // namespace sinter::schedule
