// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loaded before a program: the files of other processes cannot be opened, as between users, or containers, that do not see
// each other's. CLOSED says whose: "all", or those of processes that were started "later", so that some ranks can map what
// others have and these cannot. Says on stderr that somebody has tried.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

bool is_closed(std::string_view path) {
    constexpr std::string_view processes = "/proc/";
    const char* whose = std::getenv("CLOSED");
    if (!whose || !path.starts_with(processes) || path.find("/fd/") == path.npos) return false;
    const int process = std::atoi(path.data() + processes.size());
    return process > 0 && (whose != std::string_view("later") || process > getpid());
}

int really_open(const char* path, int flags, mode_t mode) {
    if (is_closed(path)) {
        constexpr std::string_view said = "a file of another rank is closed\n";
        if (write(STDERR_FILENO, said.data(), said.size()) < 0) return -1;
        errno = EACCES;
        return -1;
    }
    using Open = int (*)(const char*, int, ...);
    return reinterpret_cast<Open>(dlsym(RTLD_NEXT, "open"))(path, flags, mode);
}

}  // namespace

extern "C" int open(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return really_open(path, flags, mode);
}

/// The same, where file offsets have 64 bits anyway.
extern "C" int open64(const char* path, int flags, ...) __attribute__((alias("open")));
