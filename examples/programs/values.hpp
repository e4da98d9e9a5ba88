// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reference data: text files of numbers and arrays, as `5i32`, `2.5e-2f32`, `[[1, 2], [3, 4]]`; `--` starts a comment.
#pragma once

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace programs {

/// The path of a file of reference data, if it exists: in $SINTER_DATA, or in shared/data next to this folder or next to one
/// around it.
inline std::optional<std::filesystem::path> reference_data(const std::string& name) {
    namespace fs = std::filesystem;
    std::vector<fs::path> places;
    if (const char* folder = std::getenv("SINTER_DATA")) places.push_back(folder);
    for (fs::path at = fs::current_path(); at.has_relative_path(); at = at.parent_path())
        places.push_back(at.parent_path() / "shared" / "data");
    for (const fs::path& place : places)
        if (std::error_code none; fs::exists(place / name, none)) return place / name;
    return std::nullopt;
}

/// The values of a file, one after another.
class Values {
  public:
    explicit Values(const std::filesystem::path& path) : path_(path) {
        std::ifstream file(path, std::ios::binary);
        text_.assign(std::istreambuf_iterator<char>(file), {});
    }

    template <class T>
    T scalar() {
        skip_blanks();
        const char *begin = text_.data() + at_, *end = text_.data() + text_.size();
        T value{};
        const auto [stop, error] = std::from_chars(begin, end, value);
        if (error != std::errc{}) fail("a number");
        at_ = static_cast<std::size_t>(stop - text_.data());
        while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_]))) ++at_;  // its type
        return value;
    }

    /// The elements of an array of any rank in row-major order.
    template <class T>
    std::vector<T> array() {
        std::vector<T> elements;
        append(elements);
        return elements;
    }

  private:
    template <class T>
    void append(std::vector<T>& elements) {
        if (!accept('[')) fail("[");
        while (!accept(']')) {
            if (next() == '[')
                append(elements);
            else
                elements.push_back(scalar<T>());
            accept(',');
        }
    }

    void skip_blanks() {
        for (;;) {
            at_ = text_.find_first_not_of(" \t\r\n", at_);
            if (at_ == std::string::npos) at_ = text_.size();
            if (text_.compare(at_, 2, "--") != 0) return;
            at_ = std::min(text_.find('\n', at_), text_.size());
        }
    }
    char next() {
        skip_blanks();
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool accept(char c) {
        if (next() != c) return false;
        ++at_;
        return true;
    }
    [[noreturn]] void fail(const char* expected) const {
        throw std::runtime_error(path_.string() + ": expected " + expected + " at byte " + std::to_string(at_));
    }

    std::filesystem::path path_;
    std::string text_;
    std::size_t at_ = 0;
};

}  // namespace programs
