// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/ranks/arrays/spread_array.hpp"

#include "run/ranks/job/collectives.hpp"
#include "run/ranks/job/job.hpp"
#include "run/ranks/job/meeting.hpp"
#include "run/ranks/tuning.hpp"
#include "support/threads/pool.hpp"
#include "support/threads/shared_memory.hpp"

#include <sinter/detail/ranks.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <utility>

namespace sinter::runtime {

namespace {

constexpr std::int64_t line = 64;

/// Addresses, of which pages become memory when they are written.
struct Mapping {
    void* data;
    std::size_t bytes;
    std::size_t touched;  ///< at most
};

/// Mappings that nobody uses: their pages are memory already, which takes longer to get than what is put there.
class Mappings {
  public:
    static Mappings& shared() {
        static auto* mappings = new Mappings;  // arrays may outlive static objects
        return *mappings;
    }

    Mapping take(std::size_t bytes, std::size_t touched) {
        {
            const std::lock_guard lock(mutex_);
            const auto fits = std::find_if(kept_.begin(), kept_.end(), [&](const Mapping& m) { return m.bytes >= bytes; });
            if (fits != kept_.end()) {
                Mapping found = *fits;
                kept_.erase(fits);
                found.touched += touched;
                return found;
            }
        }
        void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (data == MAP_FAILED) throw std::bad_alloc();
        madvise(data, bytes, MADV_NOHUGEPAGE);
        return {data, bytes, touched};
    }

    void give_back(const Mapping& mapping) noexcept {
        const std::lock_guard lock(mutex_);
        if (kept_.size() < kept_.capacity() && mapping.touched <= tuning::most_kept_touched)
            kept_.push_back(mapping);
        else
            munmap(mapping.data, mapping.bytes);
    }

  private:
    Mappings() { kept_.reserve(tuning::most_kept_mappings); }

    std::mutex mutex_;
    std::vector<Mapping> kept_;
};

class Addresses final : public Buffer {
  public:
    Addresses(std::size_t length, std::size_t touched) : mapping_(Mappings::shared().take(length, touched)) {
        data = mapping_.data;
        bytes = length;
    }
    ~Addresses() override { Mappings::shared().give_back(mapping_); }

  private:
    Mapping mapping_;
};

/// Of the pool's memory that other processes can map.
struct ShownBuffer final : Buffer {
    explicit ShownBuffer(std::size_t size) {
        data = Pool::shared().take(size, Pool::Kind::shared);
        bytes = size;
    }
    ~ShownBuffer() override { Pool::shared().give_back(data, bytes, Pool::Kind::shared); }
};

/// As far from the beginning of a page as in the whole array.
Piece allocate_shown(Interval elements, std::int64_t bytes_each) {
    const std::int64_t begin = elements.begin * bytes_each, shift = begin % page_bytes;
    Piece piece{std::make_shared<ShownBuffer>(static_cast<std::size_t>(elements.length() * bytes_each + shift)), nullptr};
    piece.data = reinterpret_cast<void*>(reinterpret_cast<std::intptr_t>(piece.memory->data) + shift - begin);
    return piece;
}

/// Arrays whose columns were read, the newest at the end. On the thread that speaks with other ranks.
struct Kind {
    std::int64_t rows, row, bytes_each;

    bool operator==(const Kind&) const = default;
};
std::vector<Kind>& read_by_columns() {
    static auto* kinds = new std::vector<Kind>;
    return *kinds;
}

bool is_shown(const place::Layout& layout, Interval elements, std::int64_t bytes_each) {
    const auto& kinds = read_by_columns();
    if (kinds.empty() || elements.length() * bytes_each < tuning::shown_from) return false;
    return std::find(kinds.begin(), kinds.end(), Kind{layout.rows, layout.row, bytes_each}) != kinds.end() && job() &&
           any_is_near() && can_share_memory();
}

/// Of the rank's own elements and others.
Piece allocate_rows(const place::Layout& layout, std::int64_t bytes_each, Interval more) {
    const Interval elements = schedule::hull(layout.own(detail::rank_count(), detail::own_rank()), more);
    if (!is_shown(layout, elements, bytes_each)) return allocate_piece(elements, bytes_each);
    try {
        return allocate_shown(elements, bytes_each);
    } catch (const std::bad_alloc&) {  // of other memory there may be more
        return allocate_piece(elements, bytes_each);
    }
}

}  // namespace

void expect_columns(const place::Layout& layout, std::int64_t bytes_each) {
    auto& kinds = read_by_columns();
    const Kind kind{layout.rows, layout.row, bytes_each};
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) return;
    if (kinds.size() == tuning::most_shown_kinds) kinds.erase(kinds.begin());
    kinds.push_back(kind);
}

