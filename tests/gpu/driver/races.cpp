// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As FastTrack (Flanagan and Freund 2009) does, only the last write and a summary of the reads are kept. Barriers make
// clocks of a block and of a warp suffice for accesses within a block. Between blocks plain accesses are never ordered:
// the library's blocks talk to each other by volatile, relaxed and atomic accesses alone.
#include "races.hpp"

#include "lanes.hpp"

#include <algorithm>

namespace driver {

namespace {

/// Blocks consist of whole warps.
std::uint32_t warp_of(const Moment& moment) { return moment.thread / warp_threads; }

bool is_in_block(const Moment& moment, const Access& access) {
    return moment.thread >= access.block_begin && moment.thread < access.block_end;
}

/// True if a barrier lies between what the threads that `readers` describes have done and now.
bool is_before(const Moment& then, Readers readers, const Access& access) {
    const Moment& now = access.moment;
    if (readers == Readers::many_blocks || !is_in_block(then, access)) return false;
    if (then.block_epoch < now.block_epoch) return true;
    if (readers == Readers::one_block || warp_of(then) != warp_of(now)) return false;
    if (then.warp_epoch < now.warp_epoch) return true;
    return readers == Readers::one_thread && then.thread == now.thread;
}

Readers in_common(const Moment& then, Readers readers, const Access& access) {
    if (!is_in_block(then, access)) return Readers::many_blocks;
    if (warp_of(then) != warp_of(access.moment)) return std::max(readers, Readers::one_block);
    return then.thread == access.moment.thread ? readers : std::max(readers, Readers::one_warp);
}

void add_read(Cell& cell, const Access& access) {
    const bool replaces = cell.readers == Readers::none || is_before(cell.read, cell.readers, access);
    cell.reads_are_strong = access.is_strong && (replaces || cell.reads_are_strong);
    cell.readers = replaces ? Readers::one_thread : in_common(cell.read, cell.readers, access);
    cell.read = access.moment;
}

void begin_launch(Cell& cell, std::uint32_t launch) {
    if (cell.launch == launch) return;
    cell = Cell();
    cell.launch = launch;
}

const char* note(Cell& cell, const Access& access) {
    const bool meets_write = cell.is_written && !(cell.write_is_strong && access.is_strong) &&
                             !is_before(cell.write, Readers::one_thread, access);
    if (access.is_non_coherent && cell.is_written) return "ld.nc of what this launch has stored";
    if (!access.is_write) {
        add_read(cell, access);
        cell.is_read_non_coherent |= access.is_non_coherent;
        return meets_write ? "a load and a store that no barrier orders" : nullptr;
    }
    const bool meets_reads = cell.readers != Readers::none && !(cell.reads_are_strong && access.is_strong) &&
                             !is_before(cell.read, cell.readers, access);
    if (cell.is_read_non_coherent) return "a store to what this launch loads by ld.nc";
    if (meets_reads) return "a store and a load that no barrier orders";
    cell.is_written = true;
    cell.write = access.moment;
    cell.write_is_strong = access.is_strong;
    return meets_write ? two_stores : nullptr;
}

/// Of two rules that are broken, the one to be told.
void add_rule(const char*& broken, const char* rule) {
    if (rule && (!broken || broken == two_stores)) broken = rule;
}

}  // namespace

Cell* Cells::parts_of(std::size_t word, std::uint32_t launch) {
    Cell& whole = words_[word];
    begin_launch(whole, launch);
    if (!parts_) parts_ = zeroed(count_ * word_bytes);
    Cell* parts = &parts_[word * word_bytes];
    if (!whole.is_split) std::fill_n(parts, word_bytes, whole);
    whole.is_split = true;
    return parts;
}

const char* Cells::note_parts(std::size_t begin, std::size_t bytes, std::uint32_t launch, const Access& access) {
    const char* broken = nullptr;
    const std::size_t word = begin / word_bytes, first = begin % word_bytes;
    Cell* parts = parts_of(word, launch);
    for (std::size_t k = first; k < std::min(word_bytes, first + bytes); ++k)
        add_rule(broken, driver::note(parts[k], access));
    return broken;
}

const char* Cells::note(std::size_t begin, std::size_t bytes, std::uint32_t launch, const Access& access) {
    if (bytes < word_bytes) return note_parts(begin, bytes, launch, access);
    const char* broken = nullptr;
    for (std::size_t at = begin; at < begin + bytes; at += word_bytes) {
        Cell& cell = words_[at / word_bytes];
        begin_launch(cell, launch);
        add_rule(broken, cell.is_split ? note_parts(at, word_bytes, launch, access) : driver::note(cell, access));
    }
    return broken;
}

}  // namespace driver
