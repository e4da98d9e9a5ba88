// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The transport for MPI, as a plug-in: libsinter.so itself does not know MPI, and loads this if a launcher has started the
// process.
#include "support/near_ranks.hpp"
#include "support/transport.hpp"

#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>
#include <vector>

namespace {

MPI_Comm communicator = MPI_COMM_NULL;
bool initialised_here = false;
char library_name[MPI_MAX_LIBRARY_VERSION_STRING];
sinter_transport transport;
sinter::transport::NearRanks near_ranks;

/// Counts in MPI are ints.
constexpr std::size_t longest = std::size_t{1} << 30;

/// Posts a message; all have tag 0, so that their order counts.
int post(const sinter_message& message, bool sent, MPI_Request* request) {
    const auto bytes = static_cast<int>(message.bytes);
    return sent ? MPI_Isend(message.data, bytes, MPI_BYTE, message.rank, 0, communicator, request)
                : MPI_Irecv(message.data, bytes, MPI_BYTE, message.rank, 0, communicator, request);
}

/// What has been begun.
std::vector<MPI_Request> requests;
std::vector<int> partners;  ///< by request

/// Without a message for so long, a rank lets others have its processor, if they want it, whatever MPI thinks of how many
/// there are: the rank that it waits for may be one of them. Less than this takes a message between two processors.
constexpr std::chrono::microseconds patience(50);

/// Like MPI_Waitall, but gives up after so many seconds without a message that is complete.
int wait_for_all(double seconds) {
    using Clock = std::chrono::steady_clock;
    const std::chrono::duration<double> limit(seconds > 0 ? seconds : std::numeric_limits<double>::infinity());
    auto last = Clock::now();
    std::vector<int> indices(requests.size());
    for (std::size_t left = requests.size(); left > 0;) {
        int done = 0;
        const int error =
            MPI_Testsome(static_cast<int>(requests.size()), requests.data(), &done, indices.data(), MPI_STATUSES_IGNORE);
        if (error) return error;
        if (done == MPI_UNDEFINED) return 0;
        const auto now = Clock::now();
        if (done == 0 && now - last > limit) return sinter_late;
        if (done == 0 && now - last > patience) sched_yield();
        if (done > 0) last = now, left -= static_cast<std::size_t>(done);
    }
    return 0;
}

int begin(const sinter_message* sends, std::size_t send_count, const sinter_message* receives, std::size_t receive_count,
          int* about) {
    requests.assign(send_count + receive_count, MPI_REQUEST_NULL);
    partners.clear();
    for (std::size_t k = 0; k < requests.size(); ++k) {
        const bool sent = k >= receive_count;
        const sinter_message& message = sent ? sends[k - receive_count] : receives[k];
        partners.push_back(message.rank);
        *about = message.rank;
        if (const int error = post(message, sent, &requests[k])) return error;
    }
    return 0;
}

int finish(double seconds, int* about) {
    const int error = wait_for_all(seconds);
    for (std::size_t k = 0; k < requests.size() && error; ++k)
        if (requests[k] != MPI_REQUEST_NULL) *about = partners[k];
    return error;
}

int is_near(int rank) { return near_ranks.contains(rank); }

int read(const sinter_message* places, const void* const* from, std::size_t count) {
    return near_ranks.read(places, from, count);
}

/// The other ranks on this machine, as far as MPI knows.
std::vector<int> find_neighbours() {
    MPI_Comm machine = MPI_COMM_NULL;
    if (MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine) != MPI_SUCCESS) return {};
    int count = 0;
    MPI_Comm_size(machine, &count);
    MPI_Group here = MPI_GROUP_NULL, all = MPI_GROUP_NULL;
    MPI_Comm_group(machine, &here);
    MPI_Comm_group(communicator, &all);
    std::vector<int> places(static_cast<std::size_t>(count)), ranks(places.size());
    std::iota(places.begin(), places.end(), 0);
    MPI_Group_translate_ranks(here, count, places.data(), all, ranks.data());
    MPI_Group_free(&here);
    MPI_Group_free(&all);
    MPI_Comm_free(&machine);
    std::erase(ranks, transport.rank);
    return ranks;
}

/// Where a rank is missing, MPI_Finalize would wait for it. Without it the launcher ends the job when this process ends.
void leave(int together) {
    if (!together) return;
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
    transport = {sinter_transport_version, library_name, 0, 1, longest, begin, finish, leave, is_near, read};
    MPI_Comm_rank(communicator, &transport.rank);
    MPI_Comm_size(communicator, &transport.count);
    near_ranks.find(transport, find_neighbours());
    return &transport;
}
