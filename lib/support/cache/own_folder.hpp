// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Small files that several processes read and replace, in a folder that nobody else may write, because what is read from
/// them is executed. Everything is accessed through the folder's descriptor, so that the meaning of a name cannot change in
/// between. Functions report failure by their results and throw nothing but std::bad_alloc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinter {

/// A file descriptor that is closed at the end.
class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
    ~Descriptor();
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    operator int() const { return number_; }
    /// Lets somebody else close it.
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
    /// Nothing if there is no such folder or if others may write it.
    static std::optional<OwnFolder> open(const std::string& path);
    /// Makes the folder and missing ones above it, accessible to this user alone.
    static std::optional<OwnFolder> make(const std::string& path);

    /// Reads a regular file of the same owners that only they may write.
    std::optional<OwnFile> read(const std::string& name) const;
    /// Sets the time of the file's last modification to now.
    void mark_used(const std::string& name) const;
    /// Replaces a file: readers see the old content or all of the new content. Until it is complete, the new content is in
    /// another file, whose name ends with `unfinished`; a process that is killed leaves that behind.
    bool replace(const std::string& name, std::string_view unfinished, std::string_view content) const;
    void remove(const std::string& name) const;

    struct Listed {
        std::string name;
        std::uint64_t bytes;
        std::int64_t modified;  ///< seconds since 1970
    };
    /// Regular files whose names end with `end`.
    std::vector<Listed> list(std::string_view end) const;

  private:
    explicit OwnFolder(Descriptor folder) : folder_(std::move(folder)) {}

    Descriptor folder_;
};

}  // namespace sinter
