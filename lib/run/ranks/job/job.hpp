// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The ranks of one program: processes that a launcher has started together.
#pragma once

#include "support/transport.hpp"

namespace sinter::runtime {

/// The transport of the job that this process has joined; null if it is alone.
const sinter_transport* job();

/// True while there is a Ranks, be it of one rank: results have the bits that any number of ranks has.
bool has_ranks();

/// True on the thread that made Ranks. Only this one speaks with other ranks: messages of several threads would have no
/// order that all ranks know.
bool speaks();

/// The ranks were found to be doing different things, and meet no more.
void go_apart();
/// An exchange has failed, so that nothing more can be exchanged.
void lose_ranks();
/// After either of them.
bool are_apart();

/// In a process that a rank has forked, which belongs to no job.
bool is_forked();

}  // namespace sinter::runtime
