// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/interop/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace sinter::runtime {

std::string Source::text(const std::string& message) const { return fmt::format("{}: {} {}", what_, name_, message); }

void Source::read(void* to, std::size_t bytes, const char* part) {
    if (bytes != 0 && take(to, bytes) != bytes) fail_short(bytes, part);
}

void Source::fail_short(std::size_t bytes, const char* part) const {
    fail(fmt::format("ends within its {} ({} bytes expected)", part, bytes));
}

File::File(const char* what, const std::string& path, const char* mode, location where)
    : Source(what, path, where), file_(std::fopen(path.c_str(), mode)) {
    if (!file_) fail(fmt::format("cannot be opened: {}", std::strerror(errno)));
}

void File::write(const void* from, std::size_t bytes) {
    if (bytes != 0 && std::fwrite(from, 1, bytes, file_.get()) != bytes)
        fail(fmt::format("cannot be written: {}", std::strerror(errno)));
}

void File::close() {
    if (std::fclose(file_.release()) != 0) fail(fmt::format("cannot be written: {}", std::strerror(errno)));
}

Bytes File::rest() {
    Bytes all;
    std::array<unsigned char, 1 << 16> part{};
    for (std::size_t count = 0; (count = take(part.data(), part.size())) > 0;)
        all.insert(all.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(count));
    return all;
}

std::size_t MemorySource::take(void* to, std::size_t bytes) {
    const std::size_t count = std::min(bytes, bytes_.size());
    if (count > 0) std::memcpy(to, bytes_.data(), count);
    bytes_ = bytes_.subspan(count);
    return count;
}

}  // namespace sinter::runtime
