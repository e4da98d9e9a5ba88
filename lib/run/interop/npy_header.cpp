// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/interop/npy_header.hpp"

#include <fmt/format.h>

#include <charconv>

namespace sinter::runtime {
namespace {

/// Reads Python literals from the front of a text.
class Reader {
  public:
    explicit Reader(std::string_view text) : text_(text) {}

    bool take(std::string_view token) {
        skip_space();
        if (!text_.starts_with(token)) return false;
        text_.remove_prefix(token.size());
        return true;
    }
    std::optional<std::string> string() {
        skip_space();
        if (text_.empty() || (text_[0] != '\'' && text_[0] != '"')) return {};
        std::size_t end = text_.find(text_[0], 1);
        if (end == text_.npos) return {};
        std::string result(text_.substr(1, end - 1));
        text_.remove_prefix(end + 1);
        return result;
    }
    std::optional<bool> boolean() {
        if (take("True")) return true;
        if (take("False")) return false;
        return {};
    }
    std::optional<std::vector<std::int64_t>> tuple() {
        std::vector<std::int64_t> values;
        if (!take("(")) return {};
        while (!take(")")) {
            skip_space();
            std::int64_t value = 0;
            auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
            if (error != std::errc{} || value < 0) return {};
            text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
            take("L");  // written by Python 2
            values.push_back(value);
            if (take(")")) break;
            if (!take(",")) return {};
        }
        return values;
    }
    /// A list, verbatim: the description of a structured type.
    std::optional<std::string> list() {
        skip_space();
        std::size_t depth = 0;
        for (std::size_t i = 0; i < text_.size(); ++i) {
            if (text_[i] == '[') ++depth;
            if (text_[i] == ']') --depth;
            if (depth != 0) continue;
            if (i == 0) return {};
            std::string result(text_.substr(0, i + 1));
            text_.remove_prefix(i + 1);
            return result;
        }
        return {};
    }

  private:
    void skip_space() {
        while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\n' || text_[0] == '\t')) text_.remove_prefix(1);
    }
    std::string_view text_;
};

/// Reads the value of `key` into the header.
bool read_entry(Reader& reader, const std::string& key, NpyHeader& header, int& found) {
    ++found;
    if (key == "descr") {
        auto text = reader.string();
        if (!text) text = reader.list();
        if (text) header.descr = *text;
        return text.has_value();
    }
    if (key == "fortran_order") {
        auto value = reader.boolean();
        if (value) header.fortran_order = *value;
        return value.has_value();
    }
    if (key != "shape") return false;
    auto shape = reader.tuple();
    if (shape) header.shape = std::move(*shape);
    return shape.has_value();
}

}  // namespace

std::optional<NpyHeader> parse_npy_dictionary(std::string_view text) {
    Reader reader(text);
    NpyHeader header;
    int found = 0;
    if (!reader.take("{")) return {};
    while (!reader.take("}")) {
        auto key = reader.string();
        if (!key || !reader.take(":") || !read_entry(reader, *key, header, found)) return {};
        if (reader.take("}")) break;
        if (!reader.take(",")) return {};
    }
    if (found != 3 || header.descr.empty()) return {};
    return header;
}

std::string print_npy_header(const NpyHeader& header) {
    std::string shape;
    for (std::int64_t extent : header.shape) shape += fmt::format("{}, ", extent);
    if (header.shape.size() > 1) shape.resize(shape.size() - 2);  // "(3,)" but "(3, 4)"
    if (header.shape.size() == 1) shape.resize(shape.size() - 1);
    std::string text = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}", header.descr,
                                   header.fortran_order ? "True" : "False", shape);
    bool is_long = text.size() + 64 > 0xffff;
    std::size_t prefix = is_long ? 12 : 10;
    std::size_t total = (prefix + text.size() + 1 + 63) / 64 * 64;
    text.resize(total - prefix - 1, ' ');
    text += '\n';
    std::string result = "\x93NUMPY";
    result += static_cast<char>(is_long ? 2 : 1);
    result += '\0';
    for (std::size_t k = 0; k < prefix - 8; ++k) result += static_cast<char>(text.size() >> 8 * k & 0xff);
    return result + text;
}

}  // namespace sinter::runtime
