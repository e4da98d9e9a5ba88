// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Ranks without a launcher or MPI: SINTER_RANKS=emulated:4 makes a program start four copies of itself. Everything that is
/// one per process (the engine, the threads, the memory) is then one per rank, as under mpirun, and a rank cannot see
/// another one's rows by mistake; the program is the same.
#pragma once

#include "support/transport.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

#include <sinter/error.hpp>

namespace sinter::runtime {

/// How ranks are emulated: "emulated:4", "emulated:4,int16,delay=7".
struct Emulation {
    int count = 1;
    bool narrow = false;                 ///< int16: messages have fewer than 2^15 bytes, so that longer ones are divided
    std::optional<std::uint64_t> delay;  ///< the seed of random pauses, and of messages that arrive in small pieces
};

/// Returns nothing if the text has another form, or asks for fewer than one or more than 64 ranks.
std::optional<Emulation> parse_emulation(std::string_view text);

/// Returns in every rank; all are forked, and this process waits for them, and exits as mpirun would. UsageError where the
/// process has threads already, which a fork would lose; DeviceError where the system cannot start processes.
const sinter_transport* start_emulation(const Emulation& emulation, location where);

}  // namespace sinter::runtime
