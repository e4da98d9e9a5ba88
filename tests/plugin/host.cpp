// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// host PLUGIN again|at_end: a program that does not know the library, with a plug-in that does.
//
//   again    loads the plug-in, uses it, unloads it; many times
//   at_end   uses it in a handler of the process's end that was registered before the plug-in was loaded: it is called when
//            the library's and LLVM's global objects would have been destroyed
#include <dlfcn.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

namespace {

using Long = std::int64_t;

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "failed: %s\n", what);
    _exit(1);
}
#define REQUIRE(condition) require(condition, #condition)

class Plugin {
  public:
    explicit Plugin(const char* path) : handle_(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
        if (!handle_) std::fprintf(stderr, "%s\n", dlerror());
        REQUIRE(handle_);
    }
    void unload() const { REQUIRE(dlclose(handle_) == 0); }

    bool program(Long n, Long k) const { return find<bool(Long, Long)>("plugin_program")(n, k); }
    bool foreign(Long n) const { return find<bool(Long)>("plugin_foreign")(n); }
    bool error() const { return find<bool()>("plugin_error")(); }
    bool generates(Long k) const { return find<bool(Long)>("plugin_generates")(k); }

  private:
    template <class F>
    F* find(const char* name) const {
        void* function = dlsym(handle_, name);
        REQUIRE(function);
        return reinterpret_cast<F*>(function);
    }

    void* handle_;
};

Long resident_kilobytes() {
    Long pages = 0;
    std::ifstream statm("/proc/self/statm");
    statm >> pages >> pages;
    return pages * sysconf(_SC_PAGESIZE) / 1024;
}

void use_once(const char* path, Long round) {
    const Plugin plugin(path);
    REQUIRE(plugin.program(1000, round % 4));
    REQUIRE(plugin.program(1'000'000, 1));
    REQUIRE(plugin.foreign(100));
    REQUIRE(plugin.error());
    std::thread([&] { REQUIRE(plugin.program(2000, 5)); }).join();
    plugin.unload();
    REQUIRE(!dlopen(path, RTLD_NOW | RTLD_NOLOAD));
}

void again(const char* path) {
    for (Long round = 0; round < 10; ++round) use_once(path, round);
    const Long before = resident_kilobytes();
    for (Long round = 0; round < 40; ++round) use_once(path, round);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    REQUIRE(resident_kilobytes() < before + 2000);
#endif
}

const Plugin* kept = nullptr;

void last() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    REQUIRE(kept->generates(77));  // the compiler has not ended
#endif
    REQUIRE(kept->program(1000, 2));
    REQUIRE(kept->program(1'000'000, 2));
    REQUIRE(kept->program(1000, 99));
    REQUIRE(kept->foreign(100));
    REQUIRE(kept->error());
    std::thread([] { REQUIRE(kept->program(1000, 101)); }).join();
    std::puts("used at the end");
    std::fflush(stdout);
}

void at_end(const char* path) {
    REQUIRE(std::atexit(last) == 0);
    static const Plugin plugin(path);
    kept = &plugin;
    REQUIRE(plugin.generates(78));
    REQUIRE(plugin.program(1000, 2));
    REQUIRE(plugin.program(1'000'000, 2));
}

}  // namespace

int main(int count, char** arguments) {
    REQUIRE(count == 3);
    const std::string mode = arguments[2];
    REQUIRE(mode == "again" || mode == "at_end");
    mode == "again" ? again(arguments[1]) : at_end(arguments[1]);
    return 0;
}
