// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/cache/disk_cache.hpp"

#include "support/text/byte_count.hpp"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

using sinter::DiskCache;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t large = 1 << 20;

/// A folder for one test.
struct Folder {
    Folder() : path((fs::temp_directory_path() / ("sinter-test-" + std::to_string(getpid()))).native()) {
        fs::remove_all(path);
    }
    ~Folder() { fs::remove_all(path); }
    DiskCache cache(std::uint64_t limit = large) const { return DiskCache({path, limit}); }
    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), fs::directory_iterator()));
    }
    std::string path;
};

void write(const std::string& path, const std::string& content) { std::ofstream(path, std::ios::binary) << content; }

void set_age(const std::string& path, std::int64_t seconds) {
    const std::int64_t now = time(nullptr);
    const timespec times[] = {{now - seconds, 0}, {now - seconds, 0}};
    REQUIRE(utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
}

/// The exit status of `work` in a child process, or minus the signal that ended it.
template <class F>
int in_child(F work) {
    const pid_t child = fork();
    if (child == 0) {
        work();
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

TEST_CASE("what is stored is found, by other processes too") {
    Folder folder;
    REQUIRE_FALSE(folder.cache().find("key"));
    folder.cache().store("key", "value");
    REQUIRE(folder.cache().find("key") == "value");
    folder.cache().store("key", "another value");
    REQUIRE(folder.cache().find("key") == "another value");
    REQUIRE(folder.files() == 1);
    const int status = in_child([&] { _exit(folder.cache().find("key") == "another value" ? 7 : 0); });
    REQUIRE(status == 7);
    REQUIRE((fs::status(folder.path).permissions() & fs::perms::others_all) == fs::perms::none);
}

TEST_CASE("a damaged or foreign file is not found, and replaced") {
    Folder folder;
    folder.cache().store("key", "value");
    const std::string path = folder.cache().entries().at(0).path;
    folder.cache().store("other", "of another key");
    for (const DiskCache::Entry& entry : folder.cache().entries())
        if (entry.path != path) fs::rename(entry.path, path);
    REQUIRE_FALSE(folder.cache().find("key"));
    for (const char* content : {"", "not an entry at all"}) {
        write(path, content);
        REQUIRE_FALSE(folder.cache().find("key"));
        folder.cache().store("key", "value");
        REQUIRE(folder.cache().find("key") == "value");
    }
    fs::remove(path);
    fs::create_directory(path);
    REQUIRE_FALSE(folder.cache().find("key"));
    folder.cache().store("key", "value");  // does nothing
    fs::remove(path);
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    REQUIRE_FALSE(folder.cache().find("key"));  // does not wait for a writer
}

TEST_CASE("files and folders that others may write are not trusted") {
    const Folder folder;
    DiskCache cache = folder.cache();
    cache.store("key", "value");
    const std::string entry = cache.entries().at(0).path;
    REQUIRE(cache.find("key") == "value");
    for (const auto others : {fs::perms::group_write, fs::perms::others_write}) {
        fs::permissions(entry, others, fs::perm_options::add);
        REQUIRE(!cache.find("key"));
        fs::permissions(entry, others, fs::perm_options::remove);
        fs::permissions(folder.path, others, fs::perm_options::add);
        REQUIRE(!cache.find("key"));
        cache.store("another", "value");
        cache.clear();
        REQUIRE(folder.files() == 1);
        fs::permissions(folder.path, others, fs::perm_options::remove);
        REQUIRE(cache.find("key") == "value");
    }
    fs::rename(entry, entry + ".elsewhere");
    fs::create_symlink(entry + ".elsewhere", entry);
    REQUIRE(!cache.find("key"));
    cache.store("key", "new value");
    REQUIRE(cache.find("key") == "new value");
    REQUIRE(fs::is_regular_file(fs::symlink_status(entry)));
}

TEST_CASE("the cache keeps to its limit: what was not used for longest goes") {
    Folder folder;
    const std::string value(1000, 'x');
    DiskCache cache = folder.cache(20000);
    for (int k = 0; k < 100; ++k) {
        cache.store("key " + std::to_string(k), value);
        for (const DiskCache::Entry& entry : cache.entries()) set_age(entry.path, time(nullptr) - entry.used + 10000);
        REQUIRE(cache.find("key 0"));  // in use
    }
    std::uint64_t bytes = 0;
    for (const DiskCache::Entry& entry : cache.entries()) bytes += entry.bytes;
    REQUIRE(bytes <= 20000);
    REQUIRE(bytes >= 10000);
    REQUIRE(cache.find("key 99"));
    REQUIRE_FALSE(cache.find("key 1"));
    cache.store("larger than the cache", std::string(30000, 'x'));
    REQUIRE_FALSE(cache.find("larger than the cache"));
}

TEST_CASE("clear removes entries and leaves other files") {
    Folder folder;
    folder.cache().store("key", "value");
    write(folder.path + "/letter.txt", "Dear reader");
    folder.cache().clear();
    REQUIRE(folder.cache().entries().empty());
    REQUIRE(folder.files() == 1);
}

TEST_CASE("without a folder nothing is found and nothing fails") {
    Folder folder;
    write(folder.path, "a file, not a folder");
    for (const std::string& path : {std::string(), folder.path, folder.path + "/below", std::string("/proc/self/sinter")}) {
        DiskCache cache({path, large});
        cache.store("key", "value");
        REQUIRE_FALSE(cache.find("key"));
        REQUIRE(cache.entries().empty());
        cache.clear();
    }
}

TEST_CASE("a full disk is no error") {
    Folder folder;
    folder.cache().store("key", "value");
    const int status = in_child([&] {
        const rlimit limit{100, 100};
        setrlimit(RLIMIT_FSIZE, &limit);
        folder.cache().store("key", std::string(1000, 'x'));
        _exit(folder.cache().find("key") == "value" ? 7 : 0);
    });
    REQUIRE(status == 7);
    REQUIRE(folder.files() == 1);
}

TEST_CASE("writers that are killed leave whole entries or none") {
    Folder folder;
    const std::string values[] = {std::string(100000, 'a'), std::string(100000, 'b')};
    for (int round = 0; round < 20; ++round) {
        const pid_t child = fork();
        if (child == 0) {
            DiskCache cache = folder.cache(large * 100);
            for (int k = 0;; ++k) cache.store("key", values[k % 2]);
        }
        usleep(static_cast<useconds_t>(2000 + 371 * round));
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        if (const std::optional<std::string> found = folder.cache().find("key"))
            REQUIRE((*found == values[0] || *found == values[1]));
    }
    for (const auto& file : fs::directory_iterator(folder.path)) set_age(file.path().native(), 10000);
    folder.cache().store("next", "tidies up");
    REQUIRE(folder.files() == 2);
}

TEST_CASE("processes that write and read at once see whole entries") {
    Folder folder;
    folder.cache().store("key", std::string(50000, '0'));
    auto work = [&](char digit) {
        DiskCache cache = folder.cache(large * 100);
        for (int k = 0; k < 200; ++k) {
            cache.store("key", std::string(50000, digit));
            const std::optional<std::string> found = cache.find("key");
            if (!found || *found != std::string(50000, found->front())) _exit(1);
        }
        _exit(0);
    };
    std::vector<pid_t> children;
    for (char digit : {'1', '2', '3'}) {
        children.push_back(fork());
        if (children.back() == 0) work(digit);
    }
    for (pid_t child : children) {
        int status = 1;
        waitpid(child, &status, 0);
        REQUIRE(status == 0);
    }
    REQUIRE(folder.files() == 1);
}

TEST_CASE("byte counts") {
    using sinter::parse_byte_count;
    REQUIRE(parse_byte_count("0") == 0);
    REQUIRE(parse_byte_count("4096") == 4096);
    REQUIRE(parse_byte_count("64K") == 65536);
    REQUIRE(parse_byte_count("3M") == 3u << 20);
    REQUIRE(parse_byte_count("16G") == std::uint64_t{16} << 30);
    for (const char* text : {"", "K", "-1", "1.5G", "1k", "1 K", "1KB", "99999999999999999999", "18446744073709551615K"})
        REQUIRE_FALSE(parse_byte_count(text));
}
