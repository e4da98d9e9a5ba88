// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What ranks send messages with: a table of C functions, which a plug-in fills in. lib/transport/mpi.cpp is the one for
/// MPI, the only file that includes <mpi.h>; a site with another MPI builds it with its own compiler wrapper.
#pragma once

#include <cstddef>

extern "C" {

constexpr int sinter_transport_version = 1;

/// All functions but leave are called by all ranks, in one order. They return 0, or an error of the transport's.
struct sinter_transport {
    int version;
    const char* name;  ///< for people: "Open MPI v4.1.4, ..."
    int rank, count;
    /// Every rank's bytes, one after the other in the order of ranks, for everybody. bytes: one a rank.
    int (*gather)(const void* mine, void* all, const std::size_t* bytes);
    /// Of rank 0, for everybody.
    int (*broadcast)(void* data, std::size_t bytes);
    int (*barrier)();
    void (*leave)();
};

/// The only symbol that is looked up. Joins the job; null if that is not possible.
const sinter_transport* sinter_join_transport(int* argc, char*** argv);

}  // extern "C"
