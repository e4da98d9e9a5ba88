// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/ranks/job/collectives.hpp"

#include "run/ranks/job/job.hpp"
#include "run/ranks/tuning.hpp"
#include "support/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

namespace sinter::runtime {

namespace {

Traffic counted;

/// Of SINTER_RANKS_TIMEOUT; 0 if there is none.
double longest_silence() {
    static const double seconds = [] {
        const std::string wish(setting("SINTER_RANKS_TIMEOUT"));
        if (wish.empty()) return tuning::longest_silence;
        return wish == "off" ? 0.0 : std::strtod(wish.c_str(), nullptr);
    }();
    return seconds;
}

std::vector<sinter_message> divide(const std::vector<sinter_message>& messages) {
    const std::size_t longest = job()->longest;
    std::vector<sinter_message> pieces;
    for (const sinter_message& message : messages)
        for (std::size_t done = 0; done < message.bytes; done += longest)
            pieces.push_back(
                {message.rank, static_cast<char*>(message.data) + done, std::min(longest, message.bytes - done)});
    return pieces;
}

std::string describe(int outcome, int about) {
    if (outcome == sinter_late)
        return fmt::format("rank {} has sent nothing for {} s (SINTER_RANKS_TIMEOUT)", about, longest_silence());
    if (outcome == sinter_ended) return fmt::format("rank {} has ended, or given up after an error", about);
    return fmt::format("the transport between ranks has failed (error {})", outcome);
}

void check(int outcome, int about, const char* what, location where) {
    if (outcome == sinter_well) return;
    lose_ranks();
    throw DeviceError(fmt::format("{}: {}", what, describe(outcome, about)), where);
}

}  // namespace

Exchange::Exchange(const std::vector<sinter_message>& sends, const std::vector<sinter_message>& receives, const char* what,
                   location where)
    : out_(divide(sends)), in_(divide(receives)), what_(what), where_(where) {
    int about = 0;
    const int outcome = job()->begin(out_.data(), out_.size(), in_.data(), in_.size(), &about);
    check(outcome, about);
}

/// Not a function-try-block: the end of its handler would throw again.
Exchange::~Exchange() {
    try {
        finish();
    } catch (const std::exception&) {  // the ranks have lost each other, and the error in flight is thrown
    }
}

void Exchange::finish() {
    if (done_) return;
    done_ = true;
    int about = 0;
    const int outcome = job()->finish(longest_silence(), &about);
    check(outcome, about);
    for (const sinter_message& message : out_) counted.sent += message.bytes;
    for (const sinter_message& message : in_) counted.received += message.bytes;
    counted.messages += in_.size();
}

void Exchange::check(int outcome, int about) {
    if (outcome != sinter_well) done_ = true;
    runtime::check(outcome, about, what_, where_);
}

void exchange(const std::vector<sinter_message>& sends, const std::vector<sinter_message>& receives, const char* what,
              location where) {
    Exchange(sends, receives, what, where).finish();
}

bool is_near(int rank) { return job()->is_near && job()->is_near(rank); }

bool any_is_near() {
    static const bool any = [] {  // a process has one job
        for (int rank = 0; rank < job()->count; ++rank)
            if (is_near(rank)) return true;
        return false;
    }();
    return any;
}

void read(const std::vector<sinter_message>& places, const std::vector<const void*>& from, const char* what,
          location where) {
    check(job()->read(places.data(), from.data(), places.size()), places.front().rank, what, where);
    for (const sinter_message& place : places) counted.received += place.bytes;
}

void gather(const void* mine, void* all, const std::vector<std::size_t>& bytes, const char* what, location where) {
    const int ranks = job()->count, own = job()->rank;
    std::vector<std::size_t> starts{0};
    for (std::size_t length : bytes) starts.push_back(starts.back() + length);
    auto start = [&](int rank) { return static_cast<char*>(all) + starts[static_cast<std::size_t>(rank)]; };
    if (const std::size_t length = bytes[static_cast<std::size_t>(own)]; length > 0) std::memmove(start(own), mine, length);
    // The bytes of `count` ranks from `first` on, where rank 0 follows the last.
    auto messages = [&](int to, int first, int count) {
        std::vector<sinter_message> result;
        auto add = [&](int begin, int end) {
            if (const auto length = static_cast<std::size_t>(start(end) - start(begin)); length > 0)
                result.push_back({to, start(begin), length});
        };
        add(first, std::min(ranks, first + count));
        if (first + count > ranks) add(0, first + count - ranks);
        return result;
    };
    for (int have = 1; have < ranks; have *= 2) {
        const int count = std::min(have, ranks - have), next = (own + have) % ranks;
        exchange(messages((own + ranks - have) % ranks, own, count), messages(next, next, count), what, where);
    }
}

void broadcast(int root, void* data, std::size_t bytes, const char* what, location where) {
    const int ranks = job()->count, place = (job()->rank + ranks - root) % ranks;  // place 0 is the root's
    auto rank_at = [&](int there) { return (there + root) % ranks; };
    for (int have = 1; have < ranks; have *= 2) {
        std::vector<sinter_message> sends, receives;
        if (place < have && place + have < ranks) sends.push_back({rank_at(place + have), data, bytes});
        if (place >= have && place < 2 * have) receives.push_back({rank_at(place - have), data, bytes});
        if (!sends.empty() || !receives.empty()) exchange(sends, receives, what, where);
    }
}

Traffic& traffic() { return counted; }

}  // namespace sinter::runtime
