// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Elements as text, in columns of one width, as NumPy prints them.
#pragma once

#include <sinter/element.hpp>

#include <algorithm>
#include <cfenv>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace sinter {

/// How arrays are printed.
struct PrintOptions {
    int precision = 8;              ///< digits after the point, at most
    std::int64_t edge_items = 3;    ///< the number of elements kept at each end of an axis that is abridged
    std::int64_t threshold = 1000;  ///< arrays with more elements are abridged
    std::size_t line_width = 75;
};

namespace detail {

/// The default floating-point environment while numbers are formatted: under a caller's that flushes subnormal numbers, they
/// compare equal to zero.
class FormattingEnvironment {
  public:
    FormattingEnvironment() noexcept {
        std::fegetenv(&before_);
        std::fesetenv(FE_DFL_ENV);
    }
    ~FormattingEnvironment() { std::fesetenv(&before_); }
    FormattingEnvironment(const FormattingEnvironment&) = delete;
    FormattingEnvironment& operator=(const FormattingEnvironment&) = delete;

  private:
    std::fenv_t before_;
};

/// The shortest digits that are read back as x, but at most `precision` after the point: "1.25", "3.", "1.5e+10".
template <class F>
std::string digits(F x, std::chars_format format, int precision) {
    char text[512];
    auto end = std::to_chars(text, text + sizeof text, x, format).ptr;
    const auto fraction = [&] {
        char* const first = text;
        char* const point = std::find(first, end, '.');
        return point == end ? std::ptrdiff_t{0} : std::find(point, end, 'e') - point - 1;
    };
    if (fraction() > precision) end = std::to_chars(text, text + sizeof text, x, format, precision).ptr;
    char* const split = std::find(static_cast<char*>(text), end, 'e');
    std::string mantissa(text, split);
    const std::string exponent(split, end);
    if (mantissa.find('.') == std::string::npos) mantissa += '.';
    mantissa.erase(mantissa.find_last_not_of('0') + 1);
    return mantissa + exponent;
}

/// The number of characters that a mantissa has after its point.
inline std::size_t fraction_length(const std::string& number) {
    return std::min(number.size(), number.find('e')) - number.find('.') - 1;
}

/// Numbers that differ by a factor of more than a thousand, or are very large or small, are written with an exponent.
template <class F>
bool needs_exponent(const std::vector<F>& elements) {
    double least = std::numeric_limits<double>::infinity(), greatest = 0;
    for (F x : elements) {
        const double magnitude = std::abs(static_cast<double>(x));
        if (!std::isfinite(magnitude) || magnitude == 0) continue;
        least = std::min(least, magnitude);
        greatest = std::max(greatest, magnitude);
    }
    return greatest >= 1e8 || (greatest > 0 && (least < 1e-4 || greatest / least > 1000));
}

inline void align_right(std::vector<std::string>& texts) {
    std::size_t width = 0;
    for (const std::string& text : texts) width = std::max(width, text.size());
    for (std::string& text : texts) text.insert(0, width - text.size(), ' ');
}

/// One text per element, with the points aligned. `plus`: positive numbers have a sign, too.
template <class F>
std::vector<std::string> float_texts(const std::vector<F>& elements, const PrintOptions& options, bool plus = false) {
    const bool exponent = needs_exponent(elements);
    const auto format = exponent ? std::chars_format::scientific : std::chars_format::fixed;
    std::vector<std::string> texts;
    std::size_t fraction = 0;
    for (F x : elements) {
        if (!std::isfinite(x)) {
            texts.push_back(std::isnan(x) ? "nan" : x < 0 ? "-inf" : "inf");
            continue;
        }
        texts.push_back(digits(x, format, options.precision));
        fraction = std::max(fraction, fraction_length(texts.back()));
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (!std::isfinite(elements[i])) continue;
        const std::size_t missing = fraction - fraction_length(texts[i]);
        texts[i].insert(std::min(texts[i].size(), texts[i].find('e')), missing, exponent ? '0' : ' ');
    }
    if (plus)
        for (std::string& text : texts)
            if (text[0] != '-') text.insert(0, "+");
    align_right(texts);
    return texts;
}

/// Real and imaginary parts in columns of their own, "1.+2.j": the spaces that align the latter come after the j.
template <class F>
std::vector<std::string> complex_texts(const std::vector<std::complex<F>>& elements, const PrintOptions& options) {
    std::vector<F> real, imaginary;
    for (const std::complex<F>& z : elements) real.push_back(z.real()), imaginary.push_back(z.imag());
    std::vector<std::string> texts = float_texts(real, options), others = float_texts(imaginary, options, true);
    for (std::size_t i = 0; i < texts.size(); ++i) texts[i] += others[i].insert(others[i].find_last_not_of(' ') + 1, "j");
    return texts;
}
template <class T>
std::string plain_text(const T& x, const PrintOptions& options);

/// A product: its components in parentheses.
template <class T>
std::string product_text(const T& x, const PrintOptions& options) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        std::string text;
        ((text += (I == 0 ? "(" : ", ") + plain_text(Product<T>::template get<I>(x), options)), ...);
        return text + ")";
    }(component_indices<T>{});
}

template <class T>
std::vector<std::string> element_texts(const std::vector<T>& elements, const PrintOptions& options) {
    if constexpr (std::is_same_v<T, half>) {
        return float_texts(std::vector<float>(elements.begin(), elements.end()), options);
    } else if constexpr (std::is_floating_point_v<T>) {
        return float_texts(elements, options);
    } else if constexpr (is_complex<T>) {
        return complex_texts(elements, options);
    } else {
        std::vector<std::string> texts;
        for (const T& x : elements) {
            if constexpr (std::is_same_v<T, bool>)
                texts.push_back(x ? "True" : "False");
            else if constexpr (is_scalar<T>)
                texts.push_back(std::to_string(x));
            else
                texts.push_back(product_text(x, options));
        }
        align_right(texts);
        return texts;
    }
}

template <class T>
std::string plain_text(const T& x, const PrintOptions& options) {
    return element_texts(std::vector<T>{x}, options)[0];
}

}  // namespace detail
}  // namespace sinter
