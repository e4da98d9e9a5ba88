// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A part's pages are mapped where the array has them. Pages in which parts meet belong to no rank: they are copied from both
// whenever the view is used.
#include "run/ranks/arrays/views.hpp"

#include "run/ranks/tuning.hpp"
#include "support/threads/shared_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace sinter::runtime {

namespace {

std::int64_t down(std::int64_t bytes) { return bytes / page_bytes * page_bytes; }
std::int64_t up(std::int64_t bytes) { return down(bytes + page_bytes - 1); }

/// The files of other ranks, open as long as the process.
int open_file(const Shown& from) {
    if (from.process == getpid()) return from.file;
    struct Open {
        std::int32_t process, file;
        int descriptor;
    };
    static auto* files = new std::vector<Open>;
    for (const Open& open : *files)
        if (open.process == from.process && open.file == from.file) return open.descriptor;
    files->reserve(files->size() + 1);
    const int descriptor = open(fmt::format("/proc/{}/fd/{}", from.process, from.file).c_str(), O_RDONLY | O_CLOEXEC);
    files->push_back({from.process, from.file, descriptor});
    return descriptor;
}

/// Addresses with pages of files.
class Region {
  public:
    explicit Region(std::int64_t bytes) : bytes_(static_cast<std::size_t>(bytes)) {
        data_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (data_ == MAP_FAILED) throw std::bad_alloc();
    }
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;
    ~Region() { munmap(data_, bytes_); }

    char* at(std::int64_t bytes) const { return static_cast<char*>(data_) + bytes; }

    /// False where that is impossible.
    bool map(Interval pages, const Shown& from, std::int64_t offset) const {
        const int file = open_file(from);
        struct stat known{};
        if (file < 0 || offset < 0 || fstat(file, &known) != 0 || known.st_size < offset + pages.length()) return false;
        return mmap(at(pages.begin), static_cast<std::size_t>(pages.length()), PROT_READ,
                    MAP_SHARED | MAP_FIXED | MAP_POPULATE, file, offset) != MAP_FAILED;
    }

  private:
    void* data_;
    std::size_t bytes_;
};

class View final : public Buffer {
  public:
    View(std::int64_t length, const std::vector<ShownPart>& shown)
        : parts(shown), region_(up(length)), edges_(2 * page_bytes * static_cast<std::int64_t>(2 * shown.size())) {
        data = region_.at(0);
        bytes = static_cast<std::size_t>(length);
    }

    /// False where that is impossible.
    bool map() {
        return std::all_of(parts.begin(), parts.end(), [&](const ShownPart& part) { return map(part); });
    }

    void copy_edges() const {
        for (const Edge& edge : copied_) std::memcpy(edge.to, edge.from, edge.bytes);
    }

    const std::vector<ShownPart> parts;

  private:
    struct Edge {
        void* to;
        const void* from;
        std::size_t bytes;
    };

    bool map(const ShownPart& part) {
        const Interval& all = part.bytes;
        if (all.empty()) return true;
        const auto length = static_cast<std::int64_t>(bytes);
        const Interval inner{up(all.begin), all.end == length ? up(all.end) : down(all.end)};
        if (inner.empty()) return map_edge(part, all);
        return region_.map(inner, part.from, part.from.offset + inner.begin) && map_edge(part, {all.begin, inner.begin}) &&
               map_edge(part, {inner.end, all.end});
    }

    /// Of at most two pages.
    bool map_edge(const ShownPart& part, const Interval& edge) {
        if (edge.empty()) return true;
        const std::int64_t begin = down(edge.begin), end = up(edge.end), place = next_edge_;
        next_edge_ += 2 * page_bytes;
        if (!edges_.map({place, place + end - begin}, part.from, part.from.offset + begin)) return false;
        copied_.push_back(
            {region_.at(edge.begin), edges_.at(place + edge.begin - begin), static_cast<std::size_t>(edge.length())});
        return true;
    }

    Region region_, edges_;
    std::int64_t next_edge_ = 0;
    std::vector<Edge> copied_;
};

/// Those that were used last, the newest at the end. On the thread that speaks with other ranks.
std::vector<std::shared_ptr<View>>& kept() {
    static auto* views = new std::vector<std::shared_ptr<View>>;
    return *views;
}

std::shared_ptr<View> find(std::int64_t bytes, const std::vector<ShownPart>& parts) {
    auto is_it = [&](const auto& view) { return static_cast<std::int64_t>(view->bytes) == bytes && view->parts == parts; };
    auto found = std::find_if(kept().begin(), kept().end(), is_it);
    if (found == kept().end()) {
        auto made = std::make_shared<View>(bytes, parts);
        if (!made->map()) return nullptr;
        if (kept().size() == tuning::most_kept_views) kept().erase(kept().begin());
        kept().push_back(std::move(made));
        found = kept().end() - 1;
    }
    std::rotate(found, found + 1, kept().end());
    return kept().back();
}

}  // namespace

Shown show(const SpreadArray& array) {
    Shown shown{array.data, 0, static_cast<std::int32_t>(getpid()), -1};
    if (const std::optional<std::int64_t> offset = array.offset_in_shared()) {
        shown.offset = *offset;
        shown.file = shared_file();
    }
    return shown;
}

std::optional<Piece> view_of(std::int64_t bytes, const std::vector<ShownPart>& parts) try {
    auto is_shown = [](const ShownPart& part) { return part.bytes.empty() || part.from.file >= 0; };
    if (!std::all_of(parts.begin(), parts.end(), is_shown)) return std::nullopt;
    std::shared_ptr<View> view = find(bytes, parts);
    if (!view) return std::nullopt;
    view->copy_edges();
    void* const data = view->data;
    return Piece{std::move(view), data};
} catch (const std::bad_alloc&) {
    return std::nullopt;
}

}  // namespace sinter::runtime
