// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Portable Network Graphics (ISO/IEC 15948) with 8 bits per channel; images with fewer bits and with palettes are converted
// on reading.
#include <sinter/detail/build.hpp>
#include <sinter/detail/interop.hpp>
#include <sinter/detail/rows.hpp>

#include "run/interop/deflate.hpp"
#include "run/interop/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

namespace sinter::runtime {

namespace {

using Data = std::span<const unsigned char>;
using detail::LeafRef;
using detail::Scalar;

constexpr std::array<unsigned char, 8> signature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
constexpr std::size_t most_pixels_along = 0x7fffffff;

enum Colour : unsigned char { grey = 0, rgb = 2, palette = 3, grey_alpha = 4, rgb_alpha = 6 };

std::size_t number(const unsigned char* at) {
    return std::size_t{at[0]} << 24 | std::size_t{at[1]} << 16 | std::size_t{at[2]} << 8 | at[3];
}

void put(Bytes& to, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) to.push_back(static_cast<unsigned char>(value >> shift));
}

struct Png {
    std::size_t width = 0, height = 0, bits = 8;
    unsigned char colour = grey;
    Bytes colours, opacities, data;

    /// The number of samples per pixel in the file.
    std::size_t samples() const { return colour == rgb ? 3 : colour == rgb_alpha ? 4 : colour == grey_alpha ? 2 : 1; }
    std::size_t row_bytes() const { return (width * samples() * bits + 7) / 8; }
    std::size_t channels() const { return colour != palette ? samples() : opacities.empty() ? 3 : 4; }
};

void read_header(const Source& file, Png& png, const Bytes& chunk) {
    if (chunk.size() != 13) file.fail("is a damaged PNG file");
    png.width = number(chunk.data()), png.height = number(chunk.data() + 4);
    png.bits = chunk[8], png.colour = chunk[9];
    const bool is_small = png.bits == 1 || png.bits == 2 || png.bits == 4;
    const bool is_known = png.colour == grey || png.colour == palette || png.colour == rgb || png.colour == grey_alpha ||
                          png.colour == rgb_alpha;
    const bool may_be_small = png.colour == grey || png.colour == palette;
    if (png.width == 0 || png.height == 0 || png.width > most_pixels_along || png.height > most_pixels_along || !is_known)
        file.fail("is a damaged PNG file");
    if (png.bits != 8 && !(is_small && may_be_small))
        file.fail(fmt::format("is a PNG file of {} bits a channel, which are not read", png.bits));
    if (chunk[12] != 0) file.fail("is an interlaced PNG file, which is not read");
}

Png read_chunks(Source& file) {
    std::array<unsigned char, 8> head{};
    file.read(head.data(), head.size(), "header");
    if (head != signature) file.fail("is not a PNG file");
    Png png;
    for (bool first = true;; first = false) {
        file.read(head.data(), head.size(), "chunks");
        const std::size_t length = number(head.data());
        const std::string_view kind(reinterpret_cast<const char*>(head.data()) + 4, 4);
        if (length > most_pixels_along || first != (kind == "IHDR")) file.fail("is a damaged PNG file");
        Bytes chunk(length);
        file.read(chunk.data(), length, "chunks");
        std::array<unsigned char, 4> sum{};
        file.read(sum.data(), sum.size(), "chunks");
        if (crc32(chunk, crc32({head.data() + 4, 4})) != number(sum.data())) file.fail("is a damaged PNG file");
        if (kind == "IEND") return png;
        if (kind == "IHDR") read_header(file, png, chunk);
        if (kind == "PLTE") png.colours = std::move(chunk);
        if (kind == "tRNS" && png.colour == palette) png.opacities = chunk;
        if (kind == "IDAT") png.data.insert(png.data.end(), chunk.begin(), chunk.end());
    }
}

unsigned char paeth(int left, int above, int corner) {
    const int estimate = left + above - corner;
    const int a = std::abs(estimate - left), b = std::abs(estimate - above), c = std::abs(estimate - corner);
    return static_cast<unsigned char>(a <= b && a <= c ? left : b <= c ? above : corner);
}

/// Adds what the filter of a row predicts; for the first row, `above` is all zeros. Returns false if there is no such
/// filter.
bool unfilter(unsigned char filter, std::size_t step, Data above, std::span<unsigned char> row) {
    if (filter > 4) return false;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const int left = i < step ? 0 : row[i - step], up = above[i], corner = i < step ? 0 : above[i - step];
        const int predicted = filter == 0   ? 0
                              : filter == 1 ? left
                              : filter == 2 ? up
                              : filter == 3 ? (left + up) / 2
                                            : paeth(left, up, corner);
        row[i] = static_cast<unsigned char>(row[i] + predicted);
    }
    return true;
}

unsigned sample(const unsigned char* row, std::size_t at, std::size_t bits) {
    if (bits == 8) return row[at];
    const std::size_t first = at * bits;
    return row[first / 8] >> (8 - bits - first % 8) & ((1u << bits) - 1);
}

void write_pixels(const Source& file, const Png& png, const unsigned char* row, unsigned char* to) {
    for (std::size_t k = 0; k < png.width * png.samples(); ++k) {
        const unsigned value = sample(row, k, png.bits);
        if (png.colour != palette) {
            *to++ = static_cast<unsigned char>(value * (255 / ((1u << png.bits) - 1)));
            continue;
        }
        if (3 * value + 2 >= png.colours.size()) file.fail("is a damaged PNG file");
        to = std::copy_n(png.colours.begin() + 3 * value, 3, to);
        if (!png.opacities.empty()) *to++ = value < png.opacities.size() ? png.opacities[value] : 255;
    }
}

