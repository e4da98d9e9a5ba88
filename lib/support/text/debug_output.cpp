// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/text/debug_output.hpp"

#include <fmt/args.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <utility>

namespace sinter {

namespace {

using detail::Scalar;

constinit thread_local DebugOutput* innermost = nullptr;

const char* file_name(const location& where) {
    const char* slash = std::strrchr(where.file_name(), '/');
    return slash ? slash + 1 : where.file_name();
}

void push(fmt::dynamic_format_arg_store<fmt::format_context>& arguments, Scalar type, std::uint64_t value) {
    const auto number = std::bit_cast<double>(value);
    if (type == Scalar::f64)
        arguments.push_back(number);
    else if (detail::is_float(type))
        arguments.push_back(static_cast<float>(number));
    else if (detail::is_boolean(type))
        arguments.push_back(value != 0);
    else if (detail::is_signed_integer(type))
        arguments.push_back(static_cast<std::int64_t>(value));
    else
        arguments.push_back(value);
}

std::string formatted(std::string_view format, std::span<const Scalar> types, std::span<const std::uint64_t> values) {
    fmt::dynamic_format_arg_store<fmt::format_context> arguments;
    for (std::size_t k = 0; k < types.size(); ++k) push(arguments, types[k], values[k]);
    return fmt::vformat(format, arguments);
}

bool comes_before(const DebugLine& a, const DebugLine& b) {
    return std::pair(a.launch, a.element) < std::pair(b.launch, b.element);
}

}  // namespace

std::string text_of(const DebugLine& line) {
    const UserText format = user_text(line.text);
    const std::string element = describe_element(line.text, line.element);
    return fmt::format("{}:{}: {}{}", file_name(format.where), format.where.line(),
                       element.empty() ? element : fmt::format("[{}] ", element),
                       formatted(format.text, line.types, line.values));
}

std::string bad_debug_format(std::string_view format, std::span<const Scalar> types) try {
    formatted(format, types, std::vector<std::uint64_t>(types.size()));
    return {};
} catch (const fmt::format_error& error) {
    return error.what();
}

DebugOutput::DebugOutput(const DebugHandler& handler, bool immediate)
    : handler_(handler), immediate_(immediate), outer_(std::exchange(innermost, this)) {}

DebugOutput::~DebugOutput() {
    innermost = outer_;
    try {
        finish();
    } catch (...) {  // the call already ends with an error
    }
}

DebugOutput* DebugOutput::current() noexcept { return innermost; }

void DebugOutput::add(DebugLine line) {
    if (immediate_) return write(text_of(line));
    std::lock_guard lock(mutex_);
    lines_.push_back(std::move(line));
    if (lines_.size() >= 2 * most_lines) sort();
}

/// Lines of one element keep their order, because one thread has printed them.
void DebugOutput::sort() {
    std::stable_sort(lines_.begin(), lines_.end(), comes_before);
    lines_.erase(std::unique(lines_.begin(), lines_.end()), lines_.end());
    if (lines_.size() <= most_lines) return;
    left_out_ += lines_.size() - most_lines;
    lines_.resize(most_lines);
}

void DebugOutput::finish() {
    if (lines_.empty()) return;
    sort();
    const std::vector<DebugLine> lines = std::exchange(lines_, {});
    for (const DebugLine& line : lines) write(text_of(line));
    if (left_out_ > 0) write(fmt::format("{} more lines are left out", std::exchange(left_out_, 0)));
}

void DebugOutput::write(std::string_view line) const {
    if (handler_) return handler_(line);
    std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
}

}  // namespace sinter
