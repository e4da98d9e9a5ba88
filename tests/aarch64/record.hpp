// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Launches of kernels, written to a file by a program on the processor that compiles and read by one on another processor:
/// values as they are in memory, arrays after their lengths.
#pragma once

#include "jit/emit/arguments.hpp"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <type_traits>
#include <vector>

namespace aarch64_test {

struct Buffer {
    std::int64_t element_bytes = 1, elements = 0;
    bool output = false, floating = false;
    std::string before, after;  ///< with some bytes behind the array, which must stay as they are

    /// The position of the first element of `got` that is not as expected; -1 if there is none. Any NaN is as good as any
    /// other. Elements that nothing is written to are not compared: a filter may write anything behind what it keeps.
    std::int64_t first_difference(const char* got) const {
        const auto bytes = static_cast<std::size_t>(element_bytes), array = static_cast<std::size_t>(elements) * bytes;
        for (std::size_t at = 0; at < array; at += bytes) {
            const char* expected = after.data() + at;
            if (std::memcmp(expected, before.data() + at, bytes) == 0 || std::memcmp(expected, got + at, bytes) == 0)
                continue;
            if (floating && is_nan(expected) && is_nan(got + at)) continue;
            return static_cast<std::int64_t>(at / bytes);
        }
        return std::memcmp(after.data() + array, got + array, after.size() - array) == 0 ? -1 : elements;
    }

  private:
    bool is_nan(const char* at) const {
        std::uint64_t bits = 0;
        std::memcpy(&bits, at, static_cast<std::size_t>(element_bytes));
        const auto width = static_cast<int>(8 * element_bytes);
        const int exponent = width == 64 ? 11 : width == 32 ? 8 : 5, mantissa = width - 1 - exponent;
        const std::uint64_t infinity = ((std::uint64_t{1} << exponent) - 1) << mantissa;
        return (bits & ~(std::uint64_t{1} << (width - 1))) > infinity;
    }
};

/// One call of generated code. The pointers of the tile are null.
struct Call {
    bool finish = false;  ///< calls the entry of that name, instead of the kernel
    sinter::emit::Tile tile;
};

struct Launch {
    std::string kernel, object;
    std::vector<std::int64_t> sizes;
    std::vector<Buffer> buffers;
    bool fails = false;  ///< a check fails; what is in the buffers afterwards does not matter
    std::int64_t points = 0, chunks = 0, task_bytes = 0, shared_bytes = 0;
    std::vector<std::int64_t> partial_bytes;  ///< of the arrays for partial results
    std::vector<Call> calls;
};

/// Writes or reads, by the stream.
template <class Stream>
class Record {
  public:
    explicit Record(Stream& stream) : stream_(stream) {}

    void operator()(Launch& launch) {
        (*this)(launch.kernel), (*this)(launch.object), (*this)(launch.sizes);
        each(launch.buffers, [&](Buffer& b) {
            value(b.element_bytes), value(b.elements), value(b.output), value(b.floating), (*this)(b.before),
                (*this)(b.after);
        });
        value(launch.fails), value(launch.points), value(launch.chunks);
        value(launch.task_bytes), value(launch.shared_bytes), (*this)(launch.partial_bytes);
        each(launch.calls, [&](Call& call) { value(call.finish), value(call.tile); });
    }

  private:
    template <class T>
    void value(T& v) {
        if constexpr (std::is_same_v<Stream, std::ofstream>)
            stream_.write(reinterpret_cast<const char*>(&v), sizeof v);
        else
            stream_.read(reinterpret_cast<char*>(&v), sizeof v);
    }
    template <class Array, class F>
    void each(Array& array, F f) {
        std::uint64_t count = array.size();
        value(count);
        if (!stream_) return;
        array.resize(count);
        for (auto& element : array) f(element);
    }
    void operator()(std::string& text) {
        each(text, [&](char& c) { value(c); });
    }
    void operator()(std::vector<std::int64_t>& numbers) {
        each(numbers, [&](std::int64_t& n) { value(n); });
    }

    Stream& stream_;
};

}  // namespace aarch64_test
