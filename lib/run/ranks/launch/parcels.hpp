// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Elements for other ranks, and from them, that lie in many places: what goes from one rank to another travels as one
/// message, packed, if there are more than a few places.
#pragma once

#include "support/buffer.hpp"
#include "support/transport.hpp"

#include <cstddef>
#include <vector>

namespace sinter::runtime {

class Parcels {
  public:
    /// Sender and receiver name the same numbers of bytes in the same order.
    void send(int rank, void* data, std::size_t bytes) { add(sends_, rank, data, bytes); }
    void receive(int rank, void* data, std::size_t bytes) { add(receives_, rank, data, bytes); }

    /// Makes the messages. Throws std::bad_alloc.
    void pack();
    std::vector<sinter_message> sends() const { return messages(sends_); }
    std::vector<sinter_message> receives() const { return messages(receives_); }
    /// Puts what has been received where it belongs.
    void unpack() const;

  private:
    struct Parcel {
        int rank;
        std::vector<sinter_message> places;
        BufferRef packed = nullptr;
    };
    static void add(std::vector<Parcel>& parcels, int rank, void* data, std::size_t bytes);
    static std::vector<sinter_message> messages(const std::vector<Parcel>& parcels);

    std::vector<Parcel> sends_, receives_;
};

}  // namespace sinter::runtime
