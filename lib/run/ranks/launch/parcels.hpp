// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Elements for other ranks, and from them, that lie in many places: what goes from one rank to another travels as one
/// message, packed, if there are more than a few places. A rank reads them where they are, if they are many bytes of a rank
/// whose memory it can read; then only the addresses travel, and at the end the word that they are read.
#pragma once

#include "run/ranks/job/collectives.hpp"
#include "support/buffer.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace sinter::runtime {

class Parcels {
  public:
    Parcels() = default;
    Parcels(const Parcels&) = delete;
    Parcels& operator=(const Parcels&) = delete;
    /// As ~Exchange().
    ~Parcels();

    /// Sender and receiver name the same numbers of bytes in the same order.
    void send(int rank, void* data, std::size_t bytes) { add(sends_, rank, data, bytes); }
    void receive(int rank, void* data, std::size_t bytes) { add(receives_, rank, data, bytes); }

    /// Makes the messages. Throws std::bad_alloc.
    void pack();
    /// What is sent must not change until finish() has returned, which puts what has been received where it belongs.
    void begin(const char* what, location where);
    void finish();

  private:
    struct Parcel {
        int rank;
        std::vector<sinter_message> places;
        BufferRef packed = nullptr;
        std::vector<const void*> addresses = {};  ///< of the sender's places, if they are read there
    };
    static void add(std::vector<Parcel>& parcels, int rank, void* data, std::size_t bytes);
    static std::vector<sinter_message> messages(const std::vector<Parcel>& parcels);
    void read_and_unpack() const;
    void tell_senders();

    std::vector<Parcel> sends_, receives_;
    std::unique_ptr<Exchange> travelling_;
    const char* what_ = nullptr;
    location where_;
};

}  // namespace sinter::runtime
