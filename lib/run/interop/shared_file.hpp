// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Files that are read and written at any position, by several ranks at once.
#pragma once

#include "run/interop/file.hpp"

namespace sinter::runtime {

/// A descriptor of POSIX. Two ranks may have the same file open; what each writes is written when `close` returns.
class SharedFile {
  public:
    enum class Mode {
        read,
        write,  ///< a file that is there
        make,   ///< an empty one
    };
    SharedFile(const char* what, const std::string& path, Mode mode, location where);
    ~SharedFile();
    SharedFile(const SharedFile&) = delete;
    SharedFile& operator=(const SharedFile&) = delete;

    std::uint64_t size() const;
    /// Returns the number of bytes that there were.
    std::size_t read_at(std::uint64_t position, void* to, std::size_t bytes) const;
    void write_at(std::uint64_t position, const void* from, std::size_t bytes) const;
    /// Waits until what this rank has written is on the disk.
    void sync() const;
    void close();

    [[noreturn]] void fail(const std::string& message) const;
    const char* what() const { return what_; }
    const std::string& path() const { return path_; }
    location where() const { return where_; }

  private:
    const char* what_;
    std::string path_;
    location where_;
    int descriptor_;
};

/// Puts a file in the place of another one, or where there was none, so that it is complete on the disk or not there at all,
/// whenever the machine stops.
void replace_file(const char* what, const std::string& from, const std::string& to, location where);

/// Bytes of a file from a position on.
class FilePart final : public Source {
  public:
    /// `name` is for messages. `sums`: checksums are wanted.
    FilePart(const SharedFile& file, std::string name, std::uint64_t begin, std::uint64_t end, bool sums = false)
        : Source(file.what(), std::move(name), file.where()), file_(file), position_(begin), end_(end), sums_(sums) {}

    std::uint64_t position() const { return position_; }
    std::uint64_t left() const { return end_ > position_ ? end_ - position_ : 0; }
    void seek(std::uint64_t position) { position_ = position; }
    /// The checksum of all that has been read since `forget`.
    std::uint32_t checksum() const { return checksum_; }
    void forget() { checksum_ = 0; }

  private:
    std::size_t take(void* to, std::size_t bytes) override;

    const SharedFile& file_;
    std::uint64_t position_, end_;
    bool sums_;
    std::uint32_t checksum_ = 0;
};

}  // namespace sinter::runtime
