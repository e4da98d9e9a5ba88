// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Golden tests: files of a heading, the line "# expect", and what has to be made of the heading. Their first lines are
/// comments that say what the file shows. SINTER_BLESS=1 writes what came out into the files; read the difference before
/// committing it.
#pragma once

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::test {

inline std::string read_file(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

/// The text without its first lines that are comments.
inline std::string without_comments(std::string_view text) {
    while (text.starts_with('#')) text.remove_prefix(std::min(text.size(), text.find('\n') + 1));
    return std::string(text);
}

/// What stands between "# name:" and the end of its line.
inline std::string field(const std::string& heading, const std::string& name) {
    const std::size_t at = heading.find("# " + name + ":");
    REQUIRE(at != std::string::npos);
    const std::size_t begin = at + name.size() + 3;
    return heading.substr(begin, heading.find('\n', begin) - begin);
}

/// Checks all files of `folder` of that extension, of which there are at least `least`; `make` gets a heading.
template <class Make>
void check_golden(const std::filesystem::path& folder, std::size_t least, const Make& make,
                  const std::string& extension = ".txt") {
    constexpr std::string_view mark = "# expect\n";
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == extension) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    REQUIRE(files.size() >= least);
    for (const auto& path : files) {
        INFO(path.string());
        const std::string text = read_file(path);
        const std::size_t at = text.find(mark);
        REQUIRE(at != std::string::npos);
        const std::string heading = text.substr(0, at), made = make(heading);
        if (std::getenv("SINTER_BLESS") != nullptr)
            std::ofstream(path) << heading << mark << made;
        else
            CHECK(made == text.substr(at + mark.size()));
    }
}

}  // namespace sinter::test
