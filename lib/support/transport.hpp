// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The means by which ranks exchange messages: a table of C functions, which a plug-in fills in. lib/transport/mpi.cpp is
/// the plug-in for MPI, and the only file that includes <mpi.h>; a site with another MPI builds it with its own compiler
/// wrapper.
#pragma once

#include <cstddef>

extern "C" {

constexpr int sinter_transport_version = 1;

/// All functions except leave are called by all ranks, in the same order. They return 0, or an error of the transport.
struct sinter_transport {
    int version;
    const char* name;  ///< for people, e.g. "Open MPI v4.1.4, ..."
    int rank, count;
    /// Gives the bytes of all ranks, in the order of ranks, to everybody. bytes: the number for each rank.
    int (*gather)(const void* mine, void* all, const std::size_t* bytes);
    /// Gives the data of rank 0 to everybody.
    int (*broadcast)(void* data, std::size_t bytes);
    int (*barrier)();
    void (*leave)();
};

/// The only symbol that is looked up. Joins the job; null if that is impossible.
const sinter_transport* sinter_join_transport(int* argc, char*** argv);

}  // extern "C"
