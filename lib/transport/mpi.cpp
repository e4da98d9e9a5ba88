// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The transport for MPI, as a plug-in: libsinter.so itself does not know MPI, and loads this if a launcher has started the
// process.
#include "support/transport.hpp"

#include <mpi.h>

#include <algorithm>
#include <vector>

namespace {

MPI_Comm communicator = MPI_COMM_NULL;
bool initialised_here = false;
char library_name[MPI_MAX_LIBRARY_VERSION_STRING];
sinter_transport transport;

/// Counts and displacements in MPI are ints.
constexpr std::size_t longest = std::size_t{1} << 30;

int gather(const void* mine, void* all, const std::size_t* bytes) {
    std::vector<int> counts, starts;
    std::size_t total = 0;
    for (int rank = 0; rank < transport.count; total += bytes[rank++]) {
        counts.push_back(static_cast<int>(bytes[rank]));
        starts.push_back(static_cast<int>(total));
    }
    const auto own = static_cast<std::size_t>(transport.rank);
    const bool in_place = mine == static_cast<char*>(all) + starts[own];
    return MPI_Allgatherv(in_place ? MPI_IN_PLACE : mine, counts[own], MPI_BYTE, all, counts.data(), starts.data(), MPI_BYTE,
                          communicator);
}

int broadcast(int root, void* data, std::size_t bytes) {
    return MPI_Bcast(data, static_cast<int>(bytes), MPI_BYTE, root, communicator);
}

int exchange(const sinter_message* sends, std::size_t send_count, const sinter_message* receives,
             std::size_t receive_count) {
    std::vector<MPI_Request> requests(send_count + receive_count, MPI_REQUEST_NULL);
    int error = 0;
    for (std::size_t k = 0; k < receive_count && !error; ++k)
        error = MPI_Irecv(receives[k].data, static_cast<int>(receives[k].bytes), MPI_BYTE, receives[k].rank, 0, communicator,
                          &requests[k]);
    for (std::size_t k = 0; k < send_count && !error; ++k)
        error = MPI_Isend(sends[k].data, static_cast<int>(sends[k].bytes), MPI_BYTE, sends[k].rank, 0, communicator,
                          &requests[receive_count + k]);
    const int last = MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    return error ? error : last;
}

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
    transport = {sinter_transport_version, library_name, 0, 1, longest, gather, broadcast, exchange, leave};
    MPI_Comm_rank(communicator, &transport.rank);
    MPI_Comm_size(communicator, &transport.count);
    return &transport;
}
