// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/cache/own_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>

namespace sinter {

namespace {

/// True if nobody but this user and the system may change it.
bool is_own(const struct stat& status) {
    return (status.st_uid == geteuid() || status.st_uid == 0) && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Reads at most the expected number of bytes: a file that is being changed counts as damaged.
std::optional<std::string> read_all(int file, std::size_t bytes) {
    std::string content(bytes, '\0');
    std::size_t done = 0;
    while (done < bytes) {
        const ssize_t n = read(file, content.data() + done, bytes - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return std::nullopt;
        done += static_cast<std::size_t>(n);
    }
    return content;
}

bool write_all(int file, std::string_view content) {
    while (!content.empty()) {
        const ssize_t n = write(file, content.data(), content.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        content.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

/// Writing beyond the limit on file sizes would end the process.
bool exceeds_limit(std::size_t bytes) {
    rlimit limit{};
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && bytes > limit.rlim_cur;
}

std::string unique_name(const std::string& name, std::string_view end) {
    static std::atomic<std::int64_t> count{std::chrono::system_clock::now().time_since_epoch().count()};
    return name + "." + std::to_string(getpid()) + "-" + std::to_string(count.fetch_add(1)) + std::string(end);
}

}  // namespace

Descriptor::~Descriptor() {
    if (number_ >= 0) close(number_);
}

std::optional<OwnFolder> OwnFolder::open(const std::string& path) {
    Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    struct stat status;
    if (folder < 0 || fstat(folder, &status) != 0 || !is_own(status)) return std::nullopt;
    return OwnFolder(std::move(folder));
}

std::optional<OwnFolder> OwnFolder::make(const std::string& path) {
    if (auto folder = open(path)) return folder;
    std::error_code error;
    const std::filesystem::path whole(path);
    std::filesystem::create_directories(whole.parent_path(), error);
    mkdir(path.c_str(), S_IRWXU);
    return open(path);
}

std::optional<OwnFile> OwnFolder::read(const std::string& name) const {
    const Descriptor file(openat(folder_, name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || !is_own(status)) return std::nullopt;
    std::optional<std::string> content = read_all(file, static_cast<std::size_t>(status.st_size));
    if (!content) return std::nullopt;
    return OwnFile{std::move(*content), status.st_mtim.tv_sec};
}

void OwnFolder::mark_used(const std::string& name) const { utimensat(folder_, name.c_str(), nullptr, AT_SYMLINK_NOFOLLOW); }

bool OwnFolder::replace(const std::string& name, std::string_view unfinished, std::string_view content) const {
    if (exceeds_limit(content.size())) return false;
    const std::string part = unique_name(name, unfinished);
    bool written = false;
    {
        const Descriptor file(openat(folder_, part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
        if (file < 0) return false;
        written = write_all(file, content);
    }
    if (written && renameat(folder_, part.c_str(), folder_, name.c_str()) == 0) return true;
    remove(part);
    return false;
}

void OwnFolder::remove(const std::string& name) const { unlinkat(folder_, name.c_str(), 0); }

std::vector<OwnFolder::Listed> OwnFolder::list(std::string_view end) const {
    std::vector<Listed> result;
    Descriptor again(openat(folder_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));  // with a position of its own
    if (again < 0) return result;
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(fdopendir(again), closedir);
    if (!entries) return result;
    again.release();
    while (const dirent* entry = readdir(entries.get())) {
        struct stat status;
        if (!std::string_view(entry->d_name).ends_with(end)) continue;
        if (fstatat(folder_, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode)) continue;
        result.push_back({entry->d_name, static_cast<std::uint64_t>(status.st_size), status.st_mtim.tv_sec});
    }
    return result;
}

}  // namespace sinter
