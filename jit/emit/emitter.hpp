// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Emits the instructions of a kernel for the lanes that are open. It is composed of parts, each of which knows one kind of
/// instruction, and passes each instruction to the part that knows it.
///
///     code/     LLVM IR in loops, vectors and masks; knows nothing of kernels
///     memory/   fields of the argument blocks, addresses, loads and stores
///     body/     scope and blocks; arithmetic, checks, prints, branches, updates
///     lanes/    loops whose iterations are lanes, and lanes that are rows
///     loop/     loops of functions; reduce, scan and compact
///     entry/    the functions of a compiled kernel: the ways of a tile
///
/// Each includes only those above it. Parts that need the instructions of a block emitted, such as branches, are given
/// Blocks, which this class completes; reduce, scan, compact and entry/ use several parts and are given this class.
#pragma once

#include "jit/emit/body/arithmetic.hpp"
#include "jit/emit/body/branches.hpp"
#include "jit/emit/body/checks.hpp"
#include "jit/emit/body/prints.hpp"
#include "jit/emit/body/updates.hpp"
#include "jit/emit/lanes/lane_loops.hpp"
#include "jit/emit/loop/in_tile.hpp"
#include "jit/emit/loop/sequential_loops.hpp"
#include "schedule/schedule.hpp"

namespace sinter::emit {

/// Instructions that a target executes in its own way.
class Special {
  public:
    virtual ~Special() = default;
    /// The results of `inst`; nothing if it is emitted as it is everywhere.
    virtual std::optional<Values> emit(const Inst& inst) = 0;
};

class Emitter final : public Blocks {
  public:
    /// `arguments` and `tile`: pointers to the blocks of arguments.hpp, if there are any.
    Emitter(Code& code, const lower::Kernel& kernel, llvm::Value* arguments, llvm::Value* tile);

    /// All that the schedule decides about what is inside of an entry; without it no lanes are open.
    void follow(const schedule::Schedule& schedule);

    /// To be called where an entry ends.
    void finish() { updates_.finish(); }
    /// Updates of one element by all lanes wait until the end of what `make` emits.
    void with_waiting_updates(llvm::function_ref<void()> make) { updates_.with_waiting(make); }

    // Properties of the entry.
    Chunked chunked = {};
    InTile in_tile = {};
    Special* special = nullptr;  ///< asked first

    Fields fields;
    Addresses addresses;
    Memory memory;
    Arithmetic arithmetic;
    Rows rows;
    LaneLoops lanes;

  private:
    Values instruction(const Inst& inst) override;

    Checks checks_;
    Prints prints_;
    Branches branches_;
    SequentialLoops sequential_;
    Updates updates_;
};

}  // namespace sinter::emit
