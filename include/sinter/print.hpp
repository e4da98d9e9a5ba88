// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arrays as text, as NumPy prints them: std::cout << a; to_text(a, options); fmt::format("{}", a), if fmt's header comes
/// first; and std::format, where the standard library has it.
#pragma once

#include <sinter/array.hpp>
#include <sinter/print/format.hpp>

#include <ostream>
#if __has_include(<format>)
#include <format>
#endif

namespace sinter {

namespace detail {

/// Lays out the elements that are shown, line by line.
template <std::size_t Rank>
class ArrayLayout {
  public:
    ArrayLayout(const std::array<std::int64_t, Rank>& shape, bool abridged, const PrintOptions& options)
        : shape_(shape), abridged_(abridged), options_(options) {}

    /// The indices along an axis that are shown, with -1 in place of those that are left out.
    std::vector<std::int64_t> shown(std::size_t axis) const {
        std::vector<std::int64_t> indices;
        const bool gap = abridged_ && shape_[axis] > 2 * options_.edge_items;
        for (std::int64_t i = 0; i < shape_[axis]; ++i) {
            if (gap && i == options_.edge_items) {
                indices.push_back(-1);
                i = shape_[axis] - options_.edge_items;
                if (i == shape_[axis]) break;
            }
            indices.push_back(i);
        }
        return indices;
    }

    /// Offsets of the elements that are shown, in row-major order.
    void offsets(std::vector<std::int64_t>& result, std::size_t axis = 0, std::int64_t offset = 0) const {
        if (axis == Rank) {
            result.push_back(offset);
            return;
        }
        for (std::int64_t i : shown(axis))
            if (i >= 0) offsets(result, axis + 1, offset * shape_[axis] + i);
    }

    /// The brackets of an axis around what is inside; `next` are the elements' texts.
    std::string lines(const std::string*& next, std::size_t axis, std::size_t width) const {
        const std::string indent(axis + 1, ' ');
        std::string text = axis + 1 == Rank ? innermost(next, indent, width) : nested(next, indent, axis, width);
        return "[" + text.substr(std::min(indent.size(), text.size())) + "]";
    }

  private:
    std::string innermost(const std::string*& next, const std::string& indent, std::size_t width) const {
        std::string text, line = indent;
        const auto indices = shown(Rank - 1);
        for (std::size_t k = 0; k < indices.size(); ++k) {
            const std::string word = indices[k] < 0 ? "..." : *next++;
            if (line.size() > indent.size() && line.size() + word.size() > width - 1) {
                text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
                line = indent;
            }
            line += word;
            if (k + 1 < indices.size()) line += ' ';
        }
        return text + line;
    }

    std::string nested(const std::string*& next, const std::string& indent, std::size_t axis, std::size_t width) const {
        std::string text;
        const std::string separator(Rank - axis - 1, '\n');
        const auto indices = shown(axis);
        for (std::size_t k = 0; k < indices.size(); ++k) {
            if (k > 0) text += separator;
            text += indent + (indices[k] < 0 ? "..." : lines(next, axis + 1, width - 1));
        }
        return text;
    }

    std::array<std::int64_t, Rank> shape_;
    bool abridged_;
    const PrintOptions& options_;
};

}  // namespace detail

/// The array as text.
template <class T, int Rank>
std::string to_text(const Array<T, Rank>& a, const PrintOptions& options = {}, location where = location::current()) {
    const auto elements = a.to_vector(where);
    if (elements.empty()) return "[]";
    const detail::FormattingEnvironment floats;
    if constexpr (Rank == 0) {
        return detail::plain_text<T>(elements[0], options);
    } else {
        const detail::ArrayLayout<Rank> layout(a.shape(where), a.size(where) > options.threshold, options);
        std::vector<std::int64_t> offsets;
        layout.offsets(offsets);
        std::vector<T> shown;
        for (std::int64_t offset : offsets) shown.push_back(elements[static_cast<std::size_t>(offset)]);
        const auto texts = detail::element_texts<T>(shown, options);
        const std::string* next = texts.data();
        return layout.lines(next, 0, options.line_width);
    }
}

template <class T, int Rank>
std::ostream& operator<<(std::ostream& out, const Array<T, Rank>& a) {
    return out << to_text(a);
}
template <class T, int Rank>
std::ostream& operator<<(std::ostream& out, const Delayed<T, Rank>&) {
    static_assert(detail::never<T>, "a Delayed is not computed yet, so it cannot be printed: write std::cout << run(a)");
    return out;
}

}  // namespace sinter

#ifdef FMT_VERSION
template <class T, int Rank>
struct fmt::formatter<sinter::Array<T, Rank>> : fmt::formatter<std::string> {
    template <class Context>
    auto format(const sinter::Array<T, Rank>& a, Context& context) const {
        return fmt::formatter<std::string>::format(sinter::to_text(a), context);
    }
};
#endif
#ifdef __cpp_lib_format
template <class T, int Rank>
struct std::formatter<sinter::Array<T, Rank>> : std::formatter<std::string> {
    template <class Context>
    auto format(const sinter::Array<T, Rank>& a, Context& context) const {
        return std::formatter<std::string>::format(sinter::to_text(a), context);
    }
};
#endif
