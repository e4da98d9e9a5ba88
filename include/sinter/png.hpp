// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Images in PNG files with 8 bits per channel. Not part of sinter.hpp.
#pragma once

#include <sinter/array.hpp>
#include <sinter/detail/interop.hpp>

namespace sinter {

/// The image in a file: height, width, channels (1: grey, 2: grey and opacity, 3: red, green, blue, 4: those and opacity).
/// Palettes become colours. UsageError if the file cannot be read or is damaged, has 16 bits per channel or is interlaced.
inline Array<std::uint8_t, 3> load_png(const std::string& path, location where = location::current()) {
    detail::Leaves<std::uint8_t> leaves;
    leaves.leaf[0] = detail::load_png(path, where);
    return Array<std::uint8_t, 3>(std::move(leaves));
}

/// Writes an image of that shape, or a grey one of rank 2. ShapeError if there is no pixel, or if there are not 1 to 4
/// channels; UsageError if the file cannot be written.
inline void save_png(const std::string& path, const Array<std::uint8_t, 3>& image, location where = location::current()) {
    const auto shape = image.shape(where);
    detail::save_png(path, image.leaves().leaf[0], shape.data(), where);
}
inline void save_png(const std::string& path, const Array<std::uint8_t, 2>& image, location where = location::current()) {
    const auto shape = image.shape(where);
    const std::int64_t with_channel[] = {shape[0], shape[1], 1};
    detail::save_png(path, image.leaves().leaf[0], with_channel, where);
}

}  // namespace sinter