LeafRef decode(const Source& file, const Png& png) {
    const std::size_t length = png.row_bytes() + 1;
    if (png.data.size() < 6 || (png.data[0] & 15) != 8 || length > SIZE_MAX / png.height) file.fail("is a damaged PNG file");
    const Data compressed(png.data.data() + 2, png.data.size() - 6);
    std::optional<Bytes> rows = inflate(compressed, length * png.height);
    if (!rows || rows->size() != length * png.height) file.fail("is a damaged PNG file");
    const std::array<std::int64_t, 3> shape = {static_cast<std::int64_t>(png.height), static_cast<std::int64_t>(png.width),
                                               static_cast<std::int64_t>(png.channels())};
    LeafRef image = detail::make_array(Scalar::u8, shape.data(), shape.size(), file.where());
    auto* to = static_cast<unsigned char*>(detail::data(image, file.where()));
    const std::size_t step = std::max<std::size_t>(1, png.samples() * png.bits / 8);
    const Bytes zeros(png.row_bytes());
    Data above = zeros;
    for (std::size_t y = 0; y < png.height; ++y, to += png.width * png.channels()) {
        const std::span row(rows->data() + y * length + 1, png.row_bytes());
        if (!unfilter(rows->data()[y * length], step, above, row)) file.fail("is a damaged PNG file");
        write_pixels(file, png, row.data(), to);
        above = row;
    }
    return image;
}

void write_chunk(File& file, std::string_view kind, const Bytes& contents) {
    Bytes chunk;
    put(chunk, static_cast<std::uint32_t>(contents.size()));
    chunk.insert(chunk.end(), kind.begin(), kind.end());
    chunk.insert(chunk.end(), contents.begin(), contents.end());
    put(chunk, crc32(Data(chunk).subspan(4)));
    file.write(chunk.data(), chunk.size());
}

/// Subtracts from each row the one above it, which suits photographs as well as drawings.
Bytes filtered(const unsigned char* pixels, std::size_t height, std::size_t row_bytes) {
    Bytes rows;
    rows.reserve(height * (row_bytes + 1));
    for (std::size_t y = 0; y < height; ++y) {
        rows.push_back(2);
        for (std::size_t x = 0; x < row_bytes; ++x) {
            const unsigned char* at = pixels + y * row_bytes + x;
            rows.push_back(static_cast<unsigned char>(*at - (y > 0 ? *(at - row_bytes) : 0)));
        }
    }
    return rows;
}

void write_image(const std::string& path, const unsigned char* pixels, const std::int64_t* shape, location where) {
    const std::int64_t height = shape[0], width = shape[1], channels = shape[2];
    constexpr std::array<unsigned char, 5> colours = {0, grey, grey_alpha, rgb, rgb_alpha};
    File file("save_png", path, "wb", where);
    file.write(signature.data(), signature.size());
    Bytes header;
    put(header, static_cast<std::uint32_t>(width));
    put(header, static_cast<std::uint32_t>(height));
    header.insert(header.end(), {8, colours[static_cast<std::size_t>(channels)], 0, 0, 0});
    write_chunk(file, "IHDR", header);
    const Bytes rows = filtered(pixels, static_cast<std::size_t>(height), static_cast<std::size_t>(width * channels));
    Bytes compressed = {0x78, 0x01};
    const Bytes block = deflate(rows);
    compressed.insert(compressed.end(), block.begin(), block.end());
    put(compressed, adler32(rows));
    constexpr std::size_t most_of_chunk = 1 << 20;
    for (std::size_t at = 0; at < compressed.size(); at += most_of_chunk) {
        const auto from = compressed.begin() + static_cast<std::ptrdiff_t>(at);
        const std::size_t count = std::min(most_of_chunk, compressed.size() - at);
        write_chunk(file, "IDAT", Bytes(from, from + static_cast<std::ptrdiff_t>(count)));
    }
    write_chunk(file, "IEND", {});
    file.close();
}

}  // namespace
}  // namespace sinter::runtime

namespace sinter::detail {

using namespace sinter::runtime;

LeafRef load_png(const std::string& path, location where) {
    meet_for_file("load_png", 0, where);
    LeafRef image;
    together("load_png", where, [&] {
        File file("load_png", path, "rb", where);
        image = decode(file, read_chunks(file));
    });
    return image;
}

void save_png(const std::string& path, const LeafRef& image, const std::int64_t* shape, location where) {
    const std::int64_t height = shape[0], width = shape[1], channels = shape[2];
    const auto most = static_cast<std::int64_t>(most_pixels_along);
    if (height < 1 || width < 1 || height > most || width > most || channels < 1 || channels > 4)
        throw ShapeError(fmt::format("save_png: no image has the shape [{}, {}, {}]: height, width, 1 to 4 channels", height,
                                     width, channels),
                         where);
    meet_for_file("save_png", 0, where);
    const auto* pixels = static_cast<const unsigned char*>(data(image, where));
    together("save_png", where, [&] {
        if (own_rank() == 0) write_image(path, pixels, shape, where);
    });
}

}  // namespace sinter::detail
