// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tables of numbers as text, a line per row, as numpy.loadtxt reads and numpy.savetxt writes them. Not part of sinter.hpp.
#pragma once

#include <sinter/combinators/from.hpp>
#include <sinter/detail/rows.hpp>

#include <charconv>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

namespace detail {

template <class T>
concept TextNumber = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

/// Reads the lines of a file. '#' begins a comment; lines without numbers do not count.
template <TextNumber T>
class TextTable {
  public:
    TextTable(const std::string& path, char delimiter, location where) : path_(path), delimiter_(delimiter), where_(where) {
        std::ifstream file(path);
        if (!file) throw UsageError("load_txt: cannot read the file " + path, where);
        for (std::string line; std::getline(file, line);) {
            ++line_;
            read(std::string_view(line).substr(0, line.find('#')));
        }
    }
    const std::vector<T>& values() const { return values_; }
    std::int64_t rows() const { return rows_; }
    std::int64_t columns() const { return columns_; }

  private:
    static constexpr std::string_view blanks = " \t\r\f\v";

    void read(std::string_view line) {
        std::int64_t count = 0;
        for (line = trimmed(line); !line.empty(); ++count) {
            const std::size_t end = delimiter_ == ' ' ? line.find_first_of(blanks) : line.find(delimiter_);
            values_.push_back(number(trimmed(line.substr(0, end))));
            line = end == std::string_view::npos ? std::string_view() : trimmed(line.substr(end + 1));
        }
        if (count == 0) return;
        if (rows_++ == 0) columns_ = count;
        if (count != columns_)
            throw UsageError(place() + ": another number of numbers than in the lines before it: " + std::to_string(count),
                             where_);
    }
    static std::string_view trimmed(std::string_view text) {
        const std::size_t first = text.find_first_not_of(blanks);
        if (first == std::string_view::npos) return {};
        return text.substr(first, text.find_last_not_of(blanks) - first + 1);
    }
    T number(std::string_view text) const {
        T value{};
        const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc() || end != digits.data() + digits.size())
            throw UsageError(place() + ": no number of the element type: " + std::string(text), where_);
        return value;
    }
    std::string place() const { return "load_txt: " + path_ + ", line " + std::to_string(line_); }

    std::string path_;
    char delimiter_;
    location where_;
    std::vector<T> values_;
    std::int64_t rows_ = 0, columns_ = 0, line_ = 0;
};

template <class T>
void write_table(const std::string& path, const std::vector<T>& values, std::int64_t columns, char delimiter,
                 location where) {
    std::ofstream file(path);
    std::int64_t column = 0;
    for (const T value : values) {
        char digits[64];
        file.write(digits, std::to_chars(digits, digits + sizeof digits, value).ptr - digits);
        const bool is_last = ++column == columns;
        file.put(is_last ? '\n' : delimiter);
        if (is_last) column = 0;
    }
    file.close();
    if (!file) throw UsageError("save_txt: cannot write the file " + path, where);
}

}  // namespace detail

/// The numbers of a text file: of rank 2 with a row for each line, or of rank 1, if there is one line or one number in each.
/// Numbers are separated by blanks, or by another character. UsageError if the file cannot be read, if something is no
/// number, or one that T cannot hold, and if lines have different lengths; ShapeError if the file has no such rank.
template <class T, int Rank = 1>
Array<T, Rank> load_txt(const std::string& path, char delimiter = ' ', location where = location::current()) {
    static_assert(detail::TextNumber<T>, "load_txt: elements are integers, float or double");
    static_assert(Rank == 1 || Rank == 2, "load_txt: a text file has rank 1 or 2");
    detail::meet_for_file("load_txt", Rank, where);
    std::optional<detail::TextTable<T>> table;
    detail::together("load_txt", where, [&] {
        table.emplace(path, delimiter, where);
        if (Rank == 1 && table->rows() > 1 && table->columns() > 1)
            throw ShapeError("load_txt: several numbers in each of several lines have rank 2: load_txt<T, 2>", where);
    });
    if constexpr (Rank == 2)
        return from(table->values(), shape(table->rows(), table->columns()), where);
    else
        return from(table->values(), where);
}

/// Writes an array of rank 2 with a line for each row, or one of rank 1 with a line for each element. load_txt reads the
/// same numbers. UsageError if the file cannot be written.
template <class T, int Rank>
void save_txt(const std::string& path, const Array<T, Rank>& a, char delimiter = ' ', location where = location::current()) {
    static_assert(detail::TextNumber<T>, "save_txt: elements are integers, float or double");
    static_assert(Rank == 1 || Rank == 2, "save_txt: an array of rank 1 or 2");
    const std::int64_t columns = Rank == 2 ? a.shape(where)[Rank - 1] : 1;
    detail::meet_for_file("save_txt", Rank, where);
    const std::vector<T> values = a.to_vector();
    detail::together("save_txt", where, [&] {
        if (detail::own_rank() == 0) detail::write_table(path, values, columns, delimiter, where);
    });
}

}  // namespace sinter
