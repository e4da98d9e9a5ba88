// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Ranks on one machine whose memory the system lets each other read, for transports (support/transport.hpp): one copy then
/// takes the place of packing, of what the transport copies, and of unpacking. A header, since plug-ins are built alone.
#pragma once

#include "support/transport.hpp"

#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <random>
#include <vector>

namespace sinter::transport {

class NearRanks {
  public:
    /// Finds out which of these other ranks are near; they do the same at the same time. What a rank shows the others is a
    /// random number in its memory: who reads it with that process number reads the right process.
    void find(const sinter_transport& transport, const std::vector<int>& others) {
        secret_ = std::random_device()() * std::uint64_t{0x9e3779b97f4a7c15} | 1;
        const Card mine{getpid(), &secret_, secret_};
        std::vector<Card> cards(others.size());
        if (!swap(transport, others, std::vector<Card>(others.size(), mine), cards)) return;
        std::vector<std::int32_t> reads(others.size()), is_read(others.size());
        processes_.assign(static_cast<std::size_t>(transport.count), 0);
        for (std::size_t k = 0; k < others.size(); ++k) {
            std::uint64_t seen = 0;
            const sinter_message place{others[k], &seen, sizeof seen};
            const void* from = cards[k].address;
            process(others[k]) = cards[k].process;
            reads[k] = read(&place, &from, 1) == sinter_well && seen == cards[k].secret;
        }
        const bool met = swap(transport, others, reads, is_read);
        for (std::size_t k = 0; k < others.size(); ++k)
            if (!met || !reads[k] || !is_read[k]) process(others[k]) = 0;
    }

    bool contains(int rank) const {
        return static_cast<std::size_t>(rank) < processes_.size() && processes_[static_cast<std::size_t>(rank)] > 0;
    }

    /// All places are of one rank.
    int read(const sinter_message* places, const void* const* from, std::size_t count) const {
#ifdef __linux__
        std::array<iovec, 512> here, there;
        for (std::size_t next = 0, done = 0; next < count;) {
            std::size_t n = 0;
            for (; n < here.size() && next + n < count; ++n) {
                const std::size_t skipped = n == 0 ? done : 0;
                const sinter_message& place = places[next + n];
                here[n] = {static_cast<char*>(place.data) + skipped, place.bytes - skipped};
                there[n] = {const_cast<char*>(static_cast<const char*>(from[next + n])) + skipped, here[n].iov_len};
            }
            const pid_t process = processes_[static_cast<std::size_t>(places[next].rank)];
            ssize_t moved = process_vm_readv(process, here.data(), n, there.data(), n, 0);
            if (moved <= 0) return moved < 0 && errno != ESRCH ? errno : sinter_ended;
            for (done += static_cast<std::size_t>(moved); next < count && done >= places[next].bytes; ++next)
                done -= places[next].bytes;
        }
        return sinter_well;
#else
        (void)places, (void)from;
        return count == 0 ? sinter_well : ENOSYS;
#endif
    }

  private:
    struct Card {
        pid_t process;
        const std::uint64_t* address;
        std::uint64_t secret;
    };

    pid_t& process(int rank) { return processes_[static_cast<std::size_t>(rank)]; }

    /// Gives each of the others one of `out`, and gets one of each.
    template <class T>
    static bool swap(const sinter_transport& transport, const std::vector<int>& others, std::vector<T> out,
                     std::vector<T>& in) {
        std::vector<sinter_message> sends, receives;
        for (std::size_t k = 0; k < others.size(); ++k) {
            sends.push_back({others[k], &out[k], sizeof(T)});
            receives.push_back({others[k], &in[k], sizeof(T)});
        }
        int about = 0;
        return transport.begin(sends.data(), sends.size(), receives.data(), receives.size(), &about) == sinter_well &&
               transport.finish(longest_wait, &about) == sinter_well;
    }

    /// Seconds for a rank to start.
    static constexpr double longest_wait = 60;

    std::uint64_t secret_ = 0;
    std::vector<pid_t> processes_;  ///< by rank; 0 for one that is not near
};

}  // namespace sinter::transport
