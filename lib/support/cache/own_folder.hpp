// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Small files that several processes read and replace, in a folder that nobody else may write: what is read from them is
/// executed. Everything goes by the folder's descriptor, so that what a name means cannot change in between. Nothing here
/// throws but std::bad_alloc: it fails.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinter {

/// Closed at the end.
class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
    ~Descriptor();
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    operator int() const { return number_; }
    /// Somebody else closes it.
    void release() { number_ = -1; }

  private:
    int number_;
};

struct OwnFile {
    std::string content;
    std::int64_t modified;  ///< seconds since 1970
};

/// A folder that belongs to this user or the system, and that only they may write.
class OwnFolder {
  public:
    /// Nothing if there is none, or if others may write it.
    static std::optional<OwnFolder> open(const std::string& path);
    /// Makes it, and those above it, where they are missing: for this user alone.
    static std::optional<OwnFolder> make(const std::string& path);

    /// A regular file of the same owners that only they may write.
    std::optional<OwnFile> read(const std::string& name) const;
    /// Makes now the time of its last modification.
    void mark_used(const std::string& name) const;
    /// Readers see the old content or all of the new one. Until then it is in another file, whose name ends with
    /// `unfinished`; a process that is killed leaves that behind.
    bool replace(const std::string& name, std::string_view unfinished, std::string_view content) const;
    void remove(const std::string& name) const;

    struct Listed {
        std::string name;
        std::uint64_t bytes;
        std::int64_t modified;  ///< seconds since 1970
    };
    /// Regular files whose names end so.
    std::vector<Listed> list(std::string_view end) const;

  private:
    explicit OwnFolder(Descriptor folder) : folder_(std::move(folder)) {}

    Descriptor folder_;
};

}  // namespace sinter
