// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where ranks find out whether all of them are at the same place, and well. They meet before they exchange anything, and at
/// the end of every run that was shared, unless nothing could go wrong on one of them since they have met. Then all ranks
/// throw the same error: a UsageError if they are at different places; the error of a rank that could not go on (a check
/// failed in its part of a launch, or there was no memory), wherever the others have come since; of several, that of the
/// first launch, and of its parts the first.
#pragma once

#include "ir/program.hpp"

#include <sinter/error.hpp>

#include <cstdint>
#include <span>
#include <string_view>

namespace sinter::runtime {

/// While it lives, errors of other ranks get their locations from these calls of the user's program.
class Places {
  public:
    Places(location where, std::span<const ir::Site> sites);
    Places(const Places&) = delete;
    Places& operator=(const Places&) = delete;
    ~Places();

    location find(std::string_view file, std::uint32_t line, std::uint32_t column) const;

  private:
    const Places* outer_;
    location where_;
    std::span<const ir::Site> sites_;
};

/// Meets the others at `what`, with the same number, for instance a hash of extents, and the same past.
void meet(const char* what, std::uint64_t number, location where);

/// Inside a catch handler, on a rank that cannot go on: meets the others, and throws the same error as they do. If the error
/// in flight is what a meeting threw, it throws that.
[[noreturn]] void fail_together(location where);

/// True while the error in flight is known to all ranks, or they have lost each other.
bool have_agreed();
/// Forgets the last error.
void forget_error();

/// Records something that all ranks do, with or without messages: they notice when they meet again if it was not the same.
/// Returns a number that no other record has, and that is the same on all ranks.
std::uint64_t record(std::uint64_t number);
/// After an error that all ranks throw: what they have recorded up to it is not the same.
void forget_past();

/// To be called after every launch, shared or not: errors are in the order of launches since the last meeting.
void count_launch();

/// Does what may fail on this rank alone, between two meetings.
template <class F>
auto prepare(location where, F f) {
    forget_error();
    try {
        return f();
    } catch (...) {
        fail_together(where);
    }
}

/// Meets the others at the end of the job, for the last time. Returns false if not all are there.
bool part_ranks() noexcept;

}  // namespace sinter::runtime
