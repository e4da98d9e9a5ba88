// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As FastTrack (Flanagan and Freund 2009) does, only the last write and a summary of the reads are kept. Barriers make
// clocks of a block and of a warp suffice for accesses within a block. Between blocks plain accesses are never ordered:
// the library's blocks talk to each other by volatile, relaxed and atomic accesses alone.
#include "races.hpp"

#include <algorithm>

namespace driver {

namespace {

/// True if a barrier lies between what the threads that `readers` describes have done and now.
bool is_before(const Moment& then, Readers readers, const Moment& now) {
    if (readers == Readers::many_blocks || then.block != now.block) return false;
    if (then.block_epoch < now.block_epoch) return true;
    if (readers == Readers::one_block || then.warp != now.warp) return false;
    if (then.warp_epoch < now.warp_epoch) return true;
    return readers == Readers::one_thread && then.thread == now.thread;
}

Readers in_common(const Moment& a, Readers readers, const Moment& b) {
    if (a.block != b.block) return Readers::many_blocks;
    if (a.warp != b.warp) return std::max(readers, Readers::one_block);
    return a.thread == b.thread ? readers : std::max(readers, Readers::one_warp);
}

void add_read(Cell& cell, const Access& access) {
    const bool replaces = cell.readers == Readers::none || is_before(cell.read, cell.readers, access.moment);
    cell.reads_are_strong = access.is_strong && (replaces || cell.reads_are_strong);
    cell.readers = replaces ? Readers::one_thread : in_common(cell.read, cell.readers, access.moment);
    cell.read = access.moment;
}

void begin_launch(Cell& cell, std::uint32_t launch) {
    if (cell.launch == launch) return;
    cell = Cell();
    cell.launch = launch;
}

const char* note(Cell& cell, const Access& access) {
    const bool meets_write = cell.is_written && !(cell.write_is_strong && access.is_strong) &&
                             !is_before(cell.write, Readers::one_thread, access.moment);
    if (access.is_non_coherent && cell.is_written) return "ld.nc of what this launch has stored";
    if (!access.is_write) {
        add_read(cell, access);
        cell.is_read_non_coherent |= access.is_non_coherent;
        return meets_write ? "a load and a store that no barrier orders" : nullptr;
    }
    const bool meets_reads = cell.readers != Readers::none && !(cell.reads_are_strong && access.is_strong) &&
                             !is_before(cell.read, cell.readers, access.moment);
    if (cell.is_read_non_coherent) return "a store to what this launch loads by ld.nc";
    if (meets_reads) return "a store and a load that no barrier orders";
    cell.is_written = true;
    cell.write = access.moment;
    cell.write_is_strong = access.is_strong;
    return meets_write ? two_stores : nullptr;
}

}  // namespace

Cell* Cells::parts_of(std::size_t word, std::uint32_t launch) {
    Cell& whole = words_[word];
    begin_launch(whole, launch);
    if (parts_.empty()) parts_.resize(words_.size() * word_bytes);
    Cell* parts = &parts_[word * word_bytes];
    if (!whole.is_split) std::fill_n(parts, word_bytes, whole);
    whole.is_split = true;
    return parts;
}

const char* Cells::note(std::size_t begin, std::size_t bytes, std::uint32_t launch, const Access& access) {
    const char* broken = nullptr;
    auto add = [&](Cell& cell) {
        const char* rule = driver::note(cell, access);
        if (rule && (!broken || broken == two_stores)) broken = rule;
    };
    for (std::size_t at = begin; at < begin + bytes; at += word_bytes) {
        const std::size_t word = at / word_bytes, first = at % word_bytes;
        begin_launch(words_[word], launch);
        if (bytes >= word_bytes && !words_[word].is_split) {
            add(words_[word]);
            continue;
        }
        Cell* parts = parts_of(word, launch);
        for (std::size_t k = first; k < std::min(word_bytes, first + bytes); ++k) add(parts[k]);
    }
    return broken;
}

}  // namespace driver
