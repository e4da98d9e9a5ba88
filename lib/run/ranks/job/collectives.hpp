// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What ranks do together with messages of any length, of which the transport gets pieces. All ranks call these in the same
/// order, on the threads that made Ranks. `what` is the user's call; a transport that fails, a rank that has ended, and one
/// that sends nothing for SINTER_RANKS_TIMEOUT, are a DeviceError, after which the ranks have lost each other.
///
/// A rank has to be able to take part once it has met the others (meeting.hpp): what may fail, such as allocating memory,
/// is done before.
#pragma once

#include "support/transport.hpp"

#include <sinter/error.hpp>

#include <cstdint>
#include <vector>

namespace sinter::runtime {

/// Messages on their way, as those of sinter_transport::begin. While it lives, no others are exchanged.
class Exchange {
  public:
    Exchange(const std::vector<sinter_message>& sends, const std::vector<sinter_message>& receives, const char* what,
             location where);
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;
    /// Waits for them if nobody has: after an error, for which the other ranks do not know yet.
    ~Exchange();

    void finish();

  private:
    void check(int outcome, int about);

    std::vector<sinter_message> out_, in_;
    const char* what_;
    location where_;
    bool done_ = false;
};

/// Messages as those of sinter_transport::begin, all of which have arrived when it returns.
void exchange(const std::vector<sinter_message>& sends, const std::vector<sinter_message>& receives, const char* what,
              location where);

/// True if this rank and that one read each other's memory.
bool is_near(int rank);
/// True if there is such a rank.
bool any_is_near();
/// Reads places of a near rank's memory, at its addresses; it must keep them as they are meanwhile.
void read(const std::vector<sinter_message>& places, const std::vector<const void*>& from, const char* what, location where);

/// The bytes of all ranks, in the order of ranks. bytes: the number for each rank. `mine` may be where it belongs in `all`.
/// Every rank receives each byte once, in as many rounds as the number of ranks has binary digits (Bruck and others,
/// "Efficient algorithms for all-to-all communications in multiport message-passing systems", 1997).
void gather(const void* mine, void* all, const std::vector<std::size_t>& bytes, const char* what, location where);

/// Gives the bytes of rank `root` to everybody, along a binomial tree.
void broadcast(int root, void* data, std::size_t bytes, const char* what, location where);

/// What this rank has exchanged since the process began, as the transport was given it.
struct Traffic {
    std::uint64_t sent = 0, received = 0, messages = 0;  ///< bytes; messages received
    std::uint64_t meetings = 0;                          ///< how often the ranks have met
    std::uint64_t met = 0;                               ///< of the bytes received, those by which ranks meet (meeting.hpp)
};
Traffic& traffic();

}  // namespace sinter::runtime
