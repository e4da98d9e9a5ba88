// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Elements for other ranks, and from them, that lie in many places: what goes from one rank to another travels as one
/// message, packed, if there are more than a few places. A rank reads them where they are, if they are many bytes of a rank
/// whose memory it can read; then only what is to know of the arrays travels, and at the end the word that they are read.
/// Places of one array, and for one purpose, are a group, which the receiver may also leave where it is.
#pragma once

#include "run/ranks/arrays/views.hpp"
#include "run/ranks/job/collectives.hpp"
#include "support/buffer.hpp"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace sinter::runtime {

class Parcels {
  public:
    Parcels() = default;
    Parcels(const Parcels&) = delete;
    Parcels& operator=(const Parcels&) = delete;
    /// As ~Exchange().
    ~Parcels();

    /// Sender and receiver name the same groups and bytes of arrays in the same order. `to`: where element 0 would be.
    void send(int rank, std::size_t group, const Shown& from, Interval bytes);
    void receive(int rank, std::size_t group, void* to, Interval bytes);

    /// Makes the messages. Throws std::bad_alloc.
    void pack();
    /// What is sent must not change until release() has returned.
    void begin(const char* what, location where);
    /// Returns when the messages are here; false if there are none, or they were here before.
    bool wait();
    /// After wait(): who shows the places of a group, and what; false if any of them sends them.
    bool find_shown(std::size_t group, std::vector<std::pair<int, Shown>>& found) const;
    /// They are read where they are, until release().
    void leave(std::size_t group);
    /// Puts what has been received, and not left, where it belongs.
    void unpack();
    /// Tells senders that their arrays have been read, and waits for the same word.
    void release();

  private:
    struct Group {
        std::size_t id, first;  ///< of the places
        void* origin;
        bool left = false;
    };
    struct Parcel {
        int rank;
        std::vector<sinter_message> places = {};
        std::vector<Group> groups = {};
        std::vector<Shown> shown = {};  ///< by group
        bool in_place = false;
        std::vector<const void*> addresses = {};  ///< of the sender's places, if they are read there
        BufferRef packed = nullptr;
    };
    static void add(std::vector<Parcel>& parcels, int rank, std::size_t group, const Shown& shown, Interval bytes);
    static std::vector<sinter_message> messages(std::vector<Parcel>& parcels);
    static void read_in_place(Parcel& parcel, const char* what, location where);

    std::vector<Parcel> sends_, receives_;
    std::unique_ptr<Exchange> travelling_;
    bool owed_ = false;  ///< the word that all is read
    const char* what_ = nullptr;
    location where_;
};

}  // namespace sinter::runtime
