// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What happens to a program between sharing recovery and fusion: the lists of lists.hpp, one after the other.
///
///     written  --differentiation, round by round-->  without derivatives
///              --flattening-->  without vmap  --optimisation-->  --enabling-->  prepared  --merging-->
///
/// A prepared program holds for all extents. It is specialised for calls in which its wishes hold (enable/wishes.hpp), and
/// whatever that makes possible goes through optimisation and enabling once more.
#pragma once

#include "enable/lift/lift.hpp"
#include "enable/wishes.hpp"
#include "pipeline/pass.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace sinter::pipeline {

struct PassTime {
    std::string_view pass;
    double seconds;
};

/// Runs the passes of one list. After each, SINTER_DUMP may print the program under the pass's name, and it is verified in
/// debug builds and under SINTER_VERIFY=1. Appends to `times` if given.
ir::Program run(ir::Program program, std::span<const Pass> passes, std::vector<PassTime>* times = nullptr);

/// Runs the list of optimisation, between the dumps `program` and `opt`.
ir::Program optimise(ir::Program program, std::vector<PassTime>* times = nullptr);

/// The same program without derivatives; the interpreter needs nothing else from this layer. `tape`: bytes of states that a
/// loop may keep, if given.
ir::Program differentiate(ir::Program program, std::int64_t tape = 0);

struct Options {
    bool merge_scatters = false;  ///< for targets whose updates can have several results
    bool widen_late = false;      ///< for targets that multiply halves, where a program may round otherwise
    std::int64_t tape = 0;        ///< see differentiate()
};

/// Turns a program as it was written into one that fusion partitions.
ir::Program prepare(ir::Program program, const Options& options = {});
/// The vmaps whose slices prepare() lets be executed one after another, and why: for people. Does part of its work once
/// more.
std::vector<enable::SliceBySlice> slice_by_slice(ir::Program program);
/// Specialises a prepared program for calls in which `holding`, some of its wishes, hold.
ir::Program specialise(ir::Program program, std::span<const enable::Wish> holding);

}  // namespace sinter::pipeline
