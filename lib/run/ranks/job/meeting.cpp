// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/ranks/job/meeting.hpp"

#include "run/ranks/job/collectives.hpp"
#include "run/ranks/job/job.hpp"
#include "support/check.hpp"
#include "support/text/user_text.hpp"

#include <sinter/detail/ranks.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::runtime {

namespace {

std::uint64_t launches = 0;  ///< since the last meeting
std::uint64_t past = 0;      ///< of all that was recorded
std::uint64_t failures = 0;  ///< of which all ranks know
bool agreed = false;         ///< the error in flight is known to all
const Places* places = nullptr;

constexpr std::uint64_t nowhere = std::numeric_limits<std::uint64_t>::max();
constexpr int rank_bits = 20;

/// What ranks tell each other when they meet.
struct Word {
    std::uint64_t least = nowhere, most = 0;  ///< of the places where ranks are that are well
    std::uint64_t failed = nowhere;           ///< the launch after which the first rank failed, and this rank
    std::uint64_t leaving = 0;
};

/// Learns the words of all ranks: in round k from the rank 2^k before (dissemination; Hensgen and others, "Two algorithms
/// for barrier synchronization", 1988). Least and most are not changed by hearing a word twice.
Word hear_all(Word word, const char* what, location where) {
    const int ranks = job()->count, own = job()->rank;
    ++traffic().meetings;
    for (int far = 1; far < ranks; far *= 2) {
        Word mine = word, other;
        exchange({{(own + far) % ranks, &mine, sizeof mine}}, {{(own + ranks - far) % ranks, &other, sizeof other}}, what,
                 where);
        traffic().met += sizeof other;
        word = {std::min(word.least, other.least), std::max(word.most, other.most), std::min(word.failed, other.failed),
                std::max(word.leaving, other.leaving)};
    }
    return word;
}

std::uint64_t place_of(const char* what, std::uint64_t number) {
    std::uint64_t place = number + 0xcbf29ce484222325u;
    for (const char* c = what; *c != 0; ++c) place = (place ^ static_cast<unsigned char>(*c)) * 0x100000001b3u;
    return std::clamp<std::uint64_t>(place, 1, nowhere - 1);
}

/// An error as it travels: these numbers, and then the name of the file and the text without it.
struct Record {
    std::uint32_t kind = 0, line = 0, column = 0, file = 0, text = 0;
    bool operator==(const Record&) const = default;
};
constexpr std::uint32_t no_memory = 100, foreign = 101;  ///< kinds that are no ErrorKind

struct Travelling {
    Record record;
    std::string bytes;
    bool operator==(const Travelling&) const = default;

    std::string_view file() const { return std::string_view(bytes).substr(0, record.file); }
    std::string text() const { return bytes.substr(record.file); }
};

/// Of the exception in flight.
Travelling pack() {
    auto made = [](std::uint32_t kind, location where, std::string text) {
        const std::string file = where.file_name() ? where.file_name() : "";
        // as Error has appended it
        if (const std::string line = fmt::format(" ({}:{})", file, where.line()); where.line() && text.ends_with(line))
            text.resize(text.size() - line.size());
        return Travelling{{kind, where.line(), where.column(), static_cast<std::uint32_t>(file.size()),
                           static_cast<std::uint32_t>(text.size())},
                          file + text};
    };
    try {
        throw;
    } catch (const Error& error) {
        return made(static_cast<std::uint32_t>(error.kind()), error.where(), error.what());
    } catch (const std::bad_alloc& error) {
        return made(no_memory, location(), error.what());
    } catch (const std::exception& error) {
        return made(foreign, location(), error.what());
    } catch (...) {
        return made(foreign, location(), "an exception of another type");
    }
}

[[noreturn]] void throw_travelled(const Travelling& error, int from, location where) {
    const Record& record = error.record;
    if (record.kind == no_memory) throw std::bad_alloc();
    if (record.kind == foreign) throw UsageError(fmt::format("rank {} has thrown: {}", from, error.text()), where);
    const location place = places ? places->find(error.file(), record.line, record.column) : location();
    std::string text = error.text();
    if (record.line != 0 && place.line() == 0) text += fmt::format(" ({}:{})", error.file(), record.line);
    throw_at(Error(static_cast<ErrorKind>(record.kind), text, location()), place);
}

/// All ranks call this when one has failed; throws that one's error.
/// `in_flight`: this rank has failed, too.
[[noreturn]] void share_error(std::uint64_t failed, bool in_flight, location where) {
    const int from = static_cast<int>(failed & ((1u << rank_bits) - 1));
    const Travelling own = in_flight ? pack() : Travelling{};
    Travelling first = own;
    broadcast(from, &first.record, sizeof first.record, "run", where);
    first.bytes.resize(first.record.file + first.record.text);
    broadcast(from, first.bytes.data(), first.bytes.size(), "run", where);
    agreed = true;
    forget_past();
    if (in_flight && first == own) throw;
    throw_travelled(first, from, where);
}

}  // namespace

Places::Places(location where, std::span<const ir::Site> sites) : outer_(places), where_(where), sites_(sites) {
    places = this;
}

Places::~Places() { places = outer_; }

location Places::find(std::string_view file, std::uint32_t line, std::uint32_t column) const {
    auto is_there = [&](const location& place) {
        return place.line() == line && place.column() == column && place.file_name() == file;
    };
    if (is_there(where_)) return where_;
    const auto found =
        std::find_if(sites_.begin(), sites_.end(), [&](const ir::Site& site) { return is_there(site.where); });
    return found == sites_.end() ? find_text(file, line, column) : found->where;
}

void meet(const char* what, std::uint64_t number, location where) {
    if (are_apart()) throw UsageError(fmt::format("{}: the ranks have gone different ways before", what), where);
    const std::uint64_t place = place_of(what, number + past);
    const Word all = hear_all({place, place}, what, where);
    launches = 0;
    if (all.leaving != 0) go_apart();
    if (all.failed != nowhere) share_error(all.failed, false, where);
    if (all.least == all.most) return;
    go_apart();
    throw UsageError(fmt::format("{}: other ranks are doing something else, or with another type: all ranks have to do the "
                                 "same, in the same order",
                                 what),
                     where);
}

void fail_together(location where) {
    if (have_agreed()) throw;
    const Word all = hear_all({.failed = launches << rank_bits | static_cast<std::uint64_t>(job()->rank)}, "run", where);
    launches = 0;
    if (all.leaving != 0) go_apart();
    share_error(all.failed, true, where);
}

bool have_agreed() { return agreed || !job() || are_apart(); }
void forget_error() { agreed = false; }
std::uint64_t record(std::uint64_t number) { return past = (past ^ number) * 0x9e3779b97f4a7c15u + (past >> 29) + 1; }
void forget_past() { past = 0, record(++failures); }
void count_launch() { ++launches; }

bool part_ranks() noexcept try {
    const std::uint64_t place = place_of("the end of Ranks", 0);
    const Word all = hear_all({place, place, nowhere, 1}, "the end of Ranks", location());
    if (all.failed != nowhere) share_error(all.failed, false, location());
    return all.least == all.most;
} catch (const std::exception&) {
    return false;
}

}  // namespace sinter::runtime

namespace sinter::detail {

void meet_ranks(const char* what, std::uint64_t number, location where) {
    if (!runtime::job()) return;
    if (!runtime::speaks())
        throw Limitation(fmt::format("{}: with several ranks, only the thread that made Ranks may do this", what), where);
    runtime::meet(what, number, where);
}

void fail_ranks(location where) {
    runtime::forget_error();
    runtime::fail_together(where);
}

}  // namespace sinter::detail
