// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The ranks of one program: processes that a launcher has started together.
#pragma once

#include "support/transport.hpp"

#include <sinter/error.hpp>

#include <vector>

namespace sinter::runtime {

/// The transport of the job that this process has joined; null if it is alone.
const sinter_transport* job();

/// True on the thread that made Ranks. Only this one speaks with other ranks: messages of several threads would have no
/// order that all ranks know.
bool speaks();

// Messages of any length, of which the transport gets pieces. All ranks call these in the same order. `what` is the user's
// call; a transport that fails is a DeviceError.

/// The bytes of all ranks, in the order of ranks. bytes: the number for each rank. `mine` may be where it belongs in `all`.
void gather(const void* mine, void* all, const std::vector<std::size_t>& bytes, const char* what, location where);
/// Messages as those of sinter_transport::exchange.
void exchange(const std::vector<sinter_message>& sends, const std::vector<sinter_message>& receives, const char* what,
              location where);

}  // namespace sinter::runtime
