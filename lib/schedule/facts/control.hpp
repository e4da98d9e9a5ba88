// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How branches and loops of a kernel run where they are inside of lanes.
///
/// A variable of a loop has to be a vector if it may differ between lanes, and there have to be masks if lanes may go
/// different ways. Both depend on where the instruction is emitted: in lanes of points, in lanes of a loop's elements, in
/// rows, in one lane alone, or in the interior of a stencil, where comparisons are known. But a value varies exactly if one
/// of the values that it is computed of does. So what a variable is computed of, among the locals around the instruction, is
/// found once per kernel; who emits or prices the instruction looks whether one of them varies there. This is the
/// divergence analysis of Karrenberg and Hack, "Whole-Function Vectorization" (CGO 2011), as a function of the environment.
#pragma once

#include "lower/kernel.hpp"
#include "support/shared.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace sinter::schedule {

/// Of a branch, loop, reduce or scan. Locals are those around it.
struct Control {
    /// What is done where lanes of a branch do not go the same way.
    enum class Apart : std::uint8_t {
        select,  ///< both sides are cheap and harmless: all lanes execute both
        skip,    ///< one side does nothing: the other is executed, without a mask where all lanes take it
        blend,   ///< each side is executed under the mask of its lanes, unless there are none
    };
    using Locals = std::vector<ir::Local>;
    std::vector<Locals> states;  ///< by state of a loop, in all its iterations, or result of a branch: what it varies with
    Locals way;                  ///< what the way that is taken varies with: a condition, the number of iterations
    Apart apart = Apart::blend;
};

/// By branch, sequential loop, reduce and scan of a kernel, at any depth.
using ControlFlow = std::unordered_map<const lower::Inst*, Control>;
/// Linear in the kernel's size times the number of its locals divided by 64; loops count a few times.
ControlFlow control_flow(const lower::Kernel& kernel);

/// How the states of an instruction are in the lanes that are active.
struct States {
    std::vector<bool> vary;  ///< by state or result
    bool diverge = false;    ///< not all lanes go the same way
};
/// `varies` says of a local around the instruction whether it differs between lanes.
template <class Varies>
States states_of(const Control& control, Varies varies) {
    States result{{}, std::any_of(control.way.begin(), control.way.end(), varies)};
    for (const Control::Locals& state : control.states)
        result.vary.push_back(std::any_of(state.begin(), state.end(), varies));
    return result;
}

}  // namespace sinter::schedule
