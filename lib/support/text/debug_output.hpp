// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Collects what debug_print prints while a program runs.
#pragma once

#include <sinter/detail/callback.hpp>
#include <sinter/detail/scalar.hpp>

#include "support/text/user_text.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

/// Receives each line, without its end; if empty, lines go to stderr.
using DebugHandler = detail::Callback<void(std::string_view)>;

struct DebugLine {
    std::uint64_t text;    ///< the format (user_text.hpp)
    std::int64_t element;  ///< number of the element
    std::vector<detail::Scalar> types = {};
    std::vector<std::uint64_t> values = {};  ///< integers widened to 64 bits, floats to f64
    std::uint64_t launch = 0;
    bool operator==(const DebugLine&) const = default;
};

/// For example "file.cpp:12: [7] x = 1.5".
std::string text_of(const DebugLine& line);
/// What is wrong with a format for values of these types, for people; empty if it fits.
std::string bad_debug_format(std::string_view format, std::span<const detail::Scalar> types);

/// The lines of one call, which has this thread for as long as the object lives. Lines that kernels print, on any thread,
/// are kept until the end: the first ones in the order of launches and elements, each once.
class DebugOutput {
  public:
    static constexpr std::size_t most_lines = 1000;

    /// `immediate`: all lines are written as they come.
    DebugOutput(const DebugHandler& handler, bool immediate);
    ~DebugOutput();  ///< writes whatever finish() has not written
    DebugOutput(const DebugOutput&) = delete;
    DebugOutput& operator=(const DebugOutput&) = delete;

    /// The output of the innermost call on this thread; null outside calls.
    static DebugOutput* current() noexcept;

    std::uint64_t next_launch() noexcept { return ++launches_; }
    void add(DebugLine line);
    /// Writes the lines that have been kept.
    void finish();

  private:
    void sort();
    void write(std::string_view line) const;

    const DebugHandler& handler_;
    const bool immediate_;
    DebugOutput* const outer_;
    std::uint64_t launches_ = 0;
    std::mutex mutex_;
    std::vector<DebugLine> lines_;
    std::size_t left_out_ = 0;
};

/// Where the lines of a launch go.
struct DebugPlace {
    DebugOutput* output = DebugOutput::current();
    std::uint64_t launch = output ? output->next_launch() : 0;
    void add(DebugLine line) const {
        line.launch = launch;
        if (output) output->add(std::move(line));
    }
};

}  // namespace sinter
