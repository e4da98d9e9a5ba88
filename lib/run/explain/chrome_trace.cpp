// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/explain/chrome_trace.hpp"

#include <fmt/format.h>

#include <iterator>

namespace sinter::runtime {

namespace {

std::string json_string(std::string_view text) {
    std::string result = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (static_cast<unsigned char>(c) >= ' ') result += c;
    }
    return result + '"';
}

double microseconds(Clock::duration time) { return std::chrono::duration<double, std::micro>(time).count(); }

}  // namespace

std::string chrome_trace(const Recording& recording) {
    std::string json = "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [";
    const char* separator = "\n";
    for (const Event& e : recording.events) {
        fmt::format_to(std::back_inserter(json),
                       "{}{{\"name\": {}, \"cat\": \"{}\", \"ph\": \"X\", \"pid\": 1, \"tid\": {}, \"ts\": {:.3f}, "
                       "\"dur\": {:.3f}, \"args\": {{\"bytes\": {:.0f}}}}}",
                       separator, json_string(e.name), e.kind == EventKind::kernel ? "kernel" : "stage", e.thread,
                       microseconds(e.begin - recording.start), microseconds(e.time), e.bytes);
        separator = ",\n";
    }
    return json + "\n]}\n";
}

}  // namespace sinter::runtime
