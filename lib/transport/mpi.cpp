// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The transport for MPI, as a plug-in: libsinter.so itself does not know MPI, and loads this if a launcher has started the
// process.
#include "support/transport.hpp"

#include <mpi.h>

#include <algorithm>

namespace {

MPI_Comm communicator = MPI_COMM_NULL;
bool initialised_here = false;
char library_name[MPI_MAX_LIBRARY_VERSION_STRING];
sinter_transport transport;

/// Counts in MPI are ints: longer messages are divided into pieces.
constexpr std::size_t longest = std::size_t{1} << 30;

int broadcast_from(int root, void* data, std::size_t bytes) {
    auto* next = static_cast<char*>(data);
    for (std::size_t done = 0; done < bytes; done += longest) {
        const int count = static_cast<int>(std::min(longest, bytes - done));
        if (const int error = MPI_Bcast(next + done, count, MPI_BYTE, root, communicator)) return error;
    }
    return 0;
}

int gather(const void* mine, void* all, const std::size_t* bytes) {
    auto* next = static_cast<char*>(all);
    for (int rank = 0; rank < transport.count; next += bytes[rank], ++rank) {
        if (rank == transport.rank) std::copy_n(static_cast<const char*>(mine), bytes[rank], next);
        if (const int error = broadcast_from(rank, next, bytes[rank])) return error;
    }
    return 0;
}

int broadcast(void* data, std::size_t bytes) { return broadcast_from(0, data, bytes); }

int barrier() { return MPI_Barrier(communicator); }

void leave() {
    MPI_Comm_free(&communicator);
    if (initialised_here) MPI_Finalize();
}

}  // namespace

const sinter_transport* sinter_join_transport(int* argc, char*** argv) {
    int initialised = 0, finalised = 0;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalised);
    if (finalised) return nullptr;
    if (!initialised) {
        int provided = 0;
        if (MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS) return nullptr;
        initialised_here = true;
    }
    if (MPI_Comm_dup(MPI_COMM_WORLD, &communicator) != MPI_SUCCESS) return nullptr;
    MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
    int length = 0;
    MPI_Get_library_version(library_name, &length);
    if (char* end = std::find(library_name, library_name + length, ','); end != library_name + length) *end = 0;
    transport = {sinter_transport_version, library_name, 0, 1, gather, broadcast, barrier, leave};
    MPI_Comm_rank(communicator, &transport.rank);
    MPI_Comm_size(communicator, &transport.count);
    return &transport;
}