Piece allocate_piece(const std::vector<Interval>& elements, std::int64_t bytes_each) {
    std::int64_t used = 0;
    for (const Interval& part : elements) used += part.length();
    const Interval all{elements.front().begin, elements.back().end};
    // Of addresses, every page that is touched becomes memory.
    const std::int64_t touched = used * bytes_each + static_cast<std::int64_t>(elements.size()) * page_bytes;
    if (all.length() <= 2 * used || all.length() * bytes_each <= 2 * touched) return allocate_piece(all, bytes_each);
    const std::int64_t begin = all.begin * bytes_each, shift = begin % line;
    Piece piece{std::make_shared<Addresses>(static_cast<std::size_t>(all.length() * bytes_each + shift),
                                            static_cast<std::size_t>(touched)),
                nullptr};
    piece.data = reinterpret_cast<void*>(reinterpret_cast<std::intptr_t>(piece.memory->data) + shift - begin);
    return piece;
}

Piece allocate_piece(Interval elements, std::int64_t bytes_each) {
    const std::int64_t begin = elements.begin * bytes_each, shift = begin % line;
    Piece piece{allocate(static_cast<std::size_t>(elements.length() * bytes_each + shift)), nullptr};
    piece.data = reinterpret_cast<void*>(reinterpret_cast<std::intptr_t>(piece.memory->data) + shift - begin);
    return piece;
}

std::atomic<bool> SpreadArray::exist_{false};

SpreadArray::SpreadArray(const place::Layout& layout, std::int64_t bytes_each, Interval more)
    : SpreadArray(layout, bytes_each, allocate_rows(layout, bytes_each, more)) {}

SpreadArray::SpreadArray(const place::Layout& layout, std::int64_t bytes_each, Piece part)
    : layout_(layout),
      bytes_each_(bytes_each),
      own_(layout.own(detail::rank_count(), detail::own_rank())),
      part_(std::move(part)),
      identity_(record(static_cast<std::uint64_t>(layout.rows))) {
    data = part_.data;
    bytes = static_cast<std::size_t>(layout.elements() * bytes_each);
    on_device = true;
    exist_.store(true, std::memory_order_relaxed);
}

std::optional<std::int64_t> SpreadArray::offset_in_shared() const {
    const std::int64_t place = sinter::offset_in_shared(part_.memory->data);
    if (place < 0) return std::nullopt;
    return place + (reinterpret_cast<std::intptr_t>(part_.data) - reinterpret_cast<std::intptr_t>(part_.memory->data));
}

BufferRef SpreadArray::fetch() {
    const std::lock_guard lock(mutex_);
    if (copy) return copy;
    if (is_forked())
        throw UsageError("this array has rows on other ranks, which a process that one of them has forked cannot reach",
                         location());
    if (!job()) throw UsageError("this array has rows on other ranks, which have gone with Ranks", location());
    if (!speaks())
        throw Limitation("an array with rows on other ranks is read by a thread other than the one that made Ranks",
                         location());
    constexpr const char* what = "reading an array whose rows are on several ranks";
    BufferRef whole = prepare(location(), [&] { return allocate(bytes); });
    meet(what, identity_, location());
    const int ranks = job()->count;
    std::vector<std::size_t> lengths;
    for (int rank = 0; rank < ranks; ++rank)
        lengths.push_back(static_cast<std::size_t>(layout_.own(ranks, rank).length() * bytes_each_));
    const auto* mine = reinterpret_cast<void*>(reinterpret_cast<std::intptr_t>(part_.data) + own_.begin * bytes_each_);
    gather(mine, whole->data, lengths, what, location());
    copy = std::move(whole);
    return copy;
}

}  // namespace sinter::runtime
