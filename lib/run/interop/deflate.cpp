// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/interop/deflate.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

namespace sinter::runtime {

namespace {

constexpr int raw_window = -15;  ///< without header and checksum; the largest window
constexpr std::size_t step = std::numeric_limits<uInt>::max();

using Data = std::span<const unsigned char>;
using Bytes = std::vector<unsigned char>;

/// A zlib stream; the remaining input is given in steps of 32 bits.
struct Stream : z_stream {
    explicit Stream(Data data) : z_stream(), left(data) {}

    void refill() {
        if (avail_in > 0) return;
        const std::size_t count = std::min(left.size(), step);
        next_in = const_cast<Bytef*>(left.data());
        avail_in = static_cast<uInt>(count);
        left = left.subspan(count);
    }
    bool is_at_end() const { return avail_in == 0 && left.empty(); }

    /// Grows `bytes` by at most `most`, and lets the stream write there.
    void make_room(Bytes& bytes, std::size_t most) {
        const std::size_t written = bytes.size();
        const std::size_t count = std::min({std::max<std::size_t>(written, 4096), most, step});
        bytes.resize(written + count);
        next_out = bytes.data() + written;
        avail_out = static_cast<uInt>(count);
    }

    Data left;
};

struct Inflation : Stream {
    explicit Inflation(Data data) : Stream(data) {
        if (inflateInit2(this, raw_window) != Z_OK) throw std::bad_alloc();
    }
    ~Inflation() { inflateEnd(this); }
};

struct Deflation : Stream {
    explicit Deflation(Data data) : Stream(data) {
        const int state = deflateInit2(this, Z_DEFAULT_COMPRESSION, Z_DEFLATED, raw_window, 8, Z_DEFAULT_STRATEGY);
        if (state != Z_OK) throw std::bad_alloc();
    }
    ~Deflation() { deflateEnd(this); }
};

}  // namespace

std::optional<Bytes> inflate(Data data, std::size_t most) {
    Inflation stream(data);
    Bytes bytes;
    int state = Z_OK;
    while (state == Z_OK) {
        stream.refill();
        // Room for one byte more than allowed, so that longer data is detected.
        if (stream.avail_out == 0) stream.make_room(bytes, most + 1 - bytes.size());
        state = ::inflate(&stream, Z_NO_FLUSH);
        if (bytes.size() - stream.avail_out > most || (state == Z_BUF_ERROR && stream.is_at_end())) break;
        if (state == Z_BUF_ERROR) state = Z_OK;
    }
    bytes.resize(bytes.size() - stream.avail_out);
    if (state != Z_STREAM_END || bytes.size() > most) return std::nullopt;
    return bytes;
}

Bytes deflate(Data data) {
    Deflation stream(data);
    Bytes bytes;
    int state = Z_OK;
    while (state == Z_OK) {
        stream.refill();
        if (stream.avail_out == 0) stream.make_room(bytes, step);
        state = ::deflate(&stream, stream.left.empty() ? Z_FINISH : Z_NO_FLUSH);
        if (state == Z_BUF_ERROR) state = Z_OK;
    }
    bytes.resize(bytes.size() - stream.avail_out);
    return bytes;
}

std::uint32_t crc32(Data data, std::uint32_t before) {
    if (data.empty()) return before;  // zlib takes a null pointer as a request for the initial value
    return static_cast<std::uint32_t>(::crc32_z(before, data.data(), data.size()));
}

std::uint32_t crc32_of_both(std::uint32_t first, std::uint32_t second, std::uint64_t bytes) {
    return static_cast<std::uint32_t>(::crc32_combine(first, second, static_cast<z_off_t>(bytes)));
}

std::uint32_t adler32(Data data) { return static_cast<std::uint32_t>(::adler32_z(1, data.data(), data.size())); }

}  // namespace sinter::runtime
