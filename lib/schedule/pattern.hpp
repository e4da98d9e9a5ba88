// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the locals of a block vary from lane to lane, found without emitting it; and what a lane loop over it would do.
#pragma once

#include "lower/kernel.hpp"
#include "support/shared.hpp"

#include <optional>
#include <vector>

namespace sinter::schedule {

/// The same in all lanes, an i64 that grows by the same amount from lane to lane, or anything.
struct Pattern {
    enum class Kind : std::uint8_t { uniform, affine, varying } kind = Kind::uniform;
    std::optional<std::int64_t> number = {};  ///< uniform: the value, affine: the stride; where it is a known constant
    lower::Scalar type = lower::Scalar::i64;
    std::size_t value = 0;  ///< equal: the same value, but at borders; 0: not known

    bool is_uniform() const { return kind == Kind::uniform; }
    static Pattern lane() { return {Kind::affine, 1}; }
    static Pattern varying() { return {Kind::varying}; }
    bool operator==(const Pattern& other) const { return kind == other.kind && number == other.number; }
};

/// What one lane executes, in instructions; those of inner loops count tuning::inner_iterations times.
struct Profile {
    double operations[4] = {};  ///< varying arithmetic, loads and stores of 1, 2, 4 and 8 bytes
    double expensive = 0;       ///< of these: divisions, roots, remainders
    double once = 0;            ///< of the operations: outside of inner loops
    double expensive_once = 0;  ///< of the expensive ones
    double contiguous = 0;      ///< loads of neighbours
    double streamed = 0;        ///< of these: in inner loops
    double uniform_loads = 0;   ///< loads inside the loop that all lanes share
    double gathers = 0;         ///< other loads
    double strided = 0;         ///< of these: loads a fixed distance apart
    double shared_gathers = 0;  ///< of these: where another one has loaded, of another array
    double stores = 0;
    double scatters = 0;         ///< stores not to neighbours
    double inner = 0;            ///< loops inside
    double in_turn = 0;          ///< instructions of updates of elements at which lanes may meet, for each lane
    bool narrow_memory = false;  ///< accesses to neighbours of 8 or 16 bits
    bool divergent = false;      ///< control flow that differs between lanes
    bool ragged = false;         ///< a reduce or for_each whose extents differ between lanes: lanes cannot run it
    bool empty = true;           ///< nothing varies

    double instructions() const { return operations[0] + operations[1] + operations[2] + operations[3]; }
};

/// The profile of `block` with these patterns of its parameters, in an environment of these patterns.
Profile profile(const lower::Kernel& kernel, const lower::Block& block, std::vector<Pattern> environment,
                const std::vector<Pattern>& params);

/// The patterns of an environment and all locals of a block itself in it.
std::vector<Pattern> block_patterns(const lower::Kernel& kernel, const lower::Block& block, std::vector<Pattern> environment,
                                    const std::vector<Pattern>& params);

/// The patterns of all locals of the kernel's body.
std::vector<Pattern> body_patterns(const lower::Kernel& kernel, const std::vector<Pattern>& params);

/// The states of a loop or reduce, as they are in all its iterations, in the lanes that are active; the results of a cond.
struct StatePatterns {
    std::vector<Pattern> states;
    bool divergent;  ///< not all lanes take the same way (of this instruction itself)
};
SINTER_SHARED StatePatterns state_patterns(const lower::Kernel& kernel, const lower::Inst& inst,
                                           std::vector<Pattern> environment);

}  // namespace sinter::schedule
