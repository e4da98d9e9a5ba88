// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/launch_log.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace sinter::runtime {

bool launch_log_enabled() {
    static const bool enabled = [] {
        const char* text = std::getenv("SINTER_LOG");
        return text && std::string_view(text).find("launch") != std::string_view::npos;
    }();
    return enabled;
}

void log_launch(const lower::Kernel& kernel, std::span<const std::int64_t> sizes, std::chrono::nanoseconds time) {
    double bytes = 0;
    for (const lower::Buffer& buffer : kernel.buffers) {
        bytes += static_cast<double>(sizes[buffer.elements.index]) * detail::size_of(buffer.scalar);
    }
    double seconds = std::chrono::duration<double>(time).count();
    fmt::print(stderr, "launch {}: {:.1f} us, {:.2f} MB, {:.1f} GB/s\n", kernel.name, seconds * 1e6, bytes / 1e6,
               bytes / seconds / 1e9);
}

}  // namespace sinter::runtime
