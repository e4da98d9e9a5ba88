// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>

namespace sinter {

namespace {

/// A file descriptor, closed at the end.
class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    operator int() const { return number_; }

  private:
    int number_;
};

bool is_own(const struct stat& status) {
    return S_ISREG(status.st_mode) && (status.st_uid == geteuid() || status.st_uid == 0);
}

/// At most the expected bytes: a file that is being changed is one that is damaged.
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

/// Writing beyond the limit would end the process.
bool exceeds_limit(std::size_t bytes) {
    rlimit limit{};
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && bytes > limit.rlim_cur;
}

std::string unique_name(const std::string& path, std::string_view end) {
    static std::atomic<std::int64_t> count{std::chrono::system_clock::now().time_since_epoch().count()};
    return path + "." + std::to_string(getpid()) + "-" + std::to_string(count.fetch_add(1)) + std::string(end);
}

}  // namespace

std::optional<OwnFile> read_own_file(const std::string& path) {
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0 || !is_own(status)) return std::nullopt;
    std::optional<std::string> content = read_all(file, static_cast<std::size_t>(status.st_size));
    if (!content) return std::nullopt;
    return OwnFile{std::move(*content), status.st_mtim.tv_sec};
}

void mark_used(const std::string& path) { utimensat(AT_FDCWD, path.c_str(), nullptr, 0); }

bool replace_file(const std::string& path, std::string_view unfinished, std::string_view content) {
    if (exceeds_limit(content.size())) return false;
    const std::string part = unique_name(path, unfinished);
    bool written = false;
    {
        const Descriptor file(open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        if (file < 0) return false;
        written = write_all(file, content);
    }
    if (written && std::rename(part.c_str(), path.c_str()) == 0) return true;
    unlink(part.c_str());
    return false;
}

}  // namespace sinter
