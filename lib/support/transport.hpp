// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The means by which ranks exchange messages: a table of C functions, which a plug-in fills in. lib/transport/mpi.cpp is
/// the plug-in for MPI, and the only file that includes <mpi.h>; a site with another MPI builds it with its own compiler
/// wrapper. lib/run/ranks/job/emulated.cpp fills in another one, for processes that the program itself starts. What is made
/// of exchanges, such as gathers, is the same for all transports (lib/run/ranks/job/collectives.hpp).
#pragma once

#include <cstddef>

extern "C" {

constexpr int sinter_transport_version = 5;

/// Bytes for another rank, or from it.
struct sinter_message {
    int rank;
    void* data;  ///< not written if it is sent
    std::size_t bytes;
};

/// What becomes of an exchange; errors of the transport itself are positive.
enum sinter_outcome {
    sinter_well = 0,
    sinter_late = -1,   ///< a rank has sent nothing, and received nothing, for too long
    sinter_ended = -2,  ///< a rank has ended, or given up after an error
};

struct sinter_transport {
    int version;
    const char* name;  ///< for people, e.g. "Open MPI v4.1.4, ..."
    int rank, count;
    std::size_t longest;  ///< in bytes: the most that one message has; callers divide what is longer
    /// Begins to send and to receive. Messages from one rank to another arrive in the order in which they are sent, and have
    /// the length that the receiver names. No rank sends to itself. What is sent must not change, and what is received not
    /// be read, until `finish` has returned. One exchange at a time. Returns an outcome, with the rank that it is about.
    int (*begin)(const sinter_message* sends, std::size_t send_count, const sinter_message* receives,
                 std::size_t receive_count, int* about);
    /// Returns when all is done, or nothing has moved for so many seconds; 0 seconds are any number. After any outcome but
    /// sinter_well, also of `begin`, only leave is called.
    int (*finish)(double seconds, int* about);
    /// `together`: all ranks leave, and none of them has seen an exchange fail.
    void (*leave)(int together);
    /// Whether this rank can read the memory of that one, and that one of this one. Null where no rank can.
    int (*is_near)(int rank);
    /// Reads the memory of a near rank: `from` has the addresses of the places there. That rank takes no part in it; callers
    /// see to it that it keeps the places as they are. Returns an outcome.
    int (*read)(const sinter_message* places, const void* const* from, std::size_t count);
};

/// The only symbol that is looked up. Joins the job; null if that is impossible.
const sinter_transport* sinter_join_transport(int* argc, char*** argv);

}  // extern "C"
