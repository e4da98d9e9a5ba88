// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/interop/shared_file.hpp"

#include "run/interop/deflate.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

namespace sinter::runtime {

namespace {

/// Linux transfers at most 2 GiB - 4 KiB at once.
constexpr std::size_t longest_transfer = 1 << 30;

int open_file(const std::string& path, SharedFile::Mode mode) {
    const int flags = mode == SharedFile::Mode::read    ? O_RDONLY
                      : mode == SharedFile::Mode::write ? O_WRONLY
                                                        : O_WRONLY | O_CREAT | O_TRUNC;
    int descriptor = -1;
    do descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
    while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

}  // namespace

SharedFile::SharedFile(const char* what, const std::string& path, Mode mode, location where)
    : what_(what), path_(path), where_(where), descriptor_(open_file(path, mode)) {
    if (descriptor_ < 0) fail(fmt::format("cannot be opened: {}", std::strerror(errno)));
}

SharedFile::~SharedFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void SharedFile::fail(const std::string& message) const {
    throw UsageError(fmt::format("{}: {} {}", what_, path_, message), where_);
}

std::uint64_t SharedFile::size() const {
    struct stat status{};
    if (fstat(descriptor_, &status) != 0) fail(fmt::format("cannot be read: {}", std::strerror(errno)));
    return static_cast<std::uint64_t>(status.st_size);
}

std::size_t SharedFile::read_at(std::uint64_t position, void* to, std::size_t bytes) const {
    std::size_t done = 0;
    while (done < bytes) {
        const ssize_t count = pread(descriptor_, static_cast<char*>(to) + done, std::min(bytes - done, longest_transfer),
                                    static_cast<off_t>(position + done));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail(fmt::format("cannot be read: {}", std::strerror(errno)));
        if (count == 0) break;
        done += static_cast<std::size_t>(count);
    }
    return done;
}

void SharedFile::write_at(std::uint64_t position, const void* from, std::size_t bytes) const {
    for (std::size_t done = 0; done < bytes;) {
        const ssize_t count = pwrite(descriptor_, static_cast<const char*>(from) + done,
                                     std::min(bytes - done, longest_transfer), static_cast<off_t>(position + done));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail(fmt::format("cannot be written: {}", std::strerror(errno)));
        done += static_cast<std::size_t>(count);
    }
}

void SharedFile::sync() const {
    if (fsync(descriptor_) != 0) fail(fmt::format("cannot be written: {}", std::strerror(errno)));
}

void SharedFile::close() {
    if (::close(std::exchange(descriptor_, -1)) != 0) fail(fmt::format("cannot be written: {}", std::strerror(errno)));
}

void replace_file(const char* what, const std::string& from, const std::string& to, location where) {
    if (std::rename(from.c_str(), to.c_str()) != 0)
        throw UsageError(fmt::format("{}: {} cannot be renamed to {}: {}", what, from, to, std::strerror(errno)), where);
    // The name is on the disk when the folder is. Some file systems cannot do that, and have no need to.
    std::string folder = std::filesystem::path(to).parent_path().string();
    const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    fsync(descriptor);
    ::close(descriptor);
}

std::size_t FilePart::take(void* to, std::size_t bytes) {
    const std::size_t count = file_.read_at(position_, to, static_cast<std::size_t>(std::min<std::uint64_t>(bytes, left())));
    if (sums_) checksum_ = crc32({static_cast<const unsigned char*>(to), count}, checksum_);
    position_ += count;
    return count;
}

}  // namespace sinter::runtime
