// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Files of tests that run on any number of ranks.
#pragma once

#include <sinter/detail/ranks.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace sinter::files_tests {

/// All ranks wait for each other.
inline void meet() { detail::meet_ranks("a test of files", 0, location::current()); }

/// A file that all ranks have together, and that is gone when the test ends.
struct TemporaryFile {
    std::string path;
    explicit TemporaryFile(const std::string& name)
        : path((std::filesystem::temp_directory_path() / ("sinter_" + name + "_" + std::to_string(detail::rank_count())))
                   .string()) {
        remove();
    }
    ~TemporaryFile() { remove(); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    void remove() const {
        meet();
        if (detail::own_rank() == 0) std::filesystem::remove_all(path);
        meet();
    }
    void write(const std::string& contents) const {
        meet();
        if (detail::own_rank() == 0) std::ofstream(path, std::ios::binary) << contents;
        meet();
    }
    void cut(std::uintmax_t size) const {
        meet();
        if (detail::own_rank() == 0) std::filesystem::resize_file(path, size);
        meet();
    }
};

/// The message of the error that f() throws.
template <class E, class F>
std::string error_of(F f) {
    try {
        f();
    } catch (const E& error) {
        return error.what();
    }
    return "no error";
}
inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace sinter::files_tests
