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

int open_as(const char* name, const char* path, int flags, mode_t mode) {
    if (is_closed(path)) {
        constexpr std::string_view said = "a file of another rank is closed\n";
        if (write(STDERR_FILENO, said.data(), said.size()) < 0) return -1;
        errno = EACCES;
        return -1;
    }
    using Open = int (*)(const char*, int, ...);
    return reinterpret_cast<Open>(dlsym(RTLD_NEXT, name))(path, flags, mode);
}

mode_t mode_of(int flags, va_list& more) { return flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0; }

}  // namespace

extern "C" int open(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = mode_of(flags, more);
    va_end(more);
    return open_as("open", path, flags, mode);
}

extern "C" int open64(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = mode_of(flags, more);
    va_end(more);
    return open_as("open64", path, flags, mode);
}
