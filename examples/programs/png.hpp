// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Writes pictures.
#pragma once

#include <sinter/sinter.hpp>

#include <png.h>

#include <cstdint>
#include <vector>

namespace programs {

inline bool write_png(const char* path, std::int64_t height, std::int64_t width, unsigned format,
                      const std::vector<std::uint8_t>& bytes) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width);
    image.height = static_cast<png_uint_32>(height);
    image.format = format;
    return png_image_write_to_file(&image, path, 0, bytes.data(), 0, nullptr) != 0;
}

/// Shades of grey.
inline bool write_png(const char* path, const sinter::Array<std::uint8_t, 2>& grey) {
    return write_png(path, grey.shape()[0], grey.shape()[1], PNG_FORMAT_GRAY, grey.to_vector());
}

/// Colours, 0xrrggbb.
inline bool write_png(const char* path, const sinter::Array<std::uint32_t, 2>& colours) {
    std::vector<std::uint8_t> bytes;
    for (const std::uint32_t c : colours.to_vector())
        for (const int shift : {16, 8, 0}) bytes.push_back(static_cast<std::uint8_t>(c >> shift));
    return write_png(path, colours.shape()[0], colours.shape()[1], PNG_FORMAT_RGB, bytes);
}

}  // namespace programs
