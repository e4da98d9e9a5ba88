// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The means by which ranks exchange messages: a table of C functions, which a plug-in fills in. lib/transport/mpi.cpp is
/// the plug-in for MPI, and the only file that includes <mpi.h>; a site with another MPI builds it with its own compiler
/// wrapper. lib/run/ranks/emulated.cpp fills in another one, for processes that the program itself starts.
#pragma once

#include <cstddef>

extern "C" {

constexpr int sinter_transport_version = 2;

/// Bytes for another rank, or from it.
struct sinter_message {
    int rank;
    void* data;  ///< not written if it is sent
    std::size_t bytes;
};

/// All functions except leave are called by all ranks, in the same order. They return 0, or an error of the transport.
struct sinter_transport {
    int version;
    const char* name;  ///< for people, e.g. "Open MPI v4.1.4, ..."
    int rank, count;
    std::size_t longest;  ///< in bytes: the most that one message has, and one gather in all; callers divide what is longer
    /// Gives the bytes of all ranks, in the order of ranks, to everybody. bytes: the number for each rank. `mine` may be
    /// where it belongs in `all`.
    int (*gather)(const void* mine, void* all, const std::size_t* bytes);
    /// Gives the data of rank `root` to everybody.
    int (*broadcast)(int root, void* data, std::size_t bytes);
    /// Sends and receives. Messages from one rank to another arrive in the order in which they are sent, and have the
    /// length that the receiver names. No rank sends to itself.
    int (*exchange)(const sinter_message* sends, std::size_t send_count, const sinter_message* receives,
                    std::size_t receive_count);
    void (*leave)();
};

/// The only symbol that is looked up. Joins the job; null if that is impossible.
const sinter_transport* sinter_join_transport(int* argc, char*** argv);

}  // extern "C"
